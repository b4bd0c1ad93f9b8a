"""The pass that leaves out what no result needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from semidirect.instructions.instruction import Instruction
from semidirect.instructions.instruction_list import InstructionList, Iteration, Phase

__all__ = ["needed"]

_OF_ITERATIONS = frozenset(("solution", "converged"))


def needed(program: InstructionList) -> InstructionList:
    """The same program without the instructions that no result needs, directly or through an iteration; the order stays."""
    instructions = program.instructions
    used, labels = set(program.results), set[int]()
    for phase in reversed(program.phases):
        numbers = range(phase.first, phase.first + len(phase.instructions))
        loop = phase.iteration
        iterated = loop is not None and (loop.label in labels or not used.isdisjoint(numbers))
        if loop is not None and iterated:
            used |= {*loop.start, *loop.new, loop.scale}
        for k in reversed(numbers):
            if k in used:
                operation, operands, data = instructions[k]
                used.update(operands)
                if operation in _OF_ITERATIONS:
                    labels.add(data[0])  # type: ignore[index]
        if loop is not None and not iterated:
            labels.discard(loop.label)
    return _renumbered(program, sorted(used), labels)


def _renumbered(program: InstructionList, used: list[int], labels: set[int]) -> InstructionList:
    """The program of these instructions and iterations."""
    new = {k: i for i, k in enumerate(used)}
    phases, first = list[Phase](), 0
    for phase in program.phases:
        kept = tuple(
            Instruction(operation, _mapped(operands, new), data)
            for k, (operation, operands, data) in phase.numbered()
            if k in new
        )
        loop = phase.iteration
        if kept or (loop is not None and loop.label in labels):
            phases.append(Phase(first, kept, _iteration(loop, new)))
            first += len(kept)
    return InstructionList(tuple(phases), _mapped(program.results, new))


def _iteration(loop: Iteration | None, new: dict[int, int]) -> Iteration | None:
    if loop is None or loop.scale not in new:
        return None
    return replace(loop, start=_mapped(loop.start, new), new=_mapped(loop.new, new), scale=new[loop.scale])


def _mapped(numbers: Iterable[int], new: dict[int, int]) -> tuple[int, ...]:
    return tuple(new[k] for k in numbers)
