"""Functionally independent ones among invariants, by the rank of their differentials on the invariant set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.errors import InputError
from semidirect.invariants.duals import along
from semidirect.invariants.fields import Fields
from semidirect.invariants.linear_algebra import primes, rank
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import random_point
from semidirect.invariants.polynomial import Polynomial
from semidirect.invariants.quantity import expressions
from semidirect.invariants.residues import PrimeField
from semidirect.invariants.scalars import eliminate
from semidirect.invariants.tangents import tangents

if TYPE_CHECKING:
    from semidirect.equations.sde import StratonovichSDE
    from semidirect.system import System

SPOTS, WIDE = 8, 256


@final
@dataclass(frozen=True)
class Generator:
    """One of a largest functionally independent set.

    Attributes
    ----------
    quantity : str or Polynomial
        An observable of the system, or its square, where that is in the space; else one of the basis.
    """

    quantity: str | Polynomial

    def __str__(self) -> str:
        return self.quantity if isinstance(self.quantity, str) else str(self.quantity.primitive())


def generators(system: System, sde: StratonovichSDE, basis: Sequence[Polynomial], degree: int, seed: int = 0
               ) -> tuple[Generator, ...]:  # fmt: skip
    """A largest independent set among the system's observables and their squares that lie in the span, then the basis."""
    if not basis:
        return ()
    rows = {f"basis{i}": system.expression(q, sde) for i, q in enumerate(basis)}
    for name in system.observables():
        found = expressions(system, name, sde)
        if len(found) == 1:
            rows[name], rows[f"{name}**2"] = found, [found[0] ** 2]
    names = [n for n in rows if not n.startswith("basis")]
    p = next(primes(seed + 1))
    span = _values(sde, rows, len(basis) + 4 * SPOTS, ParameterSet(system), p, seed)
    one = np.ones((1, span["basis0"].shape[0]), dtype=np.int64)
    whole = np.concatenate([one, *(span[f"basis{i}"][None] for i in range(len(basis)))])
    size = rank(whole, p)
    inside = [n for n in names if n in span and rank(np.concatenate([whole, span[n][None]]), p) == size]
    candidates = [*inside, *(f"basis{i}" for i in range(len(basis)))]
    slopes = _differentials(sde, {n: rows[n] for n in candidates}, ParameterSet(system), p, seed)
    chosen: list[str] = []
    for name in slopes:
        matrix = np.array([slopes[n] for n in (*chosen, name)])
        if rank(matrix, p) == len(chosen) + 1:
            chosen.append(name)
    return tuple(Generator(n if n in names else basis[int(n[len("basis") :])]) for n in chosen)


def _values(sde: StratonovichSDE, rows: dict[str, Any], count: int, parameters: ParameterSet, p: int, seed: int
            ) -> dict[str, np.ndarray]:  # fmt: skip
    """Values of quantities at common regular points; those that are nowhere regular, or have cases, are left out."""
    found: dict[str, np.ndarray] = {}
    fields = Fields(sde, rows)
    field = PrimeField(p, 8 * count, np.random.default_rng(seed))
    point = random_point(fields, field, parameters, eliminate)
    at = fields.at(field, eliminate)
    y, values = at.state(point), at.parameters(point)
    good = field.valid.copy()
    for name in rows:
        field.valid = good.copy()
        try:
            (value,) = at.values(name, y, values)
        except (InputError, ZeroDivisionError):
            continue
        if np.count_nonzero(field.valid) >= count:
            found[name], good = value.spread(), field.valid
    return {name: value[good] for name, value in found.items()}


def _differentials(sde: StratonovichSDE, rows: dict[str, Any], parameters: ParameterSet, p: int, seed: int
                   ) -> dict[str, list[int]]:  # fmt: skip
    """DQ on the tangent vectors at one point; what is not regular at any of many points is left out."""
    fields = Fields(sde, rows)
    field = PrimeField(p, WIDE, np.random.default_rng(seed + 1))
    point, directions = tangents(fields, field, parameters)
    at = fields.at(field, eliminate)
    y, values = at.state(point), at.parameters(point)
    found: dict[str, list[np.ndarray]] = {}
    good = field.valid.copy()
    for name in rows:
        slopes = []
        field.valid = good.copy()
        for direction in directions:
            (slope,) = along(partial(at.values, name, parameters=values), y, direction)
            slopes.append(np.zeros(1, dtype=np.int64) if isinstance(slope, int) else slope.spread())
        if field.valid.any():
            found[name], good = slopes, field.valid
    spot = int(np.nonzero(good)[0][0])
    return {name: [int(np.broadcast_to(s, (WIDE,))[spot]) for s in slopes] for name, slopes in found.items()}
