"""Power series along a flow, with coefficients modulo a power of a prime, at many points at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias, final

import numpy as np

from semidirect.core import errors, interpolation
from semidirect.invariants.algebra.field_element import FieldElement
from semidirect.invariants.algebra.scalars import Numbers

Rule: TypeAlias = Callable[[np.ndarray, int], Any]
"""The coefficient k of a series, from its own earlier ones and those of others."""

WORD = 2**15
"""Products of two numbers below this can be added without overflow."""


@final
class PowerSeriesRing(Numbers):
    """Series Σ c_k t^k up to an order, at ``count`` points, with c_k modulo a power of the prime p ≡ 3 (mod 4).

    Operations are recorded when they are made, and :meth:`flow` extends all series by one coefficient after the other. So the
    series of y(t) with dy/dt = f(y) follow from one evaluation of f. A point at which something is divided by a number that p
    divides, or where a root does not exist, is marked in ``valid`` and must not be used.

    Attributes
    ----------
    modulus, p, order, count : int
    valid : bool array (count,)
    """

    def __init__(self, modulus: int, p: int, order: int, count: int, draw: Callable[[], np.ndarray]):
        self.modulus, self.p, self.order, self.count = modulus, p, order, count
        self.dtype = np.dtype(np.int64 if modulus < WORD else object)
        self.valid = np.ones(count, dtype=bool)
        self._draw, self._made = draw, list[Series]()
        self._drawn: dict[int, Series] = {}
        self._halves: dict[int, Series] = {}

    def number(self, p: int, q: int = 1) -> Series:
        """The rational p/q; no point is valid if the prime divides q."""
        numerator = self.constants([int(p) % self.modulus])
        return numerator if q == 1 else numerator.times(self.constants([int(q) % self.modulus]).inverse())

    def constants(self, values: Any) -> Series:
        """Numbers that stay the same, one for each point or one for all."""
        return Series(np.array([values], dtype=self.dtype), self)

    def draw(self) -> Series:
        """The next of the numbers that are given."""
        series = self.constants(self._draw() % self.modulus)
        self._drawn[id(series)] = series
        return series

    def turned(self, angle: Series) -> tuple[Series, Series] | None:
        """Cosine and sine of an angle that was drawn, a point of the circle over the ring; ``None`` of any other number.

        The angle of a configuration enters by these two alone, so that they are drawn in its place.
        """
        if id(angle) not in self._drawn:
            return None
        if id(angle) not in self._halves:
            self._halves[id(angle)] = self.constants(self._draw() % self.modulus)
        half = self._halves[id(angle)]
        square, one = half.times(half), self.number(1)
        scale = (one + square).inverse()
        return (one - square).times(scale), self.number(2).times(half).times(scale)

    def constant(self, name: str) -> NoReturn:
        """π and its like, which raise an error."""
        self.refuse_function(name)

    def refuse_function(self, name: str | interpolation.Interpolant) -> NoReturn:
        """Raise the error for functions that are not algebraic."""
        raise errors.InputError(
            "a search for relations", expected="equations that are algebraic", got=f"{name} in them",
            hint="Prove a relation that you know, system.prove(…), or make the function an internal state, whose equation is "
            "algebraic, such as dz/dt = -z for exp(-t).",
        )  # fmt: skip

    def variable(self, start: Series) -> Series:
        """A series whose coefficients :meth:`flow` sets."""
        terms = np.zeros((self.order, self.count), dtype=self.dtype)
        terms[0] = start.terms[0]
        return Series(terms, self)

    def record(self, rule: Rule) -> Series:
        """A series whose coefficients a rule gives."""
        terms = np.zeros((self.order, self.count), dtype=self.dtype)
        terms[0] = rule(terms, 0) % self.modulus
        series = Series(terms, self, rule)
        self._made.append(series)
        return series

    def flow(self, y: Sequence[Series], rates: Sequence[Series]) -> None:
        """Extend all series so that those of ``y`` solve dy/dt = rates."""
        for k in range(self.order - 1):
            over = pow(k + 1, -1, self.modulus)
            for variable, rate in zip(y, rates, strict=True):
                variable.terms[k + 1] = rate.term(k) * over % self.modulus
            for series in self._made:
                series.extend(k + 1)

    def inverse(self, x: np.ndarray) -> np.ndarray:
        """1/x; where p divides x the point is marked."""
        bad = np.asarray(x % self.p == 0, dtype=bool)
        self._refuse(bad)
        units = np.where(bad, 1, x)
        if self.dtype == object:
            return np.array([pow(int(u), -1, self.modulus) for u in units], dtype=object)
        return self._power(units, self.p - 2)

    def root(self, x: np.ndarray) -> np.ndarray:
        """The root that is a square itself modulo p; where there is none the point is marked."""
        root = self._power(x % self.p, (self.p + 1) // 4, self.p)
        self._refuse(np.asarray((root * root - x) % self.p != 0, dtype=bool))
        modulus = self.p
        while modulus < self.modulus:
            modulus *= modulus
            root = (root + x * self.inverse(root)) * pow(2, -1, self.modulus) % self.modulus
        return root

    def _power(self, x: np.ndarray, exponent: int, modulus: int | None = None) -> np.ndarray:
        modulus, out = modulus or self.modulus, np.ones_like(x)
        while exponent:
            if exponent & 1:
                out = out * x % modulus
            x = x * x % modulus
            exponent >>= 1
        return out

    def _refuse(self, bad: np.ndarray) -> None:
        self.valid &= ~np.broadcast_to(bad, self.valid.shape)


@final
class Series(FieldElement):
    """A power series at each point, or a constant.

    Attributes
    ----------
    terms : array (order, count), or (1, count) or (1, 1) for a constant
    ring : PowerSeriesRing
    """

    __slots__ = ("_rule", "ring", "terms")

    def __init__(self, terms: np.ndarray, ring: PowerSeriesRing, rule: Rule | None = None):
        self.terms, self.ring, self._rule = terms, ring, rule

    @property
    def constant(self) -> bool:
        """Whether all coefficients but the first are 0."""
        return len(self.terms) == 1

    def term(self, k: int) -> Any:
        """The coefficient k."""
        return self.terms[k] if k < len(self.terms) else 0

    def extend(self, k: int) -> None:
        """Set the coefficient k; those before are known."""
        assert self._rule is not None
        self.terms[k] = self._rule(self.terms, k) % self.ring.modulus

    def rational_of(self, x: Fraction | int) -> Series:
        """A fraction as a constant."""
        return self.ring.number(x.numerator, x.denominator)

    def plus(self, other: Series) -> Series:
        """The sum."""
        if self.constant and other.constant:
            return self.ring.constants((self.terms[0] + other.terms[0]) % self.ring.modulus)
        return self.ring.record(lambda own, k: self.term(k) + other.term(k))

    def minus(self, other: Series) -> Series:
        """The difference."""
        if self.constant and other.constant:
            return self.ring.constants((self.terms[0] - other.terms[0]) % self.ring.modulus)
        return self.ring.record(lambda own, k: self.term(k) - other.term(k))

    def times(self, other: Series) -> Series:
        """The product."""
        a, b = self.terms, other.terms
        if self.constant and other.constant:
            return self.ring.constants(a[0] * b[0] % self.ring.modulus)
        if self.constant or other.constant:
            factor, moving = (a[0], b) if self.constant else (b[0], a)
            return self.ring.record(lambda own, k: factor * moving[k])
        return self.ring.record(lambda own, k: (a[: k + 1] * b[k::-1]).sum(axis=0))

    def inverse(self) -> Series:
        """1/x, from x · (1/x) = 1."""
        a, first = self.terms, self.ring.inverse(self.terms[0])
        if self.constant:
            return self.ring.constants(first)
        return self.ring.record(lambda own, k: -first * (a[1 : k + 1] * own[k - 1 :: -1]).sum(axis=0) if k else first)

    def __neg__(self) -> Series:
        if self.constant:
            return self.ring.constants(-self.terms[0] % self.ring.modulus)
        return self.ring.record(lambda own, k: -self.terms[k])

    def elementary(self, name: str | interpolation.Interpolant) -> Series:
        """A root, from (√x)² = x."""
        if name == "absolute":
            return self.times(self).elementary("sqrt")
        pair = self.ring.turned(self) if name in ("sin", "cos") else None
        if pair is not None:
            return pair[name == "sin"]
        if name != "sqrt":
            self.ring.refuse_function(name)
        a, first = self.terms, self.ring.root(self.terms[0])
        if self.constant:
            return self.ring.constants(first)
        half = self.ring.inverse(2 * first)
        return self.ring.record(
            lambda own, k: half * (a[k] - (own[1:k] * own[k - 1 : 0 : -1]).sum(axis=0)) if k else first
        )

    def regular(self) -> float:
        """The share of points at which p does not divide the first coefficient."""
        return float(np.mean(np.asarray(self.terms[0] % self.ring.p != 0, dtype=bool)))

    def __repr__(self) -> str:
        return f"Series({self.terms[0]} + … modulo {self.ring.modulus})"
