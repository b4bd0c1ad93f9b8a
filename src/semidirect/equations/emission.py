"""Staged programs as straight-line Python: one text for rows of paths, exact fractions and tracer scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy as sp

from semidirect import linear
from semidirect.equations.program import Let, Program
from semidirect.errors import DefinitionError
from semidirect.kernels.functions import build

_FUNCTIONS = {sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.exp: "exp", sp.log: "log", sp.Abs: "absolute"}
_RELATIONS = {
    sp.StrictLessThan: "<", sp.LessThan: "<=", sp.StrictGreaterThan: ">", sp.GreaterThan: ">=",
    sp.Equality: "==", sp.Unequality: "!=",
}  # fmt: skip


class _Emitter:
    """Writes each distinct subexpression once, on demand, so what no output needs is never written."""

    def __init__(self, program: Program, inputs: Sequence[sp.Symbol], exact: bool):
        self.exact = exact
        self.lines: list[str] = []
        self.known: dict[sp.Basic, str] = {symbol: f"x{i}" for i, symbol in enumerate(inputs)}
        self.defined = {name: s for s in program.statements for name in s.names}

    def _let(self, code: str) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {code}")
        return name

    def value(self, e: sp.Basic) -> str:
        if e not in self.known:
            self.known[e] = self._write(e)
        return self.known[e]

    def _number(self, q: sp.Rational) -> str:
        if self.exact:
            return f"number({q.p}, {q.q})"
        return repr(float(Fraction(int(q.p), int(q.q))))

    def _write(self, e: sp.Basic) -> str:
        if e.is_Symbol:
            return self._defined(e)
        if e.is_Rational:
            return "0" if e == 0 else self._number(e)
        if e.is_Float:
            raise DefinitionError(f"an inexact number {e} got into a derivation", hint="Please report this.")
        if e.is_NumberSymbol:
            return self._let(f"constant('{e}')") if self.exact else repr(float(e))
        if e.is_Number:
            raise DefinitionError(f"the value {e} got into a derivation", hint="Is something divided by zero?")
        if e.is_Add:
            return self._sum(e)
        if e.is_Mul:
            return self._product(e)
        if e.is_Pow and e.base is not sp.E:
            return self._power(e.base, e.exp)
        if e.func in _FUNCTIONS or (e.is_Pow and e.base is sp.E):
            name = "exp" if e.is_Pow else _FUNCTIONS[e.func]
            return self._let(f"{name}({self.value(e.exp if e.is_Pow else e.args[0])})")
        if isinstance(e, sp.Piecewise):
            return self._piecewise(e)
        if isinstance(e, (sp.Max, sp.Min)):
            return self._extreme(e)
        if isinstance(e, (sp.sign, sp.Heaviside)):
            return self._step(e)
        if e.func in _RELATIONS:
            return self._let(f"{self.value(e.args[0])} {_RELATIONS[e.func]} {self.value(e.args[1])}")
        if isinstance(e, (sp.And, sp.Or)):
            return self._let((" & " if isinstance(e, sp.And) else " | ").join(map(self.value, e.args)))
        if isinstance(e, sp.Not):
            return self._let(f"{self.value(e.args[0])} ^ True")
        raise DefinitionError(
            f"cannot turn {e.func.__name__} into numbers", got=str(e), hint="Write it with functions of semidirect.ops."
        )

    def _defined(self, symbol: sp.Basic) -> str:
        try:
            statement = self.defined[symbol]
        except KeyError:
            raise DefinitionError(f"the expression needs {symbol}, which nothing defines") from None
        if isinstance(statement, Let):
            return self.value(statement.expressions[statement.names.index(symbol)])
        rows = ", ".join("[" + ", ".join(map(self.value, row)) + "]" for row in statement.matrix)
        solver = "solve_symmetric" if statement.symmetric else "solve_pivoted"
        solution = self._let(f"{solver}([{rows}], [{', '.join(map(self.value, statement.rhs))}])")
        for i, name in enumerate(statement.names):
            self.known[name] = self._let(f"{solution}[{i}]")
        return self.known[symbol]

    def _sum(self, e: sp.Basic) -> str:
        plus = [t for t in e.args if not t.could_extract_minus_sign()]
        minus = [-t for t in e.args if t.could_extract_minus_sign()]
        if plus:
            code = self.value(plus[0])
            for t in plus[1:]:
                code = self._let(f"{code} + {self.value(t)}")
        else:
            code = self._let(f"-{self.value(minus.pop(0))}")
        for t in minus:
            code = self._let(f"{code} - {self.value(t)}")
        return code

    def _product(self, e: sp.Basic) -> str:
        coefficient, factors = e.as_coeff_mul()
        negative = coefficient.is_negative
        coefficient = abs(coefficient)
        above, below = [], []
        for f in factors:
            base, exponent = f.as_base_exp()
            if exponent.is_negative and base is not sp.E:
                below.append(self._power(base, -exponent) if exponent != -1 else self.value(base))
            else:
                above.append(self.value(f))
        if coefficient != 1 or not above:
            above.insert(0, self.value(coefficient))
        code = above[0]
        for f in above[1:]:
            code = self._let(f"{code} * {f}")
        for f in below:
            code = self._let(f"{code} / {f}")
        return self._let(f"-{code}") if negative else code

    def _power(self, base: sp.Basic, exponent: sp.Basic) -> str:
        if exponent.is_negative:
            return self._let(f"{self.value(sp.Integer(1))} / {self._power(base, -exponent)}")
        if exponent == 1:
            return self.value(base)
        if exponent.is_Integer:
            half = self._power(base, exponent // 2)
            square = self._let(f"{half} * {half}")
            return square if exponent % 2 == 0 else self._let(f"{square} * {self.value(base)}")
        if exponent == sp.Rational(1, 2):
            key = sp.Pow(base, exponent, evaluate=False)
            if key not in self.known:
                self.known[key] = self._let(f"sqrt({self.value(base)})")
            return self.known[key]
        if exponent.is_Rational and exponent.q == 2:
            return self._let(
                f"{self._power(base, sp.Integer(exponent.p // 2))} * {self._power(base, sp.Rational(1, 2))}"
            )
        return self._let(f"exp({self.value(exponent)} * log({self.value(base)}))")

    def _piecewise(self, e: sp.Basic) -> str:
        *cases, (last, _) = e.args
        code = self.value(last)
        for value, condition in reversed(cases):
            code = self._let(f"where({self.value(condition)}, {self.value(value)}, {code})")
        return code

    def _extreme(self, e: sp.Basic) -> str:
        relation = ">" if isinstance(e, sp.Max) else "<"
        first, *rest = e.args
        code = self.value(first)
        for other in rest:
            name = self.value(other)
            code = self._let(f"where({code} {relation} {name}, {code}, {name})")
        return code

    def _step(self, e: sp.Basic) -> str:
        """Derivatives of |x| and max(x, 0)."""
        x, one = self.value(e.args[0]), self.value(sp.Integer(1))
        below = self._let(f"where({x} < 0, {self.value(sp.Integer(-1))}, 0)") if isinstance(e, sp.sign) else "0"
        return self._let(f"where({x} > 0, {one}, {below})")


def source(program: Program, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol], *, exact: bool = False) -> str:
    """The Python text of a function of ``inputs`` that returns ``outputs``."""
    emitter = _Emitter(program, inputs, exact)
    returned = [emitter.value(sp.sympify(e)) for e in outputs]
    arguments = ", ".join(f"x{i}" for i in range(len(inputs)))
    body = "".join(f"    {line}\n" for line in emitter.lines)
    return f"def function({arguments}):\n{body}    return ({', '.join(returned)}{',' if returned else ''})\n"


def numerical_function(
    program: Program, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol]
) -> Callable[..., tuple[Any, ...]]:
    """A function on floats, rows of paths or tracer scalars, one argument an input, one result an output."""
    return build(source(program, outputs, inputs))


def exact_function(
    program: Program,
    outputs: Sequence[sp.Expr],
    inputs: Sequence[sp.Symbol],
    field: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
) -> Callable[..., tuple[Any, ...]]:
    """A function on exact numbers. Square roots must be rational, other functions are taken at 0 only.

    ``field`` may give functions for another field by name: ``number(p, q)`` of integers, ``constant(name)``, ``sqrt, sin, cos,
    tan, exp, log, absolute``, ``solve_symmetric`` and ``solve_pivoted`` ``(matrix, rhs)``.

    Raises
    ------
    ArithmeticError
        From the returned function, where a value leaves the field.
    """
    return build(source(program, outputs, inputs, exact=True), {**EXACT, **field})


def _exact_root(x: Any) -> Fraction:
    from math import isqrt

    x = Fraction(x)
    if x < 0:
        raise ArithmeticError(f"square root of {x}")
    root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    if root * root != x:
        raise ArithmeticError(f"the square root of {x} is not rational")
    return root


def _irrational(name: str) -> Fraction:
    raise ArithmeticError(f"{name} is not rational")


def _only_at(point: int, value: int) -> Callable[[Any], int]:
    def function(x: Any) -> int:
        if x != point:
            raise ArithmeticError(f"a transcendental function at {x} is not rational")
        return value

    return function


EXACT: Mapping[str, Any] = {
    "number": Fraction, "solve_symmetric": linear.solve_exactly, "solve_pivoted": linear.solve_exactly,
    "sqrt": _exact_root, "where": lambda c, a, b: a if c else b, "absolute": abs,
    "sin": _only_at(0, 0), "cos": _only_at(0, 1), "tan": _only_at(0, 0), "exp": _only_at(0, 1), "log": _only_at(1, 0),
    "constant": _irrational,
}  # fmt: skip
"""What the text of an exact function uses, on fractions."""
