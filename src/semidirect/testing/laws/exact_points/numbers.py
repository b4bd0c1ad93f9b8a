"""Numbers for contracts: exact if possible, otherwise with sixty digits, and with derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import count
from math import isqrt
from typing import Any, ClassVar, final

import mpmath
import numpy as np

from semidirect.core import exact, interpolation, ops

DIGITS = 60
_context = mpmath.MPContext()
_context.dps = DIGITS
# The floats of this context alone, taught the operations with fractions that mpmath leaves out.
_convert = _context.convert
_context.mpf.__rsub__ = lambda x, y: _convert(y) - x
_context.mpf.__rtruediv__ = lambda x, y: _convert(y) / x
for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    _compare = getattr(_context.mpf, _name)
    setattr(_context.mpf, _name, lambda x, y, compare=_compare: compare(x, _convert(y)))
_generations = count(1)

Entries = Sequence[Any] | np.ndarray
Base = Any
"""A Fraction, or a float of sixty digits after an irrational root or a sine."""


@final
class Number(ops.Scalar):
    """A number with its partial derivatives; functions written with ``semidirect.core.ops`` take it like any scalar.

    Attributes
    ----------
    value : Fraction, float of sixty digits, or Number of an earlier generation
    partials : dict index → like ``value``
        Derivatives with respect to the variables of its generation; a missing one is 0.
    generation : int
        Which call of :func:`derivatives` made its variables; 0 for a constant. Nested calls give higher derivatives.
    """

    __slots__ = ("generation", "partials", "value")
    exact: ClassVar[bool] = True

    def __init__(self, value: Any, partials: Mapping[int, Any] | None = None, generation: int = 0):
        self.value = value if isinstance(value, Number) else base(value)
        self.partials = dict(partials or {})
        self.generation = generation

    @classmethod
    def _of(cls, value: Any, partials: dict[int, Any], generation: int) -> Number:
        """Of a value that is exact already; numbers may share tables of partials, which nobody changes."""
        out = object.__new__(cls)
        out.value, out.partials, out.generation = value, partials, generation
        return out

    def _chained(self, value: Any, slope: Any) -> Number:
        return Number._of(value, {i: slope * d for i, d in self.partials.items()}, self.generation)

    def _pair(self, other: Any) -> tuple[int, Any, dict[int, Any], Any, dict[int, Any]] | None:
        g = self.generation
        if type(other) is int:
            return g, self.value, self.partials, other, {}
        if type(other) is not Number:
            try:
                return g, self.value, self.partials, base(other), {}
            except (AttributeError, TypeError, ValueError):
                return None
        h = other.generation
        if g == h:
            return g, self.value, self.partials, other.value, other.partials
        # a constant is its value: else what it is multiplied with would carry a number within each number
        if g > h:
            return g, self.value, self.partials, other if h else other.value, {}
        return h, self if g else self.value, {}, other.value, other.partials

    def __add__(self, other: Any) -> Any:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        g, a, da, b, db = pair
        return Number._of(a + b, _sum(da, db), g)

    __radd__ = __add__

    def __neg__(self) -> Number:
        return self._chained(-self.value, -1)

    def __pos__(self) -> Number:
        return self

    def __sub__(self, other: Any) -> Any:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        g, a, da, b, db = pair
        return Number._of(a - b, _sum(da, {i: -d for i, d in db.items()}), g)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        g, a, da, b, db = pair
        return Number._of(a * b, _sum({i: d * b for i, d in da.items()}, {i: a * d for i, d in db.items()}), g)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        g, a, da, b, db = pair
        quotient = a / b
        return Number._of(
            quotient, _sum({i: d / b for i, d in da.items()}, {i: -quotient * d / b for i, d in db.items()}), g
        )

    def __rtruediv__(self, other: Any) -> Any:
        return Number(base(other)) / self

    def __pow__(self, exponent: Any) -> Any:
        power = exponent if isinstance(exponent, Fraction) else base(plain(exponent))
        if power.denominator == 1:
            whole, out = abs(int(power)), Number(1)
            for _ in range(whole):
                out = out * self
            return 1 / out if power < 0 else out
        if power.denominator == 2:
            return self.elementary("sqrt") ** power.numerator
        return (self.elementary("log") * power).elementary("exp")

    def __abs__(self) -> Number:
        return self.elementary("absolute")

    def elementary(self, name: str | interpolation.Interpolant) -> Number:
        """The elementary function ``name``, with its derivative."""
        value = elementary(name, self.value)
        if isinstance(name, interpolation.Interpolant):
            return (
                self._chained(value, elementary(name.slope, self.value))
                if self.partials
                else Number(value, None, self.generation)
            )
        slopes: dict[str, Callable[[], Any]] = {
            "sqrt": lambda: 1 / (2 * value), "sin": lambda: elementary("cos", self.value),
            "cos": lambda: -elementary("sin", self.value), "exp": lambda: value, "log": lambda: 1 / self.value,
            "absolute": lambda: 1 if plain(self.value) > 0 else -1, "tan": lambda: 1 + value * value,
        }  # fmt: skip
        return self._chained(value, slopes[name]()) if self.partials else Number(value, None, self.generation)

    def __lt__(self, other: Any) -> bool:
        return bool(plain(self) < plain(other))

    def __le__(self, other: Any) -> bool:
        return bool(plain(self) <= plain(other))

    def __gt__(self, other: Any) -> bool:
        return bool(plain(self) > plain(other))

    def __ge__(self, other: Any) -> bool:
        return bool(plain(self) >= plain(other))

    def __eq__(self, other: object) -> bool:
        return bool(plain(self) == plain(other))

    def __hash__(self) -> int:
        return hash(plain(self))

    def __float__(self) -> float:
        return float(plain(self))

    def __repr__(self) -> str:
        return f"Number({self.value}{f', {self.partials}' if self.partials else ''})"


def base(x: Any) -> Base:
    """A plain number made exact: a float is its shortest decimal, as in a derivation."""
    if isinstance(x, (Fraction, _context.mpf)):
        return x
    if isinstance(x, (float, np.floating)):
        return Fraction(repr(float(x)))
    if isinstance(x, np.ndarray) and x.ndim == 0:
        return base(x.item())
    return Fraction(int(x.numerator), int(x.denominator))


def plain(x: Any) -> Base:
    """The value without derivatives."""
    while isinstance(x, Number):
        x = x.value
    return base(x)


def plain_array(x: Any) -> np.ndarray:
    """An object array of values without derivatives."""
    array = np.asarray(x, dtype=object)
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        out[index] = plain(array[index])
    return out


def constants(x: Any) -> Any:
    """An array, or one number, as :class:`Number` without derivatives."""
    array = np.asarray(x)
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        out[index] = array[index] if isinstance(array[index], Number) else Number(array[index])
    return out if out.ndim else out.item()


def elementary(name: str | interpolation.Interpolant, x: Any) -> Any:
    """An elementary function of a number of any kind; rational if the value is."""
    if isinstance(x, ops.Scalar):
        return x.elementary(name)
    x = base(x)
    if isinstance(
        name, interpolation.Interpolant
    ):  # two derivations are compared, at states that may lie outside of the nodes
        return name.exactly(x, extended=True)
    if name == "absolute":
        return abs(x)
    if isinstance(x, Fraction):
        if name == "sqrt" and x >= 0:
            root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
            if root * root == x:
                return root
        exact_values = {"sin": (0, 0), "tan": (0, 0), "cos": (0, 1), "exp": (0, 1), "log": (1, 0)}
        if name in exact_values and x == exact_values[name][0]:
            return Fraction(exact_values[name][1])
    value = getattr(_context, name)(_convert(x))
    if not isinstance(value, _context.mpf):
        raise ArithmeticError(f"{name} of {x} is not real")
    return value


def constant(name: str) -> Base:
    """π, e …, to sixty digits."""
    names = {"pi": "pi", "E": "e", "GoldenRatio": "phi", "EulerGamma": "euler", "Catalan": "catalan"}
    return +getattr(_context, names[name])


FIELD: Mapping[str, Callable[..., Any]] = {
    "constant": constant,
    "interpolate": lambda x, *tables: elementary(interpolation.Interpolant(*tables), x),
    **{
        name: (lambda x, name=name: elementary(name, x))
        for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "absolute")
    },
}
"""Elementary functions for :func:`semidirect.equations.emission.exact_function`: exact, else sixty digits."""


def derivatives(function: Callable[[list[Any]], Any], at: Entries) -> tuple[np.ndarray, np.ndarray]:
    """Value and Jacobian of a function of several numbers; the value may be a scalar or an array.

    Returns
    -------
    value : object array (…)
    jacobian : object array (…, len(at))
        Entries keep the derivatives that ``at`` carried.
    """
    generation = next(_generations)
    value = np.asarray(function([Number(x, {i: Fraction(1)}, generation) for i, x in enumerate(at)]), dtype=object)
    out, jacobian = np.empty(value.shape, dtype=object), np.full((*value.shape, len(at)), Fraction(0), dtype=object)
    for index in np.ndindex(value.shape):
        entry: Any = value[index]
        if isinstance(entry, Number) and entry.generation == generation:
            out[index] = entry.value
            for i, d in entry.partials.items():
                jacobian[(*index, i)] = d
        else:
            out[index] = entry
    return out, jacobian


def solve(matrix: Any, rhs: Entries) -> list[Any]:
    """Elimination on the largest pivot, derivatives carried along; ZeroDivisionError if the matrix is singular."""
    return exact.solve_exactly(matrix, list(rhs), lambda x: abs(plain(x)))


def exponential(terms: Sequence[tuple[int, int, int, Any]], size: int, xi: Sequence[Any]) -> np.ndarray:
    """The matrix exp Σ ξ_j e_j in sixty digits, the basis given as (j, row, column, value)."""
    matrix = _context.zeros(size)
    for j, row, column, value in terms:
        matrix[row, column] += _convert(base(value)) * _convert(base(xi[j]))
    return np.array(_context.expm(matrix).tolist(), dtype=object).reshape(size, size)


def same(a: Any, b: Any, scale: Any = 1) -> bool:
    """Equality: exact between fractions, and to all but ten digits for irrational values."""
    a, b = plain(a), plain(b)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a == b
    return bool(abs(a - b) <= _context.mpf(10) ** (20 - DIGITS) * max(1, abs(a), abs(plain(scale))))


def _sum(a: dict[int, Any], b: dict[int, Any]) -> dict[int, Any]:
    """The sums of two tables of derivatives: a new table, or one of the two where the other is empty."""
    if not b:
        return a
    if not a:
        return b
    out = dict(a)
    for i, d in b.items():
        out[i] = out[i] + d if i in out else d
    return out
