"""Functions of numbers and arrays in the assembly of LLVM, written instruction by instruction.

Each operation on numbers is one instruction, in the order in which it is written, and none is fused or reordered: the bits are
those of NumPy.

The text of this file is part of the key of every compiled function.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, final

import numpy as np

FLOAT, SIGNED, WORD, BIT = "f8", "i8", "u8", "bit"
"""Types of numbers: doubles, integers of 64 bits with a sign and without, and truth values."""
Number = tuple[str, str]
"""A type and the operand of LLVM."""
NUMBERS = (FLOAT, SIGNED, WORD)
FORMS = {FLOAT: "double", SIGNED: "i64", WORD: "i64", BIT: "i1"}
"""LLVM's names of the types."""

_ARITHMETIC: Mapping[str, tuple[str | None, ...]] = {
    "add": ("fadd", "add", "add"), "subtract": ("fsub", "sub", "sub"), "multiply": ("fmul", "mul", "mul"),
    "divide": ("fdiv", None, None), "and": (None, "and", "and"), "or": (None, "or", "or"),
    "xor": (None, "xor", "xor"), "shift-left": (None, "shl", "shl"), "shift-right": (None, "ashr", "lshr"),
}  # fmt: skip
_OF_CONSTANTS: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "shift-left": operator.lshift, "shift-right": operator.rshift, "and": operator.and_, "or": operator.or_,
    "xor": operator.xor,
}  # fmt: skip
_COMPARED: Mapping[str, tuple[str, ...]] = {
    "less": ("olt", "slt", "ult"), "less-equal": ("ole", "sle", "ule"), "greater": ("ogt", "sgt", "ugt"),
    "greater-equal": ("oge", "sge", "uge"), "equal": ("oeq", "eq", "eq"), "not-equal": ("une", "ne", "ne"),
}  # fmt: skip
_LARGEST = 2**63, 2**64
_COLUMN = {FLOAT: 0, SIGNED: 1, WORD: 2, BIT: 2}
_CONSTANTS = (bool, int, float, np.bool_, np.uint64)


class NotCompiledError(Exception):
    """A function that cannot be compiled."""


@final
@dataclass(frozen=True)
class Argument:
    """An argument of a compiled function: a number, or a contiguous array if it has lengths.

    Attributes
    ----------
    name, kind : str
    lengths : tuple or None
        Of the axes after the first: numbers, or names of arguments.
    """

    name: str
    kind: str
    lengths: tuple[int | str, ...] | None


@final
@dataclass(frozen=True)
class Assembly:
    """A function in the assembly of LLVM, with its name and arguments, which it takes from a block of words of 64 bits."""

    name: str
    arguments: tuple[Argument, ...]
    text: str


@final
@dataclass(frozen=True)
class Slot:
    """A variable in memory: one that gets other values within a loop or a condition."""

    kind: str
    place: str


