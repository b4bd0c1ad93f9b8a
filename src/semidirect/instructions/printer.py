"""The abstract class of what writes instructions: as text of a language, or by calls of a compiler."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, final

from semidirect.instructions.instruction import Instruction

__all__ = ["Form", "NotPrintedError", "Printer"]

Value = TypeVar("Value")
Form = Callable[[Sequence[Value], Any], Value]
"""What an operation is written as, from its operands and its data."""


class NotPrintedError(Exception):
    """An operation that a printer does not have."""


class Printer(ABC, Generic[Value]):
    """Writes one instruction after another; values are expressions of a text, or the objects that represent them in a compiler.

    A subclass states the :attr:`forms` of its operations. An operation without a form raises an error with its name.
    """

    @property
    @abstractmethod
    def forms(self) -> Mapping[str, Form[Value]]:
        """Operation → its form."""

    @final
    def value(self, instruction: Instruction, operands: Sequence[Value]) -> Value:
        """The value of an instruction whose operands have these values."""
        form = self.forms.get(instruction.operation)
        if form is None:
            raise NotPrintedError(f"{type(self).__name__} has no {instruction.operation}")
        return form(operands, instruction.data)
