"""The tracer: a step of an integrator is run once on scalars that record the operations on them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from semidirect.core import interpolation, ops
from semidirect.instructions import Instruction, InstructionList, Iteration, Phase


class Trace:
    """Records a program; the same operation on the same values in the same phase is recorded once.

    Parameters
    ----------
    halvings : int
        How often a range of intervals of a table is halved to find that of a number.
    """

    def __init__(self, halvings: int = 0) -> None:
        self.halvings = halvings
        self.instructions: list[Instruction] = []
        self.phases: list[Phase] = []
        self.first = 0
        self.values: dict[Instruction, Traced] = {}
        self.leaves: dict[Instruction, Traced] = {}
        self.iterations: list[Iteration] = []
        self.edges: dict[tuple[int, ...], int] = {}
        self.tables: dict[tuple[int, int, str, str], int] = {}

    def let(self, operation: str, operands: tuple[int, ...], data: Hashable = None) -> Traced:
        """The value of an operation in this phase."""
        instruction = Instruction(operation, operands, data)
        value = self.values.get(instruction)
        if value is None:
            value = self.values[instruction] = Traced(self, len(self.instructions))
            self.instructions.append(instruction)
        return value

    def leaf(self, operation: str, data: Hashable) -> Traced:
        """A value that is not computed; it is the same in all phases."""
        instruction = Instruction(operation, (), data)
        value = self.leaves.get(instruction)
        if value is None:
            value = self.leaves[instruction] = Traced(self, len(self.instructions))
            self.instructions.append(instruction)
        return value

    def input(self, name: str, index: int | None = None) -> Traced:
        """An input: an element of an array, or a number of this name."""
        return self.leaf("input", (name, index))

    def interpolated(self, function: interpolation.Interpolant, x: Any) -> Traced:
        """A function that tables give, looked up: first the interval, then its polynomial."""
        pair = (function.nodes.number, function.values.number, function.kind, function.ends)
        table = self.tables.setdefault(pair, len(self.tables))
        place, point = self.use(self.input("places", table)), self.use(x)
        interval = self.use(self.let("interval", (place, point), self.halvings))
        return self.let("piece", (place, interval, point), (function.kind, function.order))

    def use(self, value: Any) -> int:
        """The number of the instruction that gives a value."""
        if isinstance(value, Traced):
            return self.let("negative", (value.number,)).number if value.negative else value.number
        number = bool(value) if isinstance(value, (bool, np.bool_)) else float(value)
        return self.leaf("number", repr(number)).number

    def fixed_point(
        self,
        function: Callable[[np.ndarray], np.ndarray],
        start: np.ndarray,
        scale: Any,
        tolerance: float,
        iterations: int,
        after: int,
    ) -> tuple[np.ndarray, Traced]:
        """As :func:`semidirect.core.solvers.iteration.fixed_point`: the iteration is a phase of its own."""
        label = len(self.iterations)
        begin = tuple(self.use(x) for x in start)
        size = None if callable(scale) else self.use(scale)
        self._end_phase()
        before = len(self.phases)
        new = function(self._points("variable", label, len(begin)))
        if len(self.iterations) != label:
            raise TypeError("an iteration within an iteration")
        end = tuple(self.use(x) for x in new)
        size = self.use(scale(new)) if size is None else size
        phases = len(self.phases) - before + 1
        self.iterations.append(Iteration(label, begin, end, size, tolerance, iterations, after, phases))
        self._end_phase(self.iterations[-1])
        return self._points("solution", label, len(begin)), self.leaf("converged", (label,))

    def of_edges(self, values: Sequence[Any], count: int) -> list[Traced]:
        """The sum over the edges of a site: all sites end a phase, so that edges read its values at both ends."""
        at_ends = tuple(self.use(x) for x in values)
        if at_ends not in self.edges:
            self.edges[at_ends] = len(self.edges)
            self._end_phase(at_ends=at_ends)
        return [self.leaf("edges", (self.edges[at_ends], i)) for i in range(count)]

    def program(self, results: Iterable[Any]) -> InstructionList:
        """The recorded program, with these results."""
        numbers = tuple(self.use(value) for value in results)
        return InstructionList((*self.phases, Phase(self.first, tuple(self.instructions[self.first :]))), numbers)

    def _points(self, kind: str, label: int, count: int) -> np.ndarray:
        return np.array([self.leaf(kind, (label, i)) for i in range(count)], dtype=object)

    def _end_phase(self, iteration: Iteration | None = None, at_ends: tuple[int, ...] | None = None) -> None:
        self.phases.append(Phase(self.first, tuple(self.instructions[self.first :]), iteration, at_ends))
        self.first = len(self.instructions)
        self.values.clear()


def _of_two(operation: str) -> Callable[[Traced, Any], Any]:
    def method(self: Traced, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self.trace.let(operation, (self.trace.use(self), self.trace.use(other)))

    return method


def _product(operation: str, swapped: bool = False) -> Callable[[Traced, Any], Any]:
    def method(self: Traced, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        (a, flip), (b, flop) = _unsigned(self), _unsigned(other)
        if swapped:
            a, b = b, a
        result = self.trace.let(operation, (self.trace.use(a), self.trace.use(b)))
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
    return _difference(trace, b, a) if minus else trace.let("add", (trace.use(a), trace.use(b)))


def _difference(trace: Trace, a: Any, b: Any) -> Traced:
    return trace.let("subtract", (trace.use(a), trace.use(b)))


def _unsigned(value: Any) -> tuple[Any, bool]:
    """A value without the sign that was put before it, and whether there was one."""
    return (-value, True) if isinstance(value, Traced) and value.negative else (value, False)


class Traced(ops.Scalar):
    """A scalar of a trace; every operation records one instruction.

    A sign costs nothing: it is kept beside the number of the instruction, and what is exact in IEEE arithmetic, (−a)(−b) = ab,
    a + (−b) = a − b, makes what differs in signs only the same instruction. (The sign of a nan, which says nothing, may then be
    another.)
    """

    __slots__ = ("negative", "number", "trace")

    def __init__(self, trace: Trace, number: int, negative: bool = False):
        self.trace, self.number, self.negative = trace, number, negative

    __add__, __radd__ = _sum(1), _sum(1, True)
    __sub__, __rsub__ = _sum(-1), _sum(-1, True)
    __mul__, __rmul__ = _product("multiply"), _product("multiply", True)
    __truediv__, __rtruediv__ = _product("divide"), _product("divide", True)
    __lt__, __le__ = _of_two("less"), _of_two("less-equal")
    __gt__, __ge__ = _of_two("greater"), _of_two("greater-equal")
    __and__, __or__, __xor__ = _of_two("and"), _of_two("or"), _of_two("not-equal")
    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __neg__(self) -> Traced:
        return Traced(self.trace, self.number, not self.negative)

    def __bool__(self) -> bool:
        raise TypeError("a value was decided on while a step was traced; use ops.where")

    def elementary(self, name: str | interpolation.Interpolant) -> Traced:
        """An elementary function."""
        if isinstance(name, interpolation.Interpolant):
            return self.trace.interpolated(name, self)
        return self.trace.let(name, (self.trace.use(self),))

    def select(self, if_true: Any, if_false: Any) -> Traced:
        """``if_true`` if this condition holds, else ``if_false``."""
        use = self.trace.use
        return self.trace.let("select", (use(self), use(if_true), use(if_false)))

    def fixed_point(self, function: Any, start: Any, scale: Any, tolerance: float, iterations: int, after: int) -> Any:
        """As :meth:`Trace.fixed_point`."""
        return self.trace.fixed_point(function, start, scale, tolerance, iterations, after)

    def of_edges(self, values: Any, count: int) -> Any:
        """As :meth:`Trace.of_edges`."""
        return self.trace.of_edges(values, count)


class TracedTable(ops.Scalar, interpolation.AnyTable):
    """A table of a trace: that of the parameter of a model with this number."""

    def __init__(self, trace: Trace, number: int):
        self.trace, self.number = trace, number

    def interpolated(self, function: interpolation.Interpolant, x: Any) -> Traced:
        """The function that tables give, at a number."""
        return self.trace.interpolated(function, x)


def with_tables(trace: Trace, parameters: Sequence[Any], values: np.ndarray) -> list[Any]:
    """The inputs of a trace for the parameters of a model, tables in place of those that are tables."""
    pairs = enumerate(zip(parameters, values, strict=True))
    return [TracedTable(trace, i) if isinstance(p, interpolation.AnyTable) else x for i, (p, x) in pairs]


def inputs(trace: Trace, name: str, count: int) -> np.ndarray:
    """The elements 0 … count − 1 of an array of inputs."""
    return np.array([trace.input(name, i) for i in range(count)], dtype=object)
