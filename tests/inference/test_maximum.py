"""The maximum of functions with noise, bounds and places where they are not defined; parameters by name."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.inference.free_parameters import FreeParameters
from semidirect.inference.maximum import maximise
from semidirect.inference.quadratic_fit import Quadratic, design
from semidirect.inference.surface import Surface

numbers = st.floats(-1, 1)


@st.composite
def peaks(draw, most=3):
    """A function with one maximum: its place in units of the first steps, standard errors, correlations, and skewness."""
    k = draw(st.integers(1, most))
    place = 10 * np.array(draw(st.lists(numbers, min_size=k, max_size=k)))
    errors = 10.0 ** np.array(draw(st.lists(st.floats(-1, 1), min_size=k, max_size=k)))
    mixed = np.eye(k) + 0.4 * np.array(draw(st.lists(numbers, min_size=k * k, max_size=k * k))).reshape(k, k)
    root = np.linalg.inv(mixed * errors[:, None])
    assume(np.linalg.cond(mixed) < 6)
    return place, root, draw(st.floats(-0.1, 0.1))


def height(peak, noise=0.0):
    place, root, skew = peak

    def value(point, seed):
        z = root @ (point - place)
        random = np.random.default_rng([seed, *point.view(np.uint64).tolist()]) if noise else None
        return float(np.sum(-0.5 * z * z / (1 + skew * np.tanh(z)))) + (
            noise * random.standard_normal() if noise else 0.0
        )

    return value


def found_by(function, k, lower=-np.inf, upper=np.inf, seeds=(1, 2)):
    surface = Surface(function, np.full(k, lower), np.full(k, upper))
    return surface, maximise(surface, np.zeros(k), np.ones(k), seeds)


@given(peaks())
@settings(max_examples=60, deadline=None)
def test_a_smooth_maximum_is_found_with_its_curvature(peak):
    """Off by at most 0.1 standard errors, standard errors to 10 % for a skewness up to 0.1. Few evaluations."""
    place, root, skew = peak
    exact = np.linalg.inv(root.T @ root)
    surface, found = found_by(height(peak), len(place))
    assert found.converged
    assert np.abs(root @ (found.place - place)).max() < 0.1
    np.testing.assert_allclose(np.sqrt(np.diag(found.covariance)), np.sqrt(np.diag(exact)), rtol=0.1)
    if skew == 0:
        np.testing.assert_allclose(found.covariance, exact, rtol=1e-5, atol=1e-6 * exact.max())
        assert np.abs(found.heights).max() < 1e-8
    assert len(surface.values) < 250


@pytest.mark.parametrize(("noise", "tilt"), [(0.1, 0.0), (0.4, 0.0), (0.0, 0.5)])
def test_the_error_by_random_numbers_is_stated(noise, tilt):
    """Of 40 functions with noise at each point, or tilted by their seeds: root mean squares of the distances from the maximum, by
    those stated, measured from 0.77 to 0.97.
    """
    off, stated, spans = [], [], []
    for number in range(40):
        rng = np.random.default_rng(number)
        peak = rng.uniform(-3, 3, 2), np.linalg.inv(np.array([[1.0, 0.5], [0, 0.8]])), 0.0
        one = height(peak, noise)
        directions = {number * 4 + i: tilt * rng.standard_normal(2) for i in range(4)}
        _, found = found_by(
            lambda p, seed, one=one, t=directions: one(p, seed) + t[seed] @ p, 2, seeds=list(directions)
        )
        off.append(found.place - peak[0])
        stated.append(np.diag(found.noise))
        spans.append(np.sqrt(np.diag(found.covariance)) / np.sqrt([1.25, 0.64]))
    ratio = np.sqrt(np.mean(np.square(off), axis=0) / np.mean(stated, axis=0))
    print(f"root mean squares {ratio.round(3)}, standard errors {np.median(spans):.3f} of the exact")
    assert ((ratio > 0.7) & (ratio < 1.4)).all()
    assert abs(np.median(spans) - 1) < 0.15


@given(peaks(2), st.floats(0.1, 3))
@settings(max_examples=40, deadline=None)
def test_bounds_are_respected(peak, far):
    """No point outside is evaluated; an estimate at a bound is said to be there, and has no standard error."""
    place, _, _ = peak
    surface, found = found_by(height(peak), len(place), -far, far)
    assert np.abs(np.array(surface.points)).max() <= far * (1 + 1e-12)
    assert (np.abs(found.place) <= far * (1 + 1e-12)).all()
    assert (np.isnan(np.diag(found.covariance)) | ~found.at_bound).all()
    if (np.abs(place) > 2 * far).any() and len(place) == 1:
        assert found.at_bound.all()


def test_a_function_that_is_not_defined_everywhere():
    def half(point, seed):
        return float(-((point[0] - 0.5) ** 2) * 20) if point[0] > 0.2 else -np.inf

    surface = Surface(half, np.array([-np.inf]), np.array([np.inf]))
    found = maximise(surface, np.array([0.25]), np.array([2.0]), [1])
    assert found.converged
    assert found.place[0] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("function", [lambda p, s: float(p[0]), lambda p, s: 0.0, lambda p, s: float(p[0] ** 2)])
def test_without_a_maximum_the_search_does_not_converge(function):
    assert not found_by(function, 1)[1].converged


@given(st.integers(1, 4), st.data())
@settings(max_examples=50, deadline=None)
def test_a_design_determines_a_quadratic_function(k, data):
    """In any box, with the rank of all coefficients."""
    low = -np.array(data.draw(st.lists(st.floats(0, 3), min_size=k, max_size=k)))
    high = np.array(data.draw(st.lists(st.floats(0, 3), min_size=k, max_size=k)))
    assume((high - low > 0.3).all())
    points = design(low, high)
    assert (points >= low).all()
    assert (points <= high).all()
    gradient, root = np.arange(1.0, k + 1), np.triu(np.ones((k, k)))
    values = points @ gradient - 0.5 * np.sum((points @ root.T) ** 2, axis=1)
    found = Quadratic.fit(points, values, np.zeros(len(points), dtype=int))
    np.testing.assert_allclose(found.gradients[0], gradient, atol=1e-8)
    np.testing.assert_allclose(found.hessian, -root.T @ root, atol=1e-7)


BALL = sd.load("rolling-ball", offset=0.2, inertia=np.diag([2.0, 2.1, 1.5]) + 0.1 * (1 - np.eye(3)))


def test_names_of_parameters():
    free = FreeParameters.of(BALL, ["offset", "noise", "mass", "inertia"], None)
    assert free.labels == (
        "offset",
        "noise1_3",
        "mass",
        *(f"inertia{i}" for i in ("1_1", "1_2", "1_3", "2_2", "2_3", "3_3")),
    )
    assert free.logarithmic.tolist() == [False, False, True] + [False] * 6
    there = free.system_at(free.start + 0.01)
    assert there.offset == pytest.approx(0.21)
    assert there.noise[0, 2] == pytest.approx(0.11)
    assert there.mass == pytest.approx(np.exp(0.01))
    assert (there.inertia == there.inertia.T).all()
    assert there.inertia[0, 1] == pytest.approx(0.11)
    assert free.lower[:3].tolist() == [0.0, -np.inf, pytest.approx(-20 * np.log(2))]
    assert free.ends(free.lower)[2] == 0
    bounded = FreeParameters.of(BALL, ["offset", "noise"], {"noise": (0.01, 1)})
    assert bounded.logarithmic.tolist() == [False, True]
    assert bounded.values(bounded.start).tolist() == pytest.approx([0.2, 0.1])
    assert bounded.values(np.stack([bounded.lower, bounded.upper]))[:, 1].tolist() == pytest.approx([0.01, 1])


@pytest.mark.parametrize(("over", "bounds", "said"), [
    (["ofset"], None, "Did you mean 'offset'"),
    (["coupling"], None, "unknown parameter to fit 'coupling'"),
    ([], None, "expected names of parameters to fit"),
    (3, None, "expected a list of names"),
    (["noise", "noise1_3"], None, "noise1_3 twice"),
    (["noise1_1"], None, "expected a value other than 0, or bounds"),
    (["vertical_noise"], None, "unknown parameter to fit"),
    (["offset"], {"mass": (0, 1)}, "unknown bounds of a parameter that is fitted 'mass'"),
    (["offset"], {"offset": (0.3, 1)}, "expected a value within its bounds 0.3 and 1"),
    (["offset"], {"offset": (1, 0)}, "expected two numbers (low, high), low < high"),
    (["offset"], {"offset": (0, np.nan)}, "expected two numbers"),
    (["offset"], [0, 1], "expected a dict"),
])  # fmt: skip
def test_parameters_that_cannot_be_fitted(over, bounds, said):
    with pytest.raises(sd.errors.InputError) as error:
        FreeParameters.of(BALL, over, bounds)
    assert said in str(error.value)


def test_values_per_path_cannot_be_fitted():
    with pytest.raises(sd.errors.InputError, match="one value per path"):
        FreeParameters.of(BALL.replace(offset=sd.PerPath([0.1, 0.2])), ["offset"], None)
