"""The elementary functions of kernels are those of NumPy runs, bit for bit, everywhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from semidirect.compile import lane_functions
from semidirect.core import elementary
from semidirect.machine.cache.compiled_function import CompiledFunction

NAMES = ["sin", "cos", "exp", "log", "sqrt", "absolute"]


@pytest.fixture(scope="module")
def lanes():
    text = "def loop(x: f8[:], out: f8[:], n: i8):\n    for j in range(n):\n        out[j] = {}(x[j])\n"
    return {name: CompiledFunction.of_text(text.format(name), "loop", vars(lane_functions)) for name in NAMES}


def agree(loop, name, x):
    x = np.ascontiguousarray(x, dtype=float)
    out = np.empty_like(x)
    loop(x, out, x.size)
    with np.errstate(all="ignore"):
        expected = getattr(elementary, name)(x)
    # whether a nan has a sign is not said by IEEE 754, and no run depends on it
    bits, wanted = (np.where(np.isnan(v), np.nan, v).view(np.uint64) for v in (out, expected))
    different = np.flatnonzero(bits != wanted)
    assert not different.size, (x[different[0]], out[different[0]], expected[different[0]])


SPECIAL = [0.0, 5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1e-308, 1e-160, 0.5, 1.0, np.pi / 4, np.pi / 2, np.pi,
           700.0, 709.78, 709.79, 710.0, 745.1, 745.2, 746.0, 750.0, 2.0**20, 2.0**45, np.nextafter(2.0**45, np.inf), 1e100,
           1e300, 1.7976931348623157e308, np.inf, np.nan]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_special_values(lanes, name):
    assert len(SPECIAL) == 27
    agree(lanes[name], name, [*SPECIAL, *(-x for x in SPECIAL)])


REGIMES = {
    "any": st.floats(),
    "subnormal": st.floats(-2.3e-308, 2.3e-308),
    "near 1": st.floats(0.5, 2.0),
    "angles": st.floats(-1e3, 1e3),
    "large angles": st.floats(-4e13, 4e13),
    "exponents": st.floats(-760, 760),
    "near multiples of pi/2": st.builds(lambda n, e: n * (np.pi / 2) + e, st.integers(-(10**6), 10**6), st.floats(-1e-9, 1e-9)),
}  # fmt: skip


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("name", NAMES)
def test_bits_in_every_regime(lanes, name, regime):
    @given(x=hnp.arrays(np.float64, st.integers(1, 67), elements=REGIMES[regime]))
    def check(x):
        agree(lanes[name], name, x)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_bits_of_a_million_numbers(lanes, name):
    rng = np.random.default_rng(7)
    agree(lanes[name], name, rng.integers(0, 2**64, 10**6, dtype=np.uint64).view(np.float64))
    agree(lanes[name], name, rng.uniform(-800, 800, 10**6))


def test_the_comparison_detects_another_function(lanes):
    with pytest.raises(AssertionError):
        agree(lanes["sin"], "cos", [0.5])
