"""A small compiler: functions of numbers and arrays, written in a part of Python, as the assembly of LLVM.

Each operation on numbers becomes one instruction, in the order in which it is written, and none is fused or reordered: the bits
are those of NumPy. What the part of Python contains is said at :func:`llvm_text`.

The text of this file is part of the key of every compiled function.
"""

from __future__ import annotations

import ast
import inspect
import operator
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np

FLOAT, SIGNED, WORD, BIT = "f8", "i8", "u8", "bit"
"""Types of numbers: doubles, integers of 64 bits with a sign and without, and truth values."""
Number = tuple[str, str]
"""A type and the operand of LLVM."""

_FORMS = {FLOAT: "double", SIGNED: "i64", WORD: "i64", BIT: "i1"}
_ARITHMETIC = {
    ast.Add: ("fadd", "add", "add"), ast.Sub: ("fsub", "sub", "sub"), ast.Mult: ("fmul", "mul", "mul"),
    ast.Div: ("fdiv", None, None), ast.BitAnd: (None, "and", "and"), ast.BitOr: (None, "or", "or"),
    ast.BitXor: (None, "xor", "xor"), ast.LShift: (None, "shl", "shl"), ast.RShift: (None, "ashr", "lshr"),
}  # fmt: skip
_OF_CONSTANTS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}  # fmt: skip
_COMPARED = {
    ast.Lt: ("olt", "slt", "ult"), ast.LtE: ("ole", "sle", "ule"), ast.Gt: ("ogt", "sgt", "ugt"),
    ast.GtE: ("oge", "sge", "uge"), ast.Eq: ("oeq", "eq", "eq"), ast.NotEq: ("une", "ne", "ne"),
}  # fmt: skip
_NUMBERS = (FLOAT, SIGNED, WORD)
_LARGEST = 2**63, 2**64
_COLUMN = {FLOAT: 0, SIGNED: 1, WORD: 2, BIT: 2}
_CONSTANTS = (bool, int, float, np.bool_, np.uint64)


def fma(a: float, b: float, c: float) -> float:
    """a b + c, rounded once: an instruction of compiled functions, and nothing elsewhere."""
    raise NotImplementedError


def bits_to_float(x: np.uint64) -> float:
    """The double with these 64 bits."""
    return float(np.uint64(x).view(np.float64))


def float_to_bits(x: float) -> np.uint64:
    """The 64 bits of a double."""
    return np.float64(x).view(np.uint64)


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """``if_true`` if the condition holds, else ``if_false``: one instruction."""
    return if_true if condition else if_false


_INSTRUCTIONS = {np.sqrt: "sqrt", np.abs: "fabs", np.rint: "rint", np.floor: "floor", fma: "fma"}


class NotCompiledError(Exception):
    """A text outside the part of Python that is compiled."""


_FOREIGN = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError


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


def arguments_of(function: ast.FunctionDef) -> tuple[Argument, ...]:
    """The arguments of a function as their annotations declare them."""
    return tuple(_argument(a) for a in _plain_arguments(function))


def _argument(given: ast.arg) -> Argument:
    form = given.annotation
    if isinstance(form, ast.Name) and form.id in _NUMBERS:
        return Argument(given.arg, form.id, None)
    if not (isinstance(form, ast.Subscript) and isinstance(form.value, ast.Name) and form.value.id in _NUMBERS):
        raise NotCompiledError(f"the type of {ast.unparse(given)}")
    first, *axes = form.slice.elts if isinstance(form.slice, ast.Tuple) else [form.slice]
    lengths: list[Any] = [a.id if isinstance(a, ast.Name) else getattr(a, "value", None) for a in axes]
    if not isinstance(first, ast.Slice) or not all(type(n) is str or (type(n) is int and n >= 0) for n in lengths):
        raise NotCompiledError(f"the type of {ast.unparse(given)}")
    return Argument(given.arg, form.value.id, tuple(lengths))


def _plain_arguments(function: ast.FunctionDef) -> list[ast.arg]:
    """The arguments of a function, which have no defaults and are given by position."""
    a = function.args
    if a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults:
        raise NotCompiledError(f"the arguments ({ast.unparse(a)}) of {function.name}")
    return a.args


