"""Numbers that are exact where they can be and carry derivatives: the ruler that contracts measure with."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from semidirect import ops
from semidirect.equations import Program
from semidirect.equations.emission import exact_function
from semidirect.testing.laws.exact_points.numbers import (
    FIELD,
    Number,
    base,
    constants,
    derivatives,
    elementary,
    plain,
    plain_array,
    same,
    solve,
)
from semidirect.testing.laws.sizes import budget

x, y = sp.symbols("x y", real=True)
small = st.builds(Fraction, st.integers(-5, 5), st.sampled_from([1, 2, 3]))
SOME = budget(0.4)


def trees():
    leaves = st.sampled_from([x, y]) | st.builds(sp.Rational, st.integers(-3, 3), st.sampled_from([1, 2]))

    def extended(e):
        pairs = st.tuples(e, e)
        return st.one_of(
            pairs.map(lambda p: p[0] + p[1]), pairs.map(lambda p: p[0] * p[1]), pairs.map(lambda p: p[0] - p[1]),
            pairs.map(lambda p: p[0] / (1 + p[1] ** 2)), e.map(lambda a: a**3), e.map(lambda a: -a),
            e.map(sp.sin), e.map(lambda a: sp.exp(-(a**2))), e.map(lambda a: sp.sqrt(1 + a**2)), e.map(sp.Abs),
        )  # fmt: skip

    return st.recursive(leaves, extended, max_leaves=5)


def evaluated(e):
    function = exact_function(Program((x, y), (), {}), [e], (x, y), FIELD)
    return lambda q: function(*q)[0]


@SOME
@given(trees(), small, small)
def test_value_and_first_two_derivatives(e, a, b):
    """Against SymPy's derivatives, to sixty digits."""
    assume(all(arg.subs({x: a, y: b}) != 0 for arg in (node.args[0] for node in e.atoms(sp.Abs))))
    value, gradient = derivatives(evaluated(e), [a, b])
    _, hessian = derivatives(lambda q: derivatives(evaluated(e), q)[1], [a, b])
    at = {x: sp.Rational(a.numerator, a.denominator), y: sp.Rational(b.numerator, b.denominator)}
    expected = [e, *(sp.diff(e, v) for v in (x, y)), *(sp.diff(e, v, w) for v in (x, y) for w in (x, y))]
    for found, wanted in zip([value.item(), *gradient, *hessian.reshape(-1)], expected, strict=True):
        exact = sp.N(wanted.subs(at), 55)
        found = plain(found)
        digits = (
            sp.Rational(found.numerator, found.denominator) if isinstance(found, Fraction) else sp.Float(str(found), 58)
        )
        assert abs(digits - exact) < sp.Float("1e-48") * max(1, abs(exact))


@given(small, small)
def test_rationals_stay_rational(a, b):
    p, q = Number(a), Number(b)
    for found, wanted in [
        (p + q, a + b), (p - q, a - b), (p * q, a * b), (-p, -a), (p**3, a**3), (3 - p, 3 - a), (2 * p, 2 * a), (abs(p), abs(a)),
        (p + 0.1, a + Fraction(1, 10)), (np.float64(0.7) * p, Fraction(7, 10) * a), (p * np.int64(3), 3 * a),
    ]:  # fmt: skip
        assert type(plain(found)) is Fraction
        assert plain(found) == wanted
    if b:
        assert plain(p / q) == a / b
        assert plain(1 / q) == 1 / b
        assert plain(q**-2) == 1 / b**2
    assert (p < q, p <= q, p > q, p >= q, p == q) == (a < b, a <= b, a > b, a >= b, a == b)
    assert hash(p) == hash(a)


def test_roots_are_rational_where_they_can_be():
    assert plain(ops.sqrt(Number(Fraction(4, 9)))) == Fraction(2, 3)
    assert plain(Number(Fraction(9, 4)) ** 1.5) == Fraction(27, 8)
    assert type(plain(ops.sqrt(Number(2)))) is not Fraction
    assert same(ops.sqrt(Number(2)) ** 2, 2)
    assert not same(ops.sqrt(Number(2)), 1.4142135623730951)
    for name, at, value in (("sin", 0, 0), ("cos", 0, 1), ("exp", 0, 1), ("log", 1, 0), ("tan", 0, 0)):
        assert elementary(name, Fraction(at)) == value
    with pytest.raises(ArithmeticError, match="sqrt of -2 is not real"):
        ops.sqrt(Number(-2))


def test_where_and_maximum_choose():
    a, b = Number(1), Number(2)
    assert ops.maximum(a, b) is b
    assert ops.where(a < b, a, b) is a


def test_generations_do_not_mix():
    """d/da (a · d/db (a b)) at b = 3: the inner derivative is a, the outer 2a."""

    def outer(q):
        (a,) = q
        _, inner = derivatives(lambda r: a * r[0], [Fraction(3)])
        return a * inner[0]

    _, slope = derivatives(outer, [Fraction(5)])
    assert slope[0] == 10


@given(
    st.lists(st.lists(small, min_size=3, max_size=3), min_size=3, max_size=3), st.lists(small, min_size=3, max_size=3)
)
def test_solutions_carry_derivatives(matrix, rhs):
    """A dx = db − dA x, where A and b depend on one variable."""
    assume(abs(np.linalg.det(np.array(matrix, dtype=float))) > 1e-6)
    slope = [[Fraction((3 * i + j) % 4 - 1) for j in range(3)] for i in range(3)]

    def solution(q):
        moved = [[a + s * (q[0] - 1) for a, s in zip(*rows, strict=True)] for rows in zip(matrix, slope, strict=True)]
        return solve(moved, [b * q[0] for b in rhs])

    value, change = derivatives(solution, [Fraction(1)])
    A, dA = np.array(matrix, dtype=object), np.array(slope, dtype=object)
    assert list(A @ value) == rhs
    assert list(A @ change[:, 0]) == list(np.array(rhs) - dA @ value)


def test_a_singular_matrix_is_refused():
    with pytest.raises(ZeroDivisionError, match="singular"):
        solve([[Number(1), 2], [2, Number(4)]], [1, 2])


def test_plain_and_constant_arrays():
    assert base(0.1) == Fraction(1, 10)
    assert base(np.array(0.25)) == Fraction(1, 4)
    found = constants(np.array([[0.1, 2], [3, 4]]))
    assert all(isinstance(v, Number) for v in found.flat)
    assert plain_array(found).tolist() == [[Fraction(1, 10), 2], [3, 4]]
    assert isinstance(constants(0.1), Number)
    with pytest.raises(TypeError):
        Number(1) + "1"
