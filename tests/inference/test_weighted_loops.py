"""Compiled loops over weighted values against NumPy, against the same loops in Python, and where they refuse to answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semidirect.inference import weighted_loops as loops
from semidirect.inference.weights import ancestors, mean, quantiles, second_moments, spread, turns, variances

sizes = st.one_of(st.integers(1, 200), st.sampled_from([63, 64, 65, 127, 128, 1000]))


@settings(max_examples=60)
@given(sizes, st.integers(1, 9), st.integers(0, 10**6))
def test_sums(n, d, seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(d, n + 3))[:, :n] if seed % 2 else rng.normal(size=(d, n))  # apart, or not
    weights = rng.exponential(size=2 * n)[::2]
    weights /= weights.sum()
    families = np.append(np.sort(rng.integers(0, 1 + n // (1 + seed % 5), n)), -1)
    middle = mean(rows, weights)
    away = rows - middle[:, None]
    sums = np.array([[(weights * row)[families[:-1] == f].sum() for f in np.unique(families[:-1])] for row in away])
    error, variance = spread(rows, weights, middle, families)
    np.testing.assert_allclose(middle, rows @ weights, rtol=0, atol=1e-14)
    np.testing.assert_allclose(second_moments(rows, weights), (rows * weights) @ rows.T, rtol=0, atol=1e-13)
    np.testing.assert_allclose(variances(rows, weights, middle), away**2 @ weights, rtol=1e-12)
    np.testing.assert_allclose(variance, away**2 @ weights, rtol=1e-12)
    np.testing.assert_allclose(error, (sums * sums).sum(axis=1), rtol=1e-10, atol=1e-30)


def test_the_compiled_functions_are_their_python():
    """To the last bit, on a case that takes Python a second."""
    rng = np.random.default_rng(3)
    rows, weights = rng.normal(size=(2, 150)), rng.exponential(size=150)
    for function, shape in [(loops.mean, (2,)), (loops.second_moments, (2, 2))]:
        first, second = np.empty(shape), np.empty(shape)
        function(rows, weights, first, np.empty(64), 2, 150, 150)
        function.python(rows, weights, second, np.empty(64), 2, 150, 150)
        assert first.tobytes() == second.tobytes()
    first, second = np.empty(150, np.int64), np.empty(150, np.int64)
    loops.ancestors(weights, first, 0.3, float(np.cumsum(weights)[-1]), 150)
    loops.ancestors.python(weights, second, 0.3, float(np.cumsum(weights)[-1]), 150)
    assert np.array_equal(first, second)


@settings(max_examples=200)
@given(st.integers(1, 300), st.integers(0, 10**6), st.floats(0, 1, exclude_max=True), st.floats(0, 1))
def test_ancestors_are_those_of_the_definition(n, seed, u, share):
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=n) ** rng.integers(1, 8) * (rng.random(n) < share)
    weights[rng.integers(n)] += 1e-3
    weights /= weights.sum()
    ends = np.cumsum(weights)
    below = np.ceil(ends * (n / ends[-1]) - u).astype(np.int64)
    below[np.flatnonzero(weights)[-1] :] = n
    expected = np.repeat(np.arange(n), np.diff(below, prepend=0))
    found = ancestors(weights, u)
    assert np.array_equal(found, expected)
    assert (weights[found] > 0).all()


@pytest.mark.parametrize("n", [10, 5000, 60_000])
@pytest.mark.parametrize("kind", ["normal", "heavy tails", "on a grid", "two clusters", "one value", "one outlier"])
def test_quantiles_of_all_shapes_and_sizes(n, kind):
    """Of ever more values, of which bins hold more than can be sorted there, and with equal values, in the order of particles."""
    rng = np.random.default_rng(n)
    normal = rng.normal(size=n)
    values = {
        "normal": normal,
        "heavy tails": normal**7,
        "on a grid": np.round(4 * normal) / 4,
        "one value": 0 * normal + 2.5,
        "two clusters": np.where(normal > 1, 1e6 + normal, normal),
        "one outlier": np.append(normal[1:], 1e12),
    }[kind]
    weights = rng.exponential(size=n) ** 2
    weights /= weights.sum()
    levels = np.array([1e-9, 0.05, 0.5, 0.95, 1 - 1e-9])
    order = np.argsort(values, kind="stable")
    w = weights[order]
    expected = np.interp(levels, np.cumsum(w) - 0.5 * w, values[order])
    np.testing.assert_allclose(quantiles(values[None], weights, levels)[:, 0], expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=50)
@given(sizes, st.integers(0, 10**6), st.floats(-20, 20))
def test_turns(n, seed, middle):
    rng = np.random.default_rng(seed)
    angles, weights = rng.normal(0, 10.0 ** rng.integers(-3, 3), n), rng.exponential(size=n)
    weights /= weights.sum()
    away, average, largest = turns(angles, weights, middle)
    assert np.abs(np.exp(1j * away) - np.exp(1j * (angles - middle))).max() < 1e-12
    assert largest == np.abs(away).max() <= np.pi * (1 + 1e-15)
    assert abs(average - weights @ away) < 1e-14 * max(largest, 1)
