"""Staged programs as straight-line Python: one text for rows of paths, exact fractions and tracer scalars."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy as sp

from semidirect.core.errors import DefinitionError, InputError
from semidirect.core.exact_field import EXACT
from semidirect.core.functions import build
from semidirect.core.interpolated import Interpolated
from semidirect.equations.program import Let, Program
from semidirect.equations.terms import Term, distributed, divisors, shared_sums, term_of, without

_FUNCTIONS = {sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.exp: "exp", sp.log: "log", sp.Abs: "absolute"}
_RELATIONS = {
    sp.StrictLessThan: "<", sp.LessThan: "<=", sp.StrictGreaterThan: ">", sp.GreaterThan: ">=",
    sp.Equality: "==", sp.Unequality: "!=",
}  # fmt: skip


class _Emitter:
    """Writes each distinct subexpression once, on demand, so what no output needs is never written.

    Sums are written with their common factors in front, the most common one first, and no operation is spent on a sign: a name
    stands for a value or, with a minus before it, for its negative. Factors that are the same for all paths come first in a
    product, so that a compiler takes their product out of the loops.
    """

    def __init__(self, program: Program, outputs: Sequence[sp.Basic], inputs: Sequence[sp.Symbol], exact: bool,
                 uniform: Collection[sp.Symbol] = (), distribute: bool = False):  # fmt: skip
        self.exact, self.shared = exact, shared_sums(program, outputs) if distribute else None
        self.lines: list[str] = []
        self.known: dict[Any, str] = {symbol: f"x{i}" for i, symbol in enumerate(inputs)}
        self.defined = {name: s for s in program.statements for name in s.names}
        self.written: dict[str, str] = {}
        self.depth: dict[str, int] = {}
        self.uniform = {self.known[s] for s in uniform}

    def _let(self, code: str) -> str:
        if code not in self.written:
            self.written[code] = name = f"v{len(self.lines)}"
            self.lines.append(f"{name} = {code}")
            self.depth[name] = 1 + max((self.depth[n] for n in re.findall(r"\bv\d+", code)), default=0)
        return self.written[code]

    def value(self, e: sp.Basic) -> str:
        """The name of a value."""
        name = self.signed(e)
        return self._let(name) if _sign(name) < 0 else name

    def signed(self, e: sp.Basic) -> str:
        """The name of a value, or a minus and the name of its negative."""
        if e not in self.known:
            self.known[e] = self._write(e)
        return self.known[e]

    def _number(self, q: sp.Rational) -> str:
        if self.exact:
            return f"number({q.p}, {q.q})"
        try:
            return repr(float(Fraction(int(q.p), int(q.q))))
        except OverflowError:
            digits = len(str(abs(int(q.p)))) - len(str(int(q.q)))
            raise InputError(
                "a number is too large to compute with", expected="up to 1.8e308", got=f"about 1e{digits}"
            ) from None

    def _write(self, e: sp.Basic) -> str:
        if e.is_Symbol:
            return self._defined(e)
        if e.is_Rational:
            return "0" if e == 0 else _negative(self._number(-e)) if e < 0 else self._number(e)
        if e.is_Float:
            raise DefinitionError(f"an inexact number {e} got into a derivation", hint="Please report this.")
        if e.is_NumberSymbol:
            return self._let(f"constant('{e}')") if self.exact else repr(float(e))
        if e.is_Number:
            raise DefinitionError(f"the value {e} got into a derivation", hint="Is something divided by zero?")
        if e.is_Add:
            return self._sum([term_of(t) for t in (e.args if self.shared is None else distributed(e, self.shared))])
        if e.is_Mul:
            return self._product(*term_of(e))
        if e.is_Pow and e.base is not sp.E:
            return self._power(e.base, e.exp)
        if e.func in _FUNCTIONS or (e.is_Pow and e.base is sp.E):
            name = "exp" if e.is_Pow else _FUNCTIONS[e.func]
            return self._let(f"{name}({self.value(e.exp if e.is_Pow else e.args[0])})")
        if isinstance(e, Interpolated):
            return self._interpolated(e)
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
            f"cannot turn {e.func.__name__} into numbers",
            got=str(e),
            hint="Write it with functions of semidirect.core.ops.",
        )

    def _defined(self, symbol: sp.Basic) -> str:
        try:
            statement = self.defined[symbol]
        except KeyError:
            raise DefinitionError(f"the expression needs {symbol}, which nothing defines") from None
        if isinstance(statement, Let):
            return self.signed(statement.expressions[statement.names.index(symbol)])
        rows = ", ".join("[" + ", ".join(map(self.value, row)) + "]" for row in statement.matrix)
        solver = "solve_symmetric" if statement.symmetric else "solve_pivoted"
        solution = self._let(f"{solver}([{rows}], [{', '.join(map(self.value, statement.rhs))}])")
        for i, name in enumerate(statement.names):
            self.known[name] = self._let(f"{solution}[{i}]")
        return self.known[symbol]

    # -- sums and products -----------------------------------------------------------------------------------------

    def _sum(self, terms: list[Term]) -> str:
        """The sum of terms; those with the most common factor are joined before it is multiplied in."""
        factor = None if self.exact else self._common(terms)
        if factor is None:
            return self._total([self._product(*term) for term in terms])
        base, sign = factor
        joined = [term for term in terms if factor in divisors(term[1])]
        power = sign * min(abs(factors[base]) for _, factors in joined)
        inner = self._sum([(c, without(factors, base, power)) for c, factors in joined])
        whole = self._multiplied([inner], {base: power})
        rest = [term for term in terms if factor not in divisors(term[1])]
        return self._total([whole, self._sum(rest)]) if rest else whole

    def _common(self, terms: list[Term]) -> tuple[sp.Basic, int] | None:
        """The factor of most terms, at least two; one that differs from path to path if there is one."""
        counts = Counter(factor for _, factors in terms for factor in divisors(factors))
        several = [factor for factor, count in counts.items() if count > 1]
        return max(several, key=lambda f: (not self._same([self.signed(f[0])]), counts[f]), default=None)

    def _total(self, names: list[str]) -> str:
        """A sum in which values that are known early come first, since they are more likely to be shared."""
        names = sorted(names, key=lambda n: self.depth.get(_size(n), 0))
        plus = [n for n in names if _sign(n) > 0 and n != "0"]
        minus = [_size(n) for n in names if _sign(n) < 0]
        if not plus and not minus:
            return "0"
        sign = "" if plus else "-"
        first, *more = plus or minus
        code = first
        for symbol, others in (("+", more if plus else minus[1:]), ("-", minus if plus else [])):
            for name in others:
                code = self._joined(code, symbol, name)
        return f"{sign}{code}"

    def _product(self, coefficient: sp.Rational, factors: Mapping[sp.Basic, sp.Basic]) -> str:
        size = abs(coefficient)
        needed = size != 1 or not any(n.is_positive for n in factors.values())
        name = self._multiplied([self._number(size)] if needed else [], factors)
        return _negative(name) if coefficient < 0 else name

    def _multiplied(self, first: list[str], factors: Mapping[sp.Basic, sp.Basic]) -> str:
        """The product of names and powers."""
        above = first + [self._power(b, n) for b, n in factors.items() if n.is_positive]
        below = [self._power(b, -n) for b, n in factors.items() if n.is_negative]
        if "0" in above:
            return "0"
        code = self._chain([_size(n) for n in above])
        if below:
            code = self._joined(code, "/", self._chain([_size(n) for n in below]))
        return _negative(code) if sum(_sign(n) < 0 for n in above + below) % 2 else code

    def _chain(self, names: list[str]) -> str:
        first, *more = sorted(names, key=lambda name: not self._same([name]))
        for name in more:
            first = self._joined(first, "*", name)
        return first

    def _joined(self, left: str, symbol: str, right: str) -> str:
        code = self._let(f"{left} {symbol} {right}")
        if self._same([left, right]):
            self.uniform.add(code)
        return code

    def _same(self, names: list[str]) -> bool:
        """Whether values are the same for all paths."""
        return all(_size(n) in self.uniform or not _size(n)[0].isalpha() for n in names)

    def _power(self, base: sp.Basic, exponent: sp.Basic) -> str:
        """The name of a positive power, or a minus and that of its negative."""
        if exponent == 1:
            return self.signed(base)
        if exponent.is_negative:
            return self._multiplied([self.value(sp.Integer(1))], {base: exponent})
        if exponent.is_Integer:
            root = _size(self.signed(base)) if exponent < 4 else self._power(base, exponent // 2)
            square = self._joined(root, "*", root)
            return square if exponent % 2 == 0 else self._joined(square, "*", self.value(base))
        if exponent == sp.Rational(1, 2):
            key = sp.Pow(base, exponent, evaluate=False)
            if key not in self.known:
                self.known[key] = self._let(f"sqrt({self.value(base)})")
            return self.known[key]
        if exponent.is_Rational and exponent.q == 2:
            return self._joined(
                _size(self._power(base, sp.Integer(exponent.p // 2))), "*", self._power(base, sp.Rational(1, 2))
            )
        return self._let(f"exp({self.value(exponent)} * log({self.value(base)}))")

    def _interpolated(self, e: Interpolated) -> str:
        function = e.interpolant
        tables = ", ".join(self.value(table) for table in (function.nodes, function.values))
        form = f"{function.kind!r}, {function.ends!r}, {function.order}"
        return self._let(f"interpolate({self.value(e.args[0])}, {tables}, {form})")

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


def _sign(name: str) -> int:
    return -1 if name.startswith("-") else 1


def _size(name: str) -> str:
    return name.removeprefix("-")


def _negative(name: str) -> str:
    return name if name == "0" else _size(name) if name.startswith("-") else f"-{name}"


def _needed(lines: Sequence[str], returned: Sequence[str]) -> list[str]:
    """The lines that define what is returned."""
    names, found = {name for code in returned for name in re.findall(r"\bv\d+", code)}, []
    for line in reversed(lines):
        name, _, code = line.partition(" = ")
        if name in names:
            names.update(re.findall(r"\bv\d+", code))
            found.append(line)
    return found[::-1]


def source(program: Program, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol], *, exact: bool = False,
           uniform: Collection[sp.Symbol] = (), among: Sequence[sp.Expr] = ()) -> str:  # fmt: skip
    """The Python text of a function of ``inputs`` that returns ``outputs``; ``uniform`` inputs are the same for all paths.

    Which sums are joined and expanded depends on all outputs. Where they are some ``among`` many, all of these decide, so that
    each is computed by the same operations whichever others are asked for.
    """
    tries, outputs = [], [sp.sympify(e) for e in outputs]
    first = [sp.sympify(e) for e in among] or outputs
    for distribute in (False,) if exact else (False, True):
        emitter = _Emitter(program, first, inputs, exact, uniform, distribute)
        tries.append((emitter, [emitter.value(e) for e in first]))
    emitter, returned = min(tries, key=lambda t: len(t[0].lines))
    lines = emitter.lines
    if among:
        returned = [emitter.value(e) for e in outputs]
        lines = _needed(lines, returned)
    arguments = ", ".join(f"x{i}" for i in range(len(inputs)))
    body = "".join(f"    {line}\n" for line in lines)
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
        From the returned function, if a value leaves the field.
    """
    return build(source(program, outputs, inputs, exact=True), {**EXACT, **field})


def evaluate_exact(
    program: Program, values: Mapping[sp.Symbol, Any], field: Mapping[str, Callable[..., Any]] = MappingProxyType({})
) -> dict[str, list[Any]]:
    """Outputs of a program at exact values: fractions, or elements of another ``field``, see :func:`exact_function`."""
    names = [k for k, v in program.outputs.items() for _ in v]
    flat = [e for v in program.outputs.values() for e in v]
    results: dict[str, list[Any]] = {k: [] for k in program.outputs}
    used = [i for i in program.inputs if i in values]
    for name, value in zip(names, exact_function(program, flat, used, field)(*(values[i] for i in used)), strict=True):
        results[name].append(value)
    return results
