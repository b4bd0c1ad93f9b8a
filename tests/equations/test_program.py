"""Staged programs: definitions and solves, called, joined, differentiated, and turned into numbers of any kind."""

from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from semidirect import ops
from semidirect.core.errors import DefinitionError
from semidirect.equations import Let, Program, Solve
from semidirect.equations.emission import evaluate_exact, exact_function, numerical_function, source
from semidirect.testing.laws.exact_points.numbers import FIELD, derivatives, plain_array, solve
from semidirect.testing.laws.sizes import budget

X = tuple(sp.symbols("x1:4", real=True))
SOME = budget(0.3)
EXACT = {**FIELD, "solve_symmetric": solve, "solve_pivoted": solve}

# -- random rational programs --------------------------------------------------------------------------------------


def expressions(names):
    """Rational expressions that are finite everywhere."""
    leaves = st.sampled_from(names) | st.builds(sp.Rational, st.integers(-3, 3), st.sampled_from([1, 2, 3]))

    def extended(inner):
        return st.one_of(
            st.builds(sp.Add, inner, inner), st.builds(sp.Mul, inner, inner), st.builds(lambda a, b: a - b, inner, inner),
            st.builds(lambda a, b: a / (1 + b**2), inner, inner), st.builds(lambda a: a**3, inner),
        )  # fmt: skip

    return st.recursive(leaves, extended, max_leaves=5)


@st.composite
def programs(draw, inputs=X):
    """Programs of up to four statements; every matrix is positive definite but for an antisymmetric part."""
    names, statements = list(inputs), []
    for k in range(draw(st.integers(0, 4))):
        e = expressions(names)
        fresh = tuple(sp.symbols(f"n{k}_1:{draw(st.integers(1, 3)) + 1}", real=True))
        if draw(st.booleans()):
            statements.append(Let(fresh, tuple(draw(e) for _ in fresh)))
        else:
            symmetric, n = draw(st.booleans()), len(fresh)
            matrix = [[sp.Integer(0)] * n for _ in fresh]
            for i in range(n):
                matrix[i][i] = 1 + draw(e) ** 2
                for j in range(i):
                    off = draw(st.sampled_from([sp.Integer(0), sp.Rational(1, 5)]) if symmetric else st.just(0) | e)
                    matrix[i][j], matrix[j][i] = off, off if symmetric else -off
            rows = tuple(tuple(map(sp.sympify, row)) for row in matrix)
            statements.append(Solve(fresh, rows, tuple(draw(st.just(sp.Integer(0)) | e) for _ in fresh), symmetric))
        names += fresh
    outputs = {k: tuple(draw(st.lists(expressions(names), min_size=1, max_size=2))) for k in ("f", "g")}
    return Program(inputs, tuple(statements), outputs)


small = st.builds(Fraction, st.integers(-4, 4), st.sampled_from([1, 2, 3]))
points = st.tuples(small, small, small)


def flat(program):
    return [e for rows in program.outputs.values() for e in rows]


def exactly(program, inputs=X):
    return exact_function(program, flat(program), inputs, EXACT)


def literal(program, values):
    """The meaning of a program: names are replaced by their values, one statement after the other."""
    known = {name: sp.Rational(v.numerator, v.denominator) for name, v in values.items()}
    for s in program.statements:
        if isinstance(s, Let):
            known |= {n: e.xreplace(known) for n, e in zip(s.names, s.expressions, strict=True)}
        else:
            matrix = sp.Matrix([[e.xreplace(known) for e in row] for row in s.matrix])
            rhs = sp.Matrix([e.xreplace(known) for e in s.rhs])
            known |= dict(zip(s.names, matrix.LUsolve(rhs), strict=True))
    return [e.xreplace(known) for e in flat(program)]


# -- evaluation ----------------------------------------------------------------------------------------------------


@SOME
@given(programs(), points)
def test_exact_evaluation_means_what_is_written(program, x):
    expected = literal(program, dict(zip(X, x, strict=True)))
    assert [sp.Rational(v.numerator, v.denominator) for v in map(Fraction, exactly(program)(*x))] == expected
    found = evaluate_exact(program, dict(zip(X, x, strict=True)))
    assert {k: len(v) for k, v in found.items()} == {k: len(v) for k, v in program.outputs.items()}
    assert [v for rows in found.values() for v in rows] == list(exactly(program)(*x))