def llvm_text(function: ast.FunctionDef, known: Mapping[str, Any]) -> Assembly:
    """A function without a result as the assembly of LLVM.

    Its arguments are annotated: ``x: f8``, ``n: i8``, ``w: u8`` are a double and integers of 64 bits with and without a sign,
    ``A: f8[:, n, 4]`` is an array, contiguous in memory, of which all lengths but the first are numbers or other arguments. No
    two arrays overlap. The body consists of

    - assignments to names and elements of arrays, also of several at once; a name has one type,
    - ``+ - * /``, ``& | ^ << >>``, comparisons, ``or``, ``and``, ``a if c else b``, which evaluate all their parts,
    - ``np.sqrt``, ``np.abs``, ``np.rint``, ``np.floor``, ``np.uint64``, ``np.int64`` of a whole double, and the functions of this
      file,
    - calls of other functions, whose bodies are put in their place,
    - ``if``, ``for n in range(…)`` and ``break``, and ``for _ in range(3)``, which stands for three copies of its body,
    - ``prefer_vectors(512)``, a wish to the compiler: vectors of so many bits.

    A name that is bound first within a loop or a condition is not known after it. Integers wrap around; no index is checked.

    Parameters
    ----------
    function : ast.FunctionDef
    known : mapping
        The values of global names: functions, numbers, NumPy.

    Raises
    ------
    NotCompiledError
        If the function contains anything else.
    """
    arguments = arguments_of(function)
    writer = _Writer()
    names: dict[str, Any] = {a.name: a if a.lengths is not None else (a.kind, f"%{a.name}") for a in arguments}
    for length in {n for a in arguments for n in a.lengths or () if isinstance(n, str)}:
        if names.get(length) != (SIGNED, f"%{length}"):
            raise NotCompiledError(f"the length {length}, which is no argument of the type {SIGNED}")
    if writer.lines(function.body, names, known) is not None:
        raise NotCompiledError(f"{function.name} returns a value")
    given = [(f"%{a.name}", _FORMS[a.kind] if a.lengths is None else "ptr", a.lengths is not None) for a in arguments]
    wide = "" if writer.vector_bits is None else f'"prefer-vector-width"="{writer.vector_bits}" '
    declared = ", ".join(f"{form} noalias {name}" if array else f"{form} {name}" for name, form, array in given)
    unpacked = [line for i, (name, form, _) in enumerate(given) for line in (
        f"  {name}.at = getelementptr i64, ptr %block, i64 {i}", f"  {name} = load {form}, ptr {name}.at")]  # fmt: skip
    text = "\n".join([
        f"define internal void @body({declared}) noinline nounwind {wide}{{", "entry:", *writer.entry,
        "  br label %start", "start:", *writer.code, "  ret void", "}",
        f"define void @{function.name}(ptr %block) nounwind {{", *unpacked,
        f"  call void @body({', '.join(f'{form} {name}' for name, form, _ in given)})", "  ret void", "}",
        *writer.declared.values(), "",
    ])  # fmt: skip
    return Assembly(function.name, arguments, text)


@final
@dataclass(frozen=True)
class _Slot:
    """A variable in memory: a name that is bound again within a loop or a condition."""

    kind: str
    place: str


@cache
def _functions_of_module(name: str) -> dict[str, ast.FunctionDef]:
    return functions_of(inspect.getsource(sys.modules[name]))


def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    """The functions that a text defines, by name."""
    return {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}


