"""Numbers of a prime field at many points at once, which test identities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, final

import numpy as np

from semidirect.core import errors, interpolation
from semidirect.invariants.algebra.drawn_functions import DrawnFunctions
from semidirect.invariants.algebra.field_element import FieldElement

FEW = 24
"""So many numbers are raised to a power one by one."""


def random_numbers(seed: int | None, *which: int) -> np.random.Generator:
    """Random numbers of one of several streams of a seed; without a seed from the system's entropy, anew at each call."""
    return np.random.default_rng(None if seed is None else [seed, *which])


@final
class PrimeField(DrawnFunctions):
    """GF(p) at ``count`` independent random points.

    p ≡ 3 (mod 4) lies in (2³⁰, 2³¹), so products fit 64 bits, and x^((p+1)/4) is a square root of a square x that is
    multiplicative, √x √y = √(xy), like that of positive numbers. A point at which something is divided by 0, or where a root
    does not exist, is marked in ``valid`` and must not be used.

    Attributes
    ----------
    p, count : int
    valid : bool array (count,)
    roots : bool
        Whether a root was taken. Its sign is arbitrary.
    """

    def __init__(self, p: int, count: int, rng: np.random.Generator):
        self.p, self.count, self.rng = p, count, rng
        self.modulus = np.array(p)  # which NumPy divides by in less time than by a number of Python
        self.valid = np.ones(count, dtype=bool)
        super().__init__()
        self.roots = False

    def draw(self) -> Residues:
        """A number that is random at each point."""
        return Residues(self.rng.integers(0, self.p, self.count), self)

    def number(self, p: int, q: int = 1) -> Residues:
        """The rational p/q; no point is valid if the prime divides q."""
        value = int(p) % self.p
        if int(q) % self.p == 0:
            self.valid[:] = False
        elif q != 1:
            value = value * pow(int(q), -1, self.p) % self.p
        return Residues(np.array([value]), self)

    def key(self, x: Residues) -> bytes:
        """The values at all points."""
        return x.spread().tobytes()

    def constant(self, name: str) -> Residues:
        """π and its like: drawn, but the same at all points."""
        value = super().constant(name)
        return Residues(value.values[:1], self)

    def spread(self, x: Any) -> np.ndarray:
        """A number at every point."""
        return x.spread() if isinstance(x, Residues) else np.full(self.count, int(x) % self.p)

    @property
    def spot(self) -> int:
        """The first valid point.

        Raises
        ------
        InputError
            If there is none.
        """
        valid = np.flatnonzero(self.valid)
        if not len(valid):
            raise errors.InputError("points over a prime field", expected="regular ones", got=f"none of {self.count}",
                                    hint="Is something divided by zero everywhere?")  # fmt: skip
        return int(valid[0])

    def at_spot(self, rows: Sequence[Sequence[Any]]) -> np.ndarray:
        """A matrix of numbers at the first valid point."""
        spot = self.spot
        return np.array([[self.spread(x)[spot] for x in row] for row in rows], dtype=np.int64)

    def power(self, values: np.ndarray, exponent: int) -> np.ndarray:
        """values ** exponent."""
        if len(values) <= FEW:
            return np.array([pow(x, exponent, self.p) for x in values.tolist()], dtype=values.dtype)
        out = np.ones_like(values)
        while exponent:
            if exponent & 1:
                out = out * values % self.modulus
            values = values * values % self.modulus
            exponent >>= 1
        return out

    def refuse(self, bad: np.ndarray) -> None:
        """Mark points."""
        if np.any(bad):
            self.valid &= ~np.broadcast_to(bad, self.valid.shape)

    def elementary(self, name: str | interpolation.Interpolant, x: Residues) -> Residues:
        """A root, exact; another function, drawn."""
        if name == "sqrt":
            self.roots = True
            root = self.power(x.values, (self.p + 1) // 4)
            self.refuse(root * root % self.p != x.values)
            return Residues(root, self)
        if name == "absolute":
            return self.elementary("sqrt", x * x)
        return self.function(name, x)


@final
class Residues(FieldElement):
    """A number modulo p at each point, or one for all points.

    Attributes
    ----------
    values : int64 array (count,) or (1,), in [0, p)
    field : PrimeField
    """

    __slots__ = ("field", "values")

    def __init__(self, values: np.ndarray, field: PrimeField):
        self.values, self.field = values, field

    def rational_of(self, x: Fraction | int) -> Residues:
        """The residue of a fraction."""
        return self.field.number(x.numerator, x.denominator)

    def plus(self, other: Residues) -> Residues:
        """The sum."""
        return Residues((self.values + other.values) % self.field.modulus, self.field)

    def minus(self, other: Residues) -> Residues:
        """The difference."""
        return Residues((self.values - other.values) % self.field.modulus, self.field)

    def times(self, other: Residues) -> Residues:
        """The product."""
        return Residues(self.values * other.values % self.field.modulus, self.field)

    def __neg__(self) -> Residues:
        return Residues(-self.values % self.field.modulus, self.field)

    def inverse(self) -> Residues:
        """1/x; where x = 0 the point is marked."""
        self.field.refuse(self.values == 0)
        return Residues(self.field.power(self.values, self.field.p - 2), self.field)

    def __pow__(self, exponent: Any) -> Residues:
        whole = int(exponent)
        if whole != exponent:
            raise ArithmeticError(f"the power {exponent} is not an integer")
        raised = Residues(self.field.power(self.values, abs(whole)), self.field)
        return raised if whole >= 0 else raised.inverse()

    def elementary(self, name: str | interpolation.Interpolant) -> Residues:
        """The elementary function ``name``."""
        return self.field.elementary(name, self)

    def regular(self) -> float:
        """The share of points at which this is not 0."""
        return float(np.mean(self.values != 0))

    def spread(self) -> np.ndarray:
        """The value at every point (count,)."""
        return np.broadcast_to(self.values, self.field.valid.shape)

    def __repr__(self) -> str:
        return f"Residues({self.values} mod {self.field.p})"
