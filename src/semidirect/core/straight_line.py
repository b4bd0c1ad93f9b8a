"""Functions of numbers without branches, emitted as instructions of LLVM and inlined wherever Numba's functions call them.

A kernel has a thousand operations on numbers. Numba infers a type for each of them, then lowers each to a load, an operation and
a store: two thirds of the time that a kernel needs to be compiled. Here each operation becomes one instruction, the same that
Numba would choose, and the bits are the same.

This file is part of the text of every kernel.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic

_TREES: dict[str, Any] = {}
_FLOAT, _WORD, _BIT = ir.DoubleType(), ir.IntType(64), ir.IntType(1)
_KINDS = {types.float64: _FLOAT, types.uint64: _WORD, types.int64: _WORD, types.boolean: _BIT}
_ARITHMETIC = {
    ast.Add: ("fadd", "add"), ast.Sub: ("fsub", "sub"), ast.Mult: ("fmul", "mul"), ast.Div: ("fdiv", None),
    ast.BitAnd: (None, "and_"), ast.BitOr: (None, "or_"), ast.BitXor: (None, "xor"), ast.LShift: (None, "shl"),
    ast.RShift: (None, "lshr"),
}  # fmt: skip
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_OF_CONSTANTS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def fma(a, b, c):  # type: ignore[no-untyped-def]
    """a b + c, rounded once."""
    raise NotImplementedError


def bits_to_float(x):  # type: ignore[no-untyped-def]
    """The double with these 64 bits."""
    raise NotImplementedError


def float_to_bits(x):  # type: ignore[no-untyped-def]
    """The 64 bits of a double."""
    raise NotImplementedError


def select(condition, if_true, if_false):  # type: ignore[no-untyped-def]
    """``if_true`` if the condition holds, else ``if_false``: one instruction."""
    raise NotImplementedError


_INSTRUCTIONS = {np.sqrt: "sqrt", np.abs: "fabs", np.rint: "rint", np.floor: "floor", fma: "fma"}


def straight(function):  # type: ignore[no-untyped-def]
    """A function for Numba, inlined where it is called.

    Its body assigns numbers and elements of contiguous arrays, repeats statements a constant number of times, and returns a
    number, a tuple of numbers or nothing. Words are without sign, and indices are not negative.
    """

    def define(typing, *given):  # type: ignore[no-untyped-def]
        result = _Emitter(None).call(function, [(kind, None) for kind in given])

        def emit(context, builder, signature, values):  # type: ignore[no-untyped-def]
            arrays = [_array(context, builder, kind, value) for kind, value in zip(signature.args, values, strict=True)]
            value = _Emitter(builder).call(function, list(zip(signature.args, arrays, strict=True)))
            if value is None:
                return context.get_dummy_value()
            if isinstance(value, list):
                return context.make_tuple(builder, signature.return_type, [number for _, number in value])
            return value[1]

        if isinstance(result, list):
            kind = types.Tuple([kind for kind, _ in result])  # type: ignore[attr-defined]
        else:
            kind = types.none if result is None else result[0]
        return kind(*given), emit

    names = ["typing", *inspect.signature(function).parameters]
    define.__signature__ = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in names])  # type: ignore[attr-defined]
    define.__name__ = function.__name__
    define.__doc__ = function.__doc__
    made = intrinsic(define)
    made.straight = function
    return made


def _array(context, builder, kind, value):  # type: ignore[no-untyped-def]
    """An argument: of an array, the address and the lengths."""
    if not isinstance(kind, types.Array):
        return value
    array = context.make_array(kind)(context, builder, value)
    return array.data, cgutils.unpack_tuple(builder, array.shape)


def _body(function):  # type: ignore[no-untyped-def]
    """The statements of a function: from the text that its module was made of, if it has one, else from its file."""
    known, name = function.__globals__, function.__code__.co_filename
    text = known["__text__"] if "__text__" in known else "".join(linecache.getlines(name))
    if name not in _TREES or _TREES[name][0] != text:
        _TREES[name] = text, {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
    return _TREES[name][1][function.__name__].body


class _Emitter:
    """Emits the instructions of a function; without a builder it finds the types only.

    A number is a pair of its type and its value; numbers of Python are constants, which have the type of the other operand.
    """

    def __init__(self, builder):  # type: ignore[no-untyped-def]
        self.builder = builder

    def call(self, function, given):  # type: ignore[no-untyped-def]
        """The value of the function."""
        names = dict(zip(inspect.signature(function).parameters, given, strict=True))
        return self.lines(_body(function), names, function.__globals__)

    def lines(self, statements, names, known):  # type: ignore[no-untyped-def]
        """Emit statements, up to the one that returns a value."""
        for line in statements:
            if isinstance(line, ast.Return):
                value = self.value(line.value, names, known)
                return [self.number(v) for v in value] if isinstance(value, list) else self.number(value)
            if isinstance(line, ast.For):
                for _ in range(line.iter.args[0].value):  # type: ignore[attr-defined]
                    self.lines(line.body, names, known)
            elif isinstance(line, ast.Assign):
                self.assign(line.targets[0], self.value(line.value, names, known), names, known)
            elif not isinstance(line, ast.Expr):  # a docstring
                raise errors.TypingError(f"not straight: {ast.unparse(line)}")
        return None

    def assign(self, target, value, names, known):  # type: ignore[no-untyped-def]
        """Give a value to a name, to several names, or to an element of an array."""
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, value, strict=True):
                self.assign(one, part, names, known)
        else:
            kind, place = self.place(target, names, known)
            given, number = self.number(value, kind)
            if self.builder is not None:
                if given == types.boolean != kind:
                    number = self.builder.zext(number, _KINDS[kind])
                self.builder.store(number, place)

    def value(self, node, names, known):  # type: ignore[no-untyped-def]
        """The value of an expression."""
        if isinstance(node, ast.Name):
            return names[node.id] if node.id in names else known[node.id]
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp):
            return self.operation(
                type(node.op), self.value(node.left, names, known), self.value(node.right, names, known)
            )
        if isinstance(node, ast.Subscript):
            kind, place = self.place(node, names, known)
            return kind, place if self.builder is None else self.builder.load(place)
        if isinstance(node, ast.Tuple):
            return [self.value(part, names, known) for part in node.elts]
        if isinstance(node, ast.Compare):
            return self.comparison(node, names, known)
        if isinstance(node, ast.UnaryOp):
            value = self.value(node.operand, names, known)
            if not isinstance(value, tuple):
                return -value
            return value[0], None if self.builder is None else self.builder.fneg(value[1])
        if isinstance(node, ast.IfExp):
            parts = (self.value(part, names, known) for part in (node.test, node.body, node.orelse))
            return self.selected(*parts)
        if isinstance(node, ast.Attribute):
            return getattr(self.value(node.value, names, known), node.attr)
        if not isinstance(node, ast.Call):
            raise errors.TypingError(f"not straight: {ast.unparse(node)}")
        function = self.value(node.func, names, known)
        return self.applied(function, [self.value(part, names, known) for part in node.args])

    def applied(self, function, given):  # type: ignore[no-untyped-def]
        """The value of a function, which is an instruction or straight itself."""
        if function in _INSTRUCTIONS:
            values = [self.number(x, types.float64)[1] for x in given]
            if self.builder is None:
                return types.float64, None
            kind = ir.FunctionType(_FLOAT, [_FLOAT] * len(values))
            code = self.builder.module.declare_intrinsic(f"llvm.{_INSTRUCTIONS[function]}", [_FLOAT], kind)
            return types.float64, self.builder.call(code, values)
        if function is select:
            return self.selected(*given)
        if function in (bits_to_float, float_to_bits):
            kind = types.float64 if function is bits_to_float else types.uint64
            value = self.number(given[0])[1]
            return kind, None if self.builder is None else self.builder.bitcast(value, _KINDS[kind])
        if function is np.uint64:
            return (types.uint64, given[0][1]) if isinstance(given[0], tuple) else function(given[0])
        return self.call(function.straight, [self.number(x) for x in given])

    def selected(self, condition, if_true, if_false):  # type: ignore[no-untyped-def]
        """The instruction ``select``."""
        if_true, if_false = self.both(if_true, if_false)
        value = (
            None if self.builder is None else self.builder.select(self.number(condition)[1], if_true[1], if_false[1])
        )
        return if_true[0], value

    def operation(self, kind, left, right):  # type: ignore[no-untyped-def]
        """An operation on two numbers."""
        if type(left) in (int, float) and type(right) in (int, float):
            return _OF_CONSTANTS[kind](left, right)
        left, right = self.both(left, right)
        name = str(_ARITHMETIC[kind][left[0] != types.float64])
        return left[0], None if self.builder is None else getattr(self.builder, name)(left[1], right[1])

    def comparison(self, node, names, known):  # type: ignore[no-untyped-def]
        """A comparison of two numbers."""
        left, right = self.both(*(self.value(part, names, known) for part in (node.left, node.comparators[0])))
        if self.builder is None:
            return types.boolean, None
        symbol = _COMPARED[type(node.ops[0])]
        if left[0] != types.float64:
            compared = self.builder.icmp_signed if left[0] == types.int64 else self.builder.icmp_unsigned
        else:
            compared = self.builder.fcmp_unordered if symbol == "!=" else self.builder.fcmp_ordered
        return types.boolean, compared(symbol, left[1], right[1])

    def both(self, left, right):  # type: ignore[no-untyped-def]
        """Two numbers of one type."""
        if isinstance(left, tuple):
            return left, self.number(right, left[0])
        right = self.number(right)
        return self.number(left, right[0]), right

    def number(self, value, kind=None):  # type: ignore[no-untyped-def]
        """A number with its type; a constant gets the type that is given, or its own."""
        if isinstance(value, tuple) or value is None:
            return value
        if isinstance(value, (bool, np.bool_)):
            kind = types.boolean
        elif isinstance(value, np.uint64):
            kind = types.uint64
        elif kind is None:
            kind = types.float64 if isinstance(value, float) else types.int64
        form = _KINDS[kind]
        return kind, form(float(value) if form is _FLOAT else int(value))

    def place(self, node, names, known):  # type: ignore[no-untyped-def]
        """The type and the address of an element of an array."""
        kind, array = self.value(node.value, names, known)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        numbers = [self.number(self.value(part, names, known), types.int64)[1] for part in parts]
        if self.builder is None:
            return kind.dtype, None
        address, lengths = array
        index = numbers[0]
        for number, length in zip(numbers[1:], lengths[1:], strict=True):
            index = self.builder.add(self.builder.mul(index, length), number)
        return kind.dtype, self.builder.gep(address, [index], inbounds=True)
