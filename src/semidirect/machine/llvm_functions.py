"""A small compiler: functions of numbers and arrays, written in a part of Python, as the assembly of LLVM.

Each operation on numbers becomes one instruction, in the order in which it is written, and none is fused or reordered: the bits
are those of NumPy. What the part of Python contains is said at :func:`llvm_text`.

The text of this file is part of the key of every compiled function.
"""

from __future__ import annotations

import ast
import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, final

import numpy as np

from semidirect.machine.assembler import (
    NUMBERS,
    SIGNED,
    Argument,
    Assembler,
    Assembly,
    NotCompiledError,
    Number,
    Slot,
)

_OPERATIONS = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor", ast.LShift: "shift-left", ast.RShift: "shift-right",
}  # fmt: skip
_COMPARED = {
    ast.Lt: "less", ast.LtE: "less-equal", ast.Gt: "greater", ast.GtE: "greater-equal", ast.Eq: "equal",
    ast.NotEq: "not-equal",
}  # fmt: skip


def fma(a: float, b: float, c: float) -> Any:
    """a b + c, rounded once: an instruction of compiled functions, and nothing elsewhere."""
    raise NotImplementedError


_FUNCTIONS = {np.sqrt: "sqrt", np.abs: "fabs", np.rint: "rint", np.floor: "floor", fma: "fma"}
_FOREIGN = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError


class WrittenInPlace(ABC):
    """Instructions that stand in a function where it calls this object: they need no text."""

    @abstractmethod
    def write(self, reader: Reader, names: Mapping[str, Any]) -> list[Any]:
        """Write the instructions, which may use the names of the function, and return their results."""


def arguments_of(function: ast.FunctionDef) -> tuple[Argument, ...]:
    """The arguments of a function as their annotations declare them."""
    return tuple(_argument(a) for a in _plain_arguments(function))


def _argument(parameter: ast.arg) -> Argument:
    form = parameter.annotation
    if isinstance(form, ast.Name) and form.id in NUMBERS:
        return Argument(parameter.arg, form.id, None)
    if not (isinstance(form, ast.Subscript) and isinstance(form.value, ast.Name) and form.value.id in NUMBERS):
        raise NotCompiledError(f"the type of {ast.unparse(parameter)}")
    first, *axes = form.slice.elts if isinstance(form.slice, ast.Tuple) else [form.slice]
    lengths: list[Any] = [a.id if isinstance(a, ast.Name) else getattr(a, "value", None) for a in axes]
    if not isinstance(first, ast.Slice) or not all(type(n) is str or (type(n) is int and n >= 0) for n in lengths):
        raise NotCompiledError(f"the type of {ast.unparse(parameter)}")
    return Argument(parameter.arg, form.value.id, tuple(lengths))


def _plain_arguments(function: ast.FunctionDef) -> list[ast.arg]:
    """The arguments of a function, which have no defaults and are given by position."""
    a = function.args
    if a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults:
        raise NotCompiledError(f"the arguments ({ast.unparse(a)}) of {function.name}")
    return a.args


