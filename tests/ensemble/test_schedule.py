"""Which times a run keeps, and how many steps it takes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.core.errors import InputError
from semidirect.specification.schedule import selected_steps, steps_of


@given(steps=st.integers(1, 10**7), dt=st.floats(1e-6, 10))
def test_a_multiple_of_the_step_is_that_many_steps(steps, dt):
    assert steps_of(steps * dt, dt) == steps


@pytest.mark.parametrize(
    ("t_end", "dt", "steps"), [(0.3, 0.1, 3), (1, 1 / 3, 3), (50, 0.02, 2500), (np.float32(2), 1, 2)]
)
def test_steps(t_end, dt, steps):
    assert steps_of(t_end, dt) == steps


@given(steps=st.integers(0, 1000), part=st.floats(1e-3, 0.999))
def test_part_of_a_step_is_refused_with_what_would_do(steps, part):
    with pytest.raises(InputError, match="t_end is not a multiple of dt") as caught:
        steps_of((steps + part) * 0.25, 0.25)
    assert caught.value.expected == "a whole number of steps"
    near = max(1, round(steps + part))
    assert f"Take t_end = {near * 0.25:.12g}" in caught.value.hint


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, "1", None])
@pytest.mark.parametrize("name", ["t_end", "dt"])
def test_times_are_positive_finite_numbers(name, value):
    with pytest.raises(InputError, match="a positive finite number of seconds") as caught:
        steps_of(**{"t_end": 1.0, "dt": 0.1, name: value})
    assert caught.value.what == name
    assert caught.value.got == repr(value)


@pytest.mark.parametrize(
    ("save", "expected"),
    [
        ("all", [0, 1, 2, 3, 4, 5]),
        ("final", [5]),
        ("every:2", [0, 2, 4, 5]),
        ("every:5", [0, 5]),
        ("every:99", [0, 5]),
        ("times:0.2, 0.4", [2, 4, 5]),
        ("times:[0.4,0.2,0.2]", [2, 4, 5]),
        ([0.1, 0.3], [1, 3, 5]),
        (np.array([0.5]), [5]),
        ((), [5]),
    ],
)
def test_selected_steps_hold_the_last(save, expected):
    np.testing.assert_array_equal(selected_steps(save, 5, 0.1), expected)


@pytest.mark.parametrize(
    "save",
    ["", "every", "every:0", "every:-1", "every:x", "times", "times:a", "some", None, 3, ["a"], [[0.1]], {"t": 1}],
)
def test_invalid_schedules_raise_errors(save):
    with pytest.raises(InputError, match="expected final, all, every:K, times"):
        selected_steps(save, 5, 0.1)


@pytest.mark.parametrize("time", [0.15, -0.1, 0.6, np.nan, np.inf])
def test_other_times_are_refused(time):
    with pytest.raises(InputError, match=r"a multiple of 0.1 from 0 to 0.5"):
        selected_steps([0.1, time], 5, 0.1)


def test_more_times_than_fit_are_refused_before_they_are_made():
    for save in ("all", "every:10"):
        with pytest.raises(InputError, match=r"too many times to save.*every:K"):
            selected_steps(save, 10**12, 1e-6)
    np.testing.assert_array_equal(selected_steps("final", 10**12, 1e-6), [10**12])


@given(t_end=st.floats(1e-300, 1e300), shrink=st.floats(1e-320, 1e-17))
def test_a_step_that_is_too_small_to_be_numbered_is_refused(t_end, shrink):
    dt = t_end * shrink
    with pytest.raises(InputError, match="fewer than 2" if dt else "positive finite"):
        steps_of(t_end, dt)
