"""Wiener increments: one path at every dyadic step, and nothing but (seed, path, component, time) matters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from semidirect.core.errors import InputError, MethodError
from semidirect.random.normal_numbers import standard_normals
from semidirect.random.wiener import WienerNoise

H = 0.01
doublings = st.integers(-6, 9)


def noise(seed=3, components=2, resolution=H):
    return WienerNoise(seed, components, resolution)


@given(
    paths=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20),
    step=st.integers(0, 2**20),
    k=doublings,
    components=st.integers(1, 3),
)
def test_a_path_alone_is_the_path_in_any_batch(paths, step, k, components):
    together = noise(components=components).increments(paths, step, H * 2.0**k)
    assert together.shape == (components, len(paths))
    j = step % len(paths)
    assert noise().increments([paths[j]], step, H * 2.0**k)[:components, 0].tobytes() == together[:2, j].tobytes()


@given(first=st.integers(0, 1000), steps=st.integers(0, 12), k=st.integers(-7, 4))
def test_a_block_is_its_steps_one_by_one(first, steps, k):
    """So neither the horizon nor the place where a run was cut matters."""
    block = noise().block(range(5), first, steps, H * 2.0**k)
    assert block.shape == (steps, 2, 5)
    for i in range(steps):
        assert noise().increments(range(5), first + i, H * 2.0**k).tobytes() == block[i].tobytes()


@given(step=st.integers(0, 10**6), k=st.integers(0, 9))
def test_a_doubled_step_is_the_sum_bit_for_bit(step, k):
    halves = noise().block(range(7), 2 * step, 2, H * 2.0**k)
    np.testing.assert_array_equal(noise().increments(range(7), step, 2 * H * 2.0**k), halves[0] + halves[1])


@given(step=st.integers(0, 10**6), k=st.integers(0, 39))
def test_a_halved_step_is_a_bridge_that_adds_up(step, k):
    h = H * 2.0**-k
    halves = noise().block(range(7), 2 * step, 2, h / 2)
    error = np.abs(halves.sum(axis=0) - noise().increments(range(7), step, h))
    # A rounding of each half and of their sum are at most 4.4e-16; measured 2.2e-16.
    assert (error <= 4.5e-16 * np.abs(halves).max(axis=0)).all()


def test_many_levels_add_up():
    fine = noise().block(range(3), 0, 5 * 4096, H / 4096).reshape(5, 4096, 2, 3).sum(axis=1)
    coarse = noise().block(range(3), 0, 5, H)
    assert np.abs(fine - coarse).max() < 2e-15  # of increments of 0.1; measured 4.9e-16


def test_scale_of_the_drawn_increments():
    z = standard_normals(3, range(9), 17, 2)
    np.testing.assert_array_equal(noise().increments(range(9), 17, H), np.sqrt(H) * z)


@pytest.mark.parametrize("k", [-5, -1, 0, 1, 5])
def test_refined_and_summed_increments_are_independent_normals(k):
    """W has independent increments at every step; bridges must not tie the halves of an interval together.

    Over 400 seeds the p-values are uniform (0.66 to 0.70), the squared covariance errors 1.002 to 1.008 ± 0.006.
    """
    dt = H * 2.0**k
    z = noise(components=1).block(range(2**12), 8, 16, dt)[:, 0] / np.sqrt(dt)
    covariance = z @ z.T / z.shape[1]
    deviation = 64 * np.abs(covariance - np.eye(16)) / np.sqrt(1 + np.eye(16))
    assert deviation.max() < 4.5  # 136 of |N(0, 1)|; measured 2.9 to 4.0
    assert stats.kstest(z.ravel(), "norm").pvalue > 1e-3  # measured 0.006 to 0.96


def test_a_step_got_by_division_is_recognised():
    thirds = WienerNoise(1, 1, 1.0 / 3)
    assert thirds.doublings(1 / 1.5) == 1
    assert noise().doublings(0.08) == 3
    assert noise().doublings(0.1 / 10 / 64) == -6


@pytest.mark.parametrize("dt", [0.03, 0.015, H * (1 + 1e-9), H * 2.0**-41, 1e300, 1e-320])
def test_other_ratios_are_refused_with_the_next_best(dt):
    with pytest.raises(MethodError, match=r"dt = 0\.01 \* 2\*\*k.*Take dt = "):
        noise().increments(range(2), 0, dt)


def test_the_suggested_step_works():
    with pytest.raises(MethodError) as refusal:
        noise().increments(range(2), 0, 0.03)
    assert refusal.value.hint.startswith("Take dt = 0.04,")
    assert noise().doublings(0.04) == 2


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"seed": 0.5}, "seed"),
        ({"seed": None}, "seed"),
        ({"components": -1}, "components"),
        ({"components": 8193}, "components"),
        ({"resolution": 0.0}, "resolution"),
        ({"resolution": np.nan}, "resolution"),
        ({"resolution": "0.1"}, "resolution"),
    ],
)
def test_refusals_say_what_is_wrong(arguments, part):
    with pytest.raises(InputError, match=part):
        noise(**arguments)


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.uint64(2**64 - 1), np.int32(7)])
def test_seeds(seed):
    made = noise(seed=seed)
    assert type(made.seed) is int
    assert made == noise(seed=int(seed))
    assert made.increments(range(3), 0, H).shape == (2, 3)


@pytest.mark.parametrize("dt", [0, -0.1, np.inf, np.nan, "x", None])
def test_invalid_steps_raise_errors(dt):
    with pytest.raises(InputError, match="the step"):
        noise().increments(range(2), 0, dt)


def test_no_noise_is_allowed():
    assert noise(components=0).increments(range(4), 3, H).shape == (0, 4)