@final
class Assembler:
    """Writes the instructions of one function.

    A value is a number with its type, or a constant: a number of Python, which takes the type of the other operand.
    """

    def __init__(self) -> None:
        self.code: list[str] = []
        self.entry: list[str] = []
        self.declared: dict[str, str] = {}
        self.rows: dict[tuple[str, int], str] = {}
        self.count = 0
        self.ends: list[str] = []
        self.vector_bits: int | None = None

    def assembly(self, name: str, arguments: Sequence[Argument]) -> Assembly:
        """The function of these arguments that has been written."""
        places = [
            (f"%{a.name}", FORMS[a.kind] if a.lengths is None else "ptr", a.lengths is not None) for a in arguments
        ]
        wide = "" if self.vector_bits is None else f'"prefer-vector-width"="{self.vector_bits}" '
        parameters = ", ".join(
            f"{form} noalias {place}" if array else f"{form} {place}" for place, form, array in places
        )
        unpacked = [line for i, (place, form, _) in enumerate(places) for line in (
            f"  {place}.at = getelementptr i64, ptr %block, i64 {i}", f"  {place} = load {form}, ptr {place}.at")]  # fmt: skip
        text = "\n".join([
            f"define internal void @body({parameters}) noinline nounwind {wide}{{", "entry:", *self.entry,
            "  br label %start", "start:", *self.code, "  ret void", "}",
            f"define void @{name}(ptr %block) nounwind {{", *unpacked,
            f"  call void @body({', '.join(f'{form} {place}' for place, form, _ in places)})", "  ret void", "}",
            *self.declared.values(), "",
        ])  # fmt: skip
        return Assembly(name, tuple(arguments), text)

    def new(self, code: str) -> str:
        """The result of an instruction."""
        self.count += 1
        self.code.append(f"  %t{self.count} = {code}")
        return f"%t{self.count}"

    # blocks

    def label(self, word: str) -> str:
        """A new label."""
        self.count += 1
        return f"{word}{self.count}"

    def begin(self, label: str, *, last: str | None = None) -> None:
        """Begin a block; the one before ends with ``last``, or continues here."""
        self.code += [f"  {last or f'br label %{label}'}", f"{label}:"]

    @contextmanager
    def loop(self, start: str, stop: str) -> Iterator[Number]:
        """The body of a loop over integers from ``start`` to below ``stop``."""
        head, body, after, end = (self.label(word) for word in ("head", "body", "next", "end"))
        before = self.label("before")
        self.begin(before)
        self.begin(head)
        index, following = f"%{head}", f"%{after}"
        self.code.append(f"  {index}.n = phi i64 [ {start}, %{before} ], [ {following}.n, %{after} ]")
        going = self.new(f"icmp slt i64 {index}.n, {stop}")
        self.begin(body, last=f"br i1 {going}, label %{body}, label %{end}")
        self.ends.append(end)
        yield SIGNED, f"{index}.n"
        self.ends.pop()
        self.begin(after)
        self.code.append(f"  {following}.n = add nsw i64 {index}.n, 1")
        self.begin(end, last=f"br label %{head}")

    def branches(self, holds: str, if_true: Callable[[], None], if_false: Callable[[], None]) -> None:
        """A condition: one of two bodies."""
        then, other, end = self.label("then"), self.label("else"), self.label("end")
        self.begin(then, last=f"br i1 {holds}, label %{then}, label %{other}")
        if_true()
        self.begin(other, last=f"br label %{end}")
        if_false()
        self.begin(end)

    def leave(self) -> None:
        """Leave the innermost loop."""
        self.begin(self.label("unreached"), last=f"br label %{self.ends[-1]}")

    # variables

    def slot(self, name: str, value: Any) -> Slot:
        """A variable with a first value."""
        kind, number = self.number(value)
        place = f"%{name}.slot{len(self.entry)}"
        self.entry.append(f"  {place} = alloca {FORMS[kind]}")
        self.code.append(f"  store {FORMS[kind]} {number}, ptr {place}")
        return Slot(kind, place)

    def loaded(self, slot: Slot) -> Number:
        """The present value of a variable."""
        return slot.kind, self.new(f"load {FORMS[slot.kind]}, ptr {slot.place}")

    def keep(self, slot: Slot, value: Any) -> None:
        """Another value of a variable."""
        kind, number = self.number(value, slot.kind)
        same(kind, slot.kind, slot.place)
        self.code.append(f"  store {FORMS[kind]} {number}, ptr {slot.place}")

    # operations

    def operation(self, kind: str, left: Any, right: Any) -> Any:
        """An operation on two numbers; on constants it is that of Python."""
        if type(left) in (int, float) and type(right) in (int, float):
            return _OF_CONSTANTS[kind](left, right)
        (form, a), (_, b) = self.both(left, right)
        code = _ARITHMETIC[kind][_COLUMN[form]]
        if code is None or (form == BIT and code not in ("and", "or", "xor")):
            raise NotCompiledError(f"{kind} of {form}")
        return form, self.new(f"{code} {FORMS[form]} {a}, {b}")

    def comparison(self, kind: str, left: Any, right: Any) -> Number:
        """A comparison of two numbers."""
        (form, a), (_, b) = self.both(left, right)
        code = _COMPARED[kind][_COLUMN[form]]
        return BIT, self.new(f"{'fcmp' if form == FLOAT else 'icmp'} {code} {FORMS[form]} {a}, {b}")

    def logical(self, code: str, values: Sequence[Any]) -> Number:
        """``or`` or ``and`` of conditions."""
        first, *others = (self.of_kind(BIT, value) for value in values)
        for other in others:
            first = self.new(f"{code} i1 {first}, {other}")
        return BIT, first

    def negative(self, value: Any) -> Any:
        """The negative of a number."""
        if isinstance(value, _CONSTANTS):
            return -value  # type: ignore[operator]
        kind, number = self.number(value)
        if kind == BIT:
            raise NotCompiledError("the negative of a condition")
        return kind, self.new(f"fneg double {number}" if kind == FLOAT else f"sub i64 0, {number}")

    def selected(self, condition: Any, if_true: Any, if_false: Any) -> Number:
        """One of two numbers."""
        (kind, a), (_, b) = self.both(if_true, if_false)
        form = FORMS[kind]
        return kind, self.new(f"select i1 {self.truth(condition)}, {form} {a}, {form} {b}")

    def function(self, name: str, values: Sequence[Any]) -> Number:
        """A function of doubles that LLVM has: ``sqrt``, ``fabs``, ``rint``, ``floor``, ``fma``."""
        operands = ", ".join(f"double {self.double(x)}" for x in values)
        name = f"llvm.{name}.f64"
        self.declared[name] = f"declare double @{name}({', '.join(['double'] * len(values))})"
        return FLOAT, self.new(f"call double @{name}({operands})")

    def bits_to_float(self, value: Any) -> Number:
        """The double with these 64 bits."""
        return FLOAT, self.new(f"bitcast i64 {self.of_kind(WORD, value)} to double")

    def float_to_bits(self, value: Any) -> Number:
        """The 64 bits of a double."""
        return WORD, self.new(f"bitcast double {self.double(value)} to i64")

    def whole(self, value: Any) -> Number:
        """A double that is a whole number, as an integer."""
        return SIGNED, self.new(f"fptosi double {self.double(value)} to i64")

    def word(self, value: Any) -> Any:
        """An integer as one without a sign."""
        if isinstance(value, tuple):
            same(WORD if value[0] in (WORD, SIGNED) else value[0], WORD)
            return WORD, value[1]
        return np.uint64(value)

    # numbers

    def both(self, left: Any, right: Any) -> tuple[Number, Number]:
        """Two numbers of one type: integers become doubles, and constants what the other is."""
        if isinstance(left, tuple) and not isinstance(right, tuple):
            right = self.number(right, left[0])
        elif not isinstance(left, tuple):
            right = self.number(right, FLOAT if type(left) is float else None)
            left = self.number(left, right[0])
        if left[0] != right[0]:
            left, right = (self.converted(*x) for x in (left, right))
        return left, right

    def of_kind(self, kind: str, value: Any) -> str:
        """The operand of a number that must have a type."""
        own, number = self.number(value, kind)
        same(own, kind)
        return number

    def double(self, value: Any) -> str:
        """The operand of a double, or of a double that is equal to an integer."""
        kind, number = self.number(value, FLOAT)
        return self.of_kind(FLOAT, self.converted(kind, number) if kind == SIGNED else (kind, number))

    def converted(self, kind: str, number: str) -> Number:
        """A double of an integer with a sign, for arithmetic with a double."""
        if kind == SIGNED:
            return FLOAT, self.new(f"sitofp i64 {number} to double")
        if kind != FLOAT:
            raise NotCompiledError(f"arithmetic of numbers of the type {kind} and of another")
        return kind, number

    def number(self, value: Any, kind: str | None = None) -> Number:
        """A number with its type; a constant gets the type that is asked for, or its own."""
        if isinstance(value, tuple):
            return value
        if not isinstance(value, _CONSTANTS):
            raise NotCompiledError(f"{value!r} is no number")
        if isinstance(value, (bool, np.bool_)):
            return BIT, "true" if value else "false"
        if isinstance(value, np.uint64):
            return WORD, str(int(value))
        if kind is None or (isinstance(value, float) and kind != FLOAT):
            kind = FLOAT if isinstance(value, float) else SIGNED
        if kind == FLOAT:
            return FLOAT, f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"
        if not -_LARGEST[0] <= value < _LARGEST[kind == WORD]:
            raise NotCompiledError(f"{value} has more than 64 bits")
        return kind, str(value)

    def truth(self, value: Any) -> str:
        """A condition; a number is true if it is not 0, such as a condition that was stored beside numbers."""
        kind, number = self.number(value)
        if kind == BIT:
            return number
        if kind == FLOAT:
            return self.new(f"fcmp une double {number}, 0.0")
        return self.new(f"icmp ne i64 {number}, 0")

    # arrays

    def load(self, kind: str, place: str) -> Number:
        """The number at a place."""
        return kind, self.new(f"load {FORMS[kind]}, ptr {place}")

    def store(self, kind: str, place: str, value: Any) -> None:
        """Store a number; a condition becomes 0 or 1."""
        own, number = self.number(value, kind)
        if own == BIT != kind:
            own, number = kind, self.new(f"{'uitofp' if kind == FLOAT else 'zext'} i1 {number} to {FORMS[kind]}")
        same(own, kind, place)
        self.code.append(f"  store {FORMS[kind]} {number}, ptr {place}")

    def place(self, array: Argument, indices: Sequence[Callable[[], tuple[int, Number | None]]]) -> str:
        """The address of an element of an array; each index is a constant and the rest, and written when it is needed."""
        offset, index = 0, None
        for length, part in zip([None, *(array.lengths or ())], indices, strict=True):
            if length is not None:
                size: Any = length if isinstance(length, int) else (SIGNED, f"%{length}")
                if offset and not isinstance(size, int):
                    index, offset = self.sum(index, (SIGNED, str(offset))), 0
                offset = offset * size if isinstance(size, int) else 0
                index = None if index is None else self.operation("multiply", index, size)
            constant, number = part()
            if constant < 0 and number is None:
                raise NotCompiledError(f"an index of {array.name} that counts from the end")
            offset += constant
            index = self.sum(index, number)
        base = self.row(array, offset)
        if index is None:
            return base
        return self.new(f"getelementptr inbounds {FORMS[array.kind]}, ptr {base}, i64 {index[1]}")

    def sum(self, a: Number | None, b: Number | None) -> Number | None:
        """The sum of two indices, of which each may be missing."""
        if a is None or b is None:
            return a or b
        return SIGNED, self.new(f"add i64 {a[1]}, {b[1]}")

    def row(self, array: Argument, offset: int) -> str:
        """The address of an element with a constant number; it is computed once."""
        if not offset:
            return f"%{array.name}"
        key = array.name, offset
        if key not in self.rows:
            self.rows[key] = f"%{array.name}.{offset}"
            self.entry.append(
                f"  {self.rows[key]} = getelementptr inbounds {FORMS[array.kind]}, ptr %{array.name}, i64 {offset}"
            )
        return self.rows[key]


def same(own: str, kind: str, name: str = "a number") -> None:
    """Refuse another type."""
    if own != kind:
        raise NotCompiledError(f"{name} has the type {kind} and gets {own}")