@final
class _Writer:
    """Writes the instructions of one function.

    Constants are numbers of Python, which take the type of the other operand.
    """

    def __init__(self) -> None:
        self.code: list[str] = []
        self.entry: list[str] = []
        self.declared: dict[str, str] = {}
        self.rows: dict[tuple[str, int], str] = {}
        self.count = 0
        self.ends: list[str] = []
        self.vector_bits: int | None = None
        self.statements = {
            ast.Assign: self.assignment, ast.AugAssign: self.changed, ast.For: self.loop, ast.If: self.condition,
            ast.Break: self.leave, ast.Expr: self.wish,
        }  # fmt: skip
        self.expressions = {
            ast.Name: self.name, ast.Constant: self.constant, ast.BinOp: self.binary, ast.Subscript: self.element,
            ast.Tuple: self.several, ast.Compare: self.comparison, ast.UnaryOp: self.negative, ast.IfExp: self.chosen,
            ast.Attribute: self.attribute, ast.Call: self.called, ast.BoolOp: self.logical,
        }  # fmt: skip

    def new(self, code: str) -> str:
        """The result of an instruction."""
        self.count += 1
        self.code.append(f"  %t{self.count} = {code}")
        return f"%t{self.count}"

    def label(self, word: str) -> str:
        """A new label."""
        self.count += 1
        return f"{word}{self.count}"

    def begin(self, label: str, *, last: str | None = None) -> None:
        """Begin a block; the one before ends with ``last``, or continues here."""
        self.code += [f"  {last or f'br label %{label}'}", f"{label}:"]

    # statements

    def lines(self, statements: Sequence[ast.stmt], names: dict[str, Any], known: Mapping[str, Any]) -> Any:
        """Write statements, up to the one that returns a value."""
        for line in statements:
            if isinstance(line, ast.Return):
                return None if line.value is None else self.value(line.value, names, known)
            write = self.statements.get(type(line))
            if write is None:
                raise NotCompiledError(ast.unparse(line))
            try:
                write(line, names, known)
            except (
                _FOREIGN
            ) as error:  # of Python, which evaluates the constants, or of a form that nothing above expects
                raise NotCompiledError(f"{ast.unparse(line)}: {error}") from error
        return None

    def wish(self, line: Any, names: dict[str, Any], known: Mapping[str, Any]) -> None:
        """A docstring, or ``prefer_vectors(512)``."""
        node = line.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "prefer_vectors":
            self.vector_bits = self.value(node.args[0], names, known)
            if type(self.vector_bits) is not int:
                raise NotCompiledError(ast.unparse(line))
        elif not isinstance(node, ast.Constant):
            raise NotCompiledError(ast.unparse(line))

    def assignment(self, line: Any, names: dict[str, Any], known: Mapping[str, Any]) -> None:
        """``a = b``."""
        value = self.value(line.value, names, known)
        for target in line.targets:
            self.assign(target, value, names, known)

    def changed(self, line: Any, names: dict[str, Any], known: Mapping[str, Any]) -> None:
        """``a += b`` and the like."""
        value = self.operation(
            type(line.op), self.value(_read(line.target), names, known), self.value(line.value, names, known)
        )
        self.assign(line.target, value, names, known)

    def assign(self, target: Any, value: Any, names: dict[str, Any], known: Mapping[str, Any]) -> None:
        """Give a value to a name, to several names, or to an element of an array."""
        if isinstance(target, ast.Name):
            old = names.get(target.id)
            if isinstance(old, _Slot):
                kind, number = self.number(value, old.kind)
                self.same(kind, old.kind, target)
                self.code.append(f"  store {_FORMS[kind]} {number}, ptr {old.place}")
            else:
                names[target.id] = value
        elif isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, value, strict=True):
                self.assign(one, part, names, known)
        else:
            kind, place = self.place(target, names, known)
            given, number = self.number(value, kind)
            if given == BIT != kind:
                given, number = kind, self.new(f"{'uitofp' if kind == FLOAT else 'zext'} i1 {number} to {_FORMS[kind]}")
            self.same(given, kind, target)
            self.code.append(f"  store {_FORMS[kind]} {number}, ptr {place}")

    def same(self, given: str, kind: str, node: ast.AST) -> None:
        """Refuse another type."""
        if given != kind:
            raise NotCompiledError(f"{ast.unparse(node)} has the type {kind} and gets {given}")

    def loop(self, line: Any, names: dict[str, Any], known: Mapping[str, Any]) -> None:
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
        ends = [self.value(part, names, known) for part in call.args]
        first, last = ends if len(ends) == 2 else (0, *ends)
        if line.target.id == "_":
            if _contains(line.body, ast.Break):
                raise NotCompiledError("break in a loop that is written out")
            for _ in range(first, last):
                self.block(line.body, names, known)
            return
        if line.target.id in names:
            raise NotCompiledError(f"the name {line.target.id} of a loop has a value before it")
        if type(first) is type(last) is int and last - first == 1 and not _contains(line.body, ast.Break):
            once = {**names, line.target.id: first}
            self.block(line.body, once, known)
            names |= {name: once[name] for name in names}
            return
        start, stop = (self.of_kind(SIGNED, end, call) for end in (first, last))
        slots = self.slots(line.body, names)
        head, body, after, end = (self.label(word) for word in ("head", "body", "next", "end"))
        before = self.label("before")
        self.begin(before)
        self.begin(head)
        index, following = f"%{head}", f"%{after}"
        self.code.append(f"  {index}.n = phi i64 [ {start}, %{before} ], [ {following}.n, %{after} ]")
        going = self.new(f"icmp slt i64 {index}.n, {stop}")
        self.begin(body, last=f"br i1 {going}, label %{body}, label %{end}")
        self.ends.append(end)
        self.inside(line.body, {**names, **slots}, known, {line.target.id: (SIGNED, f"{index}.n")})
        self.ends.pop()
        self.begin(after)
        self.code.append(f"  {following}.n = add nsw i64 {index}.n, 1")
        self.begin(end, last=f"br label %{head}")
        names |= slots

    def condition(self, line: Any, names: dict[str, Any], known: Mapping[str, Any]) -> None:
        """``if``."""
        holds = self.truth(self.value(line.test, names, known))
        slots = self.slots([*line.body, *line.orelse], names)
        then, other, end = self.label("then"), self.label("else"), self.label("end")
        self.begin(then, last=f"br i1 {holds}, label %{then}, label %{other}")
        self.inside(line.body, {**names, **slots}, known, {})
        self.begin(other, last=f"br label %{end}")
        self.inside(line.orelse, {**names, **slots}, known, {})
        self.begin(end)
        names |= slots

    def leave(self, line: Any, names: dict[str, Any], known: Mapping[str, Any]) -> None:
        """``break``, the last of its block."""
        self.begin(self.label("unreached"), last=f"br label %{self.ends[-1]}")

    def inside(
        self, body: Sequence[ast.stmt], names: dict[str, Any], known: Mapping[str, Any], own: dict[str, Any]
    ) -> None:
        """The statements within a loop or a condition, whose new names are forgotten after it."""
        self.block(body, {**names, **own}, known)

    def block(self, body: Sequence[ast.stmt], names: dict[str, Any], known: Mapping[str, Any]) -> None:
        """Statements of which none returns."""
        if _contains(body, ast.Return):
            raise NotCompiledError("return within a loop or a condition")
        self.lines(body, names, known)

    def slots(self, body: Sequence[ast.stmt], names: Mapping[str, Any]) -> dict[str, _Slot]:
        """Variables in memory for the names that a body binds again."""
        nodes = (n for line in body for n in ast.walk(line))
        bound = {n.id: None for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        made = {}
        for name in bound:
            if name in names and not isinstance(names[name], _Slot):
                kind, number = self.number(names[name])
                place = f"%{name}.slot{len(self.entry)}"
                self.entry.append(f"  {place} = alloca {_FORMS[kind]}")
                self.code.append(f"  store {_FORMS[kind]} {number}, ptr {place}")
                made[name] = _Slot(kind, place)
        return made

    # expressions

    def value(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """The value of an expression: a number with its type, a constant, an array, several of them, or a function."""
        write = self.expressions.get(type(node))
        if write is None:
            raise NotCompiledError(ast.unparse(node))
        return write(node, names, known)

    def name(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """The value of a name."""
        value = names[node.id] if node.id in names else known.get(node.id, node)
        if isinstance(value, _Slot):
            return value.kind, self.new(f"load {_FORMS[value.kind]}, ptr {value.place}")
        if value is node:
            raise NotCompiledError(f"the name {node.id} is not known here")
        return value

    def constant(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """A number of Python."""
        return node.value

    def several(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """Several values."""
        return [self.value(part, names, known) for part in node.elts]

    def attribute(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """A member of a module."""
        module = self.value(node.value, names, known)
        if not inspect.ismodule(module):
            raise NotCompiledError(ast.unparse(node))
        return getattr(module, node.attr)

    def element(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Number:
        """An element of an array."""
        kind, place = self.place(node, names, known)
        return kind, self.new(f"load {_FORMS[kind]}, ptr {place}")

    def binary(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """An operation on two numbers."""
        return self.operation(type(node.op), self.value(node.left, names, known), self.value(node.right, names, known))

    def operation(self, kind: Any, left: Any, right: Any) -> Any:
        """An operation on two numbers."""
        if type(left) in (int, float) and type(right) in (int, float):
            return _OF_CONSTANTS[kind](left, right)
        (form, a), (_, b) = self.both(left, right)
        code = _ARITHMETIC.get(kind, (None,) * 3)[_COLUMN[form]]
        if code is None or (form == BIT and code not in ("and", "or", "xor")):
            raise NotCompiledError(f"{kind.__name__} of {form}")
        return form, self.new(f"{code} {_FORMS[form]} {a}, {b}")

    def comparison(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """A comparison of two numbers."""
        if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARED:
            raise NotCompiledError(ast.unparse(node))
        (form, a), (_, b) = self.both(*(self.value(part, names, known) for part in (node.left, node.comparators[0])))
        code = _COMPARED[type(node.ops[0])][_COLUMN[form]]
        return BIT, self.new(f"{'fcmp' if form == FLOAT else 'icmp'} {code} {_FORMS[form]} {a}, {b}")

    def logical(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """``or`` and ``and``."""
        code = "or" if isinstance(node.op, ast.Or) else "and"
        first, *others = (self.of_kind(BIT, self.value(part, names, known), node) for part in node.values)
        for other in others:
            first = self.new(f"{code} i1 {first}, {other}")
        return BIT, first

    def negative(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """``-x``."""
        value = self.value(node.operand, names, known)
        if not isinstance(node.op, ast.USub):
            raise NotCompiledError(ast.unparse(node))
        if isinstance(value, _CONSTANTS):
            return -value  # type: ignore[operator]
        kind, number = self.number(value)
        if kind == BIT:
            raise NotCompiledError(ast.unparse(node))
        return kind, self.new(f"fneg double {number}" if kind == FLOAT else f"sub i64 0, {number}")

    def chosen(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Number:
        """``a if c else b``."""
        return self.selected(*(self.value(part, names, known) for part in (node.test, node.body, node.orelse)))

    def selected(self, condition: Any, if_true: Any, if_false: Any) -> Number:
        """The instruction ``select``."""
        (kind, a), (_, b) = self.both(if_true, if_false)
        form = _FORMS[kind]
        return kind, self.new(f"select i1 {self.truth(condition)}, {form} {a}, {form} {b}")

    def called(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
        """The value of a function, which is an instruction or written in its place."""
        function = self.value(node.func, names, known)
        if node.keywords:
            raise NotCompiledError(ast.unparse(node))
        given = [self.value(part, names, known) for part in node.args]
        if function in _INSTRUCTIONS:
            if len(given) != (3 if function is fma else 1):
                raise NotCompiledError(ast.unparse(node))
            values = ", ".join(f"double {self.double(x, node)}" for x in given)
            name = f"llvm.{_INSTRUCTIONS[function]}.f64"
            self.declared[name] = f"declare double @{name}({', '.join(['double'] * len(given))})"
            return FLOAT, self.new(f"call double @{name}({values})")
        if function is select:
            return self.selected(*given)
        if function is bits_to_float:
            (only,) = given
            return FLOAT, self.new(f"bitcast i64 {self.of_kind(WORD, only, node)} to double")
        if function is float_to_bits:
            (only,) = given
            return WORD, self.new(f"bitcast double {self.double(only, node)} to i64")
        if function is np.int64:
            (only,) = given
            return SIGNED, self.new(f"fptosi double {self.double(only, node)} to i64")
        if function is np.uint64:
            (only,) = given
            if isinstance(only, tuple):
                self.same(WORD if only[0] in (WORD, SIGNED) else only[0], WORD, node)
                return WORD, only[1]
            return np.uint64(only)
        if not inspect.isfunction(function) or function.__name__ != function.__qualname__:
            raise NotCompiledError(ast.unparse(node))
        body = _functions_of_module(function.__module__)[function.__name__]
        inner = dict(zip((a.arg for a in _plain_arguments(body)), given, strict=True))
        return self.lines(body.body, inner, function.__globals__)

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

    def of_kind(self, kind: str, value: Any, node: ast.AST) -> str:
        """The operand of a number that must have a type."""
        found, number = self.number(value, kind)
        self.same(found, kind, node)
        return number

    def double(self, value: Any, node: ast.AST) -> str:
        """The operand of a double, or of a double that is equal to an integer."""
        kind, number = self.number(value, FLOAT)
        return self.of_kind(FLOAT, self.converted(kind, number) if kind == SIGNED else (kind, number), node)

    def converted(self, kind: str, number: str) -> Number:
        """A double of an integer with a sign, for arithmetic with a double."""
        if kind == SIGNED:
            return FLOAT, self.new(f"sitofp i64 {number} to double")
        if kind != FLOAT:
            raise NotCompiledError(f"arithmetic of numbers of the type {kind} and of another")
        return kind, number

    def number(self, value: Any, kind: str | None = None) -> Number:
        """A number with its type; a constant gets the type that is given, or its own."""
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
        """A condition; an integer is true if it is not 0."""
        kind, number = self.number(value)
        if kind == BIT:
            return number
        if kind == FLOAT:
            raise NotCompiledError("a double as a condition")
        return self.new(f"icmp ne i64 {number}, 0")

    # arrays

    def place(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> Number:
        """The type and the address of an element of an array."""
        array = self.value(node.value, names, known)
        if not isinstance(array, Argument):
            raise NotCompiledError(f"{ast.unparse(node.value)} is no array")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) != len(array.lengths or ()) + 1:
            raise NotCompiledError(f"{ast.unparse(node)} has another number of axes")
        offset, index = 0, None
        lengths: Iterator[int | str | None] = iter([None, *(array.lengths or ())])
        for part in parts:
            length = next(lengths)
            if length is not None:
                size: Any = length if isinstance(length, int) else (SIGNED, f"%{length}")
                if offset and not isinstance(size, int):
                    index, offset = self.sum(index, (SIGNED, str(offset))), 0
                offset = offset * size if isinstance(size, int) else 0
                index = None if index is None else self.operation(ast.Mult, index, size)
            constant, number = self.index(part, names, known)
            if constant < 0 and number is None:
                raise NotCompiledError(f"{ast.unparse(node)} counts from the end")
            offset += constant
            index = self.sum(index, number)
        base = self.row(array, offset)
        if index is None:
            return array.kind, base
        return array.kind, self.new(f"getelementptr inbounds {_FORMS[array.kind]}, ptr {base}, i64 {index[1]}")

    def sum(self, a: Number | None, b: Number | None) -> Number | None:
        """The sum of two indices, of which each may be missing."""
        if a is None or b is None:
            return a or b
        return SIGNED, self.new(f"add i64 {a[1]}, {b[1]}")

    def index(self, node: Any, names: Mapping[str, Any], known: Mapping[str, Any]) -> tuple[int, Number | None]:
        """An index as a constant and the rest."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            (one, a), (two, b) = (self.index(part, names, known) for part in (node.left, node.right))
            return one + two, self.sum(a, b)
        value = self.value(node, names, known)
        if isinstance(value, (int, np.uint64)):
            return int(value), None
        kind, number = self.number(value)
        if kind not in (SIGNED, WORD):
            raise NotCompiledError(f"the index {ast.unparse(node)}")
        return 0, (SIGNED, number)

    def row(self, array: Argument, offset: int) -> str:
        """The address of an element with a constant number; it is computed once."""
        if not offset:
            return f"%{array.name}"
        key = array.name, offset
        if key not in self.rows:
            self.rows[key] = f"%{array.name}.{offset}"
            self.entry.append(
                f"  {self.rows[key]} = getelementptr inbounds {_FORMS[array.kind]}, ptr %{array.name}, i64 {offset}"
            )
        return self.rows[key]


def _contains(body: Sequence[ast.stmt], kind: type[ast.stmt]) -> bool:
    """Whether statements contain one of a kind."""
    return any(isinstance(n, kind) for line in body for n in ast.walk(line))


def _read(target: ast.expr) -> ast.expr:
    """A target as an expression that reads it."""
    return ast.parse(ast.unparse(target), mode="eval").body
