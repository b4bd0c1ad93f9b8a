"""Identities: two sides that are equal, at random arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias, final

import numpy as np

from semidirect.groups import LieGroup, Representation

ROUND_OFF = 2e-14
"""Times the largest entry. Measured over our groups by many draws: 2.8e-15 (exp log on SO(5))."""

AGAINST_EXPM = 2e-13
"""With SciPy's expm as the reference; measured 3.3e-14, on the adjoint of SO(5)."""

INEXACT = 1e-12
"""For structure constants that are decimals of irrational numbers."""

STEP = 1e-4
"""For central differences, whose errors are STEP² |x|³/6 and round-off/STEP: 2e-9 and 1e-12."""


@final
@dataclass(frozen=True)
class Equal:
    """Two sides of an identity, equal within ``tolerance`` times the largest of their entries, 1 and ``scale``."""

    left: Any
    right: Any
    tolerance: float = ROUND_OFF
    scale: float = 1.0

    @property
    def off(self) -> float:
        """The largest difference relative to the tolerance (0 for exact identities); more than 1 if the identity fails."""
        rest = np.max(np.abs(np.asarray(self.left, dtype=float) - np.asarray(self.right, dtype=float)), initial=0.0)
        allowed = self.tolerance * max(size(self.left), size(self.right), self.scale)
        return float(rest / allowed) if allowed else (float("inf") if rest else 0.0)

    @property
    def holds(self) -> bool:
        """Whether the sides are equal; nan is never equal."""
        return self.off <= 1


Sides: TypeAlias = "Iterator[Equal]"


@final
@dataclass(frozen=True)
class Identity:
    """An identity of a group or a representation.

    Attributes
    ----------
    name : str
        The statement.
    draws : str
        A letter for each thing that is drawn: ``x`` an algebra vector, ``g`` an element, ``m`` a covector, ``v`` a vector and
        ``k`` a covector of a representation.
    sides : callable(group or representation, *drawn) → iterator of Equal
        The sides that must be equal.
    """

    name: str
    draws: str
    sides: Callable[..., Sides]

    def broken(self, of: Any, *values: Any) -> str:
        """The first sides that are not equal, in words; empty if all are equal."""
        difference = next((equal for equal in self.sides(of, *values) if not equal.holds), None)
        return (
            "" if difference is None else f"{self.name.replace('_', ' ')}: {difference.left} is not {difference.right}"
        )


def size(a: Any, least: float = 1.0) -> float:
    """The largest entry of ``a``, or ``least``."""
    return max(least, float(np.max(np.abs(np.asarray(a, dtype=float)), initial=0.0)))


def seeded(group: LieGroup, dimension: int, draws: str, random: Random) -> list[Any]:
    """The random arguments of an identity."""

    def vector(letter: str) -> np.ndarray:
        return np.array([random.uniform(-1, 1) for _ in range(dimension if letter in "vk" else group.dimension)])

    return [group.exp(vector(letter)) if letter == "g" else vector(letter) for letter in draws]


# -- representations -----------------------------------------------------------------------------------------------


def norm(rep: Representation, x: Any) -> float:
    """The largest entry of ρ(x)."""
    return size(np.einsum("j,jab->ab", x, rep.generators.astype(float)))


def simple(entries: np.ndarray) -> bool:
    """Whether entries are rational by intention, not decimals of irrational numbers."""
    return all(Fraction(e).limit_denominator(1000) == e for e in entries.ravel())
