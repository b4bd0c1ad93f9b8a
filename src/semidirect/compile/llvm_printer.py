"""The printer of lines on lanes in the assembly of LLVM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, final

from semidirect.compile import lane_functions, table_functions
from semidirect.compile.lane_code import Body
from semidirect.compile.line import RAISE, STORE, Place
from semidirect.instructions import Form, InstructionList, Printer
from semidirect.machine import Reader, WrittenInPlace

__all__ = ["LLVMPrinter", "Rows", "WrittenBody"]


@final
@dataclass(frozen=True)
class Rows:
    """Where the places of a kind are: in an array of the function, ``step * (number + first)`` along its constant axis.

    Attributes
    ----------
    array : str
    axes : tuple of str
        The index on each axis: names of the function, ``""`` for the constant, and ``"+j"`` for the constant plus the lane j.
    step, first : int
    """

    array: str
    axes: tuple[str, ...] = ("",)
    step: int = 1
    first: int = 0


@final
class LLVMPrinter(Printer[Any]):
    """Has an assembler write the instruction of each operation; values are numbers with a type, and constants.

    Parameters
    ----------
    reader : Reader
        Of the function in which the lines stand.
    names : mapping
        Its names.
    places : mapping
        Kind of a place → where those of the kind are.
    """

    def __init__(self, reader: Reader, names: Mapping[str, Any], places: Mapping[str, Rows]):
        assembler, inlined = reader.to, reader.inlined
        self._reader, self._to, self._names, self._places = reader, assembler, names, places
        arithmetic = ("add", "subtract", "multiply", "divide")
        relations = ("less", "less-equal", "greater", "greater-equal", "equal", "not-equal")
        self._forms: Mapping[str, Form[Any]] = MappingProxyType({
            "number": lambda _, text: text == "True" if text in ("True", "False") else float(text),
            **{name: partial(self._operation, name) for name in arithmetic},
            **{name: partial(self._comparison, name) for name in relations},
            "negative": lambda x, _: assembler.negative(*x), "select": lambda x, _: assembler.selected(*x),
            "and": partial(self._several, "and"), "or": partial(self._several, "or"),
            "not": lambda x, _: assembler.operation("xor", x[0], True),
            "sqrt": lambda x, _: assembler.function("sqrt", x), "absolute": lambda x, _: assembler.function("fabs", x),
            **{name: partial(self._function, name) for name in ("sin", "cos", "exp", "log")},
            "interval": lambda x, halvings: inlined(table_functions.interval, [names["T"], *x, halvings]),
            "piece": lambda x, data: inlined(getattr(table_functions, f"{data[0]}_{data[1]}"), [names["T"], *x]),
            "argument": lambda _, name: names[name], "load": lambda _, place: assembler.load(*self._place(place)),
            STORE: self._store, RAISE: self._raise,
        })  # fmt: skip

    @property
    def forms(self) -> Mapping[str, Form[Any]]:
        """Operation → its form."""
        return self._forms

    def _operation(self, name: str, operands: Sequence[Any], _: Any) -> Any:
        return self._to.operation(name, *operands)

    def _comparison(self, name: str, operands: Sequence[Any], _: Any) -> Any:
        return self._to.comparison(name, *operands)

    def _several(self, name: str, operands: Sequence[Any], _: Any) -> Any:
        first, *others = operands
        for other in others:
            first = self._to.operation(name, first, other)
        return first

    def _function(self, name: str, operands: Sequence[Any], _: Any) -> Any:
        return self._reader.inlined(getattr(lane_functions, name), operands)

    def _store(self, operands: Sequence[Any], place: Place) -> None:
        self._to.store(*self._place(place), operands[0])

    def _raise(self, operands: Sequence[Any], place: Place) -> None:
        (value,) = operands
        larger = self._to.comparison("greater", value, self._to.load(*self._place(place)))
        maximum = self._to.selected(larger, value, self._to.load(*self._place(place)))
        self._to.store(*self._place(place), maximum)

    def _place(self, place: Place) -> tuple[str, str]:
        """Type and address of a place."""
        kind, number = place
        rows = self._places[kind]
        array, constant = self._names[rows.array], rows.step * (number + rows.first)
        return array.kind, self._to.place(array, [partial(self._index, axis, constant) for axis in rows.axes])

    def _index(self, axis: str, constant: int) -> tuple[int, Any]:
        """An index as a constant and the rest."""
        name = axis.removeprefix("+")
        own = 0 if axis and name == axis else constant
        value = self._names[name] if name else 0
        return (own, value) if isinstance(value, tuple) else (own + value, None)


@final
@dataclass(frozen=True)
class WrittenBody(WrittenInPlace):
    """A body of lines, which stands in a function where it is called."""

    body: Body
    program: InstructionList
    places: Mapping[str, Rows]

    def write(self, reader: Reader, names: Mapping[str, Any]) -> list[Any]:
        """Write the lines; the results are those of the body."""
        printer, values = LLVMPrinter(reader, names, self.places), dict[int, Any]()

        def value(number: int) -> Any:
            if number not in values:  # a number of the program
                values[number] = printer.value(self.program.instructions[number], ())
            return values[number]

        for number, instruction in self.body.lines:
            values[number] = printer.value(instruction, [value(k) for k in instruction.operands])
        return [value(k) for k in self.body.results]
