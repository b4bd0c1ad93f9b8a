"""Expressions as text: arithmetic on names, and nothing else."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from semidirect.core.errors import InputError, UnknownNameError
from semidirect.core.expression import evaluate_expression

V = np.array([Fraction(1, 2), Fraction(-2), Fraction(3)], dtype=object)
W = np.array([Fraction(1), Fraction(5), Fraction(-1, 3)], dtype=object)
NAMES = {
    "v": V,
    "w": W,
    "m": Fraction(3, 2),
    "E": np.array([[1, 2], [3, 4]], dtype=object),
    "late": lambda: Fraction(7),
    "q": sp.Symbol("q"),
}


def trees():
    """Pairs of an expression and its value in fractions."""
    leaf = st.one_of(
        st.integers(0, 9).map(lambda n: (str(n), Fraction(n))), st.just(("m", NAMES["m"])), st.just(("v[1]", V[1])),
        st.just(("dot(v, w)", sum(V * W))), st.just(("0.25", Fraction(1, 4))), st.just(("late", Fraction(7))),
    )  # fmt: skip

    def combined(inner):
        pair = st.tuples(inner, inner)
        return st.one_of(
            pair.map(lambda p: (f"({p[0][0]} + {p[1][0]})", p[0][1] + p[1][1])),
            pair.map(lambda p: (f"({p[0][0]} - {p[1][0]})", p[0][1] - p[1][1])),
            pair.map(lambda p: (f"({p[0][0]})*({p[1][0]})", p[0][1] * p[1][1])),
            inner.map(lambda p: (f"(-{p[0]})", -p[1])),
            inner.map(lambda p: (f"({p[0]})**2", p[1] ** 2)),
        )

    return st.recursive(leaf, combined, max_leaves=8)


@given(trees())
def test_values_are_exact(tree):
    text, value = tree
    assert evaluate_expression(text, NAMES) == value


def test_vectors():
    assert list(evaluate_expression("cross(v, w)", NAMES)) == list(np.cross(V, W))
    assert list(evaluate_expression("2*v - w/4", NAMES)) == list(2 * V - W / 4)
    assert list(evaluate_expression("[m, 1, v[2]]", NAMES)) == [NAMES["m"], 1, 3]
    assert evaluate_expression("E[1, 0]", NAMES) == 3
    assert evaluate_expression("4**0.5 + 2**-1", NAMES) == Fraction(5, 2)


@pytest.mark.parametrize("text", [
    "__import__('os')", "v.dtype", "(lambda: 1)()", "[x for x in v]", "v if m else w", "m < 1", "m and m", "f'{m}'", "'m'",
    "True", "1j", "m @ m", "m // 2", "m % 2", "~m", "dot(v, w=w)", "dot(*v)", "v[:2]", "v[-1]", "v[m]", "m[0]", "v[3]", "dot(v)",
    "dot(m, m)", "v*w", "v + m", "m/v", "v**2", "2**q", "2**v", "2**1000", "m/0", "0**-1", "sqrt(-1)",
    "1e99999999", "((2**64)**64)**64", "m # c", "", "  ",
    "m +", "exec(m)", "m := 2", "norm(m)", "cross([1, 2], [3, 4])", "Omega^2",
])  # fmt: skip
def test_refused(text):
    with pytest.raises(InputError):
        evaluate_expression(text, NAMES)


def test_refusals_name_the_place():
    with pytest.raises(InputError, match=r"column 6.*Powers are written \*\*"):
        evaluate_expression("1 + (m^2)", NAMES)
    with pytest.raises(UnknownNameError, match="Did you mean"):
        evaluate_expression("latte + 1", NAMES)
    with pytest.raises(InputError, match="nested too deeply"):
        evaluate_expression("-" * 500 + "m", NAMES)
    with pytest.raises(InputError, match="too long"):
        evaluate_expression("m+" * 6000 + "m", NAMES)
