"""The printer of functions in Python, on arrays and on all that :mod:`semidirect.core.ops` works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, final

from semidirect.instructions.instruction import LEAVES
from semidirect.instructions.instruction_list import InstructionList, Iteration, Phase
from semidirect.instructions.printer import Form, Printer

__all__ = ["ArrayText", "array_text"]

_NUMBERS = {"inf": "float('inf')", "-inf": "float('-inf')", "nan": "float('nan')"}


def _between(symbol: str) -> Form[str]:
    separator = f" {symbol} "
    return lambda operands, _: separator.join(operands)


def _called(name: str) -> Form[str]:
    return lambda operands, _: f"{name}({', '.join(operands)})"


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
    "number": lambda _, text: str(_NUMBERS.get(text, text)), "fraction": _fraction,
    "constant": lambda _, name: f"constant({name!r})",
    "variable": lambda _, which: f"x{which[0]}[{which[1]}]", "solution": lambda _, which: f"solution{which[0]}[{which[1]}]",
    "converged": lambda _, which: f"converged{which[0]}",
    "add": _between("+"), "subtract": _between("-"), "multiply": _between("*"), "divide": _between("/"),
    "negative": lambda operands, _: f"-{operands[0]}",
    "less": _between("<"), "less-equal": _between("<="), "greater": _between(">"), "greater-equal": _between(">="),
    "equal": _between("=="), "not-equal": _between("!="), "and": _between("&"), "or": _between("|"),
    "not": lambda operands, _: f"{operands[0]} ^ True", "select": _called("where"),
    **{name: _called(name) for name in ("sqrt", "absolute", "sin", "cos", "tan", "exp", "log")},
    "interpolate": _interpolate, "solve": _solve, "element": lambda operands, i: f"{operands[0]}[{i}]",
})  # fmt: skip


@final
class ArrayText(Printer[str]):
    """Writes an expression for each operation.

    Parameters
    ----------
    inputs : callable
        The expression for the data of an input.
    """

    def __init__(self, inputs: Callable[[Any], str]):
        self._forms = {**_FORMS, "input": lambda _, data: inputs(data)}

    @property
    def forms(self) -> Mapping[str, Form[str]]:
        """Operation → its form."""
        return self._forms


def array_text(program: InstructionList, arguments: Sequence[str], inputs: Callable[[Any], str]) -> str:
    """The text of a function of these arguments that returns the results of a program, see :func:`.core.functions.build`.

    What the program does not need is not computed if it has passed :func:`~.pruning.needed`.
    """
    printer, names, lines, count = ArrayText(inputs), list[str](), list[str](), 0
    for phase in program.phases:
        indent = "    " if phase.iteration is None else "        "
        body = []
        for instruction in phase.instructions:
            code = printer.value(instruction, [names[k] for k in instruction.operands])
            if instruction.operation in LEAVES - {"constant"}:
                names.append(code)
            else:
                names.append(f"v{count}")
                body.append(f"{indent}{names[-1]} = {code}\n")
                count += 1
        lines += body if phase.iteration is None else _iterated(phase, phase.iteration, body, names)
    returned = ", ".join(names[k] for k in program.results)
    return f"def function({', '.join(arguments)}):\n{''.join(lines)}    return ({returned}{',' if returned else ''})\n"


def _iterated(phase: Phase, loop: Iteration, body: Sequence[str], names: Sequence[str]) -> list[str]:
    """The lines of an iteration, whose scale is that of the last evaluation."""
    n, scale = loop.label, names[loop.scale]
    inside = loop.scale >= phase.first
    start, new = (", ".join(names[k] for k in numbers) for numbers in (loop.start, loop.new))
    return [
        f"    scale{n} = [{'None' if inside else scale}]\n",
        f"    def iterated{n}(x{n}):\n",
        *body,
        *([f"        scale{n}[0] = {scale}\n"] if inside else []),
        f"        return stack([{new}])\n",
        f"    solution{n}, converged{n} = fixed_point(iterated{n}, stack([{start}]), lambda _: scale{n}[0], "
        f"tolerance={loop.tolerance!r}, iterations={loop.limit}, after={loop.after})\n",
    ]
