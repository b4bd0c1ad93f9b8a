"""Derivatives that remember their parts are the derivatives."""

import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from semidirect.equations.slopes import Slopes

X, Y, Z = sp.symbols("x y z", real=True)
LEAVES = st.one_of(st.sampled_from([X, Y, Z]), st.integers(-3, 3).map(sp.Integer), st.just(sp.Rational(1, 3)))
POWERS = st.sampled_from([2, 3, sp.Rational(1, 2), -1, sp.Rational(-3, 2)])


def larger(parts):
    several = st.lists(parts, min_size=2, max_size=3)
    # the base of a power is positive, so that no power of 0 is met
    powers = st.builds(lambda e, n: sp.Pow(e**2 + 1, n), parts, POWERS)
    functions = st.builds(lambda f, e: f(e), st.sampled_from([sp.sin, sp.cos, sp.exp]), parts)
    roots = parts.map(lambda e: sp.Max(e, 0) + sp.Abs(e + X))
    variable = st.builds(lambda a, b: sp.Pow(a**2 + 2, b), parts, parts)
    return st.one_of(
        several.map(lambda e: sp.Add(*e)), several.map(lambda e: sp.Mul(*e)), powers, functions, roots, variable
    )


EXPRESSIONS = st.recursive(LEAVES, larger, max_leaves=8)


@given(EXPRESSIONS, st.sampled_from([X, Y]))
def test_the_expressions_are_those_of_sympy(e, x):
    assert Slopes()._slope(e, x) == sp.diff(e, x)


@given(st.lists(EXPRESSIONS, min_size=2, max_size=3))
def test_what_was_asked_before_changes_nothing(expressions):
    slopes = Slopes()
    tangents = {X: Y, Y: sp.Integer(2)}
    for e in [*expressions, *expressions]:
        assert slopes.differential(e, tangents) == Slopes().differential(e, tangents)


def test_there_is_no_slope_across_a_jump():
    assert Slopes().slope(X * sp.sign(Y), Y) == 0
    assert Slopes().slope(sp.diff(sp.Abs(X) * Y, X), X) == 0
    assert Slopes().differential(sp.sin(X) * Y, {X: Z}) == sp.cos(X) * Y * Z
