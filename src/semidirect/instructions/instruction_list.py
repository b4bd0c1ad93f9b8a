"""Instructions in order, in phases, of which some are iterated: a step of a method, rates, readings, functions of rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

from semidirect.core import errors
from semidirect.instructions.instruction import OPERATIONS, Instruction

__all__ = ["InstructionList", "Iteration", "Phase"]


@final
@dataclass(frozen=True)
class Iteration:
    """A fixed point x ← f(x), see :func:`semidirect.core.solvers.iteration.fixed_point`; operands are numbers of instructions.

    Attributes
    ----------
    label : int
        Its number, which its variables, solutions and outcome have in their data.
    start : tuple of int
        The first point.
    new : tuple of int
        The next point.
    scale : int
        x has converged when no component changes by more than ``tolerance`` times this.
    tolerance : float
    limit, after : int
        Iterations at most, and further ones after convergence.
    phases : int
        How many phases are repeated: this one and those before it, which end where sites of a lattice read one another.
    """

    label: int
    start: tuple[int, ...]
    new: tuple[int, ...]
    scale: int
    tolerance: float
    limit: int
    after: int
    phases: int = 1


@final
@dataclass(frozen=True)
class Phase:
    """A sequence of instructions, which runs once, or until an iteration has converged.

    Attributes
    ----------
    first : int
        The number of its first instruction; those of later ones follow.
    instructions : tuple of Instruction
    iteration : Iteration or None
    at_ends : tuple of int or None
        The numbers of the values that the edges of a lattice read at other sites after this phase.
    """

    first: int
    instructions: tuple[Instruction, ...]
    iteration: Iteration | None = None
    at_ends: tuple[int, ...] | None = None

    def numbered(self) -> Iterator[tuple[int, Instruction]]:
        """The instructions with their numbers."""
        return enumerate(self.instructions, self.first)


@final
@dataclass(frozen=True)
class InstructionList:
    """A program whose values are each computed by one instruction, from values of earlier ones.

    Attributes
    ----------
    phases : tuple of Phase
        In order.
    results : tuple of int
        The numbers of the instructions whose values are the results.

    Raises
    ------
    DefinitionError
        If an operation does not exist, has another number of operands, or takes a value that is not computed before.
    """

    phases: tuple[Phase, ...]
    results: tuple[int, ...]

    def __post_init__(self) -> None:
        count = 0
        for phase in self.phases:
            if phase.first != count:
                raise errors.DefinitionError("a phase of instructions", expected=f"number {count}", got=f"number {phase.first}",
                                             hint="Number the instructions of all phases one after another.")  # fmt: skip
            for instruction in phase.instructions:
                operation, operands, _ = instruction
                if operation not in OPERATIONS:
                    raise errors.DefinitionError(
                        "the operation of an instruction",
                        expected="one of OPERATIONS",
                        got=repr(operation),
                        hint="Add it to semidirect.instructions.instruction and to the printers.",
                    )
                arity = OPERATIONS[operation]
                if arity is not None and len(operands) != arity:
                    raise errors.DefinitionError(
                        f"the operation {operation}",
                        expected=f"{arity} operands",
                        got=str(len(operands)),
                        hint="Record one instruction for each operation.",
                    )
                if operands and not (min(operands) >= 0 and max(operands) < count):
                    raise _undefined(f"instruction {count}, {operation}", operands, count)
                count += 1
            if (loop := phase.iteration) is not None:
                if not all(0 <= k < phase.first for k in loop.start):
                    raise _undefined(f"the start of iteration {loop.label}", loop.start, phase.first)
                if not all(0 <= k < count for k in (*loop.new, loop.scale)):
                    raise _undefined(f"iteration {loop.label}", (*loop.new, loop.scale), count)
        if not all(0 <= k < count for k in self.results):
            raise _undefined("the results", self.results, count)

    @classmethod
    def of(cls, instructions: tuple[Instruction, ...], results: tuple[int, ...]) -> InstructionList:
        """A program of one phase."""
        return cls((Phase(0, instructions),), results)

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """The instructions of all phases; each has its place here as its number."""
        return tuple(instruction for phase in self.phases for instruction in phase.instructions)

    @cached_property
    def digest(self) -> str:
        """A digest of the content, the same in all processes."""
        content = [(p.first, list(map(tuple, p.instructions)), p.iteration, p.at_ends) for p in self.phases]
        return hashlib.sha256(repr((content, self.results)).encode()).hexdigest()


def _undefined(where: str, operands: tuple[int, ...], count: int) -> errors.DefinitionError:
    missing = next(k for k in operands if not 0 <= k < count)
    return errors.DefinitionError(
        f"the operands of {where}", expected="numbers of earlier instructions", got=str(missing),
        hint="Record an instruction before those that take its value.",
    )  # fmt: skip
