"""One line of code on lanes: an instruction with its own number, since pieces of a body compute some values again."""

from __future__ import annotations

from typing import NamedTuple

from semidirect.instructions import Instruction

__all__ = ["RAISE", "STORE", "WRITES", "Line", "Place", "load"]

Place = tuple[str, int]
"""A row of lanes: ``("row", 3)``, a cell, an element of another array."""

STORE, RAISE = "store", "raise"
WRITES = frozenset((STORE, RAISE))
"""Operations with a place in their data that they write: to the value, or to the larger one of the value and the present one."""


class Line(NamedTuple):
    """An instruction; its operands are numbers of other lines, or of numbers of the program.

    In addition to the operations of programs there are ``load`` from a place, ``argument`` of a name, and :data:`WRITES`.

    Attributes
    ----------
    number : int
        That of its value, −1 if it has none.
    instruction : Instruction
    """

    number: int
    instruction: Instruction


def load(place: Place) -> Instruction:
    """The instruction that loads from a place."""
    return Instruction("load", (), place)
