"""The tracer: a step of an integrator run once on scalars that write down what is done to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from semidirect import ops


@dataclass
class Phase:
    """A stretch of straight-line code over the lanes; ``sweep`` where it is repeated until all lanes have converged."""

    lines: list[str] = field(default_factory=list)
    loaded: dict[str, str] = field(default_factory=dict)
    sweep: Sweep | None = None


@dataclass(frozen=True)
class Sweep:
    """A fixed point x ← f(x): the cells that hold x, the new values, the cell of the scale, tolerance and limit."""

    cells: tuple[str, ...]
    new: tuple[str, ...]
    scale: str
    tolerance: float
    limit: int
    label: int


class Trace:
    """The code of one body. Values that a later phase needs are kept in cells, one row of lanes each."""

    def __init__(self) -> None:
        self.phases = [Phase()]
        self.cells: dict[str, tuple[int, int]] = {}
        self.known: dict[str, Traced] = {}
        self.count = 0
        self.sweeps: list[Sweep] = []

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

    def use(self, value: Any) -> str:
        """How a value is written in the current phase."""
        if not isinstance(value, Traced):
            if isinstance(value, (bool, np.bool_)):
                return str(bool(value))
            return repr(float(value))
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
        """The cell of a value, stored where it is made."""
        if value.name not in self.cells:
            self.cells[value.name] = (len(self.cells), value.phase)
            index = self.cells[value.name][0]
            self.phases[value.phase].lines.append(f"cell[{index}, j] = {value.name}")
        return f"cell[{self.cells[value.name][0]}, j]"

    def reserve(self, value: Any) -> str:
        """A cell of its own that starts with a value of the current phase."""
        name = f"r{len(self.cells)}"
        self.cells[name] = (len(self.cells), self.phase)
        place = f"cell[{self.cells[name][0]}, j]"
        self.phases[-1].lines.append(f"{place} = {self.use(value)}")
        return place

    def fixed_point(
        self, function: Callable[[np.ndarray], np.ndarray], start: np.ndarray, scale: Any, tolerance: float, sweeps: int
    ) -> tuple[np.ndarray, Traced]:
        """As :func:`semidirect.ops.fixed_point`, on lanes: a converged lane is frozen."""
        cells = [self.reserve(x) for x in start]
        scale_cell = self.reserve(scale)
        self.phases.append(Phase())
        x = np.array([self.input(cell) for cell in cells], dtype=object)
        new = function(x)
        label = len(self.sweeps)
        sweep = Sweep(tuple(cells), tuple(self.use(n) for n in new), scale_cell, tolerance, sweeps, label)
        self.phases[-1].sweep = sweep
        self.sweeps.append(sweep)
        self.phases.append(Phase())
        converged = self.input(f"converged[{label}, j]")
        return np.array([self.input(cell) for cell in cells], dtype=object), converged


def _operation(symbol: str, swapped: bool = False) -> Callable[[Traced, Any], Any]:
    def method(self: Traced, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        a, b = self.trace.use(self), self.trace.use(other)
        return self.trace.let(f"{b} {symbol} {a}" if swapped else f"{a} {symbol} {b}")

    return method


class Traced(ops.Scalar):
    """A scalar of a trace; every operation writes one line."""

    __slots__ = ("name", "phase", "trace")

    def __init__(self, trace: Trace, name: str, phase: int):
        self.trace, self.name, self.phase = trace, name, phase

    __add__, __radd__ = _operation("+"), _operation("+", True)
    __sub__, __rsub__ = _operation("-"), _operation("-", True)
    __mul__, __rmul__ = _operation("*"), _operation("*", True)
    __truediv__, __rtruediv__ = _operation("/"), _operation("/", True)
    __lt__, __le__, __gt__, __ge__ = _operation("<"), _operation("<="), _operation(">"), _operation(">=")

    def __neg__(self) -> Traced:
        return self.trace.let(f"-{self.trace.use(self)}")

    def __bool__(self) -> bool:
        raise TypeError("a value was decided on while a step was traced; use ops.where")

    def elementary(self, name: str) -> Traced:
        """An elementary function; the kernel brings its own straight-line code for it."""
        return self.trace.let(f"{name}({self.trace.use(self)})")

    def select(self, if_true: Any, if_false: Any) -> Traced:
        """``if_true`` where this condition holds, else ``if_false``."""
        use = self.trace.use
        a, b = use(if_true), use(if_false)
        return self.trace.let(f"{a} if {use(self)} else {b}")


def inputs(trace: Trace, pattern: str, count: int) -> np.ndarray:
    """An array of inputs ``pattern`` with ``{}`` for 0 … count − 1."""
    return np.array([trace.input(pattern.format(i)) for i in range(count)], dtype=object)
