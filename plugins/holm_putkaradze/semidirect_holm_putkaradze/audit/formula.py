"""Printed equations as text that can be executed: ``d(M) + cross(Omega_t, M) = …``, on numbers of any kind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from semidirect.core import errors, ops
from semidirect.invariants import along


class Scene(Protocol):
    """Where a formula is evaluated: a point y, what names mean there, and the directions in which it moves."""

    functions: Mapping[str, Callable[..., Any]]
    operators: tuple[str, ...]

    def point(self, column: int) -> Sequence[Any]:
        """y in a column of (dt, dW)."""

    def names(self, y: Sequence[Any], column: int) -> Mapping[str, Any]:
        """Values of names at a point near ``y``, in a column of (dt, dW); a value may be a function that makes it."""

    def rates(self, operator: str, y: Sequence[Any], column: int) -> Sequence[Any]:
        """The direction of ``d``, along the motion, or of ``delta``, along a variation."""

    def state(self) -> Mapping[str, Any]:
        """The point by names, to show it."""


@final
@dataclass(frozen=True)
class Formula:
    """A chain ``A = B = C`` of expressions.

    The language: numbers, names, ``+ - * / **``, indices from 0, and functions that the scene gives. ``d(…)`` and ``delta(…)``
    are differentials, taken by the chain rule along the directions of the scene, so an equation reads as in the paper.

    Attributes
    ----------
    text : str

    Raises
    ------
    InputError
        If the text is not of this language.
    """

    text: str

    def __post_init__(self) -> None:
        for member in self.members:
            for node in ast.walk(member):
                if not isinstance(node, ALLOWED) or (isinstance(node, ast.Constant) and type(node.value) is not int):
                    raise errors.InputError(
                        "not a formula",
                        expected="sums, products and calls of names and integers",
                        got=ast.unparse(node),
                        where=self.text,
                    )

    @cached_property
    def members(self) -> tuple[ast.expr, ...]:
        """A, B, C."""
        try:
            return tuple(ast.parse(part.strip(), mode="eval").body for part in self.text.split("="))
        except SyntaxError as error:
            raise errors.InputError(
                "not a formula",
                expected="Python's syntax of expressions",
                got=self.text,
                where=f"column {error.offset}",
            ) from None

    def value(self, member: int, scene: Scene, column: int) -> list[Any]:
        """The components of one member."""
        return list(
            np.ravel(np.asarray(_evaluate(self.members[member], scene, scene.point(column), column), dtype=object))
        )

    def __str__(self) -> str:
        return self.text


ALLOWED = (
    ast.BinOp, ast.UnaryOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub, ast.Name, ast.Load, ast.Constant,
    ast.Subscript, ast.Call,
)  # fmt: skip


def evaluated(text: str, scene: Scene, y: Sequence[Any], column: int) -> Any:
    """The value of one expression at a point."""
    return _evaluate(ast.parse(text, mode="eval").body, scene, y, column)


def _evaluate(node: ast.expr, scene: Scene, y: Sequence[Any], column: int) -> Any:
    names = scene.names(y, column)

    def inner(child: ast.expr) -> Any:
        match child:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name):
                if name not in names:
                    raise errors.UnknownNameError("name in a formula", name, sorted(names))
                value = names[name]
                return value() if callable(value) else value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -1 * inner(operand)
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
                return inner(left) ** power
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                divisor = inner(right)
                return inner(left) * Fraction(1, divisor) if isinstance(divisor, int) else inner(left) * (1 / divisor)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = inner(left), inner(right)
                return a * b if isinstance(op, ast.Mult) else a + b if isinstance(op, ast.Add) else a - b
            case ast.Subscript(value=value, slice=ast.Constant(value=int(index))):
                return inner(value)[index]
            case ast.Call(func=ast.Name(id=name), args=[argument]) if name in scene.operators:
                return _differential(argument, name, scene, y, column)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in scene.functions:
                return scene.functions[name](*map(inner, arguments))
        raise errors.InputError(
            "not a formula", expected="sums, products and calls of names and integers", got=ast.unparse(child)
        )

    return inner(node)


def _differential(node: ast.expr, operator: str, scene: Scene, y: Sequence[Any], column: int) -> Any:
    shape: list[tuple[int, ...]] = []

    def at(inputs: Sequence[Any]) -> list[Any]:
        values = np.asarray(_evaluate(node, scene, inputs, column), dtype=object)
        shape.append(values.shape)
        return list(values.ravel())

    rows = along(at, y, scene.rates(operator, y, column))
    out = np.empty(len(rows), dtype=object)
    out[:] = rows
    return out.reshape(shape[0]) if shape[0] else rows[0]


VECTORS: dict[str, Callable[..., Any]] = {
    "dot": ops.dot, "cross": ops.cross, "sin": ops.sin, "cos": ops.cos, "sqrt": ops.sqrt, "transpose": ops.transpose,
    "apply": ops.matvec, "matmul": ops.matmul, "hat": ops.hat, "hat_transposed": lambda x, v: -ops.cross(x, v),
    "norm_squared": lambda v: ops.dot(v, v),
}  # fmt: skip
"""Functions that every scene has."""