@SOME
@given(programs(), points)
def test_a_finite_field_will_do(program, x):
    """The residues modulo a prime of the exact values: a polynomial identity can be tried in machine integers."""
    prime = sp.GF(10**9 + 7)

    def residue(p, q=1):
        return prime(p) / prime(q)

    values = {symbol: residue(v.numerator, v.denominator) for symbol, v in zip(X, x, strict=True)}
    found = evaluate_exact(program, values, {"number": residue})
    exact = evaluate_exact(program, dict(zip(X, x, strict=True)))
    for name, rows in exact.items():
        assert [residue(0) + v for v in found[name]] == [
            residue(v.numerator, v.denominator) for v in map(Fraction, rows)
        ]


@SOME
@given(programs(), points)
def test_numbers_are_the_exact_ones_to_round_off(program, x):
    exact, size = np.array(exactly(program)(*x), dtype=float), _size(program, x)
    found = np.array(numerical_function(program, flat(program), X)(*map(float, x)), dtype=float)
    # Measured over 1000 programs: 4e-16 times the largest number on the way.
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-14 * size)


@SOME
@given(programs(), st.lists(points, min_size=2, max_size=4))
def test_a_batch_gives_each_path_the_bits_it_has_alone(program, xs):
    function = numerical_function(program, flat(program), X)
    rows = [np.array([float(x[i]) for x in xs]) for i in range(3)]
    together = [np.broadcast_to(r, len(xs)) for r in function(*rows)]
    for path, x in enumerate(xs):
        assert [r[path] for r in together] == [float(v) for v in function(*map(np.float64, x))]


def _size(program, x):
    """The largest number that turns up, a scale for round-off."""
    values = dict(zip(X, x, strict=True))
    names = [n for s in program.statements for n in s.names]
    rows = exact_function(program, [*names, *flat(program)], X, EXACT)(*x)
    largest = max([1.0, *(abs(float(v)) for v in (*rows, *values.values()))])
    return largest**3  # a cube of anything may appear and cancel


# -- calls ---------------------------------------------------------------------------------------------------------

Y = tuple(sp.symbols("y1:3", real=True))


@SOME
@given(programs(), st.lists(expressions(Y), min_size=3, max_size=3), st.tuples(small, small))
def test_a_call_is_composition(program, arguments, y):
    called = program.call(dict(zip(X, arguments, strict=True)), "'")
    x = exact_function(Program(Y, (), {}), arguments, Y, EXACT)(*y)
    assert exactly(Program(Y, called.statements, called.outputs), Y)(*y) == exactly(program)(*x)
    assert called.inputs == ()


@SOME
@given(programs(), points, points)
def test_calls_side_by_side_do_not_mix(program, x, y):
    (a, b) = (
        program.call(dict(zip(X, map(_rational, values), strict=True)), tag) for values, tag in ((x, "a"), (y, "b"))
    )
    joined = a.with_outputs(**{f"{k}_a": v for k, v in a.outputs.items()}).joined(b)
    found = exact_function(joined, flat(joined), (), EXACT)()
    assert found == (*exactly(program)(*x), *exactly(program)(*y))


@SOME
@given(programs(), small)
def test_what_does_not_depend_on_an_argument_is_shared(program, x):
    called = program.call({X[0]: _rational(x)}, "'")
    depends = {X[0]}
    for before, after in zip(program.statements, called.statements, strict=True):
        if before.reads & depends:
            depends |= set(before.names)
            assert [n.name for n in after.names] == [f"{n.name}'" for n in before.names]
        else:
            assert after is before
    assert len(program.joined(called).statements) == len({*program.statements, *called.statements})


def _rational(x):
    return sp.Rational(x.numerator, x.denominator)


# -- derivatives ---------------------------------------------------------------------------------------------------


@SOME
@given(programs(), points, points)
def test_jvp_is_the_derivative(program, x, v):
    """Against dual numbers, which know the rules of differentiation and nothing of programs."""
    derivative = program.jvp(dict(zip(X, map(_rational, v), strict=True)), "'")
    _, jacobian = derivatives(lambda q: list(exactly(program)(*q)), x)
    assert list(exactly(derivative)(*x)) == [sum(d * w for d, w in zip(row, v, strict=True)) for row in jacobian]


@SOME
@given(programs(), points, st.lists(expressions(X), min_size=3, max_size=3))
def test_jvp_of_a_jvp_is_the_second_derivative(program, x, direction):
    """Along a field, as for the Itô drift: the direction is differentiated too."""
    tangent = dict(zip(X, direction, strict=True))
    twice = program.jvp(tangent, "'").jvp(tangent, "''")
    field = exact_function(Program(X, (), {}), direction, X, EXACT)

    def along(function, q):
        value, jacobian = derivatives(function, q)
        return jacobian @ np.array(field(*q), dtype=object) if len(value) else value

    expected = along(lambda q: along(lambda r: list(exactly(program)(*r)), q), x)
    assert list(exactly(twice)(*x)) == list(plain_array(expected))