def llvm_text(text: str, name: str, namespace: Mapping[str, Any]) -> Assembly:
    """The function of this name in a text, which has no result, as the assembly of LLVM.

    Its arguments are annotated: ``x: f8``, ``n: i8``, ``w: u8`` are a double and integers of 64 bits with and without a sign,
    ``A: f8[:, n, 4]`` is an array, contiguous in memory, of which all lengths but the first are numbers or other arguments. No
    two arrays overlap. The body consists of

    - assignments to names and elements of arrays, also of several at once; a name has one type,
    - ``+ - * /``, ``& | ^ << >>``, comparisons, ``or``, ``and``, ``a if c else b``, which evaluate all their parts,
    - ``np.sqrt``, ``np.abs``, ``np.rint``, ``np.floor``, ``np.uint64``, ``np.int64`` of a whole double, and
      :func:`fma`,
    - ``x.view(np.uint64)``, the bits of a double, and ``x.view(np.float64)``, the double with these bits,
    - calls of other functions, whose bodies are put in their place, and of instructions, see :class:`WrittenInPlace`,
    - ``if``, ``for n in range(…)`` and ``break``, and ``for _ in range(3)``, which stands for three copies of its body,
    - ``prefer_vectors(512)``, a wish to the compiler: vectors of so many bits.

    A name that is bound first within a loop or a condition is not known after it. Integers wrap around; no index is checked.

    Parameters
    ----------
    text, name : str
    namespace : mapping
        The values of global names, beside those of this file: functions, numbers, NumPy.

    Raises
    ------
    NotCompiledError
        If the function contains anything else.
    """
    function, namespace = functions_of(text)[name], {**globals(), **namespace}
    arguments = arguments_of(function)
    assembler = Assembler()
    names: dict[str, Any] = {a.name: a if a.lengths is not None else (a.kind, f"%{a.name}") for a in arguments}
    for length in {n for a in arguments for n in a.lengths or () if isinstance(n, str)}:
        if names.get(length) != (SIGNED, f"%{length}"):
            raise NotCompiledError(f"the length {length}, which is no argument of the type {SIGNED}")
    if Reader(assembler).lines(function.body, names, namespace) is not None:
        raise NotCompiledError(f"{name} returns a value")
    return assembler.assembly(name, arguments)


@cache
def _functions_of_module(name: str) -> dict[str, ast.FunctionDef]:
    return functions_of(inspect.getsource(sys.modules[name]))


def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    """The functions that a text defines, by name."""
    return {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}


