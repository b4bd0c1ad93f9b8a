"""Fits of likelihoods without random numbers: global maxima, intervals of the profile, bounds, and what is not determined."""

import re

import numpy as np
import pytest
from ornstein_uhlenbeck import INTERVAL, SEEN, Braked, log_likelihood, values
from scipy.optimize import minimize
from scipy.stats import chi2

import semidirect as sd
from semidirect.inference.fit import _searched
from semidirect.inference.free_parameters import FreeParameters
from semidirect.inference.surface import Surface


def fitted(data, height=log_likelihood, **start):
    """The search over a and b, with Kalman's likelihood in the place of the filter's."""
    free = FreeParameters.of(Braked(**start), ["a", "b"], None)
    surface = Surface(lambda point, seed: height(*free.values(point), data), free.lower, free.upper)
    outcome = _searched(free, surface, [free.start], [1], True, 0.95)
    return free.values(outcome.maximum.place), free.ends(outcome.ends.T).T, outcome, surface


def highest(data):
    """The maximum by another optimiser, from nine starts."""

    def down(p):
        return -log_likelihood(np.exp(p[0]), abs(p[1]), data) if abs(p[0]) < 6 else 1e9

    options = {"xatol": 1e-7, "fatol": 1e-10, "maxiter": 2000}
    starts = [(np.log(a), b) for a in (0.1, 0.8, 4) for b in (0.0, 0.3, 0.9)]
    return max(-minimize(down, start, method="Nelder-Mead", options=options).fun for start in starts)


def profile(data, at, axis):
    """The maximum over the other parameter."""
    pair = [lambda x: (at, x), lambda x: (np.exp(x), at)][axis]
    grid = np.linspace(0, 3, 400) if axis == 0 else np.linspace(-4, 3, 400)
    best = grid[np.argmax([log_likelihood(*pair(x), data) for x in grid])]
    return -minimize(lambda x: -log_likelihood(*pair(abs(x[0]) if axis == 0 else x[0]), data), [best]).fun


