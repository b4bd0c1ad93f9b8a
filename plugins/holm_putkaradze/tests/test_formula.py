"""The language of printed equations."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from semidirect_holm_putkaradze.audit import Formula, flips
from semidirect_holm_putkaradze.audit.flips import one_symbol
from semidirect_holm_putkaradze.audit.writing import written

import semidirect as sd

leaves = st.sampled_from(["m", "r", "ell", "2", "dot(Omega, xi)", "dot(M, s)"])
sums = st.recursive(
    leaves,
    lambda x: st.one_of(
        st.tuples(x, x).map("({0[0]} + {0[1]})".format), st.tuples(x, x).map("({0[0]} - {0[1]})".format),
        st.tuples(x, x).map("{0[0]}*{0[1]}".format), st.tuples(x).map("-{0[0]}".format),
    ), max_leaves=8,
)  # fmt: skip


@given(sums, sums)
def test_flips(left, right):
    """As many as there are signs between terms, and one for the right side; each differs, and flips back."""
    formula = Formula(f"{left} = {right}")
    formulas = list(flips(formula))
    signs = sum(isinstance(n, ast.Add | ast.Sub) for m in formula.members for n in ast.walk(m))
    assert len(formulas) == signs + 1
    for changed in formulas[:-1]:
        dumps = [ast.dump(m) for m in changed.members]
        assert dumps != [ast.dump(m) for m in formula.members]
    originals = [ast.dump(m) for m in formula.members]
    for changed in formulas:
        if any(isinstance(n, ast.Add | ast.Sub) for m in changed.members for n in ast.walk(m)):
            back = [[ast.dump(m) for m in f.members] for f in flips(changed)]
            assert originals in back or changed is formulas[-1]


@given(sums)
def test_written_is_for_people(text):
    assert not set("*,") & set(written(Formula(f"{text} = 0")))


@pytest.mark.parametrize(
    "text", ["a = b[", "__import__('os') = 1", "a.b = 1", "f(x=1) = 0", "1.5 = a", "[1] = 2", "x if y else z = 0"]
)
def test_invalid_formulas_raise_errors(text):
    with pytest.raises(sd.errors.InputError, match="not a formula"):
        Formula(text)


@pytest.mark.parametrize(
    ("printed", "corrected", "slip"),
    [
        ("a = m*r*b", "a = m*r**2*b", True), ("a = s*Y", "a = s*m*Y", True), ("a = (b + c)*dt", "a = b + c", False),
        ("a = f(b, G)*dt + c", "a = f(b, G) + c", True), ("a = b - c", "a = b + c", False), ("a = b*c", "a = b", True),
        ("a = r", "a = R", True), ("a = b*c", "a = b*d*e", False), ("a = p*x - q*y", "a = x - y", False),
        ("a = b", "a = -b", False),
    ],
)  # fmt: skip
def test_slips_of_one_symbol(printed, corrected, slip):
    assert one_symbol(Formula(printed), Formula(corrected)) is slip


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("d(M) + cross(Omega_t, M) = -m*g*ell*chi*dt", "dM + Ω̃ × M = −mgℓχ dt"),
        ("dot(a, b + c) - (d - e) = 0", "a·(b + c) − (d − e) = 0"),
        ("cross(a, cross(b, c)) = I(Omega)/2", "a × (b × c) = 𝕀Ω/2"),
        ("ad_star(Omega_t, Pi - lam) = transpose(Lambda)", "ad*_Ω̃ (Π − λ) = Λᵀ"),
    ],
)
def test_written(text, paper):
    assert written(Formula(text)) == paper
