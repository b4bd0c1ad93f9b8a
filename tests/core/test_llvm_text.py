"""A compiled function does, bit by bit, what its text does in Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semidirect.machine import llvm_functions as llvm_text
from semidirect.machine.cache.compiled_function import CompiledFunction
from semidirect.machine.cache.machine_code import object_code
from semidirect.machine.llvm_functions import NotCompiledError, fma, functions_of

U = np.uint64
SPECIAL = [0.0, -0.0, 1.0, -1.5, 5e-324, 1e300, -1e308, np.inf, -np.inf, np.nan]
BINARY = {"f": ["+", "-", "*", "/"], "u": ["+", "-", "*", "&", "|", "^"], "b": ["&", "|"]}


@st.composite
def bodies(draw):
    """Lines on numbers ``f``, words ``u`` and bits ``b``, each line a name; the arguments are f0, f1, u0, u1."""
    names = {"f": ["f0", "f1", "A[j, 1]", "0.5", "2.0"], "u": ["u0", "u1", "U(12345)"], "b": ["True"]}
    lines = []
    for k in range(draw(st.integers(1, 25))):
        kind = draw(st.sampled_from(["f", "f", "u", "b"]))
        pick = lambda of: draw(st.sampled_from(names[of]))  # noqa: E731
        form = draw(st.sampled_from(["binary", "choice", "own"]))
        if kind == "b" and form != "binary":
            of = draw(st.sampled_from(["f", "u"]))
            first = draw(st.sampled_from([name for name in names[of] if name[0] == of]))
            code = f"{first} {draw(st.sampled_from(['<', '<=', '>', '>=', '==', '!=']))} {pick(of)}"
        elif form == "binary":
            code = f"{pick(kind)} {draw(st.sampled_from(BINARY[kind]))} {pick(kind)}"
        elif form == "choice":
            code = f"{pick(kind)} if {pick('b')} else {pick(kind)}"
        elif kind == "f":
            code = draw(st.sampled_from(["np.sqrt({})", "np.abs({})", "np.rint({})", "np.floor({})", "-{}"])).format(
                pick("f")
            )
        else:
            code = f"{pick('u')} {draw(st.sampled_from(['<<', '>>']))} U({draw(st.integers(0, 63))})"
        lines.append(f"{kind}{k + 2} = {code}")
        names[kind].append(f"{kind}{k + 2}")
    return lines, draw(st.sampled_from(names["f"])), draw(st.sampled_from(names["u"]))


def machine_code(text, **processor):
    """The only function of a text, compiled."""
    (name,) = functions_of(text)
    assembly = llvm_text.llvm_text(text, name, {**globals(), **vars(llvm_text)})
    kinds = [a.kind if a.lengths is None else "array" for a in assembly.arguments]
    return CompiledFunction(name, kinds, object_code(assembly.text, **processor), False)


def python(text):
    """The same in Python."""
    names = {**globals(), **vars(llvm_text)}
    exec(compile(f"from __future__ import annotations\n{text}", "<made>", "exec"), names)
    return names[next(iter(functions_of(text)))]


def indented(n, lines):
    return "".join(f"{' ' * n}{line}\n" for line in lines)


def bits(array):
    return np.where(np.isnan(array), np.nan, array).view(np.uint64).tolist()


NUMBERS = st.one_of(st.sampled_from(SPECIAL), st.floats(allow_subnormal=True))


@settings(max_examples=25, deadline=None)
@given(bodies(), st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=4, max_size=4), st.integers(0, 2**64 - 1))
def test_the_instructions_do_what_python_does(body, values, word):
    lines, number, u = body
    lines = [*lines, f"A[j, 2] = {number}", f"W[j] = {u}"]
    text = "def run(A: f8[:, 3], W: u8[:], x: f8[:], y: f8[:], u0: u8, u1: u8):\n    for j in range(4):\n"
    text += indented(8, ["f0, f1 = x[j], y[j]", *lines])
    x, y, inside = np.array(values).T.copy()
    words = word, word * 7 % 2**64
    found, expected = (np.tile(inside[:, None], 3) for _ in range(2))
    rows = [np.zeros(4, dtype=U) for _ in range(2)]
    machine_code(text)(found, rows[0], x, y, *words)
    with np.errstate(all="ignore"):
        python(text)(expected, rows[1], x, y, *map(U, words))
    assert bits(found) == bits(expected)
    assert rows[0].tolist() == rows[1].tolist()


@st.composite
def programs(draw, depth=0, names=("a", "b", "k")):
    """Statements with loops, conditions and early ends, on integers, which bind the names of the function again."""
    lines = []
    for n in range(draw(st.integers(1, 4))):
        form = draw(st.sampled_from(["set", "set", "change", "if", "for", "new"] if depth < 3 else ["set", "change"]))
        name, other = draw(st.sampled_from(["a", "b"])), draw(st.sampled_from(names))
        if form == "set":
            lines.append(f"{name} = {other} {draw(st.sampled_from('+-*^&'))} {draw(st.integers(-5, 5))}")
        elif form == "change":
            lines.append(f"{name} {draw(st.sampled_from(['+=', '-=', '|=']))} {other}")
        elif form == "new":
            fresh = f"n{depth}{n}"
            lines += [f"{fresh} = {name} - {other}", f"{name} = {fresh} if {fresh} < b else {fresh} - 3"]
        else:
            inner = draw(programs(depth + 1, (*names, f"i{depth}") if form == "for" else names))
            test = f"{name} {draw(st.sampled_from(['<', '>=', '==']))} {draw(st.integers(-9, 9))} or a & 7 == {n}"
            if form == "if":
                lines += [f"if {test}:", *(f"    {line}" for line in inner)]
            else:
                end = draw(st.sampled_from(["range(3)", "range(1, k)", "range(1)", "range(0)"]))
                lines += [
                    f"for i{depth} in {end}:",
                    *(f"    {line}" for line in inner),
                    f"    if {test}:",
                    "        break",
                ]
    return lines


@settings(max_examples=40, deadline=None)
@given(programs(), st.integers(-20, 20), st.integers(-20, 20), st.integers(-1, 5))
def test_loops_and_conditions_do_what_python_does(lines, a, b, k):
    text = "def run(out: i8[:], a: i8, b: i8, k: i8):\n" + indented(4, [*lines, "out[0], out[1] = a, b"])
    found, expected = (np.zeros(2, dtype=np.int64) for _ in range(2))
    machine_code(text)(found, a, b, k)
    with np.errstate(all="ignore"):
        python(text)(expected, *(np.int64(n) for n in (a, b, k)))
    assert found.tolist() == expected.tolist()


def test_arrays_have_lengths_that_are_arguments():
    text = """
