"""The abstract printer of programs as text: statements that name values, in a language with the usual signs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, final

from semidirect.instructions.instruction import Instruction
from semidirect.instructions.instruction_list import InstructionList, Iteration, Phase
from semidirect.instructions.printer import Form, Printer

__all__ = ["TextPrinter"]


def _between(symbol: str) -> Form[str]:
    separator = f" {symbol} "
    return lambda operands, _: separator.join(operands)


class TextPrinter(Printer[str]):
    """Writes an expression for each operation, and a statement for each value that is computed."""

    SIGNS: ClassVar[Mapping[str, Form[str]]] = MappingProxyType({
        "variable": lambda _, which: f"x{which[0]}[{which[1]}]",
        "add": _between("+"), "subtract": _between("-"), "multiply": _between("*"), "divide": _between("/"),
        "negative": lambda operands, _: f"-{operands[0]}",
        "less": _between("<"), "less-equal": _between("<="), "greater": _between(">"), "greater-equal": _between(">="),
        "equal": _between("=="), "not-equal": _between("!="), "and": _between("&"), "or": _between("|"),
    })  # fmt: skip
    """Forms that languages share; the variables of iteration n are ``xn``."""

    @staticmethod
    @final
    def called(name: str) -> Form[str]:
        """The form of an operation that is a function of this name."""
        return lambda operands, _: f"{name}({', '.join(operands)})"

    @abstractmethod
    def assignment(self, name: str, instruction: Instruction, code: str) -> str | None:
        """The statement that names a value; ``None`` if its code stands for it wherever it is read."""

    @abstractmethod
    def iteration(self, phase: Phase, loop: Iteration, body: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """The statements of an iteration, from those of its phase; ``names`` are the names of all values so far."""

    @final
    def statements(self, program: InstructionList) -> tuple[list[str], list[str]]:
        """The statements, and the names of the values of the results."""
        names, lines, count = list[str](), list[str](), 0
        for phase in program.phases:
            body = []
            for instruction in phase.instructions:
                code = self.value(instruction, [names[k] for k in instruction.operands])
                statement = self.assignment(f"v{count}", instruction, code)
                if statement is None:
                    names.append(code)
                    continue
                names.append(f"v{count}")
                body.append(statement)
                count += 1
            lines += body if phase.iteration is None else self.iteration(phase, phase.iteration, body, names)
        return lines, [names[k] for k in program.results]
