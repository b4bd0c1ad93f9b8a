"""Functions of time given as text: values and derivatives against SymPy, and that nothing else gets through."""

import pickle

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from semidirect.core.errors import InputError
from semidirect.random.path_expression import Expression, read_expressions

GOOD = [
    "3", "t", "-t", "+t", "pi*t", "sin(t)", "cos(2*t)", "tan(t/3)", "exp(-t)", "log(1 + t)", "sqrt(1 + t*t)",
    "0.1*t**2", "t**-3", "t**0", "t**1", "t**0.5", "t**-1.5", "t**pi", "2**t", "t**t", "(1 + t)**(2*t)", "1/(1 + t)",
    "1e-3*t**7", "0**0.5*t", "sqrt(0)*t", "exp(-(t - 1)**2/2)*cos(5*t)", "2**-t**2", "t - (1 - t) - 1",
    "12/t/t", "(-t)**3",
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_values_and_derivatives_are_those_of_sympy(text):
    t = sympy.Symbol("t", positive=True)
    f = sympy.sympify(text, locals={"t": t}, rational=True)
    times = np.array([0.3, 1.0, 1.7, 2.6])
    for ours, exact in ((Expression(text).value, f), (Expression(text).derivative, sympy.diff(f, t))):
        expected = [float(exact.subs(t, sympy.Rational(time)).evalf(30)) for time in times.tolist()]
        np.testing.assert_allclose(ours(times), expected, rtol=4e-15, atol=1e-15)  # measured 7.6e-16


@pytest.mark.parametrize("text", ["t**2", "t**1", "t**0", "t*t", "3", "sqrt(0)*t", "t**2.5"])
def test_no_nan_at_the_start(text):
    f = Expression(text)
    assert np.isfinite([f.value(0.0), f.derivative(0.0)]).all()


BAD = {
    "sin(x)": "column 5",
    "sin(t": "column 4",
    "t^2": "Powers are written",
    "2t": "column 1",
    "t t": "column",
    "__import__('os')": "column 1",
    "t + open": "column 5",
    "t.real": "column 1",
    "sin.__class__": "column 1",
    "sin": "column 1",
    "sin(t, t)": "column 1",
    "sin(x=t)": "column 1",
    "sin(*t)": "column 5",
    "sin(**t)": "column 1",
    "[t][0]": "column 1",
    "[t for t in t]": "column 1",
    "lambda: t": "column 1",
    "t if t else 1": "column 1",
    "t := 2": "column",
    "t < 1": "column 1",
    "t and t": "column 1",
    "not t": "column 1",
    "~t": "column 1",
    "t // 2": "column 1",
    "t % 2": "column 1",
    "True": "column 1",
    "None": "column 1",
    "1j": "column 1",
    "'t'": "column 1",
    "f'{t}'": "column 1",
    "{t}": "column 1",
    "é + q": "column 1",
    "sin(t) + é*q": "column 10",
    "t # q": "column 3",
    "1/0": "not finite",
    "log(-1)": "not finite",
    "exp(1000)": "not finite",
    "t + 10**400": "column 5",
    "9**9**9**9": "not finite",
    "nan": "column 1",
    "": "not an expression",
    "  ": "not an expression",
    "\x00": "",
    "[]": "empty list",
    "[t, x]": "column 5",
    "[t, [t]]": "column 5",
    "-" * 9000 + "t": "nested",
    "(" * 300 + "t" + ")" * 300: "nested",
    "+".join("t" * 400): "nested",
    "t" * 10_001: "too long",
    "9" * 5000: "",
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: repr(text[:20]))
def test_bad_text_is_refused_with_the_place(text):
    with pytest.raises(InputError) as refusal:
        read_expressions(text)
    assert BAD[text] in str(refusal.value)


@given(st.text(alphabet="t0129.+-*/()[], sincoexplgqrtaπ_'\"{}:=<>!#\n", max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        expressions = read_expressions(text)
    except InputError:
        return
    assert expressions
    assert all(np.shape(e._tree) == () for e in expressions)


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("sin(t)", ["sin(t)"]),
        (" [sin(t), 0.1*t**2]\n", ["sin(t)", "0.1*t**2"]),
        ("[sin(t),\n 0.1\n *t]", ["sin(t)", "0.1 *t"]),
        ("t, 2*t", ["t", "2*t"]),
        (["t", 2, 0.5], ["t", "2.0", "0.5"]),
        (3, ["3.0"]),
    ],
)
def test_lists(source, texts):
    assert [e.text for e in read_expressions(source)] == texts


@pytest.mark.parametrize("source", [[], [True], [None], [["t"]], None, {"t": 1}, b"t"])
def test_other_sources_are_refused(source):
    with pytest.raises(InputError):
        read_expressions(source)


def test_a_list_is_not_an_expression():
    with pytest.raises(InputError):
        Expression("[t, t]")


def test_shapes_and_copies():
    f = Expression("2")
    assert f.value(np.zeros((2, 3))).shape == f.derivative(np.zeros((2, 3))).shape == (2, 3)
    g = pickle.loads(pickle.dumps(Expression("t**2")))
    assert g == Expression("t**2")
    assert g.value(3.0) == 9.0