def run(out: f8[:, n, 3], m: i8, n: i8):
    for a in range(m):
        for b in range(n):
            for c in range(3):
                out[a, b, c] = out[a, b, 2 - c + 0] + 100 * a + 10 * b + c
            out[a, b, 1] += 0.5
"""
    found, expected = (np.arange(2.0 * 4 * 3).reshape(2, 4, 3) for _ in range(2))
    machine_code(text)(found, 2, 4)
    python(text)(expected, 2, 4)
    np.testing.assert_array_equal(found, expected)


def several(a, b):
    """Several results, of which one is of another function; repeated lines."""
    for _ in range(3):
        a, b = b, a + b
    return a, half(b), a < b


def half(x):
    return 0.5 * x


def test_functions_are_put_in_the_place_of_their_calls():
    out, bits = np.zeros(2), np.zeros(1, dtype=np.int64)
    text = "def run(out: f8[:], bits: i8[:], a: f8, b: f8):\n    out[0], out[1], bits[0] = several(a, b)\n"
    machine_code(text)(out, bits, 1.0, 2.0)
    assert (*out, *bits) == several(1.0, 2.0) == (5.0, 4.0, True)


@pytest.mark.parametrize("processor", [{}, {"cpu": "generic", "features": ""}])
def test_a_product_is_rounded_once_where_that_is_written_alone(processor):
    """Also where the processor has no such instruction."""
    out = np.zeros(2)
    text = "def run(out: f8[:], a: f8):\n    out[0], out[1] = fma(a, a, -1.0), a * a - 1.0\n"
    machine_code(text, **processor)(out, 1 + 2.0**-30)
    assert tuple(out) == (2.0**-29 + 2.0**-60, 2.0**-29)
    with pytest.raises(NotImplementedError):
        fma(1.0, 1.0, 1.0)


def test_a_number_as_a_condition_is_true_if_it_is_not_0():
    """Conditions stored beside doubles are doubles."""
    text = "def run(A: f8[:], x: f8[:]):\n    for j in range(10):\n        A[j] = 1.0 if x[j] else 2.0\n"
    found, expected = np.zeros((2, len(SPECIAL)))
    for function, out in ((machine_code(text), found), (python(text), expected)):
        function(out, np.array(SPECIAL))
    assert found.tolist() == expected.tolist() == [2.0 if x == 0 else 1.0 for x in SPECIAL]


REFUSED = {
    "while x < 1.0:\n        x = x + 0.25": "while",
    "A[0] = x[0]": "x is no array",
    "A[0] = A[0, 0]": "another number of axes",
    "A[0] = w + n": "arithmetic of numbers of the type",
    "A[0] = w": "has the type f8 and gets u8",
    "A[0] = x & 1": "and of f8",
    "A[0] = missing": "missing is not known",
    "for k in range(3):\n        y = x\n    A[0] = y": "y is not known",
    "A[0] = np.sin(x)": "np.sin",
    "A[x] = 1.0": "the index x",
    "for k in range(3):\n        x = n": "has the type f8 and gets i8",
    "print(x)": "print",
    "for k in range(0, n, 2):\n        A[0] = x": "range",
    "for k in range():\n        A[0] = x": "range",
    "for k in range(x):\n        A[0] = x": "has the type i8 and gets f8",
    "A[0] = np.sqrt(w)": "has the type f8 and gets u8",
    "A[0] = np.nothing(x)": "nothing",
    "return x": "returns a value",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_outside_the_language_is_refused(line):
    with pytest.raises(NotCompiledError, match=REFUSED[line]):
        machine_code(f"def run(A: f8[:], x: f8, n: i8, w: u8):\n    {line}\n")


LINES = (
    "A[0] = A[1] = x",
    "n = 7\n    for n in range(3):\n        A[0] = x\n    A[1] = n",
    "A[-1] = x",
    "A[0] = -True",
    "A[0] = n or 5",
    "A[0] = (x > 0.0) + (x > 1.0)",
    "A[0] = (x > 0.0) & (x > 1.0)",
    "A[0] = np.sqrt(n)",
    "A[0] = np.abs(x, x)",
    "A[0] = x ** 2",
    "A[0] = 2 ** 3",
    "A[0] = 1 / 0",
    "A[0] = 10 ** 400",
    "A[0] = x % 2",
    "A[0] = x // 2",
    "A[0] = 7 // 2",
    "A[0] = n / 2",
    "A[0] = not x",
    "A[0] = ~n",
    "A[0] = +x",
    "A[0] = x is None",
    "A[0] = x in (1.0, 2.0)",
    "A[0] = 0.0 < x < 1.0",
    "A[0] = None",
    "A[0] = 'text'",
    "A[0] = 1j",
    "A[0] = [x][0]",
    "A[0] = (x, x)[1]",
    "A[0], A[1] = x, x, x",
    "A[0] = sum([x, x])",
    "A[0:2] = x",
    "A[0] = (y := x)",
    "A[0] = max(x, 1.0)",
    "A[0] = float(n)",
    "A[0] = A.size",
    "A[0] = np.pi",
    "A[0] = half(x=x)",
    "A[0] = half(x, x)",
    "A[0] = half(half)",
    "A[0] = (lambda v: v)(x)",
    "A[0] = [v for v in (x,)][0]",
    "y: float = x\n    A[0] = y",
    "del x",
    "pass",
    "assert x",
    "import math",
    "global Z\n    Z = x",
    "raise ValueError",
    "A[0] = n << 2",
    "A[0] = np.int64(n)",
    "A[0] = np.uint64(-1)",
    "A[0] = np.float64(x)",
    "A[0] = 99999999999999999999 * n",
    "A[0] = n * 1.5",
    "n += 1\n    A[0] = n * 0.5",
    "x += n\n    A[0] = x",
    "if x > 0.0:\n        return\n    A[0] = x",
    "for k in range(2):\n        return",
    "while True:\n        break",
    "A[0] = x\n    return",
    "for _ in range(3):\n        for k in range(4):\n            A[0] = A[0] + x",
    "for _ in range(3):\n        A[0] = A[0] + x\n        break",
    "for k in range(n):\n        for _ in range(3):\n            A[0] = A[0] + x\n            break",
    "for k, m in ((1, 2), (3, 4)):\n        A[0] = k",
    "for k in [1, 2]:\n        A[0] = k",
    "for k in range(n):\n        continue",
    "for k in range(3):\n        A[0] = k * 1.0\n    else:\n        A[0] = x",
    "for A[0] in range(3):\n        x = x",
    "for k in range(True):\n        A[0] = x",
    "for _ in range(n):\n        A[0] = x",
    "try:\n        A[0] = x\n    finally:\n        x = x",
    "with x:\n        A[0] = x",
    "def inner(v):\n        return v\n    A[0] = inner(x)",
    "A[0] = f'{x}'",
    "x()",
    "A()",
    "A[0] = A",
    "A = x",
    "x[0] = 1.0",
    "(x).y = 1.0",
    "*B, y = x, x\n    A[0] = y",
    "prefer_vectors(x)",
    "prefer_vectors()",
    "A[half] = x",
)
"""Of all kinds of statements and expressions."""


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_refused_in_our_words_or_does_what_it_does_in_python(line):
    text = f"def run(A: f8[:], x: f8, n: i8):\n    {line}\n"
    try:
        function = machine_code(text)
    except NotCompiledError:
        return
    found, expected = np.arange(4.0), np.arange(4.0)
    function(found, 1.25, 3)
    python(text)(expected, 1.25, 3)
    assert bits(found) == bits(expected)


ARGUMENTS = (
    "x", "x: f4", "A: f8[n]", "A: f8[:, n], n: f8", "A: f8[:, m]", "A: f8[:, 1.5]", "A: f8[:, n + 1], n: i8", "A: f4[:]",
    "A: f8[:, -1]", "x: f8 = 1.0", "*x: f8", "*, x: f8", "x: f8, /", "**x: f8",
)  # fmt: skip


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_arguments_of_other_types_are_refused(arguments):
    with pytest.raises(NotCompiledError):
        machine_code(f"def run({arguments}):\n    y = 1.0\n")
