"""Numbers for people: a value has the figures that its error leaves."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.text.printing import with_error

NUMBERS = st.floats(-1e12, 1e12, allow_subnormal=False)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (-0.037791592, 7.7e-3, "-0.0378 ± 0.0077"), (1234.5, 150.0, "1234 ± 150"), (1e-12, 3e-13, "1.00e-12 ± 3.0e-13"),
        (2.5e9, 1e7, "2.500e+09 ± 1.0e+07"), (0.0, 1e-20, "0.0e+00 ± 1.0e-20"), (3.0, 0.0, "3 ± 0"), (math.nan, 1.0, "- ± 1"),
    ],
)  # fmt: skip
def test_a_value_is_written_with_its_error(value, error, text):
    assert with_error(value, error) == text


@given(NUMBERS, st.floats(1e-30, 1e12))
def test_what_is_written_is_the_value_to_a_tenth_of_its_error(value, error):
    shown, its_error = map(float, with_error(value, error).split(" ± "))
    if error <= 1e-12 * abs(value):  # rounding of equal values
        assert its_error == 0
        return
    assert abs(shown - value) <= 0.051 * error + 1e-15 * abs(value)
    assert abs(its_error - error) <= 0.051 * error
