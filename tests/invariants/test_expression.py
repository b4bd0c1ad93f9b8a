"""Expressions as text: arithmetic on names, and nothing else."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.expressions.expression_sizes.expanded import expanded_size
from semidirect.expressions.expression_sizes.limits import AT_POINTS
from semidirect.expressions.expression_text.evaluation import evaluate_expression

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


X = [sp.Symbol(f"x{i}") for i in range(3)]
SYMBOLS = {"M": np.array(X, dtype=object), "q": sp.Symbol("q")}


@settings(max_examples=8)
@given(data=st.data())
def test_a_sum_or_product_may_be_long(data):
    """Up to 2,000 terms, whatever stands between them: the length of a sum is not the depth of an expression."""
    operators = data.draw(st.sampled_from(["+", "-", "+-", "*/", "+-*"]))
    count = data.draw(st.integers(2, 2000))
    draw = data.draw(st.randoms(use_true_random=False))
    text, total, product = "2", Fraction(0), Fraction(2)
    for _ in range(count):
        operator, n = draw.choice(operators), draw.randint(1, 3)
        text += f"{operator}{n}"
        if operator in "+-":
            total, product = total + product, Fraction(n if operator == "+" else -n)
        else:
            product *= Fraction(n) if operator == "*" else Fraction(1, n)
    assert evaluate_expression(text, NAMES) == total + product


def test_a_long_sum_is_a_sum():
    """Of symbols and of vectors, added in seconds; measured 0.2 s."""
    terms = [f"{i}*M[{i % 3}]**{i % 7}*q**{i % 11}" for i in range(1, 200)]
    names = {"M": np.array(X, dtype=object), "q": sp.Symbol("q"), "v": np.array([1, 2, 3])}
    expected = [i * X[i % 3] ** (i % 7) * names["q"] ** (i % 11) for i in range(1, 200)]
    assert evaluate_expression(" - ".join(terms), names, AT_POINTS) == sp.Add(expected[0], *(-e for e in expected[1:]))
    assert list(evaluate_expression("v" + " + v" * 1500, names)) == [1501, 3002, 4503]
    with pytest.raises(InputError, match="different shapes"):
        evaluate_expression("1 + " * 300 + "v", names)
    with pytest.raises(InputError, match="up to 2000 terms"):
        evaluate_expression("m+" * 4900 + "m", NAMES)


def tower(depth, form, start="M[0]"):
    for _ in range(depth):
        start = form.format(start)
    return start


def short_trees():
    """Small expressions of symbols, whose expansions can be counted."""
    leaf = st.sampled_from(["M[0]", "M[1]", "q", "2", "3"])

    def combined(inner):
        pair = st.tuples(inner, inner)
        return st.one_of(
            pair.map(lambda p: f"({p[0]} + {p[1]})"), pair.map(lambda p: f"({p[0]})*({p[1]})"),
            st.tuples(inner, st.integers(1, 3)).map(lambda p: f"({p[0]})**{p[1]}"),
        )  # fmt: skip

    return st.recursive(leaf, combined, max_leaves=5)


@settings(max_examples=40)
@given(short_trees())
def test_the_estimated_size_is_an_upper_bound(text):
    value = sp.sympify(evaluate_expression(text, SYMBOLS))
    size, whole = expanded_size(value), sp.expand(value)
    terms = sp.Add.make_args(whole)
    assert size.terms >= len(terms)
    assert size.factors >= sum(len(sp.Mul.make_args(term)) for term in terms)
    if whole.free_symbols:
        assert size.degree >= sp.Poly(whole).total_degree()
    assert size.bits >= max(int(c.p).bit_length() for c in whole.as_coefficients_dict().values())


LARGE = [
    "(((M[0]**64)**64)**64)**64", "(M[0]+M[1]+M[2])**64", "(M[0]+M[1])**64*(M[1]+M[2])**64", tower(9, "({})**8"),
    tower(9, "(1+{})**2"), "*".join(["(M[0]+M[1]+M[2]+q)"] * 50), tower(20, "1/(1+{})"), tower(20, "sqrt(1+{})"),
    tower(20, "sin({})"), "(M[0]**0.5)**64*M[1]**64*q**64*M[0]**64*M[2]**64*q**64", "1/(M[0]+M[1]+M[2])**63",
    "sin((M[0]+M[1]+M[2])**63)", "norm([M[0]+M[1]+M[2], q, 1]*1)**63", tower(12, "cross({0}, cross(M, {0}))", "M"),
    "1e2500*M[0]*1e2500", "(9**64*M[0]+1)**60", "[(M[0]+M[1]+M[2])**40, (M[0]+M[1]+q)**40, (M[0]+M[2]+q)**40]",
    "(sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7))**40", "(M[0]/M[1]+M[1]/M[2]+M[2]/q)**64", "1/(1+1/(1+M[0])**64)**64",
]  # fmt: skip


@pytest.mark.parametrize("text", LARGE)
def test_too_large_expansions_are_rejected_at_once(text):
    with pytest.raises(InputError) as caught:  # in 0.03 s
        evaluate_expression(text, SYMBOLS)
    assert len(str(caught.value)) < 600


def test_the_refusal_of_a_large_expression_says_how_large_where_and_what_to_do():
    with pytest.raises(
        InputError, match=r"too large: expected at most 3000 factors when multiplied out, got about 8\.6e\+03"
    ) as caught:
        evaluate_expression("1 + (M[0]+M[1]+M[2])**64", SYMBOLS)
    assert "column 5" in str(caught.value)
    assert "Use lower powers" in str(caught.value)


@pytest.mark.parametrize(
    "text", ["M[0]**64", "(M[0]*M[1]*q)**64", "(M[0]+M[1])**64", "(M[0]+M[1]+M[2])**20", "(q+1)**-64", "M[0]/q**64"]
)
def test_what_is_small_when_multiplied_out_is_taken_whatever_its_exponent(text):
    assert evaluate_expression(text, SYMBOLS) == sp.sympify(
        text.replace("M[0]", "x0").replace("M[1]", "x1").replace("M[2]", "x2")
    )


@pytest.mark.parametrize("text", ["energy**4", "jellett**6", "energy**64", "1/(1+1/(1+energy**16))"])
def test_proofs_take_powers_that_are_too_large_to_write_out(text):
    sphere = sd.load("routh-sphere")
    assert sphere.prove(text, along="drift", seed=1).holds  # tenths of a second
    assert sphere.prove(f"{text} + Omega[0]/1000", along="drift", seed=1).along("drift").holds is False
    with pytest.raises(InputError, match="too large"):
        sphere.evolution(text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(energy**64)**64", "as its degree"),
        (tower(8, "({0}+{0}*Omega[0]+1)", "energy"), "operations"),
        (tower(9, "1/(1+{})", "energy"), "inside each other"),
        ("(9**64*Omega[0]+1)**60", "binary digits"),
    ],
)
def test_proofs_of_what_is_large_are_refused_at_once(text, what):
    sphere = sd.load("routh-sphere")
    with pytest.raises(InputError, match=f"too large.*{what}"):  # in 0.1 s, beside the derivation
        sphere.prove(text)
