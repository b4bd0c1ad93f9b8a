"""The pass that leaves out what no result needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from semidirect.instructions.instruction import Instruction
from semidirect.instructions.instruction_list import InstructionList, Phase

__all__ = ["needed"]

_AFTER_ITERATIONS = frozenset(("solution", "converged"))


def needed(program: InstructionList) -> InstructionList:
    """The same program without the instructions that no result needs, directly or through an iteration; the order stays."""
    instructions = program.instructions
    live, iterations = set(program.results), set[int]()
    for phase in reversed(program.phases):
        numbers = range(phase.first, phase.first + len(phase.instructions))
        loop = phase.iteration
        inside = (k for k in numbers if k in live and not _is_anywhere(instructions[k]))
        if loop is not None and (loop.label in iterations or any(True for _ in inside)):
            iterations.add(loop.label)
            live |= {*loop.start, *loop.new, loop.scale}
        for k in reversed(numbers):
            if k in live:
                operation, operands, data = instructions[k]
                live.update(operands)
                if operation in _AFTER_ITERATIONS:
                    iterations.add(data[0])  # type: ignore[index]
    return _only(program, sorted(live), iterations)


def _is_anywhere(instruction: Instruction) -> bool:
    """Whether a phase may be the first to name it, since it is the same in all phases."""
    return instruction.is_leaf and instruction.operation != "variable"


def _only(program: InstructionList, live: list[int], iterations: set[int]) -> InstructionList:
    """The program of these instructions and iterations; phases that follow one another without an iteration become one."""
    new = {k: i for i, k in enumerate(live)}
    phases = list[Phase]()
    for phase in program.phases:
        rest = tuple(
            Instruction(x.operation, _mapped(x.operands, new), x.data) for k, x in phase.numbered() if k in new
        )
        loop = phase.iteration
        if loop is not None and loop.label in iterations:
            loop = replace(loop, start=_mapped(loop.start, new), new=_mapped(loop.new, new), scale=new[loop.scale])
        elif phases and phases[-1].iteration is None:
            phases[-1] = replace(phases[-1], instructions=phases[-1].instructions + rest)
            continue
        else:
            loop = None
        phases.append(Phase(phases[-1].first + len(phases[-1].instructions) if phases else 0, rest, loop))
    return InstructionList(tuple(phases), _mapped(program.results, new))


def _mapped(numbers: Iterable[int], new: dict[int, int]) -> tuple[int, ...]:
    return tuple(new[k] for k in numbers)
