"""A function of time given as text, in the smooth part of the expression language."""

from __future__ import annotations

import ast
import math
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from semidirect.core import arguments, errors, ops
from semidirect.expressions import expression_text

__all__ = ["Expression", "read_expressions"]

FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "sqrt")
ALLOWED = f"numbers, t, pi, + - * / **, parentheses and {', '.join(FUNCTIONS)}"
DEEPEST = 200
_SIGNS: dict[type[ast.unaryop], float] = {ast.UAdd: 1.0, ast.USub: -1.0}
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


@dataclass(frozen=True)
class Expression:
    """A function f(t) and its exact derivative, by forward differentiation of the syntax tree.

    Allowed are numbers, ``t``, ``pi``, ``+ - * / **``, parentheses and ``sin cos tan exp log sqrt``; the text is never
    evaluated as Python. Powers with an integer or half-integer exponent are products and square roots, others
    ``exp(b log a)``, so results are identical to the last bit on every machine.
    """

    text: str
    _tree: ast.expr = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        node, text = expression_text.read_expression(self.text, ALLOWED), " ".join(self.text.split())
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "_tree", _checked(node, text))

    @cached_property
    def constant(self) -> bool:
        """Whether t does not occur in it."""
        return not any(isinstance(node, ast.Name) and node.id == "t" for node in ast.walk(self._tree))

    def value(self, t: Any) -> np.ndarray:
        """f(t), of the shape of ``t``."""
        return self._dual(t)[0]

    def derivative(self, t: Any) -> np.ndarray:
        """f′(t), of the shape of ``t``."""
        return self._dual(t)[1]

    def _dual(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        t = arguments.validated_array("times", t)
        value, slope = _evaluate(self._tree, t)
        return np.broadcast_to(value, t.shape), np.broadcast_to(slope, t.shape)


def read_expressions(source: str | float | Sequence[str | float]) -> tuple[Expression, ...]:
    """One expression, or a list of them: text such as ``"sin(t)"`` or ``"[sin(t), 0.1*t**2]"``, or a sequence."""
    if isinstance(source, str):
        node, text = expression_text.read_expression(source, ALLOWED), " ".join(source.split())
        if not isinstance(node, (ast.List, ast.Tuple)):
            return (Expression(source),)
        for entry in node.elts:
            _checked(entry, text)
        source = [ast.get_source_segment(text, entry) or "" for entry in node.elts]
    entries: Sequence[Any] = source if isinstance(source, (list, tuple)) else [source]
    if not entries:
        raise errors.InputError("the expressions of a driving path", expected="at least one", got="an empty list")
    for index, entry in enumerate(entries):
        if isinstance(entry, bool) or not isinstance(entry, (str, int, float)):
            raise errors.InputError(
                "not an expression", expected="text in t", got=reprlib.repr(entry), where=f"entry {index}"
            )
    return tuple(Expression(entry if isinstance(entry, str) else repr(_float(entry))) for entry in entries)


def _checked(node: ast.expr, text: str, depth: int = 0) -> ast.expr:
    """The tree with its constant parts evaluated; raises an error if a part is not allowed or not finite."""
    if depth > DEEPEST:
        raise errors.InputError("the expression is nested too deeply", expected=f"up to {DEEPEST} levels")
    children: list[ast.expr]
    folded: ast.expr = node
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            children = []
        case ast.Name(id="t"):
            return node
        case ast.Name(id="pi"):
            return ast.Constant(math.pi)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _SIGNS:
            children = [_checked(operand, text, depth + 1)]
            folded = ast.UnaryOp(op, *children)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            children = [_checked(left, text, depth + 1), _checked(right, text, depth + 1)]
            folded = ast.BinOp(children[0], op, children[1])
        case ast.Call(func=ast.Name(id=name) as function, args=[argument], keywords=[]) if name in FUNCTIONS:
            children = [_checked(argument, text, depth + 1)]
            folded = ast.Call(function, children, [])
        case _:
            raise expression_text.refusal_of(node, text, "not allowed in an expression of t", expected=ALLOWED)
    if not all(isinstance(child, ast.Constant) for child in children):
        return folded
    with np.errstate(all="ignore"):
        value = float(_evaluate(folded, np.float64(0))[0])
    if not math.isfinite(value):
        raise expression_text.refusal_of(node, text, f"a constant is not finite ({value})", expected=ALLOWED)
    return ast.Constant(value)


def _evaluate(node: ast.expr, t: Any) -> tuple[Any, Any]:
    """Value and derivative at t, for a tree that was checked."""
    match node:
        case ast.Constant():
            return np.float64(_float(node.value)), np.float64(0)
        case ast.UnaryOp(op=op, operand=operand):
            a, da = _evaluate(operand, t)
            return _SIGNS[type(op)] * a, _SIGNS[type(op)] * da
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_evaluate(left, t), _evaluate(right, t), constant=isinstance(right, ast.Constant))
        case ast.BinOp(left=left, op=op, right=right):
            return _arithmetic(op, _evaluate(left, t), _evaluate(right, t))
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return _function(name, *_evaluate(argument, t))
    return t, np.float64(1)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _arithmetic(op: ast.operator, left: tuple[Any, Any], right: tuple[Any, Any]) -> tuple[Any, Any]:
    (a, da), (b, db) = left, right
    match op:
        case ast.Add():
            return a + b, da + db
        case ast.Sub():
            return a - b, da - db
        case ast.Mult():
            return a * b, da * b + a * db
    return a / b, (da - a / b * db) / b


def _power(left: tuple[Any, Any], right: tuple[Any, Any], constant: bool) -> tuple[Any, Any]:
    (a, da), (b, db) = left, right
    if constant:
        return (a**0, 0 * da) if b == 0 else (_constant_power(a, b), b * _constant_power(a, b - 1) * da)
    value = ops.exp(b * ops.log(a))
    return value, value * (db * ops.log(a) + b * da / a)


def _constant_power(a: Any, b: Any) -> Any:
    """a^b by products and at most one square root, if 2b is an integer of moderate size."""
    if abs(b) > 2**20 or 2 * b != np.rint(2 * b):
        return ops.exp(b * ops.log(a))
    if b < 0:
        return 1.0 / _constant_power(a, -b)
    n = int(b)
    result = ops.sqrt(a) if n != b else np.float64(1)
    while n:
        result = result * a if n & 1 else result
        n >>= 1
        a = a * a if n else a
    return result


def _function(name: str, a: Any, da: Any) -> tuple[Any, Any]:
    match name:
        case "sin":
            return ops.sin(a), ops.cos(a) * da
        case "cos":
            return ops.cos(a), -ops.sin(a) * da
        case "tan":
            c = ops.cos(a)
            return ops.sin(a) / c, da / (c * c)
        case "exp":
            value = ops.exp(a)
            return value, value * da
        case "log":
            return ops.log(a), da / a
    value = ops.sqrt(a)
    return value, 0.5 * da / value
