"""The order of made errors, whose order is known: floors, plateaus, ranges that are not asymptotic, intervals, verdicts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from semidirect.analysis.order_fit import FEWEST, OrderFit

STEPS = 0.5 ** np.arange(8)


@given(st.floats(0.35, 8), st.floats(-6, 3), st.integers(FEWEST, 8))
def test_a_power_has_its_exponent(order, log_constant, count):
    h = STEPS[:count]
    fit = OrderFit.of(h, 10**log_constant * h**order)
    assert fit.slope == pytest.approx(order, rel=1e-12)
    assert fit.last == pytest.approx(order, rel=1e-12)
    assert all(fit.used)
    assert fit.notes == ()
    assert fit.half_width < 1e-10


@given(st.sampled_from([0.5, 1.0, 2.0, 4.0]), st.integers(0, 3))
def test_a_floor_is_left_out(order, lost):
    errors = STEPS**order
    floor = errors[-lost] * 1.0001 if lost else 0.0
    fit = OrderFit.of(STEPS, errors, floor=floor, because="of chance")
    assert sum(fit.used) == 8 - lost
    assert fit.slope == pytest.approx(order, rel=1e-12)
    assert [("are of chance" in n) for n in fit.notes] == [True] * bool(lost)


@given(st.sampled_from([1.0, 2.0, 4.0]), st.floats(1.0, 4.0))
def test_plateaus_are_detected(order, share):
    """Errors that end at a constant: a wrong limit, or round-off that nobody estimated."""
    level = share * STEPS[5] ** order
    fit = OrderFit.of(STEPS, STEPS**order + level * (STEPS**0))
    assert not fit.used[-1]
    assert any("plateau" in n for n in fit.notes)
    assert abs(fit.slope - order) < 0.3  # measured 0.25: what stays is still a little bent
    assert fit.steps >= 3


def test_a_wrong_limit_has_no_order():
    fit = OrderFit.of(STEPS, 0.3 + 0.01 * STEPS)
    assert fit.judged(1.0, 0.15) == "inconclusive"
    assert fit.slope < 0.1
    assert any("plateau" in n for n in fit.notes)


def test_the_largest_steps_may_be_too_large():
    errors = STEPS + 30 * STEPS**4
    fit = OrderFit.of(STEPS, errors)
    assert not fit.used[0]
    assert fit.steps >= FEWEST
    assert any("not yet asymptotic" in n for n in fit.notes)
    assert abs(fit.slope - 1) < 0.1 < abs(np.polyfit(np.log2(STEPS), np.log2(errors), 1)[0] - 1)
    short = OrderFit.of(STEPS[:5], errors[:5])  # five are left as they are, and said to be bent
    assert short.steps == 5
    assert any("bent" in n for n in short.notes)


def test_the_interval_is_students():
    noise = np.array([0.1, -0.05, 0.02, -0.1, 0.06, 0.01, -0.03, 0.04])
    errors = STEPS * np.exp(noise)
    fit = OrderFit.of(STEPS, errors)
    line = stats.linregress(np.log2(STEPS), np.log2(errors))
    half = stats.t.ppf(0.975, 6) * line.stderr
    assert (fit.slope, fit.low, fit.high) == pytest.approx(
        (line.slope, line.slope - half, line.slope + half), rel=1e-10
    )


def test_the_interval_of_resampled_errors():
    rng = np.random.default_rng(1)
    samples = STEPS * np.exp(0.1 * rng.standard_normal((4000, 8)))
    fit = OrderFit.of(STEPS, STEPS, samples=samples)
    slopes = np.polyfit(np.log2(STEPS), np.log2(samples.T), 1)[0]
    assert (fit.low, fit.high) == pytest.approx(tuple(np.percentile(slopes, [2.5, 97.5])), rel=1e-10)
    spread = 0.1 / np.log(2) / np.sqrt(np.sum((np.log2(STEPS) - np.mean(np.log2(STEPS))) ** 2))
    assert fit.half_width == pytest.approx(1.96 * spread, rel=0.05)


@pytest.mark.parametrize("errors", [[], [1.0], [0.0] * 6, [np.nan] * 6])
def test_nothing_to_fit(errors):
    with np.errstate(all="ignore"):
        fit = OrderFit.of(STEPS[: len(errors)], errors)
    assert np.isnan(fit.slope)
    assert fit.judged(1.0, 0.15) == "inconclusive"


def made(slope, low, high, last=None, steps=6):
    return OrderFit(slope, low, high, slope if last is None else last, (True,) * steps, ())


VERDICTS = [
    (made(1.05, 1.0, 1.1), 1.0, "met"),
    (made(0.86, 0.8, 0.92), 1.0, "met"),
    (made(0.5, 0.45, 0.55), 1.0, "not met"),
    (made(1.5, 1.45, 1.55), 1.0, "higher"),
    (made(1.3, 1.25, 1.35, last=1.05), 1.0, "inconclusive"),  # on its way to the declared order
    (made(0.7, 0.65, 0.75, last=0.95), 1.0, "inconclusive"),
    (made(0.8, 0.7, 0.9), 1.0, "inconclusive"),  # the interval reaches what would be met
    (made(1.0, 0.7, 1.3), 1.0, "inconclusive"),  # too wide
    (made(1.0, 0.99, 1.01, steps=4), 1.0, "inconclusive"),
    (made(1.0, 0.99, 1.01), None, "not declared"),
]


@pytest.mark.parametrize(("fit", "declared", "verdict"), VERDICTS)
def test_verdicts(fit, declared, verdict):
    assert fit.judged(declared, 0.15) == verdict
