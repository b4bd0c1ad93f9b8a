"""Families of particles: how many there are, and what an error from few of them is worth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from semidirect.groups.real_space import RealSpace
from semidirect.inference.generation import Generation
from semidirect.inference.summary import Summary


@given(st.integers(1, 30), st.integers(0, 4), st.integers(0, 99))
def test_families_are_those_that_have_descendants(paths, selections, seed):
    rng = np.random.default_rng(seed)
    generation, roots = Generation(0, np.full(paths, 1 / paths)), np.arange(paths)
    assert generation.families() == paths
    for _ in range(selections):
        chosen = np.sort(rng.integers(paths, size=paths))
        generation.select(chosen)
        roots = roots[chosen]
        for _ in range(2):  # the second is not counted again
            assert generation.families() == len(np.unique(roots))


def error_of(values, families):
    """What a summary states for the mean of values of equal weight."""
    generation = Generation(0, np.full(len(values), 1 / len(values)))
    generation.select(families)
    summary = Summary(RealSpace(1), np.array([0.5]))
    summary.add({"x": values[:, None]}, np.full(len(values), 1 / len(values)), [generation])
    return float(summary.arrays()["x_error"][0, 0])


@pytest.mark.parametrize("count", [3, 6, 12, 40])
def test_an_interval_from_few_families_contains_the_mean(count):
    """Families are independent, and equal within: intervals of ± 1.96 errors cover 95 % of 1000 (measured .942 to .950)."""
    rng = np.random.default_rng(count)
    families = np.repeat(np.arange(count), 5)
    covered = [
        abs(values.mean()) <= 1.96 * error_of(values, families)
        for values in (np.repeat(rng.standard_normal(count), 5) for _ in range(1000))
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.015)


def test_the_factor_is_that_of_students_law():
    values, families = np.repeat([1.0, -1, 2, -2, 3, -3], 4), np.repeat(np.arange(6), 4)
    plain = np.std(values[::4], ddof=1) / 6**0.5
    assert error_of(values, families) == pytest.approx(plain * t.ppf(0.975, 5) / 1.959964, rel=1e-6)
