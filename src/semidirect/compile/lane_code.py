"""A program as lines that run on lanes: what a later phase or another piece needs is carried over in rows of lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

from semidirect.compile.line import RAISE, STORE, Line, Place, load
from semidirect.compile.loop_splitting import pieces
from semidirect.instructions import Instruction, InstructionList, Iteration

__all__ = ["LARGEST", "Body", "LaneCode", "LaneIteration", "LanePhase"]

LARGEST: Place = ("largest", 0)
"""The row for the largest one of a value."""


@final
@dataclass(frozen=True)
class Body:
    """Lines that run on every lane, and the numbers of the values that follow from them."""

    lines: tuple[Line, ...]
    results: tuple[int, ...] = ()


@final
@dataclass(frozen=True)
class LaneIteration:
    """An iteration on lanes, which is repeated until all lanes have converged.

    Attributes
    ----------
    iteration : Iteration
    cells : tuple of Place
        Where its point is.
    scale : Place or None
        Where its scale is, if it is computed before the iteration; else it is a result of the last body.
    """

    iteration: Iteration
    cells: tuple[Place, ...]
    scale: Place | None


@final
@dataclass(frozen=True)
class LanePhase:
    """Bodies that follow one another over all lanes; of an iteration, the last one has x, new x, and a scale as results."""

    bodies: tuple[Body, ...]
    iteration: LaneIteration | None


@final
class LaneCode:
    """The lines of a program on lanes.

    Parameters
    ----------
    program : InstructionList
    inputs : callable
        The instruction that gives an input, of its data.
    results : sequence of Place
        Where the results are stored; in the row :data:`LARGEST`, the larger one of a result and the present value.
    split : bool
        Whether long bodies are cut.
    at_ends : sequence of (sequence of Place, or None)
        Where the values are put that edges read at other sites, for each time that they do; ``None`` where they are anyway.

    Attributes
    ----------
    phases : tuple of LanePhase
    kept : int
        The number of rows for values that are carried from phase to phase.
    cells : int
        The number of rows for values that are carried over, with those between pieces of a body, which follow.
    """

    def __init__(self, program: InstructionList, inputs: Callable[[Any], Instruction], results: Sequence[Place], *,
                 split: bool = True, at_ends: Sequence[Sequence[Place] | None] = ()):  # fmt: skip
        self.program, self._inputs, self.cells = program, inputs, 0
        self._spare: list[Place] = []
        self._homes: dict[int, Place] = {}
        self._points: dict[tuple[int, int], Place] = {}
        self._iterations: dict[int, LaneIteration] = {}
        self._lines: list[list[Line]] = [[] for _ in program.phases]
        self._loaded: list[dict[Instruction, int]] = [{} for _ in program.phases]
        self._count = len(program.instructions)
        self._phase_of = [i for i, phase in enumerate(program.phases) for _ in phase.instructions]
        self._after = [i + 1 for i, phase in enumerate(program.phases) if phase.at_ends is not None]
        self._at_ends = dict(zip(self._after, at_ends, strict=True))
        ends = [self._phase(i) for i in range(len(program.phases))]
        last = len(program.phases) - 1
        numbers = [self._use(last, k) for k in program.results]
        for number, place in zip(numbers, results, strict=True):
            self._lines[last].append(Line(-1, Instruction(RAISE if place == LARGEST else STORE, (number,), place)))
        self.kept = self.cells
        self.phases = tuple(self._cut(lines, *end, split) for lines, end in zip(self._lines, ends, strict=True))

    # -- cells -----------------------------------------------------------------------------------------------------

    def take(self) -> Place:
        """A cell for a value that is carried from a piece of a phase to a later one, until it is given back."""
        return self._spare.pop() if self._spare else self._cell("piece")

    def give(self, place: Place) -> None:
        """A cell back that no later piece reads."""
        self._spare.append(place)

    def _cell(self, kind: str = "cell") -> Place:
        self.cells += 1
        return kind, self.cells - 1

    # -- phases ----------------------------------------------------------------------------------------------------

    def _phase(self, i: int) -> tuple[LaneIteration | None, tuple[int, ...]]:
        """Write the lines of a phase, and those before an iteration that store its first point; the results of the last body."""
        phase = self.program.phases[i]
        self._begin_iteration(i)
        iteration = None if phase.iteration is None else self._iterations[phase.iteration.label]
        for number, instruction in phase.numbered():
            if not instruction.is_leaf:
                values = tuple(self._use(i, k) for k in instruction.operands)
                self._lines[i].append(Line(number, Instruction(instruction.operation, values, instruction.data)))
        for place, number in zip(self._at_ends.get(i + 1) or (), phase.at_ends or ()):
            value = self._use(i, number)
            if (
                value == number
                and number not in self._homes
                and self.program.instructions[number].operation != "number"
            ):
                self._homes[number] = place
            self._lines[i].append(Line(-1, Instruction(STORE, (value,), place)))
        if iteration is None:
            return None, ()
        loop = iteration.iteration
        # components that the iteration does not read change as well
        old = [self._loaded_from(i, cell) for cell in iteration.cells]
        ends = (*loop.new, *((loop.scale,) if iteration.scale is None else ()))
        return iteration, (*old, *(self._use(i, k) for k in ends))

    def _begin_iteration(self, i: int) -> None:
        """The cells of an iteration whose first phase this is, filled by the phase before."""
        for last, phase in enumerate(self.program.phases[i:], i):
            loop = phase.iteration
            if loop is not None and last - loop.phases + 1 == i:
                cells = tuple(self._reserved(i - 1, k) for k in loop.start)
                self._points |= {(loop.label, n): cell for n, cell in enumerate(cells)}
                before = loop.scale < self.program.phases[i].first
                self._iterations[loop.label] = LaneIteration(
                    loop, cells, self._reserved(i - 1, loop.scale) if before else None
                )

    def _reserved(self, i: int, number: int) -> Place:
        """A cell that starts with a value of a phase."""
        place = self._cell()
        self._lines[i].append(Line(-1, Instruction(STORE, (self._use(i, number),), place)))
        return place

    def _use(self, i: int, number: int) -> int:
        """The number of a line of a phase that has a value; the number itself of one that all lines know."""
        instruction = self.program.instructions[number]
        operation, _, data = instruction
        if operation == "number" or (not instruction.is_leaf and self._phase_of[number] == i):
            return number
        if operation == "input":
            return self._loaded_by(i, self._inputs(data))
        if operation in ("variable", "solution"):
            return self._loaded_from(i, self._points[data])  # type: ignore[index]
        if operation == "converged":
            return self._loaded_from(i, ("converged", data[0]))  # type: ignore[index]
        owner, value = self._phase_of[number], number
        if operation == "edges":
            owner, place = self._after[data[0]], ("force", data[1])  # type: ignore[index]
            value = self._loaded_from(owner, place)
            if owner == i:
                return value
        if number not in self._homes:
            self._homes[number] = self._cell()
            self._lines[owner].append(Line(-1, Instruction(STORE, (value,), self._homes[number])))
        return self._loaded_from(i, self._homes[number])

    def _loaded_from(self, i: int, place: Place) -> int:
        return self._loaded_by(i, load(place))

    def _loaded_by(self, i: int, instruction: Instruction) -> int:
        """The line of a phase that gives what does not change in it, written where it is needed first."""
        line_of = self._loaded[i]
        if instruction not in line_of:
            line_of[instruction] = self._count
            self._lines[i].append(Line(self._count, instruction))
            self._count += 1
        return line_of[instruction]

    def _cut(
        self, lines: list[Line], iteration: LaneIteration | None, results: tuple[int, ...], split: bool
    ) -> LanePhase:
        *others, last = pieces(lines, self, results) if split else [lines]
        return LanePhase((*(Body(tuple(one)) for one in others), Body(tuple(last), results)), iteration)
