"""Labels of steps: the nearest float to n·p/q, with the simplest fraction p/q that rounds to dt."""

from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from semidirect.specification.time_labels import (
    label,
    labels,
    labels_within,
    nearest_steps,
    simplest_fraction,
    step_times,
)

STEPS = [0.1, 0.01, 0.02, 0.005, 1 / 30, 1 / 3, 2 / 3, 0.125, 1.0, 3.7, 1e-9, 1e-320, 0.0314159265358979]


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_fraction_of_small_numbers_is_found_from_its_float(p, q):
    assert simplest_fraction(p / q) == Fraction(p, q)


@given(st.floats(5e-324, 1e308))
@example(5e-324)
@example(2.0**-1022)
@example(1.0)
def test_fraction_rounds_to_the_float_and_none_of_smaller_denominator_does(x):
    found = simplest_fraction(x)
    assert found.numerator / found.denominator == x
    nearest = Fraction(x).limit_denominator(max(1, found.denominator - 1))
    assert found.denominator == 1 or nearest.numerator / nearest.denominator != x


@given(st.sampled_from(STEPS), st.integers(0, 10**9))
def test_label_is_what_a_person_writes(dt, n):
    fraction = Fraction(dt).limit_denominator(10**6) if dt > 1e-8 and dt != STEPS[-1] else simplest_fraction(dt)
    assert label(n, dt) == float(n * fraction)
    assert labels([n, 0], dt).tolist() == [label(n, dt), 0.0]


def test_labels_of_tenths_hundredths_and_thirtieths_are_the_literals():
    assert labels(np.arange(8), 0.1).tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    assert labels(np.arange(1000), 0.01).tolist() == [float(f"{n // 100}.{n % 100:02d}") for n in range(1000)]
    assert labels(np.arange(1000), 1 / 30).tolist() == [n / 30 for n in range(1000)]
    assert not np.array_equal(np.arange(1000) * 0.01, labels(np.arange(1000), 0.01))


@given(st.sampled_from(STEPS), st.integers(0, 10**9), st.floats(0, 1))
def test_times_within_a_step_lie_between_its_labels(dt, n, share):
    first, at, last = labels_within(n, np.array([0.0, share, 1.0]), dt)
    assert first == label(n, dt) <= at <= last == label(n + 1, dt)


@given(st.sampled_from([dt for dt in STEPS if dt > 1e-300]), st.integers(0, 10**12))
def test_steps_are_found_from_labels_and_from_multiples_however_late(dt, n):
    steps, off = nearest_steps(np.array([label(n, dt), n * dt]), dt)
    assert steps.tolist() == [n, n]
    assert not off.any()
    assert step_times(labels([n], dt), dt) == [n * dt]


def test_times_between_steps_and_no_times_are_off_the_grid():
    assert nearest_steps(np.array([0.1, 0.15, np.nan, np.inf, 1e300]), 0.1)[1].tolist() == [
        False,
        True,
        True,
        True,
        True,
    ]
