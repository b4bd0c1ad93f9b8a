"""The instructions of a function that evaluates expressions after a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from semidirect.core import errors, symbols
from semidirect.equations.program import Let, Program
from semidirect.equations.terms import Term, distributed, divisors, shared_sums, term_of, without
from semidirect.instructions import Instruction, InstructionList, array_text, needed

_FUNCTIONS = {sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.exp: "exp", sp.log: "log", sp.Abs: "absolute"}
_RELATIONS = {
    sp.StrictLessThan: "less", sp.LessThan: "less-equal", sp.StrictGreaterThan: "greater", sp.GreaterThan: "greater-equal",
    sp.Equality: "equal", sp.Unequality: "not-equal",
}  # fmt: skip
_ONE = sp.Integer(1)
Signed = int
"""The number of an instruction, or ``~number`` for the negative of its value."""


class _Emitter:
    """Records each distinct subexpression once, on demand.

    Sums are written with their common factors in front, the most common one first, and no operation is spent on a sign: what
    stands for a value is the number of an instruction or, as :data:`Signed`, of that of its negative. Factors that are the same
    for all paths come first in a product, so that a compiler takes their product out of the loops.
    """

    def __init__(self, program: Program, outputs: Sequence[sp.Basic], inputs: Sequence[sp.Symbol], exact: bool,
                 uniform: Collection[sp.Symbol] = (), distribute: bool = False):  # fmt: skip
        self.exact, self.shared = exact, shared_sums(program, outputs) if distribute else None
        self.instructions: list[Instruction] = []
        self.numbers: dict[tuple[str, tuple[int, ...], Any], int] = {}
        self.depth: list[int] = []
        self.operations = 0
        self.uniform = set[int]()
        self.signed_values: dict[Any, Signed] = {x: self._let("input", (), ("x", i)) for i, x in enumerate(inputs)}
        self.defined = {name: s for s in program.statements for name in s.names}
        self.uniform |= {self.signed_values[s] for s in uniform}
        self.zero = self._let("number", (), "0")

    def _let(self, operation: str, operands: tuple[int, ...] = (), data: Any = None) -> int:
        """The number of an instruction, which is recorded once."""
        key = operation, operands, data  # equal to the instruction, which takes longer to make
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.instructions)
            instruction = Instruction(*key)
            self.instructions.append(instruction)
            if instruction.is_leaf and operation != "constant":
                self.depth.append(0)
                if operation == "number":
                    self.uniform.add(number)
            else:
                self.operations += 1
                self.depth.append(1 + max(map(self.depth.__getitem__, operands), default=0))
        return number

    def value(self, e: sp.Basic) -> int:
        """The number of the instruction of a value."""
        signed = self.signed(e)
        return signed if signed >= 0 else self._let("negative", (~signed,))

    def signed(self, e: sp.Basic) -> Signed:
        """The number of the instruction of a value, or of its negative."""
        signed = self.signed_values.get(e)
        if signed is None:
            signed = self.signed_values[e] = self._write(e)
        return signed

    def _number(self, q: sp.Rational) -> int:
        if self.exact:
            return self._let("fraction", (), (int(q.p), int(q.q)))
        try:
            return self._let("number", (), repr(float(Fraction(int(q.p), int(q.q)))))
        except OverflowError:
            digits = len(str(abs(int(q.p)))) - len(str(int(q.q)))
            raise errors.InputError(
                "a number is too large to compute with", expected="up to 1.8e308", got=f"about 1e{digits}"
            ) from None

    def _write(self, e: sp.Basic) -> Signed:
        if e.is_Symbol:
            return self._defined(e)
        if e.is_Rational:
            return self.zero if e == 0 else ~self._number(-e) if e < 0 else self._number(e)
        if e.is_Float:
            raise errors.DefinitionError(f"an inexact number {e} got into a derivation", hint="Please report this.")
        if e.is_NumberSymbol:
            return self._let("constant", (), str(e)) if self.exact else self._let("number", (), repr(float(e)))
        if e.is_Number:
            raise errors.DefinitionError(f"the value {e} got into a derivation", hint="Is something divided by zero?")
        if e.is_Add:
            return self._sum([term_of(t) for t in (e.args if self.shared is None else distributed(e, self.shared))])
        if e.is_Mul:
            return self._product(*term_of(e))
        if e.is_Pow and e.base is not sp.E:
            return self._power(e.base, e.exp)
        if e.func in _FUNCTIONS or (e.is_Pow and e.base is sp.E):
            name = "exp" if e.is_Pow else _FUNCTIONS[e.func]
            return self._let(name, (self.value(e.exp if e.is_Pow else e.args[0]),))
        if isinstance(e, symbols.Interpolated):
            return self._interpolated(e)
        if isinstance(e, sp.Piecewise):
            return self._piecewise(e)
        if isinstance(e, (sp.Max, sp.Min)):
            return self._extreme(e)
        if isinstance(e, (sp.sign, sp.Heaviside)):
            return self._step(e)
        if e.func in _RELATIONS:
            return self._let(_RELATIONS[e.func], (self.value(e.args[0]), self.value(e.args[1])))
        if isinstance(e, (sp.And, sp.Or)):
            return self._let("and" if isinstance(e, sp.And) else "or", tuple(map(self.value, e.args)))
        if isinstance(e, sp.Not):
            return self._let("not", (self.value(e.args[0]),))
        raise errors.DefinitionError(
            f"cannot turn {e.func.__name__} into numbers",
            got=str(e),
            hint="Write it with functions of semidirect.core.ops.",
        )

    def _defined(self, symbol: sp.Basic) -> Signed:
        try:
            statement = self.defined[symbol]
        except KeyError:
            raise errors.DefinitionError(
                f"the expression needs {symbol}, which nothing defines",
                hint="Use names of the state and of parameters.",
            ) from None
        if isinstance(statement, Let):
            return self.signed(statement.expressions[statement.names.index(symbol)])
        entries = [self.value(x) for row in (*statement.matrix, statement.rhs) for x in row]
        solution = self._let("solve", tuple(entries), (len(statement.names), statement.symmetric))
        for i, name in enumerate(statement.names):
            self.signed_values[name] = self._let("element", (solution,), i)
        return self.signed_values[symbol]

    # -- sums and products -----------------------------------------------------------------------------------------

    def _sum(self, terms: list[Term]) -> Signed:
        """The sum of terms; those with the most common factor are joined before it is multiplied in."""
        factor = None if self.exact else self._common(terms)
        if factor is None:
            return self._total([self._product(*term) for term in terms])
        base, sign = factor
        common_terms = [term for term in terms if factor in divisors(term[1])]
        power = sign * min(abs(factors[base]) for _, factors in common_terms)
        inner = self._sum([(c, without(factors, base, power)) for c, factors in common_terms])
        whole = self._multiplied([inner], {base: power})
        rest = [term for term in terms if factor not in divisors(term[1])]
        return self._total([whole, self._sum(rest)]) if rest else whole

    def _common(self, terms: list[Term]) -> tuple[sp.Basic, int] | None:
        """The factor of most terms, at least two; one that differs from path to path if there is one."""
        counts = Counter(factor for _, factors in terms for factor in divisors(factors))
        several = [factor for factor, count in counts.items() if count > 1]
        return max(several, key=lambda f: (_size(self.signed(f[0])) not in self.uniform, counts[f]), default=None)

    def _total(self, terms: list[Signed]) -> Signed:
        """A sum in which values that are known early come first, since they are more likely to be shared."""
        terms = sorted(terms, key=lambda n: self.depth[_size(n)])
        plus = [n for n in terms if n >= 0 and n != self.zero]
        minus = [~n for n in terms if n < 0]
        if not plus and not minus:
            return self.zero
        total, *more = plus or minus
        for operation, others in (("add", more if plus else minus[1:]), ("subtract", minus if plus else [])):
            for other in others:
                total = self._joined(total, operation, other)
        return total if plus else ~total

    def _product(self, coefficient: sp.Rational, factors: Mapping[sp.Basic, sp.Basic]) -> Signed:
        size = abs(coefficient)
        first = [self._number(size)] if size != 1 or not any(n.p > 0 for n in factors.values()) else []
        product = self._multiplied(first, factors)
        return self._negative(product) if coefficient < 0 else product

    def _multiplied(self, first: list[int], factors: Mapping[sp.Basic, sp.Basic]) -> Signed:
        """The product of values and powers."""
        above = first + [self._power(b, n) for b, n in factors.items() if n.p > 0]
        below = [self._power(b, -n) for b, n in factors.items() if n.p < 0]
        if self.zero in above:
            return self.zero
        product = self._chain([_size(n) for n in above])
        if below:
            product = self._joined(product, "divide", self._chain([_size(n) for n in below]))
        return self._negative(product) if sum(n < 0 for n in above + below) % 2 else product

    def _negative(self, signed: Signed) -> Signed:
        return signed if signed == self.zero else ~signed

    def _chain(self, factors: list[int]) -> int:
        first, *more = sorted(factors, key=lambda n: n not in self.uniform)
        for other in more:
            first = self._joined(first, "multiply", other)
        return first

    def _joined(self, left: int, operation: str, right: int) -> int:
        number = self._let(operation, (left, right))
        if left in self.uniform and right in self.uniform:
            self.uniform.add(number)
        return number

    def _power(self, base: sp.Basic, exponent: sp.Basic) -> Signed:
        """A positive power, or its negative."""
        if exponent is _ONE:
            return self.signed(base)
        if exponent.is_negative:
            return self._multiplied([self.value(sp.Integer(1))], {base: exponent})
        if exponent.is_Integer:
            root = _size(self.signed(base)) if exponent < 4 else self._power(base, exponent // 2)
            square = self._joined(root, "multiply", root)
            return square if exponent % 2 == 0 else self._joined(square, "multiply", self.value(base))
        if exponent == sp.Rational(1, 2):
            key = sp.Pow(base, exponent, evaluate=False)
            if key not in self.signed_values:
                self.signed_values[key] = self._let("sqrt", (self.value(base),))
            return self.signed_values[key]
        if exponent.is_Rational and exponent.q == 2:
            return self._joined(
                _size(self._power(base, sp.Integer(exponent.p // 2))), "multiply", self._power(base, sp.Rational(1, 2))
            )
        exponent_, logarithm = self.value(exponent), self._let("log", (self.value(base),))
        return self._let("exp", (self._let("multiply", (exponent_, logarithm)),))

    def _interpolated(self, e: symbols.Interpolated) -> int:
        function = e.interpolant
        nodes, values = (self.value(table) for table in (function.nodes, function.values))
        form = (function.kind, function.ends, function.order)
        return self._let("interpolate", (self.value(e.args[0]), nodes, values), form)

    def _piecewise(self, e: sp.Basic) -> int:
        *cases, (last, _) = e.args
        result = self.value(last)
        for value, condition in reversed(cases):
            result = self._let("select", (self.value(condition), self.value(value), result))
        return result

    def _extreme(self, e: sp.Basic) -> int:
        relation = "greater" if isinstance(e, sp.Max) else "less"
        first, *rest = e.args
        result = self.value(first)
        for term in rest:
            other = self.value(term)
            result = self._let("select", (self._let(relation, (result, other)), result, other))
        return result

    def _step(self, e: sp.Basic) -> int:
        """Derivatives of |x| and max(x, 0)."""
        x, one, below = self.value(e.args[0]), self.value(sp.Integer(1)), self.zero
        if isinstance(e, sp.sign):
            below = self._let("select", (self._let("less", (x, self.zero)), self.value(sp.Integer(-1)), self.zero))
        return self._let("select", (self._let("greater", (x, self.zero)), one, below))


def _size(signed: Signed) -> int:
    return signed if signed >= 0 else ~signed


def instructions(program: Program, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol], *, exact: bool = False,
                 uniform: Collection[sp.Symbol] = (), among: Sequence[sp.Expr] = ()) -> InstructionList:  # fmt: skip
    """The instructions that compute ``outputs`` from ``inputs``, of which the ``uniform`` ones are the same for all paths.

    Which sums are joined and expanded depends on all outputs. Where they are some ``among`` many, all of these decide, so that
    each is computed by the same operations whichever others are asked for.
    """
    tries, outputs = [], [sp.sympify(e) for e in outputs]
    first = [sp.sympify(e) for e in among] or outputs
    for distribute in (False,) if exact else (False, True):
        emitter = _Emitter(program, first, inputs, exact, uniform, distribute)
        tries.append((emitter, [emitter.value(e) for e in first]))
    emitter, results = min(tries, key=lambda t: t[0].operations)
    if among:
        results = [emitter.value(e) for e in outputs]
    return needed(InstructionList.of(tuple(emitter.instructions), tuple(results)))


def source(program: Program, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol], *, exact: bool = False,
           uniform: Collection[sp.Symbol] = (), among: Sequence[sp.Expr] = ()) -> str:  # fmt: skip
    """The :func:`instructions` as the text of a function in Python, see :func:`.core.functions.build`."""
    instruction_list = instructions(program, outputs, inputs, exact=exact, uniform=uniform, among=among)
    return array_text(instruction_list, [f"x{i}" for i in range(len(inputs))], lambda data: f"{data[0]}{data[1]}")
