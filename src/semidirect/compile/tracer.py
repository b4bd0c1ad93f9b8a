"""The tracer: a step of an integrator is run once on scalars that record the operations on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from semidirect.core import ops
from semidirect.core.interpolation import AnyTable, Interpolant

_NAMES = {"inf": "np.inf", "-inf": "-np.inf", "nan": "np.nan"}


@dataclass
class Phase:
    """A stretch of straight-line code over the lanes; an ``iteration`` is repeated until all lanes have converged."""

    lines: list[str] = field(default_factory=list)
    loaded: dict[str, str] = field(default_factory=dict)
    iteration: Iteration | None = None


@dataclass(frozen=True)
class Iteration:
    """A fixed point x ← f(x): the cells that hold x, the new values, the cell or name of the scale, tolerance and limits."""

    cells: tuple[str, ...]
    new: tuple[str, ...]
    scale: str
    tolerance: float
    limit: int
    after: int
    label: int


class Trace:
    """The code of one body. Values that a later phase needs are stored in cells, one row of lanes each."""

    def __init__(self, halvings: int = 0, place_of_table: str = "places[b, {}, j]") -> None:
        self.halvings, self.place_of_table = halvings, place_of_table
        self.phases = [Phase()]
        self.cells: dict[str, tuple[int, int]] = {}
        self.spare: list[str] = []
        self.known: dict[str, Traced] = {}
        self.count = 0
        self.iterations: list[Iteration] = []
        self.tables: dict[tuple[int, int, str, str], int] = {}

    @property
    def phase(self) -> int:
        """Index of the phase that is being written."""
        return len(self.phases) - 1

    def let(self, code: str) -> Traced:
        """A new scalar; the same code in the same phase is the same scalar."""
        key = f"{self.phase}:{code}"
        if key not in self.known:
            name = f"v{self.count}"
            self.count += 1
            self.phases[-1].lines.append(f"{name} = {code}")
            self.known[key] = Traced(self, name, self.phase)
        return self.known[key]

    def input(self, place: str) -> Traced:
        """A scalar that lives in an array, such as ``y[b, 0, j]``: loaded in each phase that needs it."""
        return Traced(self, place, -1)

    def interpolated(self, function: Interpolant, x: Any) -> Traced:
        """A function that tables give, looked up: first the interval, then its polynomial."""
        pair = (function.nodes.number, function.values.number, function.kind, function.ends)
        number = self.tables.setdefault(pair, len(self.tables))
        place, point = self.use(self.input(self.place_of_table.format(number))), self.use(x)
        interval = self.use(self.let(f"interval(T, {place}, {point}, {self.halvings})"))
        return self.let(f"{function.kind}_{function.order}(T, {place}, {interval}, {point})")

    def use(self, value: Any) -> str:
        """The code for a value in the current phase."""
        if not isinstance(value, Traced):
            if isinstance(value, (bool, np.bool_)):
                return str(bool(value))
            number = float(value)
            return repr(number) if math.isfinite(number) else _NAMES[repr(number)]
        if value.negative:
            return self.let(f"-{self.use(-value)}").name
        if value.phase == self.phase:
            return value.name
        loaded = self.phases[-1].loaded
        if value.name not in loaded:
            place = value.name if value.phase < 0 else self.cell(value)
            local = f"v{self.count}"
            self.count += 1
            loaded[value.name] = local
            self.phases[-1].lines.append(f"{local} = {place}")
        return loaded[value.name]

    def cell(self, value: Traced) -> str:
        """The cell of a value, stored at its definition."""
        if value.name not in self.cells:
            self.cells[value.name] = (len(self.cells), value.phase)
            index = self.cells[value.name][0]
            self.phases[value.phase].lines.append(f"cell[{index}, j] = {value.name}")
        return f"cell[{self.cells[value.name][0]}, j]"

    def take(self) -> str:
        """A cell for a value that is carried from a piece of a phase to a later one, until it is given back."""
        if self.spare:
            return self.spare.pop()
        key = f"carried {len(self.cells)}"
        self.cells[key] = (len(self.cells), self.phase)
        return f"cell[{self.cells[key][0]}, j]"

    def give(self, place: str) -> None:
        """A cell back that no later piece reads."""
        self.spare.append(place)

    def reserve(self, value: Any) -> str:
        """A new cell that starts with a value of the current phase."""
        name = f"r{len(self.cells)}"
        self.cells[name] = (len(self.cells), self.phase)
        place = f"cell[{self.cells[name][0]}, j]"
        self.phases[-1].lines.append(f"{place} = {self.use(value)}")
        return place

    def fixed_point(
        self,
        function: Callable[[np.ndarray], np.ndarray],
        start: np.ndarray,
        scale: Any,
        tolerance: float,
        iterations: int,
        after: int,
    ) -> tuple[np.ndarray, Traced]:
        """As :func:`semidirect.core.fixed_point.fixed_point`, on lanes: a converged lane is frozen."""
        cells = [self.reserve(x) for x in start]
        size = None if callable(scale) else self.reserve(scale)
        self.phases.append(Phase())
        x = np.array([self.input(cell) for cell in cells], dtype=object)
        new = function(x)
        for value in x:  # values that an iteration does not read change as well
            self.use(value)
        label = len(self.iterations)
        names = tuple(self.use(n) for n in new)
        size = size or self.use(scale(new))
        iteration = Iteration(tuple(cells), names, size, tolerance, iterations, after, label)
        self.phases[-1].iteration = iteration
        self.iterations.append(iteration)
        self.phases.append(Phase())
        converged = self.input(f"converged[{label}, j]")
        return np.array([self.input(cell) for cell in cells], dtype=object), converged


def _comparison(symbol: str) -> Callable[[Traced, Any], Any]:
    def method(self: Traced, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self.trace.let(f"{self.trace.use(self)} {symbol} {self.trace.use(other)}")

    return method


def _product(symbol: str, swapped: bool = False) -> Callable[[Traced, Any], Any]:
    def method(self: Traced, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        (a, flip), (b, flop) = _unsigned(self), _unsigned(other)
        if swapped:
            a, b = b, a
        result = self.trace.let(f"{self.trace.use(a)} {symbol} {self.trace.use(b)}")
        return -result if flip != flop else result

    return method


def _sum(sign: int, swapped: bool = False) -> Callable[[Traced, Any], Any]:
    def method(self: Traced, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        a, b = (other, self) if swapped else (self, other)
        b, minus = _unsigned(b)
        return _difference(self.trace, a, b) if minus == (sign > 0) else _total(self.trace, a, b)

    return method


def _total(trace: Trace, a: Any, b: Any) -> Traced:
    a, minus = _unsigned(a)
    return trace.let(f"{trace.use(b)} - {trace.use(a)}" if minus else f"{trace.use(a)} + {trace.use(b)}")


def _difference(trace: Trace, a: Any, b: Any) -> Traced:
    return trace.let(f"{trace.use(a)} - {trace.use(b)}")


def _unsigned(value: Any) -> tuple[Any, bool]:
    """A value without the sign that was put before it, and whether there was one."""
    return (-value, True) if isinstance(value, Traced) and value.negative else (value, False)


class Traced(ops.Scalar):
    """A scalar of a trace; every operation writes one line.

    A sign costs nothing: it is kept beside the name, and what is exact in IEEE arithmetic, (−a)(−b) = ab, a + (−b) = a − b,
    makes what differs in signs only the same line. (The sign of a nan, which says nothing, may then be another.)
    """

    __slots__ = ("name", "negative", "phase", "trace")

    def __init__(self, trace: Trace, name: str, phase: int, negative: bool = False):
        self.trace, self.name, self.phase, self.negative = trace, name, phase, negative

    __add__, __radd__ = _sum(1), _sum(1, True)
    __sub__, __rsub__ = _sum(-1), _sum(-1, True)
    __mul__, __rmul__ = _product("*"), _product("*", True)
    __truediv__, __rtruediv__ = _product("/"), _product("/", True)
    __lt__, __le__, __gt__, __ge__ = _comparison("<"), _comparison("<="), _comparison(">"), _comparison(">=")

    def __neg__(self) -> Traced:
        return Traced(self.trace, self.name, self.phase, not self.negative)

    def __bool__(self) -> bool:
        raise TypeError("a value was decided on while a step was traced; use ops.where")

    def elementary(self, name: str | Interpolant) -> Traced:
        """An elementary function; the kernel brings its own straight-line code for it."""
        if isinstance(name, Interpolant):
            return self.trace.interpolated(name, self)
        return self.trace.let(f"{name}({self.trace.use(self)})")

    def select(self, if_true: Any, if_false: Any) -> Traced:
        """``if_true`` if this condition holds, else ``if_false``."""
        use = self.trace.use
        a, b = use(if_true), use(if_false)
        return self.trace.let(f"select({use(self)}, {a}, {b})")

    def fixed_point(self, function: Any, start: Any, scale: Any, tolerance: float, iterations: int, after: int) -> Any:
        """As :meth:`Trace.fixed_point`."""
        return self.trace.fixed_point(function, start, scale, tolerance, iterations, after)


class TracedTable(ops.Scalar, AnyTable):
    """A table of a trace: that of the parameter of a model with this number."""

    def __init__(self, trace: Trace, number: int):
        self.trace, self.number = trace, number

    def interpolated(self, function: Interpolant, x: Any) -> Traced:
        """The function that tables give, at a number."""
        return self.trace.interpolated(function, x)


def with_tables(trace: Trace, parameters: Sequence[Any], given: np.ndarray) -> list[Any]:
    """The inputs of a trace for the parameters of a model, tables in place of those that are tables."""
    pairs = enumerate(zip(parameters, given, strict=True))
    return [TracedTable(trace, i) if isinstance(p, AnyTable) else x for i, (p, x) in pairs]


def inputs(trace: Trace, pattern: str, count: int) -> np.ndarray:
    """An array of inputs ``pattern`` with ``{}`` for 0 … count − 1."""
    return np.array([trace.input(pattern.format(i)) for i in range(count)], dtype=object)