@SOME
@given(programs(), points)
def test_jvp_along_nothing_is_zero_and_adds_no_statement(program, x):
    derivative = program.jvp({}, "'")
    assert derivative.statements == program.statements
    assert set(exactly(derivative)(*x)) <= {0}


@SOME
@given(programs(), points, points, small)
def test_jvp_is_linear_in_the_direction(program, x, v, factor):
    once = exactly(program.jvp(dict(zip(X, map(_rational, v), strict=True)), "'"))(*x)
    more = exactly(program.jvp({k: _rational(factor * w) for k, w in zip(X, v, strict=True)}, "'"))(*x)
    assert [factor * d for d in once] == list(more)


def test_jvp_through_a_quotient_against_difference_quotients():
    """The only test here that takes no rule for granted: (f(x + h) − f(x))/h = f' + h (a polynomial in h), in fractions."""
    x, n, m = X[0], *sp.symbols("n m", real=True)
    program = Program(
        X[:1], (Solve((n, m), ((2 + x**2, x), (x, sp.Integer(3))), (x, sp.Integer(1)), True),), {"f": (n * m,)}
    )
    value = exactly(program, X[:1])
    slope = exactly(program.jvp({x: sp.Integer(1)}, "'"), X[:1])(Fraction(2, 3))[0]
    errors = [
        abs((value(Fraction(2, 3) + h)[0] - value(Fraction(2, 3) - h)[0]) / (2 * h) - slope) / h**2
        for h in (Fraction(1, 10**k) for k in (3, 4, 5))
    ]
    assert max(errors) < 1
    assert abs(errors[1] / errors[0] - 1) < 1e-4 > abs(errors[2] / errors[1] - 1)


# -- emission ------------------------------------------------------------------------------------------------------

