"""The printer of functions in Python, on arrays and on all that :mod:`semidirect.core.ops` works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, final

from semidirect.instructions.instruction import LEAVES, Instruction
from semidirect.instructions.instruction_list import InstructionList, Iteration, Phase
from semidirect.instructions.printer import Form
from semidirect.instructions.text_printer import TextPrinter

__all__ = ["ArrayText", "array_text"]

_NUMBERS = {"inf": "float('inf')", "-inf": "float('-inf')", "nan": "float('nan')"}


def _fraction(_: Sequence[str], data: tuple[int, int]) -> str:
    return f"number({data[0]}, {data[1]})"


def _interpolate(operands: Sequence[str], data: tuple[str, str, int]) -> str:
    return f"interpolate({', '.join(operands)}, {', '.join(map(repr, data))})"


def _solve(operands: Sequence[str], data: tuple[int, bool]) -> str:
    n, symmetric = data
    rows = ", ".join(f"[{', '.join(operands[n * i : n * i + n])}]" for i in range(n))
    name = "solve_symmetric" if symmetric else "solve_pivoted"
    return f"{name}([{rows}], [{', '.join(operands[n * n :])}])"


_FORMS: Mapping[str, Form[str]] = MappingProxyType({
    **TextPrinter.SIGNS,
    "number": lambda _, text: str(_NUMBERS.get(text, text)), "fraction": _fraction,
    "constant": lambda _, name: f"constant({name!r})",
    "solution": lambda _, which: f"solution{which[0]}[{which[1]}]", "converged": lambda _, which: f"converged{which[0]}",
    "not": lambda operands, _: f"{operands[0]} ^ True", "select": TextPrinter.called("where"),
    **{name: TextPrinter.called(name) for name in ("sqrt", "absolute", "sin", "cos", "tan", "exp", "log")},
    "interpolate": _interpolate, "solve": _solve, "element": lambda operands, i: f"{operands[0]}[{i}]",
})  # fmt: skip


@final
class ArrayText(TextPrinter):
    """Writes an expression for each operation.

    Parameters
    ----------
    inputs : callable
        The expression for the data of an input.
    forms : mapping, optional
        Other forms of operations.
    """

    def __init__(self, inputs: Callable[[Any], str], forms: Mapping[str, Form[str]] = MappingProxyType({})):
        self._forms = {**_FORMS, **forms, "input": lambda _, data: inputs(data)}

    @property
    def forms(self) -> Mapping[str, Form[str]]:
        """Operation → its form."""
        return self._forms

    def assignment(self, name: str, instruction: Instruction, code: str) -> str | None:
        """All but leaves are named, and constants, whose code is a call."""
        return None if instruction.operation in LEAVES - {"constant"} else f"{name} = {code}"

    def iteration(self, phase: Phase, loop: Iteration, body: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """A fixed point of a function that also returns the scale."""
        n = loop.label
        start, new = (", ".join(names[k] for k in numbers) for numbers in (loop.start, loop.new))
        return [
            f"def iterated{n}(x{n}):",
            *(f"    {line}" for line in body),
            f"    return stack([{new}]), {names[loop.scale]}",
            f"solution{n}, converged{n} = fixed_point(iterated{n}, stack([{start}]), tolerance={loop.tolerance!r}, "
            f"iterations={loop.limit}, after={loop.after})",
        ]


def array_text(program: InstructionList, arguments: Sequence[str], inputs: Callable[[Any], str]) -> str:
    """The text of a function of these arguments that returns the results of a program, see :func:`.core.functions.build`.

    What the program does not need is not computed if it has passed :func:`~.pruning.needed`.
    """
    lines, results = ArrayText(inputs).statements(program)
    body = "".join(f"    {line}\n" for line in lines)
    returned = ", ".join(results)
    return f"def function({', '.join(arguments)}):\n{body}    return ({returned}{',' if returned else ''})\n"
