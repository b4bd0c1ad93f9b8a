"""Straight functions in a compiled loop do, bit by bit, what their lines do in Python."""

import numba as nb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semidirect.core import straight_line
from semidirect.core.straight_line import straight

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


def defined(lines, decorator):
    """A function of these lines."""
    text = "def made(A, W, j, f0, f1, u0, u1):\n" + "".join(f"    {line}\n" for line in lines)
    names = {"np": np, "U": U, "__text__": text}
    exec(compile(text, "<made>", "exec"), names)
    return decorator(names["made"])


def bits(array):
    return np.where(np.isnan(array), np.nan, array).view(np.uint64).tolist()


NUMBERS = st.one_of(st.sampled_from(SPECIAL), st.floats(allow_subnormal=True))


@settings(max_examples=25, deadline=None)
@given(bodies(), st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=4, max_size=4), st.integers(0, 2**64 - 1))
def test_the_instructions_do_what_python_does(body, values, word):
    lines, number, u = body
    lines = [*lines, f"A[j, 2] = {number}", f"W[j] = {u}"]
    function = defined(lines, straight)

    @nb.njit("void(f8[:, ::1], u8[::1], f8[::1], f8[::1], u8, u8)", error_model="numpy")
    def loop(A, W, f0, f1, u0, u1):
        for j in range(f0.size):
            function(A, W, j, f0[j], f1[j], u0, u1)

    f0, f1, inside = np.array(values).T.copy()
    words = U(word), U(word * 7 % 2**64)
    found, expected = (np.tile(inside[:, None], 3) for _ in range(2))
    rows = [np.zeros(4, dtype=U) for _ in range(2)]
    loop(found, rows[0], f0, f1, *words)
    plain = defined(lines, lambda made: made)
    with np.errstate(all="ignore"):
        for j in range(4):
            plain(expected, rows[1], j, f0[j], f1[j], *words)
    assert bits(found) == bits(expected)
    assert rows[0].tolist() == rows[1].tolist()


@straight
def several(a, b):
    """Several results, of which one is of another straight function; repeated lines."""
    for _ in range(3):
        a, b = b, a + b
    return a, half(b), a < b


@straight
def half(x):
    return 0.5 * x


def test_results_are_numbers_bits_and_tuples():
    use = nb.njit(lambda a, b: several(a, b))
    a, b = 1.0, 2.0
    for _ in range(3):
        a, b = b, a + b
    assert use(1.0, 2.0) == (a, 0.5 * b, a < b)


def test_a_product_is_rounded_once_where_that_is_written_alone():
    x = 1 + 2.0**-30
    fused = straight(_fused)
    use = nb.njit(lambda a: fused(a))
    once, twice = use(x)
    assert (once, twice) == (2.0**-29 + 2.0**-60, 2.0**-29)


def _fused(a):
    return straight_line.fma(a, a, -1.0), a * a - 1.0


def test_what_is_not_straight_is_refused():
    function = straight(_loop)
    with pytest.raises(nb.core.errors.TypingError, match="not straight"):
        nb.njit("f8(f8)")(lambda x: function(x))


def _loop(x):
    while x < 1.0:
        x = x + 0.25
    return x
