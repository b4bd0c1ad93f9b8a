"""A quantity given as text, read by a parser that knows arithmetic on named parts of the state and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from semidirect.core import ops
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.core.expanded_size import CAP, Size, expanded_size

FUNCTIONS = {"dot": 2, "cross": 2, "norm": 1, "sqrt": 1, "absolute": 1, "sin": 1, "cos": 1}
ALLOWED = f"numbers, names of the system, + - * / **, indices [0], [a, b, c], parentheses and {', '.join(FUNCTIONS)}"
LONGEST, DEEPEST, LARGEST_POWER, LARGEST_NUMBER = 10_000, 100, 64, 10_000


@final
@dataclass(frozen=True)
class SizeLimits:
    """How large an expression may be.

    Attributes
    ----------
    factors, degree : int
        Of the expression when it is multiplied out.
    operations : int
        Of the expression as it is.
    nesting : int
        How many roots, quotients and functions may stand inside each other.
    """

    factors: int
    degree: int
    operations: int
    nesting: int


WRITTEN_OUT = SizeLimits(factors=3_000, degree=256, operations=10_000, nesting=6)
"""For what is multiplied out, so that an evolution takes some seconds."""
AT_POINTS = SizeLimits(factors=CAP, degree=1_024, operations=10_000, nesting=6)
"""For what is evaluated at points and not multiplied out, so that a proof takes some seconds, whatever its powers."""


def evaluate_expression(text: str, names: Mapping[str, Any], limits: SizeLimits = WRITTEN_OUT) -> Any:
    """The value of an expression, given what its names mean; the text is never evaluated as Python.

    Parameters
    ----------
    text : str
        E.g. ``"dot(M, Gamma)"``, ``"energy - jellett**2/(2*inertia[0]*radius**2)"``, ``"Omega[2]*sqrt(Q)"``. Indices count
        from 0; decimals are exact.
    names : mapping name → scalar or vector
        Scalars and vectors ``(n,)`` of any kind that ``semidirect.core.ops`` knows; a value may be a function without arguments
        that makes it.
    limits : SizeLimits
        How large it may be, so that what is done with it ends in time.

    Raises
    ------
    InputError
        For what is not allowed, with its place.
    UnknownNameError
        For a name that is not among them.
    """
    return _evaluate(_read(text), _Reader(" ".join(text.split()), names, limits), 0)


def _read(text: str) -> ast.expr:
    if not isinstance(text, str) or not text.strip():
        raise InputError("not an expression", expected=ALLOWED, got=repr(text))
    line = " ".join(text.split())
    if len(line) > LONGEST:
        raise InputError("the expression is too long", expected=f"up to {LONGEST} characters", got=str(len(line)))
    if "#" in line:
        raise InputError("an expression has no comments", expected=ALLOWED, where=f"column {line.index('#') + 1}")
    try:
        return ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError) as error:
        place = f"column {getattr(error, 'offset', None) or 1} of {_short(line)}"
        reason = getattr(error, "msg", str(error))
        raise InputError(f"the expression cannot be read, {reason}", expected=ALLOWED, where=place) from None
    except (RecursionError, MemoryError):
        raise InputError(
            "the expression is nested too deeply or has too many terms", expected="up to 2000 terms", got=_short(line)
        ) from None


class _Reader:
    def __init__(self, text: str, names: Mapping[str, Any], limits: SizeLimits):
        self.text, self.names, self.limits = text, names, limits
        self._sizes: dict[Any, Size] = {}

    def bounded(self, node: ast.expr, value: Any) -> Any:
        """A value, refused where it is too large to work with once it is multiplied out."""
        entries = list(value.flat) if isinstance(value, np.ndarray) else [value]
        if any(isinstance(e, (int, Fraction)) and _bits(e) > LARGEST_NUMBER for e in entries):
            raise self.refusal(node, "a number beyond all measure", expected=f"at most {LARGEST_NUMBER} binary digits")
        sizes = [expanded_size(e, self._sizes) for e in entries if not isinstance(e, (int, Fraction, float))]
        for what, limit, number in (
            ("factors when multiplied out", self.limits.factors, sum(s.factors for s in sizes)),
            ("operations", self.limits.operations, sum(s.operations for s in sizes)),
            ("as its degree", self.limits.degree, max((s.degree for s in sizes), default=0)),
            (
                "roots, quotients and functions inside each other",
                self.limits.nesting,
                max((s.depth for s in sizes), default=0),
            ),
            ("binary digits in a number", LARGEST_NUMBER, max((s.bits for s in sizes), default=0)),
        ):
            if number > limit:
                raise self.refusal(
                    node, "the expression is too large", expected=f"at most {limit} {what}",
                    got=f"about {number:.2g} in {self.shown(node)}" if number < CAP else f"far more in {self.shown(node)}",
                    hint="Take lower powers, or state a part of it: powers and products of what is conserved are conserved.",
                )  # fmt: skip
        return value

    def shown(self, node: ast.expr) -> str:
        """The text of a part of the expression."""
        return _short(ast.get_source_segment(self.text, node) or self.text)

    def name(self, name: str) -> Any:
        if name not in self.names:
            raise UnknownNameError("name in an expression", name, sorted(self.names))
        value = self.names[name]
        return value() if callable(value) else value

    def refusal(self, node: ast.expr, what: str = "not allowed in an expression", *, expected: str = ALLOWED, got: str = "",
                hint: str = "") -> InputError:  # fmt: skip
        column = len(self.text.encode()[: node.col_offset].decode()) + 1
        power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor)
        return InputError(
            what, expected=expected, got=got or self.shown(node), where=f"column {column} of {_short(self.text)}",
            hint="Powers are written **." if power else hint,
        )  # fmt: skip


def _evaluate(node: ast.expr, at: _Reader, depth: int) -> Any:
    return at.bounded(node, _value(node, at, depth))


def _value(node: ast.expr, at: _Reader, depth: int) -> Any:
    if depth > DEEPEST:
        raise InputError("the expression is nested too deeply", expected=f"up to {DEEPEST} levels")

    def inner(child: ast.expr) -> Any:
        return _evaluate(child, at, depth + 1)

    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return _number(node, at)
        case ast.Name(id=name):
            return at.name(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -1 * inner(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return inner(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(node, inner(left), inner(right), at)
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return _sum(node, at, depth)
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            return _product(node, at, depth)
        case ast.List(elts=entries) if entries:
            return ops.stack([_scalar(entry, inner(entry), at) for entry in entries])
        case ast.Subscript(value=value, slice=index):
            return _entry(node, inner(value), index, at)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if FUNCTIONS.get(name) == len(arguments):
            return _function(node, name, [inner(x) for x in arguments], at)
    raise at.refusal(node)


def _number(node: ast.Constant, at: _Reader) -> Any:
    text = (ast.get_source_segment(at.text, node) or "").replace("_", "")
    power = text.lower().partition("e")[2]
    try:
        if power and abs(int(power)) > LARGEST_NUMBER // 4:
            raise at.refusal(node, "a number beyond all measure")
        value = Fraction(text)
    except ValueError:
        raise at.refusal(node) from None
    return int(value) if value.denominator == 1 else value


def _rank(x: Any) -> int:
    return np.ndim(x) if isinstance(x, np.ndarray) else 0


def _scalar(node: ast.expr, x: Any, at: _Reader) -> Any:
    if _rank(x):
        raise at.refusal(node, "a number is needed here, this is a vector")
    return x


def _links(node: ast.BinOp, kinds: tuple[type[ast.operator], ...]) -> list[ast.BinOp]:
    """a + b + c as [a + b, … + c]: the parser nests it to the left, so a long sum would be as deep as it is long."""
    found = [node]
    while isinstance(found[-1].left, ast.BinOp) and isinstance(found[-1].left.op, kinds):
        found.append(found[-1].left)
    return found[::-1]


def _sum(node: ast.BinOp, at: _Reader, depth: int) -> Any:
    """A sum of any length, added in pairs, since each addition copies all terms before it."""
    links = _links(node, (ast.Add, ast.Sub))
    values = [_evaluate(links[0].left, at, depth + 1)]
    for link in links:
        value = _evaluate(link.right, at, depth + 1)
        if np.shape(value) != np.shape(values[0]):
            raise at.refusal(link, "terms of a sum have different shapes")
        values.append(value if isinstance(link.op, ast.Add) else -1 * value)
    while len(values) > 1:
        values = [sum(values[i + 1 : i + 2], values[i]) for i in range(0, len(values), 2)]
    return values[0]


def _product(node: ast.BinOp, at: _Reader, depth: int) -> Any:
    """A product or quotient of any length, measured after each factor."""
    links = _links(node, (ast.Mult, ast.Div))
    value = _evaluate(links[0].left, at, depth + 1)
    for link in links:
        value = at.bounded(link, _multiplied(link, value, _evaluate(link.right, at, depth + 1), at))
    return value


def _multiplied(node: ast.BinOp, a: Any, b: Any, at: _Reader) -> Any:
    if isinstance(node.op, ast.Mult):
        if _rank(a) and _rank(b):
            raise at.refusal(node, "a product of vectors is dot(a, b) or cross(a, b)")
        return a * b
    if _rank(b):
        raise at.refusal(node, "division by a vector")
    if isinstance(b, (int, Fraction)):
        if b == 0:
            raise at.refusal(node, "division by zero")
        return a * (1 / Fraction(b))
    return a / b


def _power(node: ast.BinOp, base: Any, given: Any, at: _Reader) -> Any:
    _scalar(node.left, base, at)
    exponent = Fraction(given) if isinstance(given, (int, Fraction)) else Fraction(1, 3)
    if abs(exponent) > LARGEST_POWER or exponent.denominator > 2:
        raise at.refusal(node, f"an exponent is a whole or half number up to {LARGEST_POWER}")
    if isinstance(base, (int, Fraction)) and base == 0 and exponent <= 0:
        raise at.refusal(node, "0 to a power that is not positive")
    if isinstance(base, (int, Fraction)) and _bits(base) * abs(exponent) > LARGEST_NUMBER:
        raise at.refusal(node, "a number beyond all measure")
    if exponent.denominator == 2:
        base, exponent = _root(node, base, at), 2 * exponent
    return Fraction(base) ** int(exponent) if isinstance(base, (int, Fraction)) else base ** int(exponent)


def _bits(x: int | Fraction) -> int:
    return max(Fraction(x).numerator.bit_length(), Fraction(x).denominator.bit_length())


def _root(node: ast.expr, x: Any, at: _Reader) -> Any:
    if isinstance(x, (int, Fraction)):
        if x < 0:
            raise at.refusal(node, "the square root of a negative number")
        import sympy

        return sympy.sqrt(sympy.Rational(Fraction(x).numerator, Fraction(x).denominator))
    return ops.sqrt(x)


def _entry(node: ast.Subscript, value: Any, index: ast.expr, at: _Reader) -> Any:
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    numbers = [i.value for i in indices if isinstance(i, ast.Constant) and type(i.value) is int]
    if len(numbers) != len(indices) or not 0 < len(numbers) <= _rank(value):
        raise at.refusal(node, "an index is a whole number, into a vector")
    if any(i >= n for i, n in zip(numbers, value.shape)):
        raise at.refusal(node, f"an index beyond the shape {value.shape}")
    return value[tuple(numbers)]


def _function(node: ast.Call, name: str, arguments: list[Any], at: _Reader) -> Any:
    if name in ("sqrt", "absolute", "sin", "cos"):
        x = _scalar(node.args[0], arguments[0], at)
        if name == "sqrt":
            return _root(node, x, at)
        if isinstance(x, (int, Fraction)) and name == "absolute":
            return abs(x)
        if isinstance(x, (int, Fraction)):
            import sympy

            x = sympy.Rational(Fraction(x).numerator, Fraction(x).denominator)
        return getattr(ops, name)(x)
    if any(_rank(x) != 1 for x in arguments):
        raise at.refusal(node, f"{name} is of vectors")
    if name == "norm":
        return ops.norm(arguments[0])
    a, b = arguments
    if a.shape != b.shape or (name == "cross" and a.shape != (3,)):
        raise at.refusal(node, f"{name} of vectors of shapes {a.shape} and {b.shape}")
    return ops.dot(a, b) if name == "dot" else ops.cross(a, b)


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
