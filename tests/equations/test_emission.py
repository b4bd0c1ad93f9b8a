"""Emitted functions: the value of the expressions, each operation once, common factors in front."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.equations.emission import exact_function, numerical_function, source
from semidirect.equations.program import Let, Program

X = sp.symbols("x0:4", real=True)
PROGRAM = Program(X, (), {})
numbers = st.fractions(min_value=-3, max_value=3, max_denominator=7)


def expressions():
    """Sums of products of powers, shared and nested."""
    leaves = st.one_of(st.sampled_from(X), numbers.map(lambda q: sp.Rational(q.numerator, q.denominator)))

    def grow(inner):
        pair = st.tuples(inner, inner)
        return st.one_of(
            pair.map(lambda p: p[0] + p[1]), pair.map(lambda p: p[0] - p[1]), pair.map(lambda p: p[0] * p[1]),
            st.tuples(inner, st.integers(-3, 5)).map(lambda p: p[0] ** p[1] if p[0] != 0 else p[0]),
            pair.map(lambda p: p[0] / (1 + p[1] ** 2)),
        )  # fmt: skip

    return st.recursive(leaves, grow, max_leaves=12)


@given(outputs=st.lists(expressions(), min_size=1, max_size=3), values=st.lists(numbers, min_size=4, max_size=4))
def test_exact_values(outputs, values):
    at = dict(zip(X, (sp.Rational(v.numerator, v.denominator) for v in values), strict=True))
    wanted = [e.xreplace(at) if isinstance(e, sp.Basic) else e for e in outputs]
    assume(all(w.is_finite for w in wanted))
    try:
        found = exact_function(PROGRAM, outputs, X)(*values)
    except ZeroDivisionError:  # of a part that vanishes where it stands below
        assume(False)
    assert [Fraction(int(sp.numer(w)), int(sp.denom(w))) for w in wanted] == [Fraction(f) for f in found]


@given(outputs=st.lists(expressions(), min_size=1, max_size=3))
def test_no_operation_is_written_twice_and_none_for_a_sign(outputs):
    lines = [line.strip().split(" = ", 1) for line in source(PROGRAM, outputs, X).splitlines()[1:-1]]
    codes = [code for _, code in lines]
    assert len(set(codes)) == len(codes)
    assert all(len(code.split()) == 3 or code.startswith(("-", "1.0 /")) for code in codes)
    names = {name for name, code in lines if code.startswith("-")}  # signs are written for results only
    assert not any(name in code.replace("-", " ").split() for name in names for code in codes)


def test_common_factors_come_out():
    a, b, c, d = X
    assert operations([a * b + a * c + a * d]) == 3
    assert operations([a**2 * b - a**2 * c]) == 3
    assert operations([b / d + c / d]) == 2
    assert operations([a * b - c * d, c * d - a * b]) == 4  # the second is the negative of the first
    assert operations([-a - b, (a + b) * c]) == 3


def operations(outputs):
    return len(source(PROGRAM, outputs, X).splitlines()) - 2


def test_a_sum_that_stands_once_is_multiplied_out_where_that_is_shorter():
    """n × s for n = Σ_i n_i w_i is not three cross products: w₁ n₁ × s + w₂ n₂ × s = (w₁ n₁ + w₂ n₂) × s."""
    n = sp.symbols("n1:7", real=True)
    s, w = sp.symbols("s1:3", real=True), sp.symbols("w1:3", real=True)
    inputs = (*n, *s, *w)
    e = w[0] * (n[0] * s[1] - n[1] * s[0]) + w[1] * (n[2] * s[1] - n[3] * s[0])
    sums = [w[0] * n[0] + w[1] * n[2], w[0] * n[1] + w[1] * n[3]]
    lines = source(Program(inputs, (), {}), [e, *sums], inputs).splitlines()[1:-1]
    assert len(lines) == 9
    assert sum(map(sp.count_ops, [e, *sums])) == 15


def test_what_is_the_same_for_all_paths_is_multiplied_first():
    a, b, c, d = X
    text = source(PROGRAM, [a * b * c * d], X, uniform=[b, d])
    assert "v0 = x1 * x3" in text


def test_the_increment_of_the_ball_is_short():
    """As many operations as the derivation needs; 291 were written before common factors came out."""
    model = sd.load("rolling-ball", noise=np.eye(3).tolist()).workings.model()
    y, m = np.linspace(0.1, 0.6, 6), model.wieners
    model.field(y, 0.0, 0.01, np.zeros(m))
    lines = model.structure.text("field", str).splitlines()
    assert 150 < len(lines) < 190


def test_statements_are_followed_on_demand():
    a, b, c, _ = X
    program = Program(X, (Let((sp.Symbol("y"),), (a + b,)), Let((sp.Symbol("z"),), (sp.log(c),))), {})
    function = numerical_function(program, [sp.Symbol("y") ** 2, -sp.Symbol("y")], X)
    assert function(1.0, 2.0, -1.0, 0.0) == (9.0, -3.0)


@pytest.mark.parametrize("batch", [(), (5,)])
def test_zero_stays_a_structural_zero(batch):
    a, b, _, _ = X
    program = Program(X, (Let((sp.Symbol("z"),), (sp.Integer(0),)),), {})
    found = numerical_function(program, [sp.Symbol("z") * a, a + sp.Symbol("z"), sp.Symbol("z") - b], X)(
        *np.ones((4, *batch))
    )
    assert found[0] == 0
    np.testing.assert_array_equal(found[1], np.ones(batch))
    np.testing.assert_array_equal(found[2], -np.ones(batch))