x, y = sp.symbols("x y", real=True)
FUNCTIONS = {
    "roots": sp.sqrt(x) + x ** sp.Rational(3, 2) + 1 / sp.sqrt(x) + x ** sp.Rational(-5, 2),
    "powers": x**-3 + x**7 + x ** sp.Rational(1, 3) + x ** (y + 1) + (x + y) ** -1,
    "circular": sp.sin(x) + sp.cos(x * y) - sp.tan(y) + sp.sin(x) ** 2 / sp.cos(y),
    "exponential": sp.exp(x) + sp.log(y) - sp.exp(-x) * sp.log(x) + sp.E**y,
    "constants": sp.pi * x - sp.E + sp.Rational(1, 3) * y + sp.GoldenRatio,
    "absolute": sp.Abs(x - 2) + sp.Abs(y),
    "extremes": sp.Max(x, y, 1) - sp.Min(x, y),
    "cases": sp.Piecewise((x, x < 1), (y, sp.And(x > 1, sp.Not(sp.Eq(y, 2)))), (x * y, True)),
    "two cases": sp.Piecewise((x, y < 3), (2 * x, y < 5), (y, True)) * sp.Piecewise((x, sp.Or(y < 3, x < 1)), (y, True)),
    "signs": sp.sign(x - 2) + sp.Heaviside(y - 2) * x,
    "negatives": -x - y + (-2) * x * -y - sp.Rational(3, 7) / x,
    "nothing": sp.Integer(0),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("point", [(0.7, 1.3), (2.5, 0.4), (1.0, 3.5)])
def test_functions_in_floats_and_in_sixty_digits(name, point):
    e, program = FUNCTIONS[name], Program((x, y), (), {})
    expected = e.subs({x: sp.Float(point[0], 40), y: sp.Float(point[1], 40)}).evalf(40) if e else 0
    found = numerical_function(program, [e], (x, y))(*point)[0]
    # Measured: 3e-16.
    np.testing.assert_allclose(float(found), float(expected), rtol=2e-15, atol=0)
    precise = exact_function(program, [e], (x, y), FIELD)(*(Fraction(repr(p)) for p in point))[0]
    exact = e.subs({x: sp.Rational(repr(point[0])), y: sp.Rational(repr(point[1]))}).evalf(55) if e else 0
    assert abs(sp.Float(str(precise) if not isinstance(precise, (int, Fraction)) else 0, 55) + (
        sp.Rational(precise.numerator, precise.denominator) if isinstance(precise, (int, Fraction)) else 0
    ) - exact) < sp.Float("1e-50", 55)  # fmt: skip


@pytest.mark.parametrize("name", ["absolute", "extremes", "cases", "two cases"])
def test_derivatives_of_functions_with_kinks_are_emitted(name):
    """Twice, as an Itô drift needs; across the kinks nothing is added."""
    program = Program((x, y), (), {"f": (FUNCTIONS[name],)})
    first = program.jvp({x: x, y: sp.Integer(1)}, "'")
    second = first.jvp({x: x, y: sp.Integer(1)}, "''")
    h = 1e-3
    for px, py in ((0.7, 1.3), (2.5, 0.4), (1.3, 3.5)):

        def value(s, px=px, py=py):
            return float(numerical_function(program, program.outputs["f"], (x, y))(px * np.exp(s), py + s)[0])

        slopes = [numerical_function(p, p.outputs["f"], (x, y))(px, py)[0] for p in (first, second)]
        # A central difference: h² times a third derivative, at most 2e-6, and round-off/h², 4e-10.
        np.testing.assert_allclose(slopes[0], (value(h) - value(-h)) / (2 * h), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(slopes[1], (value(h) - 2 * value(0) + value(-h)) / h**2, rtol=1e-5, atol=1e-5)


def test_absolute_values_of_stage_names_are_differentiated():
    """A name made fresh by a call is real like any other, so |name| has the derivative of a real function."""
    n = sp.Symbol("n", real=True)
    program = Program((x, y), (Let((n,), (x * y,)),), {"f": (sp.Abs(n),)})
    derivative = program.call({y: sp.Integer(-2)}, "@").jvp({x: sp.Integer(1)}, "'")
    assert exact_function(derivative, derivative.outputs["f"], (x,), FIELD)(Fraction(3)) == (2,)
    assert exact_function(derivative, derivative.outputs["f"], (x,), FIELD)(Fraction(-3)) == (-2,)


def test_shared_subexpressions_are_written_once_and_unneeded_ones_never():
    n, m = sp.symbols("n m", real=True)
    program = Program((x, y), (Let((n, m), (sp.sin(x) * y, sp.exp(y))),), {})
    text = source(program, [n + sp.sin(x), sp.sin(x) ** 2], (x, y))
    assert text.count("sin(") == 1
    assert "exp" not in text
    assert "**" not in text


def test_only_rationals_are_exact_without_another_field():
    program = Program((x,), (), {})
    for e in (sp.sqrt(x), sp.sin(x), sp.exp(x), sp.log(x), sp.pi * x):
        with pytest.raises(ArithmeticError, match="rational"):
            exact_function(program, [e], (x,))(Fraction(2))
    with pytest.raises(ArithmeticError, match="square root of -4"):
        exact_function(program, [sp.sqrt(x)], (x,))(Fraction(-4))
    known = [sp.sqrt(x), sp.Abs(x), sp.sin(x - 4), sp.cos(x - 4), sp.exp(x - 4), sp.log(x - 3)]
    known.append(sp.Piecewise((1, x < 1), (2, True)))
    assert exact_function(program, known, (x,))(Fraction(4)) == (2, 4, 0, 1, 1, 0, 2)


@pytest.mark.parametrize(
    ("e", "message"),
    [(sp.gamma(x), "cannot turn gamma into numbers"), (x + sp.Float(0.5), "inexact"), (sp.oo * x, "the value oo"),
     (sp.Symbol("q"), "needs q, which nothing defines")],
)  # fmt: skip
def test_values_that_are_no_numbers_are_rejected(e, message):
    with pytest.raises(DefinitionError, match=message):
        numerical_function(Program((x,), (), {}), [e], (x,))


def test_a_recording_scalar_sees_every_operation():
    """What a tracer will do: the emitted text runs on scalars that only record."""

    class Recorder(ops.Scalar):
        def __init__(self, text):
            self.text = text

        def _binary(sign, swap=False):
            def operation(self, other):
                sides = [self.text, other.text if isinstance(other, Recorder) else str(other)]
                return Recorder(f"({sides[swap]}{sign}{sides[not swap]})")

            return operation

        __add__, __mul__, __truediv__ = _binary("+"), _binary("*"), _binary("/")
        __radd__, __rmul__, __rtruediv__ = _binary("+", True), _binary("*", True), _binary("/", True)

        def elementary(self, name):
            return Recorder(f"{name}({self.text})")

    e = sp.sin(x) * y / (1 + x)
    (found,) = numerical_function(Program((x, y), (), {}), [e], (x, y))(Recorder("a"), Recorder("b"))
    assert sp.nsimplify(sp.sympify(found.text)) == e.subs({x: sp.Symbol("a"), y: sp.Symbol("b")})


def test_reads_are_what_a_statement_needs():
    n = sp.Symbol("n", real=True)
    assert Let((n,), (x * y,)).reads == {x, y}
    assert Solve((n,), ((x,),), (y,)).reads == {x, y}
    assert reduce(set.union, (s.reads for s in (Let((n,), (sp.Integer(1),)),))) == set()