@pytest.mark.parametrize("seed", range(12))
def test_the_height_is_the_global_maximum_and_no_point_that_was_evaluated_is_higher(seed):
    """Within 1e-5 of the best of nine searches by another method."""
    data = values(seed, 0.8, 0.7, 20)
    _, _, outcome, surface = fitted(data)
    assert outcome.maximum.converged
    assert max(surface.values) == outcome.maximum.height
    assert outcome.maximum.height == pytest.approx(highest(data), abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_intervals_end_where_the_profile_has_fallen_by_half_the_quantile(seed):
    """Of 20 data, whose likelihood is far from normal; to 6 % of the fall, as the search stops at 2 % of its root."""
    data = values(seed, 0.8, 0.7, 20)
    _, ends, outcome, _ = fitted(data)
    for axis in (0, 1):
        for end in ends[axis]:
            fall = outcome.maximum.height - profile(data, end, axis)
            assert fall == pytest.approx(chi2.ppf(0.95, 1) / 2, rel=0.15)


def test_an_amplitude_that_is_0_has_a_one_sided_interval():
    """Of 20 data sets, at least 18 intervals contain 0; where the estimate is 0, the lower end is."""
    inside, at_bound = 0, 0
    for seed in range(20):
        estimate, ends, outcome, surface = fitted(values(seed, 0.8, 0.0, 20), b=0.3)
        assert outcome.maximum.converged
        assert np.isfinite(ends).all()
        assert max(surface.values) == outcome.maximum.height
        assert ends[1, 0] <= estimate[1] < ends[1, 1] < 0.4
        if outcome.maximum.at_bound[1]:
            at_bound += 1
            assert ends[1, 0] == 0
            assert np.isnan(outcome.maximum.covariance[1, 1])
            assert np.isfinite(outcome.maximum.covariance[0, 0])
        inside += ends[1, 0] <= 0 <= ends[1, 1]
    assert inside >= 18
    assert at_bound >= 5


@pytest.mark.parametrize("combination", [lambda a, b: (0.8, a * b), lambda a, b: (a + b, 0.5), lambda a, b: (0.8, 0.7)])
def test_parameters_that_enter_as_one_number_are_not_determined(combination):
    """A product, a sum, and two without influence: intervals reach from bound to bound."""
    data = values(3, 0.8, 0.7, 20)
    _, ends, outcome, _ = fitted(data, lambda a, b, data: log_likelihood(*combination(a, b), data))
    assert outcome.undetermined.all()
    assert ends[0].tolist() == [0, np.inf]
    assert ends[1, 0] == 0


def test_another_maximum_is_found_from_far_away_and_named():
    """Two peaks of the same width: the search begins at the lower one."""

    def peaks(point, seed):
        x = point[0]
        return float(np.logaddexp(-0.5 * ((x - 2) / 0.02) ** 2, 6 - 0.5 * ((x - 1) / 0.02) ** 2))

    system = Braked(b=1.98)
    free = FreeParameters.of(system, ["b"], None)
    surface = Surface(peaks, free.lower, free.upper)
    outcome = _searched(free, surface, [free.start], [1], True, 0.95)
    assert outcome.maximum.place[0] == pytest.approx(1, abs=1e-3)
    assert [other.place[0] for other in outcome.others] == [pytest.approx(2, abs=1e-3)]


DATA = (INTERVAL * np.arange(1, 7), values(5, 0.8, 0.7, 6)[:, None])
OPTIONS = {"dt": 0.25, "update": "extended-kalman", "method": "heun"}


def test_the_filter_at_the_estimate_is_what_is_stated():
    """By the extended Kalman filter, exact here: within 1e-7 of Kalman's maximum."""
    model = Braked(b=0.5)
    found = sd.fit(model, SEEN, DATA, "b", **OPTIONS)
    again = sd.filter(found.system, SEEN, DATA, **OPTIONS)
    assert found.log_likelihood == again.log_likelihood == found.filtered.log_likelihood
    assert found.log_likelihood == max(found.values)
    top = minimize(lambda b: -log_likelihood(0.8, b[0], DATA[1].ravel(), 2), [0.5], method="Nelder-Mead",
                   options={"xatol": 1e-9, "fatol": 1e-13})  # fmt: skip
    assert found.log_likelihood == pytest.approx(-top.fun, abs=1e-7)
    assert found["b"] == pytest.approx(top.x[0], rel=1e-3)
    assert found.monte_carlo_error[0] == 0
    assert found.log_likelihood_error == 0
    head = str(found).partition("\n")[0]
    assert "±" not in head
    counts = [int(x) for x in re.findall(r"(\d+) (?:filters|to search|for intervals|at the)", head)]
    assert counts == [found.evaluations + 1, found.evaluations - found.for_intervals, found.for_intervals, 1]
    assert 2 <= found.for_intervals <= 20


def test_a_parameter_without_influence_is_named_after_few_filters():
    with pytest.warns(sd.errors.FilterWarning, match="the data do not determine mass"):
        found = sd.fit(Braked(), SEEN, DATA, "mass", **OPTIONS)
    assert found.undetermined == ("mass",)
    assert found.evaluations <= 5
    assert found.interval.tolist() == [[0, np.inf]]


def test_warnings_of_the_filter_at_the_estimate_are_passed_on():
    data = (DATA[0], DATA[1] + np.array([0, 0, 8.0, 0, 0, 0])[:, None])
    with (
        pytest.warns(sd.errors.FilterWarning, match="do not determine mass"),
        pytest.warns(sd.errors.FilterWarning, match="the filter at the estimate: data at [12] of 6 times"),
    ):
        sd.fit(Braked(), SEEN, data, "mass", **OPTIONS)


def test_several_starts_are_given_or_drawn():
    free = FreeParameters.of(Braked(), ["a", "b"], {"a": (0.1, 10), "b": (0.05, 2)})
    one, other = free.other_starts([{"b": 0.3}, {"a": 2, "b": 1}], 1)
    assert free.values(one).tolist() == pytest.approx([0.8, 0.3])
    assert free.values(other).tolist() == pytest.approx([2, 1])
    drawn = free.other_starts(50, 1)
    assert np.array_equal(drawn, free.other_starts(50, 1))
    assert not np.array_equal(drawn, free.other_starts(50, 2))
    assert (free.values(np.array(drawn)) > [0.1, 0.05]).all()
    assert np.median(free.values(np.array(drawn))[:, 0]) == pytest.approx(1, rel=0.7)  # uniform logarithms


@pytest.mark.parametrize(("starts", "said"), [
    (2, "bounds of all fitted parameters"), (-1, "at least 0"), ("b", "a list of dicts"), ({"b": 1}, "a list of dicts"),
    ([1], "a list of dicts"), ([{"c": 1}], "unknown parameter that is fitted 'c'"), ([{"b": -1}], "a value between 0 and inf"),
    ([{"b": "x"}], "start of b"), (True, "a list of dicts"), (None, "a list of dicts"),
])  # fmt: skip
def test_starts_that_cannot_be_used(starts, said):
    with pytest.raises(sd.SemidirectError) as error:
        sd.fit(Braked(), SEEN, DATA, "b", starts=starts, **OPTIONS)
    assert said in str(error.value)
