"""The terms of a momentum equation: products of momenta, of momenta and shape velocities, of shape velocities."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.invariants.algebra.linear_algebra import null_space, rank
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Evaluator, Fields
from semidirect.invariants.points import random_point
from semidirect.invariants.sections import evaluator

if TYPE_CHECKING:
    from semidirect.invariants.momenta.momentum_sections import MomentumSection
    from semidirect.invariants.parameters import ParameterSet

TRIES = 60
MOMENTA, MIXED, SHAPE = "JJ", "Jr'", "r'r'"


def momentum_kinds(
    fields: Fields, sections: Sequence[MomentumSection], parameters: ParameterSet, seed: int | None = None
) -> tuple[tuple[str, ...], ...] | None:
    """The kinds of terms in the drift of each dJ, ``"JJ"``, ``"Jr'"`` and ``"r'r'"``.

    D is the sum of the sections and of the velocities at which all J vanish, those of the shape r along the nonholonomic
    connection. dJ/dt is a quadratic form on D and splits accordingly (Bloch, Krishnaprasad, Marsden and Murray 1996).
    With ``"Jr'"`` alone it is linear in J, dJ = A(r) r' J. Decided at a random point over a prime field, where a term that is
    there vanishes with a probability of about 1e-9.

    Parameters
    ----------
    fields : Fields
        With all J as components of its quantity ``J``, and its claimed differential.
    sections : sequence of MomentumSection
        The sections of the J.

    Returns
    -------
    tuple of tuples of str, or None
        ``None`` if dJ/dt is not quadratic: forces, affine constraints, other Lagrangians.
    """
    sde = fields.sde
    velocities = [x for v in sde.variables if v.kind == "velocity" for x in v.symbols]
    for attempt, p in zip(range(TRIES), parameters.primes(seed), strict=False):
        field = PrimeField(p, 1, random_numbers(seed, attempt))
        point = random_point(fields, field, parameters)
        at = _At(fields.at(field, point), point, velocities)
        rows = at.momenta()
        if sde.form == "A":
            A, _ = fields.covectors(field, point)
            rows = np.concatenate([rows, [[int(x.values[0]) for x in row] for row in A]])
        momenta = at.given(sections)
        # a point will do if momenta and shape velocities span all velocities there
        if field.valid[0] and rank(np.concatenate([momenta, shape := null_space(rows, p)]), p) == len(momenta) + len(
            shape
        ):
            break
    else:
        return None
    total = (momenta.sum(axis=0) + shape.sum(axis=0)) % p
    # kinds are those of a quadratic form; other rates have none
    if not at.homogeneous(total):
        return None
    pairs = {
        MOMENTA: combinations_with_replacement(momenta, 2),
        MIXED: product(momenta, shape),
        SHAPE: combinations_with_replacement(shape, 2),
    }
    kinds: list[list[str]] = [[] for _ in sections]
    for kind, vectors in pairs.items():
        values = [at.polarised(u, v) for u, v in vectors]
        for names, column in zip(kinds, zip(*values, strict=True), strict=False):
            names += [kind] * any(column)
    return tuple(map(tuple, kinds))


class _At:
    """Momenta and their rates at one point as functions of the velocities, integers modulo p."""

    def __init__(self, at: Evaluator, point: dict[Any, Any], velocities: Sequence[Any]):
        self.at, self.point, self.velocities = at, point, velocities
        self.p = at.numbers.p  # type: ignore[attr-defined]

    def _state(self, velocity: np.ndarray) -> list[Any]:
        values = {x: self.at.numbers.number(int(v)) for x, v in zip(self.velocities, velocity, strict=True)}
        return self.at.state({**self.point, **values})

    def values(self, velocity: np.ndarray) -> list[int]:
        """J, linear in the velocities."""
        return [int(x.values[0]) for x in self.at.values("J", self._state(velocity))]

    def momenta(self) -> np.ndarray:
        """The matrix of J (momenta, velocities)."""
        return np.array([self.values(u) for u in np.eye(len(self.velocities), dtype=int)]).T

    def homogeneous(self, u: np.ndarray) -> bool:
        """Whether J(2u) = 2J(u) and dJ/dt at 2u is 4 times that at u."""
        linear = all((2 * x - y) % self.p == 0 for x, y in zip(self.values(u), self.values(2 * u), strict=True))
        return linear and all((4 * x - y) % self.p == 0 for x, y in zip(self.rates(u), self.rates(2 * u), strict=True))

    def given(self, sections: Sequence[MomentumSection]) -> np.ndarray:
        """The sections as velocities."""
        flat = [x for section in sections for x in section.coordinates]
        entries = evaluator(flat, (), self.point, self.at.numbers)([])  # type: ignore[arg-type]
        return np.array([int(x.values[0]) for x in entries]).reshape(len(sections), -1)

    def rates(self, velocity: np.ndarray) -> list[int]:
        """dJ/dt."""
        return [int(x.values[0]) for x in self.at.claimed("J", 0, self._state(velocity))]

    def polarised(self, u: np.ndarray, v: np.ndarray) -> list[int]:
        """q(u + v) − q(u) − q(v) of the quadratic forms dJ/dt."""
        both = self.rates((u + v) % self.p)
        return [(a - b - c) % self.p for a, b, c in zip(both, self.rates(u), self.rates(v), strict=True)]
