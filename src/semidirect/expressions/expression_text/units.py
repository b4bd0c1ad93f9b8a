"""The unit of an expression, from those of the names in it.

Sums and comparisons need one unit on both sides; a number that a quantity is compared with is in the unit of the quantity.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from semidirect.core import errors
from semidirect.expressions.expression_text.evaluation import FUNCTIONS, LARGEST_POWER, read_expression
from semidirect.expressions.units import Unit

ANGLES = ("sin", "cos", "tan", "exp", "log")
"""Functions of a number without dimension."""


def unit_of_expression(text: str, unit_of: Callable[[str], str]) -> str:
    """The unit of an expression as text, a list where components differ; empty where it is not known or not homogeneous.

    Parameters
    ----------
    text : str
        The expression.
    unit_of : callable(name) → str
        The unit of a name in it, empty where it is not known.
    """
    try:
        parts = _Reader(unit_of).of(read_expression(text))
    except (_NotHomogeneous, errors.InputError, RecursionError):  # nested deeper than any value may be
        return ""
    return ", ".join(part.text for part in parts) if len({part.text for part in parts}) > 1 else parts[0].text


class _NotHomogeneous(Exception):
    """A part of the expression has no unit."""


@final
@dataclass(frozen=True)
class _Part:
    """The unit of a component; ``free`` is 0, which has any unit. The text is as it was stated, where nothing multiplied it."""

    unit: Unit
    text: str
    free: bool = False

    @classmethod
    def read(cls, text: str) -> _Part:
        unit = Unit.read(text)
        if unit is None:
            raise _NotHomogeneous
        return cls(unit, text)

    @classmethod
    def product(cls, unit: Unit) -> _Part:
        if unit.scale != 1:  # of millimetres, whose powers are not written
            raise _NotHomogeneous
        return cls(unit, str(unit))

    def times(self, other: _Part, sign: int = 1) -> _Part:
        if not other.unit.powers and other.unit.scale == 1:
            return self  # as it is stated: twice an energy is in J
        return self.product(self.unit * other.unit**sign)

    def same(self, other: _Part) -> _Part:
        if self.free or other.free:
            return other if self.free else self
        if self.unit != other.unit:
            raise _NotHomogeneous
        return self


_NUMBER = _Part(Unit(), "1")

Parts = tuple[_Part, ...]
"""One for all components, or one for each."""


class _Reader:
    """Reads units off the syntax tree."""

    def __init__(self, unit_of: Callable[[str], str]):
        self._unit_of = unit_of

    def of(self, node: ast.expr) -> Parts:
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                return (_Part(Unit(), "1", free=node.value == 0),)
            case ast.Name(id=name):
                return tuple(map(_Part.read, self._unit_of(name).split(", ")))
            case ast.UnaryOp(operand=operand):
                return self.of(operand)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self._power(self._one(left), right)
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
                return self._chain(node)
            case ast.List(elts=entries) if entries:
                return tuple(self._one(entry) for entry in entries)
            case ast.Subscript(value=value, slice=index):
                return self._entry(self.of(value), index)
            case ast.Call(func=ast.Name(id="where"), args=[ast.Compare() as test, yes, no], keywords=[]):
                sides = [self._one(x) for x in (test.left, *test.comparators) if not _is_number(x)]
                _common(sides or [_NUMBER])
                return (self._one(yes).same(self._one(no)),)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if FUNCTIONS.get(name) == len(arguments):
                return (self._function(name, arguments),)
        raise _NotHomogeneous

    def _chain(self, node: ast.BinOp) -> Parts:
        """Sums and products of any length, from the left: the parser nests them as deep as they are long."""
        links: list[ast.BinOp] = []
        first: ast.expr = node
        while isinstance(first, ast.BinOp) and type(first.op) in BETWEEN:
            links.append(first)
            first = first.left
        parts = self.of(first)
        for link in reversed(links):
            parts = _each(BETWEEN[type(link.op)], parts, self.of(link.right))
        return parts

    def _one(self, node: ast.expr) -> _Part:
        return _common(self.of(node))

    def _entry(self, parts: Parts, index: ast.expr) -> Parts:
        if len(parts) == 1:
            return parts
        indices = index.elts if isinstance(index, ast.List) else [index]
        try:
            return tuple(parts[int(ast.literal_eval(i))] for i in indices)
        except (ValueError, IndexError, TypeError):
            raise _NotHomogeneous from None

    def _power(self, base: _Part, exponent: ast.expr) -> Parts:
        if not base.unit.powers and base.unit.scale == 1:
            return (_NUMBER.same(self._one(exponent)),)
        return (_Part.product(base.unit ** _number(exponent)),)

    def _function(self, name: str, arguments: Sequence[ast.expr]) -> _Part:
        if name in ("dot", "cross"):
            return _common(_each(_multiplied, self.of(arguments[0]), self.of(arguments[1])))
        first, *others = (self._one(x) for x in arguments)
        if name in ("norm", "abs", "absolute"):
            return first
        if name == "sqrt":
            return _Part.product(first.unit ** Fraction(1, 2))
        if name == "atan2":
            first.same(others[0])
            return _Part(Unit(), "rad")
        if name in ANGLES:
            first.same(_NUMBER)
            return _NUMBER
        raise _NotHomogeneous


def _multiplied(a: _Part, b: _Part) -> _Part:
    return b.times(a) if a.text == "1" else a.times(b)


BETWEEN: dict[type[ast.operator], Callable[[_Part, _Part], _Part]] = {
    ast.Add: _Part.same, ast.Sub: _Part.same, ast.Mult: _multiplied, ast.Div: lambda a, b: a.times(b, -1),
}  # fmt: skip


def _is_number(node: ast.expr) -> bool:
    """Whether a part of an expression has no name of a quantity in it, as 2*pi."""
    return all(n.id == "pi" or n.id in FUNCTIONS for n in ast.walk(node) if isinstance(n, ast.Name))


def _common(parts: Sequence[_Part]) -> _Part:
    common, *others = parts
    for other in others:
        common = common.same(other)
    return common


def _each(function: Callable[[_Part, _Part], _Part], a: Parts, b: Parts) -> Parts:
    """Component by component; one part is that of every component."""
    if len(a) != len(b) and 1 not in (len(a), len(b)):
        raise _NotHomogeneous
    count = max(len(a), len(b))
    return tuple(map(function, a if len(a) == count else a * count, b if len(b) == count else b * count))


def _number(node: ast.expr) -> Fraction:
    """An exponent: a number, or a quotient of two."""
    match node:
        case ast.Constant(value=int() | float() as value) if type(value) is not bool and abs(value) <= LARGEST_POWER:
            return Fraction(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _number(right):
            return _number(left) / _number(right)
    raise _NotHomogeneous
