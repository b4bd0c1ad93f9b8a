"""A quantity given as text: one language for proofs, evolutions, runs, statistics, events, pictures and drivers.

The parser knows arithmetic on named parts of the state and nothing else. The values of the names determine the result: symbols
give an expression of the equations, arrays of a run give arrays.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from semidirect.core import errors, messages, ops
from semidirect.expressions.component_names import component_of
from semidirect.expressions.expression_sizes.limits import CAP, WRITTEN_OUT, SizeLimits

OF_NUMBERS = ("sqrt", "abs", "absolute", "sin", "cos", "tan", "exp", "log", "atan2")
FUNCTIONS = {"dot": 2, "cross": 2, "norm": 1, **dict.fromkeys(OF_NUMBERS, 1), "atan2": 2, "where": 3}
ALLOWED = (
    "numbers, pi, names of the system, + - * / **, indices [0], [a, b, c], parentheses, "
    f"{', '.join(n for n in FUNCTIONS if n not in ('absolute', 'where'))} and where(a < b, c, d)"
)
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
MOST_SHOWN = 100
"""Components with two numbers, such as those of sites, that the error of an unknown name names."""
LONGEST, DEEPEST, LARGEST_POWER, LARGEST_NUMBER = 10_000, 100, 64, 10_000


def is_expression(text: object) -> bool:
    """Whether a text is more than a name; a name may have hyphens, but does not begin with one."""
    if not isinstance(text, str) or not text.strip():
        return False
    return text.strip().startswith("-") or not text.replace("-", "_").isidentifier()


def spaced_difference(text: object, is_name: Callable[[str], object]) -> str | None:
    """``M1 - M2`` for ``M1-M2``, which is no name, but whose parts are; ``None`` for any other text."""
    parts = text.split("-") if isinstance(text, str) and not is_expression(text) else []
    if len(parts) < 2 or not all(part.isdecimal() or (part and is_name(part)) for part in parts):
        return None
    return " - ".join(parts)


def evaluate_arrays(text: str, names: Mapping[str, Any], batch: int) -> np.ndarray:
    """The value of an expression whose names stand for arrays of floats, components first and ``batch`` axes last.

    Raises
    ------
    InputError, UnknownNameError
        As :func:`evaluate_expression`.
    """
    reader = _Reader(" ".join(text.split()) if isinstance(text, str) else "", names, None, batch)
    with np.errstate(all="ignore"):
        return np.asarray(_evaluate(read_expression(text), reader, 0), dtype=float)


def evaluate_expression(text: str, names: Mapping[str, Any], limits: SizeLimits = WRITTEN_OUT) -> Any:
    """The value of an expression, given what its names mean; the text is never evaluated as Python.

    Parameters
    ----------
    text : str
        E.g. ``"dot(M, Gamma)"``, ``"energy - jellett**2/(2*inertia[0]*radius**2)"``, ``"Omega3*sqrt(Q)"``. Indices in brackets
        count from 0, ``Omega[2]`` is ``Omega3``; decimals are exact.
    names : mapping name → scalar or vector
        Scalars and vectors ``(n,)`` of any kind that ``semidirect.core.ops`` knows; a value may be a function without arguments
        that makes it.
    limits : SizeLimits
        How large it may be, so that its evaluation ends in reasonable time.

    Raises
    ------
    InputError
        For a construct that is not allowed, with its place in the text.
    UnknownNameError
        For an unknown name.
    """
    tree = read_expression(text)
    return _evaluate(tree, _Reader(" ".join(text.split()), names, limits), 0)


def refuse_sites(name: str) -> None:
    """Raise an error for the values of a quantity at all sites of a lattice as a part of an expression.

    Raises
    ------
    InputError
        Always: an expression does not say of which site it is, or over which axis its functions go.
    """
    raise errors.InputError(
        f"{name!r} in an expression", expected=f"components with the number of their site, such as {name}2_1",
        got="the values at all sites",
        hint=f"State the quantity as an observable, in which state.{name} is an array (paths, sites, components).",
    )  # fmt: skip


def read_expression(text: str, allowed: str = ALLOWED) -> ast.expr:
    """The syntax tree of the text on one line, ``" ".join(text.split())``; nothing in it is checked yet.

    Raises
    ------
    InputError
        If it is not text, is too long, contains comments, or cannot be parsed.
    """
    if not isinstance(text, str) or not text.strip():
        raise errors.InputError("not an expression", expected=f"text made of {allowed}", got=repr(text))
    line = " ".join(text.split())
    if len(line) > LONGEST:
        raise errors.InputError(
            "the expression is too long", expected=f"up to {LONGEST} characters", got=str(len(line))
        )
    if "#" in line:
        raise errors.InputError(
            "an expression has no comments", expected=allowed, where=f"column {line.index('#') + 1}"
        )
    try:
        return ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError) as error:
        place = f"column {getattr(error, 'offset', None) or 1} of {messages.quoted(line)}"
        reason = getattr(error, "msg", str(error))
        raise errors.InputError(f"the expression cannot be parsed, {reason}", expected=allowed, where=place) from None
    except (RecursionError, MemoryError):
        raise errors.InputError(
            "the expression is nested too deeply or has too many terms",
            expected="up to 2000 terms",
            got=messages.quoted(line),
        ) from None


def refusal_of(
    node: ast.expr, text: str, what: str, *, expected: str, got: str = "", hint: str = ""
) -> errors.InputError:
    """The error for a part of an expression, with its place in the text."""
    column = len(text.encode()[: node.col_offset].decode()) + 1
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor)
    return errors.InputError(
        what, expected=expected, got=got or messages.quoted(ast.get_source_segment(text, node) or text),
        where=f"column {column} of {messages.quoted(text)}", hint="Powers are written **." if power else hint,
    )  # fmt: skip


class _Reader:
    """Everything that the evaluation of an expression needs.

    ``limits`` are for expressions of symbols; of floats, ``batch`` is the number of axes after those of a quantity.
    """

    def __init__(self, text: str, names: Mapping[str, Any], limits: SizeLimits | None, batch: int | None = None):
        self.text, self.names, self.limits, self.batch = text, names, limits, batch
        self._sizes: dict[Any, Any] = {}

    def bounded(self, node: ast.expr, value: Any) -> Any:
        """The value; raises an error if it would be too large after expansion."""
        if self.limits is None:
            return value
        from semidirect.expressions.expression_sizes.expanded import (
            expanded_size,  # and import SymPy, which numbers do not need
        )

        entries = list(value.flat) if isinstance(value, np.ndarray) else [value]
        if any(isinstance(e, (int, Fraction)) and _bits(e) > LARGEST_NUMBER for e in entries):
            raise self.refusal(node, "a number is too large", expected=f"at most {LARGEST_NUMBER} binary digits")
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
                    hint="Use lower powers or a part of it: powers and products of conserved quantities are conserved.",
                )  # fmt: skip
        return value

    def shown(self, node: ast.expr) -> str:
        """The text of a part of the expression."""
        return messages.quoted(ast.get_source_segment(self.text, node) or self.text)

    def rank(self, x: Any) -> int:
        """How many axes a quantity has."""
        return max(np.ndim(x) - (self.batch or 0), 0) if isinstance(x, np.ndarray) else 0

    def shape(self, x: Any) -> tuple[int, ...]:
        """The numbers of entries along them."""
        return np.shape(x)[: self.rank(x)]

    def name(self, name: str) -> Any:
        if name == "pi" and name not in self.names:
            return math.pi if self.batch is not None else _pi()
        if name not in self.names:
            own = [label for label in self.names if re.search(r"\d+_\d+$", label)]  # components with two numbers
            component = component_of(name, self.names, self._components, own)
            if component is None:
                names = self.names.keys() - (own if len(own) > MOST_SHOWN else ())
                raise errors.UnknownNameError("name in an expression", name, sorted(names))
            return self._meaning(component[0])[component[1]]
        return self._meaning(name)

    def _meaning(self, name: str) -> Any:
        value = self.names[name]
        return value() if callable(value) else value

    def _components(self, name: str) -> int:
        value = self._meaning(name)
        return len(value) if self.rank(value) == 1 else 0

    def refusal(self, node: ast.expr, what: str = "not allowed in an expression", *, expected: str = ALLOWED, got: str = "",
                hint: str = "") -> errors.InputError:  # fmt: skip
        return refusal_of(node, self.text, what, expected=expected, got=got, hint=hint)


def _evaluate(node: ast.expr, at: _Reader, depth: int) -> Any:
    return at.bounded(node, _value(node, at, depth))


def _value(node: ast.expr, at: _Reader, depth: int) -> Any:
    if depth > DEEPEST:
        raise errors.InputError("the expression is nested too deeply", expected=f"up to {DEEPEST} levels")

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
            vector = ops.stack([_scalar(entry, inner(entry), at) for entry in entries])
            return vector.reshape(len(vector), *(1,) * at.batch) if at.batch and vector.ndim == 1 else vector
        case ast.Subscript(value=value, slice=index):
            return _entry(node, inner(value), index, at)
        case ast.Call(func=ast.Name(id="where"), args=[ast.Compare() as test, yes, no], keywords=[]):
            return ops.where(_condition(test, at, depth), *(_scalar(x, inner(x), at) for x in (yes, no)))
        case ast.Call(func=ast.Name(id="sum")):
            raise at.refusal(node, hint="A sum over the sites of a lattice is an observable, such as state.Gamma.sum(axis=1); "
                                        "prove takes sum(…) as its whole text.")  # fmt: skip
        case ast.Call(func=ast.Name(id="where")):
            raise at.refusal(node, "where has three arguments, the first a comparison", expected="where(a < b, c, d)")
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if FUNCTIONS.get(name) == len(arguments):
            return _function(node, name, [inner(x) for x in arguments], at)
    raise at.refusal(node)


def _condition(node: ast.Compare, at: _Reader, depth: int) -> Any:
    compare = COMPARISONS.get(type(node.ops[0]))
    if compare is None or len(node.ops) > 1:
        raise at.refusal(node, "a condition is one comparison", expected="a < b, a <= b, a > b or a >= b")
    left, right = (_scalar(x, _evaluate(x, at, depth + 1), at) for x in (node.left, node.comparators[0]))
    return compare(_exact(left), right)


def _exact(x: Any) -> Any:
    """A fraction as a number of SymPy, where it meets expressions of SymPy."""
    if not isinstance(x, (int, Fraction)):
        return x
    import sympy

    return sympy.Rational(Fraction(x).numerator, Fraction(x).denominator)


def _pi() -> Any:
    import sympy

    return sympy.pi


def _number(node: ast.Constant, at: _Reader) -> Any:
    text = (ast.get_source_segment(at.text, node) or "").replace("_", "")
    power = text.lower().partition("e")[2]
    try:
        if power and abs(int(power)) > LARGEST_NUMBER // 4:
            raise at.refusal(node, "a number is too large")
        value = Fraction(text)
        if at.batch is not None:
            return np.float64(float(value))
    except ValueError:
        raise at.refusal(node) from None
    except OverflowError:  # floats end there, fractions do not
        raise at.refusal(node, "a number is too large", expected="at most 1.8e308") from None
    return int(value) if value.denominator == 1 else value


def _scalar(node: ast.expr, x: Any, at: _Reader) -> Any:
    if at.rank(x):
        raise at.refusal(node, "a number is needed here, this is a vector")
    return x


def _links(node: ast.BinOp, kinds: tuple[type[ast.operator], ...]) -> list[ast.BinOp]:
    """a + b + c as [a + b, … + c]: the parser nests it to the left, so a long sum would be as deep as it is long."""
    links = [node]
    while isinstance(links[-1].left, ast.BinOp) and isinstance(links[-1].left.op, kinds):
        links.append(links[-1].left)
    return links[::-1]


def _sum(node: ast.BinOp, at: _Reader, depth: int) -> Any:
    """A sum of any length, added in pairs, since each addition copies all terms before it."""
    links = _links(node, (ast.Add, ast.Sub))
    values = [_evaluate(links[0].left, at, depth + 1)]
    for link in links:
        value = _evaluate(link.right, at, depth + 1)
        if at.shape(value) != at.shape(values[0]):
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
        if at.rank(a) and at.rank(b):
            raise at.refusal(node, "a product of vectors is dot(a, b) or cross(a, b)")
        return a * b
    if at.rank(b):
        raise at.refusal(node, "division by a vector")
    if isinstance(b, (int, Fraction, float)):
        if b == 0:
            raise at.refusal(node, "division by zero")
        return a / b if at.batch is not None else a * (1 / Fraction(b))
    return a / b


def _power(node: ast.BinOp, base: Any, value: Any, at: _Reader) -> Any:
    _scalar(node.left, base, at)
    finite = isinstance(value, (int, Fraction)) or (isinstance(value, float) and math.isfinite(value))
    exponent = Fraction(value) if finite else Fraction(1, 3)
    if abs(exponent) > LARGEST_POWER or exponent.denominator > 2:
        raise at.refusal(node, f"an exponent is a whole or half number up to {LARGEST_POWER}")
    if isinstance(base, (int, Fraction)) and base == 0 and exponent <= 0:
        raise at.refusal(node, "0 to a power that is not positive")
    if isinstance(base, (int, Fraction)) and _bits(base) * abs(exponent) > LARGEST_NUMBER:
        raise at.refusal(node, "a number is too large")
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
    if len(numbers) != len(indices) or not 0 < len(numbers) <= at.rank(value):
        raise at.refusal(node, "an index is a whole number, into a vector")
    if any(i >= n for i, n in zip(numbers, value.shape)):
        raise at.refusal(node, f"an index beyond the shape {value.shape}")
    return value[tuple(numbers)]


def _function(node: ast.Call, name: str, arguments: list[Any], at: _Reader) -> Any:
    if name in OF_NUMBERS:
        x = _scalar(node.args[0], arguments[0], at)
        if name == "sqrt":
            return _root(node, x, at)
        if name == "atan2":
            return _angle(node, x, _scalar(node.args[1], arguments[1], at), at)
        if name in ("abs", "absolute"):
            return abs(x) if isinstance(x, (int, Fraction)) else ops.absolute(x)
        return getattr(ops, name)(_exact(x))
    if any(at.rank(x) != 1 for x in arguments):
        raise at.refusal(node, f"{name} is of vectors")
    if name == "norm":
        return ops.norm(arguments[0])
    a, b = arguments
    if len(a) != len(b) or (name == "cross" and len(a) != 3):
        raise at.refusal(node, f"{name} of vectors of {len(a)} and {len(b)} components")
    return ops.dot(a, b) if name == "dot" else ops.cross(a, b)


def _angle(node: ast.expr, y: Any, x: Any, at: _Reader) -> Any:
    if at.limits is None:
        return np.arctan2(y, x)
    if not at.limits.angles:
        raise at.refusal(node, "atan2 works neither in proofs nor during a run",
                         expected="atan2 only in an evolution, or after a run: run[...]")  # fmt: skip
    import sympy

    return sympy.atan2(_exact(y), _exact(x))