@final
class Reader:
    """Reads the syntax tree of a function and has an assembler write its instructions."""

    def __init__(self, assembler: Assembler) -> None:
        self.to = assembler
        self.statements = {
            ast.Assign: self.assignment, ast.AugAssign: self.changed, ast.For: self.loop, ast.If: self.condition,
            ast.Break: self.leave, ast.Expr: self.wish,
        }  # fmt: skip
        self.expressions = {
            ast.Name: self.name, ast.Constant: self.constant, ast.BinOp: self.binary, ast.Subscript: self.element,
            ast.Tuple: self.several, ast.Compare: self.comparison, ast.UnaryOp: self.negative, ast.IfExp: self.chosen,
            ast.Attribute: self.attribute, ast.Call: self.called, ast.BoolOp: self.logical,
        }  # fmt: skip

    def inlined(self, function: Any, values: Sequence[Any]) -> Any:
        """The value of a function in the part of Python, whose body is written here."""
        body = _functions_of_module(function.__module__)[function.__name__]
        inner = dict(zip((a.arg for a in _plain_arguments(body)), values, strict=True))
        return self.lines(body.body, inner, function.__globals__)

    # statements

    def lines(self, statements: Sequence[ast.stmt], names: dict[str, Any], namespace: Mapping[str, Any]) -> Any:
        """Write statements, up to the one that returns a value."""
        for line in statements:
            if isinstance(line, ast.Return):
                return None if line.value is None else self.value(line.value, names, namespace)
            write = self.statements.get(type(line))
            if write is None:
                raise NotCompiledError(ast.unparse(line))
            try:
                write(line, names, namespace)
            except (
                _FOREIGN
            ) as error:  # of Python, which evaluates the constants, or of a form that nothing above expects
                raise NotCompiledError(f"{ast.unparse(line)}: {error}") from error
        return None

    def wish(self, line: Any, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """A docstring, ``prefer_vectors(512)``, or instructions without results."""
        node = line.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "prefer_vectors":
            self.to.vector_bits = self.value(node.args[0], names, namespace)
            if type(self.to.vector_bits) is not int:
                raise NotCompiledError(ast.unparse(line))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if not isinstance(namespace.get(node.func.id), WrittenInPlace):
                raise NotCompiledError(ast.unparse(line))
            self.value(node, names, namespace)
        elif not isinstance(node, ast.Constant):
            raise NotCompiledError(ast.unparse(line))

    def assignment(self, line: Any, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """``a = b``."""
        value = self.value(line.value, names, namespace)
        for target in line.targets:
            self.assign(target, value, names, namespace)

    def changed(self, line: Any, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """``a += b`` and the like."""
        left, right = self.value(_read(line.target), names, namespace), self.value(line.value, names, namespace)
        self.assign(line.target, self.operation(line.op, left, right), names, namespace)

    def assign(self, target: Any, value: Any, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """Give a value to a name, to several names, or to an element of an array."""
        if isinstance(target, ast.Name):
            old = names.get(target.id)
            if isinstance(old, Slot):
                self.to.keep(old, value)
            else:
                names[target.id] = value
        elif isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, value, strict=True):
                self.assign(one, part, names, namespace)
        else:
            self.to.store(*self.place(target, names, namespace), value)

    def loop(self, line: Any, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """``for n in range(…)``."""
        call = line.iter
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "range"
            and len(call.args) in (1, 2)
            and not call.keywords
            and not line.orelse
            and isinstance(line.target, ast.Name)
        ):
            raise NotCompiledError(f"for {ast.unparse(line.target)} in {ast.unparse(line.iter)}")
        ends = [self.value(part, names, namespace) for part in call.args]
        first, last = ends if len(ends) == 2 else (0, *ends)
        if line.target.id == "_":
            if _contains(line.body, ast.Break):
                raise NotCompiledError("break in a loop that is written out")
            for _ in range(first, last):
                self.block(line.body, names, namespace)
            return
        if line.target.id in names:
            raise NotCompiledError(f"the name {line.target.id} of a loop has a value before it")
        if type(first) is type(last) is int and last - first == 1 and not _contains(line.body, ast.Break):
            once = {**names, line.target.id: first}
            self.block(line.body, once, namespace)
            names |= {name: once[name] for name in names}
            return
        start, stop = (self.to.of_kind(SIGNED, end) for end in (first, last))
        slots = self.slots(line.body, names)
        with self.to.loop(start, stop) as index:
            self.block(line.body, {**names, **slots, line.target.id: index}, namespace)
        names |= slots

    def condition(self, line: Any, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """``if``."""
        holds = self.to.truth(self.value(line.test, names, namespace))
        slots = self.slots([*line.body, *line.orelse], names)
        then, other = (partial(self.block, body, {**names, **slots}, namespace) for body in (line.body, line.orelse))
        self.to.branches(holds, then, other)
        names |= slots

    def leave(self, line: Any, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """``break``, the last of its block."""
        self.to.leave()

    def block(self, body: Sequence[ast.stmt], names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        """Statements within a loop or a condition, of which none returns; their new names are forgotten after it."""
        if _contains(body, ast.Return):
            raise NotCompiledError("return within a loop or a condition")
        self.lines(body, names, namespace)

    def slots(self, body: Sequence[ast.stmt], names: Mapping[str, Any]) -> dict[str, Slot]:
        """Variables in memory for the names that a body binds again."""
        nodes = (n for line in body for n in ast.walk(line))
        bound = {n.id: None for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        again = [name for name in bound if name in names and not isinstance(names[name], Slot)]
        return {name: self.to.slot(name, names[name]) for name in again}

    # expressions

    def value(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """The value of an expression: a number with its type, a constant, an array, several of them, or a function."""
        write = self.expressions.get(type(node))
        if write is None:
            raise NotCompiledError(ast.unparse(node))
        return write(node, names, namespace)

    def name(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """The value of a name."""
        value = names[node.id] if node.id in names else namespace.get(node.id, node)
        if isinstance(value, Slot):
            return self.to.loaded(value)
        if value is node:
            raise NotCompiledError(f"the name {node.id} is not known here")
        return value

    def constant(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """A number of Python."""
        return node.value

    def several(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """Several values."""
        return [self.value(part, names, namespace) for part in node.elts]

    def attribute(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """A member of a module."""
        module = self.value(node.value, names, namespace)
        if not inspect.ismodule(module):
            raise NotCompiledError(ast.unparse(node))
        return getattr(module, node.attr)

    def element(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Number:
        """An element of an array."""
        return self.to.load(*self.place(node, names, namespace))

    def binary(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """An operation on two numbers."""
        return self.operation(
            node.op, self.value(node.left, names, namespace), self.value(node.right, names, namespace)
        )

    def operation(self, operator: ast.operator, left: Any, right: Any) -> Any:
        """An operation on two numbers."""
        if type(operator) not in _OPERATIONS:
            raise NotCompiledError(f"the operation {type(operator).__name__}")
        return self.to.operation(_OPERATIONS[type(operator)], left, right)

    def comparison(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """A comparison of two numbers."""
        if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARED:
            raise NotCompiledError(ast.unparse(node))
        left, right = (self.value(part, names, namespace) for part in (node.left, node.comparators[0]))
        return self.to.comparison(_COMPARED[type(node.ops[0])], left, right)

    def logical(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """``or`` and ``and``."""
        values = [self.value(part, names, namespace) for part in node.values]
        return self.to.logical("or" if isinstance(node.op, ast.Or) else "and", values)

    def negative(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """``-x``."""
        value = self.value(node.operand, names, namespace)
        if not isinstance(node.op, ast.USub):
            raise NotCompiledError(ast.unparse(node))
        return self.to.negative(value)

    def chosen(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Number:
        """``a if c else b``."""
        return self.to.selected(*(self.value(part, names, namespace) for part in (node.test, node.body, node.orelse)))

    def called(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
        """The value of a function, which is an instruction or written in its place."""
        if node.keywords:
            raise NotCompiledError(ast.unparse(node))
        values = [self.value(part, names, namespace) for part in node.args]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "view":
            views = {np.float64: self.to.bits_to_float, np.uint64: self.to.float_to_bits}
            return views[values[0]](self.value(node.func.value, names, namespace))
        function = self.value(node.func, names, namespace)
        if isinstance(function, WrittenInPlace):
            return function.write(self, names)
        if function in _FUNCTIONS:
            if len(values) != (3 if function is fma else 1):
                raise NotCompiledError(ast.unparse(node))
            return self.to.function(_FUNCTIONS[function], values)
        own: Any = {np.int64: self.to.whole, np.uint64: self.to.word}.get(function)
        if own is not None:
            return own(*values)
        if not inspect.isfunction(function) or function.__name__ != function.__qualname__:
            raise NotCompiledError(ast.unparse(node))
        return self.inlined(function, values)

    # arrays

    def place(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> tuple[str, str]:
        """The type and the address of an element of an array."""
        array = self.value(node.value, names, namespace)
        if not isinstance(array, Argument):
            raise NotCompiledError(f"{ast.unparse(node.value)} is no array")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) != len(array.lengths or ()) + 1:
            raise NotCompiledError(f"{ast.unparse(node)} has another number of axes")
        return array.kind, self.to.place(array, [partial(self.index, part, names, namespace) for part in parts])

    def index(self, node: Any, names: Mapping[str, Any], namespace: Mapping[str, Any]) -> tuple[int, Number | None]:
        """An index as a constant and the rest."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            (one, a), (two, b) = (self.index(part, names, namespace) for part in (node.left, node.right))
            return one + two, self.to.sum(a, b)
        value = self.value(node, names, namespace)
        if isinstance(value, (int, np.uint64)):
            return int(value), None
        kind, number = self.to.number(value)
        if kind not in NUMBERS[1:]:
            raise NotCompiledError(f"the index {ast.unparse(node)}")
        return 0, (SIGNED, number)


def _contains(body: Sequence[ast.stmt], kind: type[ast.stmt]) -> bool:
    """Whether statements contain one of a kind."""
    return any(isinstance(n, kind) for line in body for n in ast.walk(line))


def _read(target: ast.expr) -> ast.expr:
    """A target as an expression that reads it."""
    return ast.parse(ast.unparse(target), mode="eval").body
