"""Quantities that the equations of a system conserve, by proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import display, errors
from semidirect.equations import derived_sde
from semidirect.invariants.algebra.linear_algebra import rank
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.algebra.sloped import along
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import at_random
from semidirect.invariants.proofs import prove
from semidirect.invariants.quantity import expressions

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["Constants"]

MOST, SPOTS = 12, 12
"""Products of vectors that are tried, and points of the prime field."""


@final
@dataclass(frozen=True, repr=False)
class Constants(display.Brief):
    """Quantities that the equations conserve, each by a proof at exact points.

    Attributes
    ----------
    along_all : tuple of str
        Neither the drift nor any noise changes them.
    along_drift : tuple of str
        The drift does not change them, and a noise does.
    undecided : tuple of str
        No proof and no counterexample was found.
    """

    along_all: tuple[str, ...]
    along_drift: tuple[str, ...]
    undecided: tuple[str, ...]

    @classmethod
    def of(cls, system: SystemDefinition, more: Sequence[str] = (), *, noise: bool = True) -> Constants:
        """The observables of a system, and more quantities, by what the equations do to them; proofs are kept with the system.

        Beside them stand products of momenta and advected quantities, such as M·Γ and |Γ|, that are conserved and no function of
        the others.
        """
        names = tuple(dict.fromkeys([*system.observables(), *more]))
        constants: Constants = system.workings.known((cls, names, noise), lambda: _with_products(system, names, noise))
        return constants


def _with_products(system: SystemDefinition, names: Sequence[str], noise: bool) -> Constants:
    observables = _proved(system, names, noise)
    products = _proved(system, _products(system), noise, stated=False)
    independent = _independent(
        system, (*observables.along_all, *observables.along_drift), (*products.along_all, *products.along_drift)
    )
    return Constants(
        (*observables.along_all, *(n for n in products.along_all if n in independent)),
        (*observables.along_drift, *(n for n in products.along_drift if n in independent)), observables.undecided,
    )  # fmt: skip


def _products(system: SystemDefinition) -> list[str]:
    """|a| of advected vectors, and the products of momenta with each other and with advected vectors."""
    sde = derived_sde(system)
    sizes = {v.name: len(v.symbols) for v in sde.variables if v.kind == "advected"}
    momenta = [system.workings.definition().momentum_name(block) for block in system.group.blocks]
    lengths = [f"norm({n})" for n, size in sizes.items() if size > 1]
    momenta = [n for n in momenta if n in sde.named]
    vectors = [*momenta, *sizes]
    sizes |= {n: len(np.atleast_1d(sde.named[n])) for n in momenta}
    pairs = [(n, m) for i, n in enumerate(momenta) for m in vectors[i:] if sizes[n] == sizes[m] > 1]
    return [*lengths, *(f"dot({n}, {m})" for n, m in pairs)][:MOST]


def _independent(system: SystemDefinition, names: Sequence[str], more: Sequence[str]) -> list[str]:
    """Those of some conserved quantities that are no functions of the known ones and of the others before them.

    The rank of the derivatives is that at a random point over a prime field.
    """
    if not more:
        return []
    sde = derived_sde(system, variables="velocity")
    fields = Fields(sde, {name: expressions(system, name, sde) for name in (*names, *more)})
    parameters = ParameterSet(system)
    field = PrimeField(next(parameters.primes(0)), SPOTS, random_numbers(0))
    at = at_random(fields, field, parameters)
    unit = [[field.number(int(i == j)) for j in range(len(at.y))] for i in range(len(at.y))]
    rows: list[list[Any]] = []
    independent: list[str] = []
    for name in (*names, *more):
        values = partial(at.values, name)
        slopes = [along(values, at.y, direction) for direction in unit]
        longer = [*rows, *([s[k] for s in slopes] for k in range(len(slopes[0])))]
        if name in names:
            rows = longer
        elif rank(field.at_spot(longer), field.p) > (rank(field.at_spot(rows), field.p) if rows else 0):
            rows, independent = longer, [*independent, name]
    return independent


def _proved(system: SystemDefinition, names: Sequence[str], noise: bool, *, stated: bool = True) -> Constants:
    along_all, along_drift, undecided = [], [], []
    for name in names:
        try:
            verdicts = prove(system, name, along="both" if noise else "drift", symbolic=False).verdicts
        except errors.SemidirectError:
            if stated and name not in system.observables():  # an expression that cannot be read
                raise
            undecided.append(name)
            continue
        if all(v.holds for v in verdicts):
            along_all.append(name)
        elif verdicts[0].holds and any(v.holds is False for v in verdicts):
            along_drift.append(name)
        elif all(v.holds is not False for v in verdicts):
            undecided.append(name)
    return Constants(tuple(along_all), tuple(along_drift), tuple(undecided))
