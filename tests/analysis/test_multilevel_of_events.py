"""Multilevel estimates of probabilities and of other quantities that few differences show: the stated error is the true one."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

import semidirect as sd
from semidirect.analysis.multilevel.estimate import NEGLIGIBLE
from semidirect.analysis.multilevel.level import Level
from semidirect.analysis.multilevel.orders import ENOUGH_SEEN, bias_of, unseen, used_weak_order

RATE, END, DT = 2.0, 1.0, 0.25
MEAN, VARIANCE = np.exp(-RATE * END), (1 - np.exp(-2 * RATE * END)) / (2 * RATE)
"""Of dq = −2q dt + dW from 1, at t = 1."""


class Pulled(sd.System):
    """dq = −2q dt + dW from q = 1, an Ornstein–Uhlenbeck process."""

    group = sd.SO2()

    def constraint(self):
        return sd.PrescribedVelocity()

    def internal(self):
        return [sd.InternalState("q", 1.0, drift=lambda z: [-RATE * z.q], noise=[[1.0]])]


PULLED = Pulled()


@cache
def estimate(quantity, rmse, seed):
    how = {"method": "euler-maruyama", "execution": sd.Execution(1, engine="compiled")}
    return sd.multilevel(PULLED, quantity, t_end=END, rmse=rmse, dt=DT, seed=seed, **how)


def above(level):
    return f"where(q > {level}, 1, 0)", float(ndtr((MEAN - level) / VARIANCE**0.5))


def call(level):
    """E max(q − level, 0)."""
    at = (MEAN - level) / VARIANCE**0.5
    return f"where(q > {level}, q - {level}, 0)", float(
        VARIANCE**0.5 * np.exp(-at * at / 2) / np.sqrt(2 * np.pi) + (MEAN - level) * ndtr(at)
    )


@pytest.mark.parametrize(
    ("quantity", "exact", "rmse"),
    [
        (*above(1.3), 0.006),
        (*above(0.2), 0.05),
        (*above(2.0), 0.004),
        (*call(1.0), 0.008),
        ("q**2", MEAN**2 + VARIANCE, 0.03),
    ],
)
def test_the_error_is_the_one_that_was_asked_for_and_that_is_stated(quantity, exact, rmse):
    found = [estimate(quantity, rmse, seed) for seed in range(6)]
    errors = np.array([f.estimate - exact for f in found])
    stated = np.array([f.error for f in found])
    assert np.sqrt(np.mean(errors**2)) < 1.2 * rmse
    assert np.sqrt(np.mean((errors / stated) ** 2)) < 1.6
    for f in found:
        for number, level in enumerate(f.levels):
            assert level.seen >= ENOUGH_SEEN or unseen(f.levels, number) <= NEGLIGIBLE * rmse


def test_an_event_that_never_happens_has_an_error():
    """Of none in n paths, three were to be expected at most; what was not seen is not exactly 0."""
    found = estimate("where(q > 100, 1, 0)", 0.01, 0)
    assert found.estimate == 0
    assert 0 < found.error < 0.01
    assert all(level.paths >= 3 / (NEGLIGIBLE * 0.01) for level in found.levels)
    assert [level.seen for level in found.levels] == [0, 0, 0]


def test_an_error_that_no_paths_reach_is_refused_at_once():
    with pytest.raises(sd.errors.InputError, match="paths reach"):
        estimate("where(q > 100, 1, 0)", 1e-12, 0)


def test_how_many_differences_were_seen_is_printed():
    found = estimate(above(1.3)[0], 0.006, 0)
    lines = str(found).splitlines()
    column = next(line for line in lines if "seen" in line).split().index("seen") - 1  # "dt [s]" is two words
    assert [line.split()[column] for line in lines[-len(found.levels) :]] == [f"{x.seen:.0f}" for x in found.levels]
    assert found.described()["levels"][-1]["seen"] == found.levels[-1].seen
    assert found.to_xarray()["seen"].values.tolist() == [x.seen for x in found.levels]


@given(st.integers(1, 40), st.integers(2000, 4000), st.integers(1, 5))
def test_of_events_those_that_happened_are_seen(events, paths, parts):
    values = np.zeros(paths)
    values[:: paths // events] = 1.0
    level = Level(0.1, 3)
    for part in np.array_split(values, parts):
        level = level.with_paths(part, part, 0)
    assert level.seen == pytest.approx(np.count_nonzero(values), rel=0.1)
    moved = values - values.mean()
    assert level.fourth == pytest.approx(np.sum(moved**4), rel=1e-9)
    assert level.third == pytest.approx(np.sum(moved**3), rel=1e-9)


def levels_of(means, errors, paths=10**4):
    """Levels whose means have these errors, of normal differences."""
    return [
        Level(0.5**i, 3, paths, mean=m, variance=paths * e**2, fourth=3 * paths**3 * e**4)
        for i, (m, e) in enumerate(zip(means, errors, strict=True))
    ]


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=6), st.floats(1e-3, 1), st.sampled_from([0.5, 1.0, 2.0]))
def test_the_bias_is_what_three_means_and_their_errors_say(means, error, alpha):
    """Not less than their average and what each shows beyond its error, not more than the largest and all of the last error."""
    found = bias_of(levels_of(means, [error] * len(means)), alpha) * (2**alpha - 1)
    factors = 2.0 ** (-alpha * np.arange(3))
    predicted, errors = factors * means[:-4:-1], factors * error
    weights = errors**-2 / np.sum(errors**-2)
    together, of_it = abs(np.sum(weights * predicted)), np.sum(errors**-2.0) ** -0.5
    assert found >= max(together, np.max(np.abs(predicted) - errors)) * (1 - 1e-9)
    assert found >= of_it * (1 - 1e-9)
    assert found <= np.hypot(np.max(np.abs(predicted)), error) * (1 + 1e-9)


def test_a_last_mean_that_happens_to_be_small_does_not_hide_the_bias():
    """Means that fall by the order, with errors of a third of them, the last 0: the others tell 1 ± .3, not 0."""
    means = np.array([0, 8.0, 4.0, 2.0, 0.0])
    assert 0.5 < bias_of(levels_of(means, means / 3 + [1, 0, 0, 0, 1 / 3]), 1.0) < 1.5


def test_the_bias_is_known_better_than_by_the_last_mean():
    """Errors are twice the last mean: a root mean square of 1.43 of 400 draws, and 3.16 by the largest and the last error."""
    rng = np.random.default_rng(0)
    exact, error = np.array([4.0, 2.0, 1.0]), 2.0
    found = [bias_of(levels_of([0, *exact + error * rng.standard_normal(3)], [error] * 4), 1.0) for _ in range(400)]
    assert np.sqrt(np.mean(np.square(found))) < 1.6


def test_levels_without_any_scatter_have_the_bias_of_their_means():
    assert bias_of(levels_of([0, 4.0, 2.0, 1.0], [0.0] * 4), 1.0) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize(("factor", "used"), [(3.0, 1.0), (2.0, 1.0), (1.5, np.log2(1.5))])
def test_an_order_above_the_declared_one_is_not_used(factor, used):
    """The first steps are long: there means may fall faster than by the order that is declared, which holds for short ones."""
    means = [0, *factor ** -np.arange(4.0)]
    assert used_weak_order(levels_of(means, [1e-3] * 5), 1.0) == pytest.approx(used, abs=0.01)


def test_an_order_that_chance_explains_is_the_declared_one():
    level = {"paths": 100, "variance": 1e-2, "fourth": 3e-2}  # standard errors .01
    means = (0.0, 0.04, 0.031)  # a slope of .37 ± .6
    assert used_weak_order([Level(0.5**i, 3, mean=m, **level) for i, m in enumerate(means)], 1.0) == 1.0


@pytest.mark.parametrize("name", ["stop", "checks", "paths", "save"])
def test_arguments_that_it_does_not_take_are_named(name):
    with pytest.raises(sd.errors.InputError, match=f"{name} of multilevel"):
        sd.multilevel(PULLED, "q", t_end=1, rmse=0.1, **{name: None})
