"""Functionally independent invariants, determined by the rank of their differentials on the invariant set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import display, errors
from semidirect.equations import quantity_expressions
from semidirect.invariants.algebra.linear_algebra import rank
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.algebra.sloped import along
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import at_random, regular_primes
from semidirect.invariants.polynomial import Polynomial
from semidirect.invariants.quantity import expressions
from semidirect.invariants.tangents import tangents

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE
    from semidirect.invariants.level import Level

WIDE = 256


@final
@dataclass(frozen=True, repr=False)
class Generator(display.Read):
    """One of a largest functionally independent set.

    Attributes
    ----------
    quantity : str or Polynomial
        An observable of the system, or its square, if it lies in the space; else an element of the basis.
    """

    quantity: str | Polynomial

    def __str__(self) -> str:
        return self.quantity if isinstance(self.quantity, str) else str(self.quantity.primitive())


@final
@dataclass(frozen=True)
class IndependentInvariants:
    """Independent invariants that generate a space of invariants.

    Attributes
    ----------
    independent : tuple of Generator
        A largest functionally independent set.
    products : tuple of str
        Products of these that lie in the space too.
    spanned : int
        Dimension of the subspace of polynomials in the generators; the other elements of the space are other functions
        of the generators.
    """

    independent: tuple[Generator, ...] = ()
    products: tuple[str, ...] = ()
    spanned: int = 0


def generators(
    system: SystemDefinition,
    sde: StratonovichSDE,
    basis: Sequence[Polynomial],
    degree: int,
    seed: int | None = None,
    level: Level | None = None,
) -> IndependentInvariants:
    """A largest independent set among the system's observables and their squares that lie in the span, then the basis."""
    if not basis:
        return IndependentInvariants()
    rows = {f"basis{i}": quantity_expressions.component_expressions(system, q, sde) for i, q in enumerate(basis)}
    # observables come first, so that the set reads as a physicist would write it
    for name in system.observables():
        entries = expressions(system, name, sde)
        if len(entries) == 1:
            rows[name], rows[f"{name}**2"] = entries, [entries[0] ** 2]
    names = [n for n in rows if not n.startswith("basis")]
    parameters = ParameterSet(system)
    p = next(regular_primes(Fields(sde, level=level), parameters, seed))
    span = _values(sde, rows, len(basis) + WIDE, parameters, p, seed, level)
    one = np.ones((1, span["basis0"].shape[0]), dtype=np.int64)

    def within(values: np.ndarray, highest: int) -> bool:
        """Whether a function lies in the part of the space of its degree, which the first elements of the basis span."""
        part = [one, *(span[f"basis{i}"][None] for i, q in enumerate(basis) if q.degree <= highest)]
        return rank(np.concatenate([*part, values[None]]), p) == len(part)

    # what does not lie in the span is no invariant of this degree
    inside = [n for n in names if n in span and within(span[n], degree)]
    candidates = [*inside, *(f"basis{i}" for i in range(len(basis)))]
    slopes = _differentials(sde, {n: rows[n] for n in candidates}, parameters, p, seed, level)
    independent: list[str] = []
    # independent differentials at a point are independent functions
    for name in slopes:
        matrix = np.array([slopes[n] for n in (*independent, name)])
        if rank(matrix, p) == len(independent) + 1:
            independent.append(name)
    # a product counts with the least degree at which its factors lie in the span
    least = {n: next(d for d in range(degree + 1) if d == degree or within(span[n], d)) for n in independent}
    products = [c for c in _products(independent, least, degree) if len(c) > 1]
    values = {c: _multiplied([span[n] for n in c], p) for c in products}
    in_span = [c for c in products if within(values[c], degree)]
    whole = np.concatenate([one, *(span[f"basis{i}"][None] for i in range(len(basis)))])
    generated = np.concatenate([one, *(span[n][None] for n in independent), *(v[None] for v in values.values())])
    # the dimension of an intersection: the sum of both less that of their sum
    common = len(whole) + rank(generated, p) - rank(np.concatenate([whole, generated]), p)
    label = {n: n if n in names else f"G{i}" for i, n in enumerate(independent, 1)}
    return IndependentInvariants(
        tuple(Generator(n if n in names else basis[int(n[len("basis") :])]) for n in independent),
        tuple(_written([label[n] for n in c]) for c in in_span),
        common - 1,
    )


def _products(names: Sequence[str], degrees: dict[str, int], degree: int) -> list[tuple[str, ...]]:
    """Products of a total degree, as sorted tuples of factors."""
    products: list[tuple[str, ...]] = [()]
    for name in names:
        for product in list(products):
            total, step = sum(degrees[n] for n in product), max(degrees[name], 1)
            products += [(*product, *[name] * k) for k in range(1, (degree - total) // step + 1)]
    return products[1:]


def _multiplied(factors: Sequence[np.ndarray], p: int) -> np.ndarray:
    out = factors[0]
    for factor in factors[1:]:
        out = out * factor % p
    return out


def _written(factors: Sequence[str]) -> str:
    """A product as text."""
    powers = {n: factors.count(n) for n in dict.fromkeys(factors)}
    return "*".join(n if k == 1 else f"({n})**{k}" if "*" in n else f"{n}**{k}" for n, k in powers.items())


def _values(sde: StratonovichSDE, rows: dict[str, Any], count: int, parameters: ParameterSet, p: int, seed: int | None,
            level: Level | None = None) -> dict[str, np.ndarray]:  # fmt: skip
    """Values of quantities at common regular points; quantities that are nowhere regular, or piecewise, are left out."""
    table: dict[str, np.ndarray] = {}
    fields = Fields(sde, rows, level=level)
    field = PrimeField(p, 8 * count, random_numbers(seed))
    at = at_random(fields, field, parameters)
    good = field.valid.copy()
    for name in rows:
        field.valid = good.copy()
        try:
            (value,) = at.values(name)
        except (errors.InputError, ZeroDivisionError):
            continue
        if np.count_nonzero(field.valid) >= count:
            table[name], good = value.spread(), field.valid
    return {name: value[good] for name, value in table.items()}


def _differentials(sde: StratonovichSDE, rows: dict[str, Any], parameters: ParameterSet, p: int, seed: int | None,
                   level: Level | None = None) -> dict[str, list[int]]:  # fmt: skip
    """DQ on the tangent vectors at one point; quantities that are regular at none of many points are left out."""
    fields = Fields(sde, rows, level=level)
    field = PrimeField(p, WIDE, random_numbers(seed, 1))
    point, directions = tangents(fields, field, parameters)
    at = fields.at(field, point)
    differentials: dict[str, list[Any]] = {}
    good = field.valid.copy()
    for name in rows:
        field.valid = good.copy()
        slopes = [along(partial(at.values, name), at.y, direction)[0] for direction in directions]
        if field.valid.any():
            differentials[name], good = slopes, field.valid
    field.valid = good
    return {name: field.at_spot([slopes])[0].tolist() for name, slopes in differentials.items()}
