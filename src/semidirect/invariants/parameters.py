"""Exact values of a system's parameters: the given ones, or others with the same pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ulp
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np
import sympy as sp

from semidirect.core import PerPath, arguments, errors, exact, interpolation, ops
from semidirect.definition import ExactValue, Parameter
from semidirect.invariants.algebra.linear_algebra import primes
from semidirect.invariants.algebra.scalars import Numbers

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.invariants.algebra.intervals import Intervals

Parameters = Literal["given", "generic", "free"]
KINDS = ("given", "generic", "free")
TRIES = 400
"""The largest number of real parameters that are drawn until the system accepts some."""


@final
@dataclass(frozen=True)
class ParameterSet:
    """Values of the symbols of a system's parameters, as numbers of any kind.

    Attributes
    ----------
    system : System
    kind : {"given", "generic", "free"}
        ``given``: exact values, see :class:`.ExactValue`. ``generic``: numbers that are drawn, in
        which zeros stay zeros and equal entries of one parameter stay equal, so that an axisymmetric body stays axisymmetric;
        a unit vector stays one, and real numbers are drawn until the system accepts them. What is proved for them holds for
        all parameters of this pattern, but for the zeros of denominators. ``free``: all entries are drawn, so it holds for any
        parameters.
    conjugate : bool
        Use the negative of each root by which given unit vectors are divided.
    """

    system: SystemDefinition
    kind: Parameters = "given"
    conjugate: bool = False

    def __post_init__(self) -> None:
        arguments.validated_name("parameters", self.kind, KINDS)

    def at(self, numbers: Numbers) -> dict[Any, Any]:
        """Symbols and their values.

        Raises
        ------
        InputError
            For parameters given per path.
        ZeroDivisionError
            If the system accepts none of the random parameters.
        """
        if self.kind == "given" or not numbers.ordered:
            return self._drawn(numbers)
        for _ in range(TRIES):
            point = self._drawn(numbers)
            symbols = self.system.workings.parameter_symbols.items()
            values = {n: np.reshape([float(point[x]) for x in s.flat], s.shape) for n, s in symbols}
            try:
                self.system.replace(**values)
            except errors.SemidirectError:
                continue
            return point
        raise ZeroDivisionError(f"no parameters that {type(self.system).__name__} accepts")

    def _drawn(self, numbers: Numbers) -> dict[Any, Any]:
        point: dict[Any, Any] = {}
        for name, symbols in self.system.workings.parameter_symbols.items():
            parameter, value = self._declared[name]
            pairs = self._entries[name]
            exact = [x for x, _ in pairs]
            if self.kind == "given":
                entries = self._given(pairs, numbers)
            elif parameter.symmetric:
                entries = _inertia(exact, value.shape, numbers, free=self.kind == "free")
            elif parameter.of_length_one:
                entries = _generic_unit(exact, numbers, free=self.kind == "free")
            else:
                draw = numbers.positive if parameter.positive or parameter.nonnegative else numbers.draw
                entries = _generic(exact, numbers, draw, free=self.kind == "free")
            for symbol, entry in zip(symbols.flat, entries, strict=True):
                point.setdefault(symbol, entry)  # a symmetric matrix has one symbol for two entries
        return point | self.tables

    def _given(self, pairs: Sequence[tuple[Fraction, Fraction]], numbers: Numbers) -> list[Any]:
        """Each x/√q, with one root for each q."""
        roots = dict.fromkeys(q for _, q in pairs if q != 1)
        scales = {q: 1 / ops.sqrt(_number(q, numbers)) for q in roots}
        entries = [_number(x, numbers) * scales[q] if q in scales else _number(x, numbers) for x, q in pairs]
        return [-e if self.conjugate and q in scales else e for e, (_, q) in zip(entries, pairs, strict=True)]

    def expressions(self) -> dict[sp.Symbol, sp.Expr]:
        """Given values as numbers of SymPy: fractions, or fractions divided by a root.

        Raises
        ------
        InputError
            For parameters given per path.
        """
        expressions: dict[sp.Symbol, sp.Expr] = {}
        for name, symbols in self.system.workings.parameter_symbols.items():
            values = [_written(*pair) for pair in self._entries[name]]
            expressions |= dict(zip(symbols.flat, values, strict=True))
        return expressions

    @cached_property
    def tables(self) -> dict[Any, interpolation.Table]:
        """The tables of the system by their symbols, whatever the other parameters are: real states read them.

        Raises
        ------
        InputError
            For tables per path.
        """
        tables = {}
        for name, symbol in self.system.workings.table_symbols.items():
            value = self.system.values[name]
            if isinstance(value, PerPath):
                raise errors.InputError(
                    "a proof works at one set of tables", got=f"{name} per path", hint="Give system.at_path(0)."
                )
            tables[symbol] = interpolation.Table(name, value)
        return tables

    def within_rounding(self, numbers: Intervals) -> dict[Any, Any]:
        """As :meth:`at` for given parameters, but rounded ones are intervals of all numbers that round to them."""
        intervals = {symbol: numbers.holding(x) for symbol, x in self.at(numbers).items()}
        for name, index in self._rounded():
            parameter, value = self._declared[name]
            x = float(value[index])
            width = Fraction(ulp(x)) * (4 if parameter.of_length_one else 1)
            intervals[self.system.workings.parameter_symbols[name][index]] = numbers.between(
                Fraction(x) - width, Fraction(x) + width
            )
        return intervals

    def rounded(self) -> tuple[str, ...]:
        """Entries of given parameters that are neither simple fractions nor short decimals, as text."""
        return tuple(f"{name}[{', '.join(map(str, i))}]" if i else name for name, i in self._rounded())

    def _rounded(self) -> list[tuple[str, tuple[int, ...]]]:
        names = self.system.workings.parameter_symbols if self.kind == "given" else ()
        return [(name, index) for name in names for index in ExactValue(*self._declared[name]).rounded()]

    def _directions(self) -> dict[str, list[tuple[Fraction, Fraction]]]:
        """Given vectors with roots."""
        names = self.system.workings.parameter_symbols if self.kind == "given" else ()
        directions = {name: self._entries[name] for name in names}
        return {name: pairs for name, pairs in directions.items() if any(q != 1 for _, q in pairs)}

    def _squares(self) -> list[Fraction]:
        return [q for pairs in self._directions().values() for q in dict.fromkeys(q for _, q in pairs) if q != 1]

    def root(self) -> Fraction | None:
        """The q of the field ℚ(√q) of given parameters, ``None`` if they are rational.

        Raises
        ------
        InputError
            If there is more than one such root.
        """
        squares = self._squares()
        if self.has_several_roots:
            raise errors.InputError(
                "parameters that are divided by different roots", expected="one root", got=str(self.read_as()),
                hint="Choose directions of lengths with a rational ratio.",
            )  # fmt: skip
        return squares[0] if squares else None

    @property
    def has_several_roots(self) -> bool:
        """Whether given parameters are in no field ℚ(√q)."""
        squares = self._squares()
        return any(exact.whole_root(squares[0] * q) is None for q in squares)

    def read_as(self) -> dict[str, str]:
        """Given unit vectors that are read as a direction divided by its length, as text."""
        texts = {}
        for name, pairs in self._directions().items():
            if len({q for _, q in pairs}) == 1:
                texts[name] = f"({', '.join(str(x) for x, _ in pairs)})/sqrt({pairs[0][1]})"
            else:
                texts[name] = f"({', '.join(str(_written(*pair)) for pair in pairs)})"
        return texts

    def primes(self, seed: int | None = None) -> Iterator[int]:
        """Random primes p ≡ 3 (mod 4) modulo which the parameters have values, roots among them."""
        squares = [q.numerator * q.denominator for q in self._squares()]
        return (p for p in primes(seed) if all(pow(x, (p - 1) // 2, p) == 1 for x in squares))

    def draws(self) -> int:
        """The number of random numbers of :meth:`at`."""
        counter = _Counter()
        self.at(counter)
        return counter.count

    @cached_property
    def _entries(self) -> dict[str, list[tuple[Fraction, Fraction]]]:
        """The entries of each parameter, which every random point asks for."""
        return {name: ExactValue(*declared).entries() for name, declared in self._declared.items()}

    @cached_property
    def _declared(self) -> dict[str, tuple[Parameter, np.ndarray]]:
        """Each parameter and its value, or what its values per path have in common."""
        parameters = self.system.workings.parameters()
        return {
            name: (parameters[name], self._common(name, parameters[name], self.system.values[name]))
            for name in self.system.workings.parameter_symbols
        }

    def _common(self, name: str, parameter: Parameter, value: Any) -> np.ndarray:
        if not isinstance(value, PerPath):
            return np.asarray(value)
        if self.kind == "given":
            raise errors.InputError(
                "a proof works at one set of parameters", got=f"{name} per path",
                hint="Give parameters='generic', for what they have in common, or system.at_path(0).",
            )  # fmt: skip
        common = common_pattern(value.values)
        if not parameter.of_length_one:
            return common
        if np.count_nonzero(common) == 1 and self.kind == "generic" and np.any(value.values != common):
            raise errors.InputError(f"what values of {name!r} per path have in common", expected="one sign", got="two")
        return np.asarray(common / np.linalg.norm(common))


def hidden_by_rounding(rounded: Sequence[str], what: str) -> list[str]:
    """A line that says what a search at rounded parameters cannot see; none if nothing is rounded."""
    if not rounded:
        return []
    return [f"  at {', '.join(rounded)} as written: {what} that hold without rounding may be missing"]


def common_pattern(values: np.ndarray) -> np.ndarray:
    """The common pattern of values per path, as an array: 0 where all are 0, equal entries where they are equal on each path."""
    if np.all(values == values[0]):
        return np.asarray(values[0])
    labels: dict[tuple[float, ...], float] = {(0.0,) * len(values): 0.0}
    entries = (tuple(entry) for entry in values.reshape(len(values), -1).T.tolist())
    numbers = [labels.setdefault(entry, float(len(labels))) for entry in entries]
    return np.reshape(numbers, values.shape[1:])


@final
class _Counter(Numbers):
    """Counts draws; values do not matter."""

    def __init__(self) -> None:
        self.count = 0

    def number(self, p: int, q: int = 1) -> Fraction:
        return Fraction(p, q)

    def constant(self, name: str) -> Fraction:
        return Fraction(1)

    def draw(self) -> Fraction:
        self.count += 1
        return Fraction(1)


def _number(x: Fraction, numbers: Numbers) -> Any:
    return numbers.number(x.numerator, x.denominator)


def _written(x: Fraction, square: Fraction) -> sp.Expr:
    """x/√q."""
    return sp.Rational(x.numerator, x.denominator) / sp.sqrt(sp.Rational(square.numerator, square.denominator))


def _generic(values: Sequence[Fraction], numbers: Numbers, draw: Any, free: bool) -> list[Any]:
    if free:
        return [draw() for _ in values]
    value_of: dict[Fraction, Any] = {Fraction(0): numbers.number(0)}
    for x in values:
        if x not in value_of:
            value_of[x] = draw()
    return [value_of[x] for x in values]


def _inertia(values: Sequence[Fraction], shape: tuple[int, ...], numbers: Numbers, free: bool) -> list[Any]:
    """Moments of inertia of a possible body: sums of two of three numbers; for a matrix, small off-diagonal entries."""
    if len(shape) == 1:
        x = _generic(values, numbers, numbers.positive, free)
        others = [[y for j, y in enumerate(x) if j != i] for i in range(len(x))]
        return [sum(y, numbers.number(0)) for y in others] if numbers.ordered else x
    places = list(np.ndindex(shape))
    diagonal = iter(
        _generic([v for v, (i, j) in zip(values, places, strict=True) if i == j], numbers, numbers.positive, free)
    )
    rest = iter(_generic([v for v, (i, j) in zip(values, places, strict=True) if i != j], numbers, numbers.draw, free))
    return [
        next(diagonal) if i == j else next(rest) * numbers.number(1, 8 if numbers.ordered else 1) for i, j in places
    ]


def _divided(entries: Sequence[Any], square: Any) -> list[Any]:
    scale = 1 / ops.sqrt(square)
    return [x * scale for x in entries]


def _generic_unit(values: Sequence[Fraction], numbers: Numbers, free: bool) -> list[Any]:
    """A unit vector with the same zeros and the same equal entries; one along an axis stays."""
    nonzero = [x for x in values if x or free]
    if len(nonzero) == 1:
        return [_number(x, numbers) for x in values]
    if free or len(set(nonzero)) == len(nonzero):
        return _stereographic(values, numbers, free)
    entries = _generic(values, numbers, numbers.draw, free=False)
    return _divided(entries, sum((x * x for x in entries), numbers.number(0)))


def _stereographic(values: Sequence[Fraction], numbers: Numbers, free: bool) -> list[Any]:
    """A unit vector with the same zeros, rational in what is drawn."""
    nonzero = [i for i, x in enumerate(values) if x or free]
    out = [_number(x, numbers) for x in values]
    t = [numbers.draw() for _ in nonzero[1:]]
    square = sum((x * x for x in t), numbers.number(0))
    scale = 1 / (1 + square)
    for i, x in zip(nonzero, [(1 - square) * scale, *(2 * x * scale for x in t)], strict=True):
        out[i] = x
    return out
