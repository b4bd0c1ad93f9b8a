"""Driving paths: from increments and from expressions."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.core.errors import InputError, MethodError
from semidirect.random.driving_path import DrivingPath
from semidirect.random.wiener import WienerNoise

RNG = np.random.default_rng(8)
COMMON = RNG.normal(size=(12, 2))
EACH = RNG.normal(size=(12, 2, 5))


def test_an_expression_gives_increments_values_and_derivatives():
    path = DrivingPath.from_expression("[sin(t), 0.1*t**2]")
    assert (path.smooth, path.components) == (True, 2)
    t = np.array([0.0, 0.5, 2.0])
    np.testing.assert_allclose(path.value(t), [np.sin(t), 0.1 * t**2], rtol=2.3e-16, atol=0)
    np.testing.assert_allclose(path.derivative(t), [np.cos(t), 0.2 * t], rtol=2.3e-16, atol=0)
    assert path.value(0.5).shape == (2,)
    increments = path.increments(range(3, 7), 4, 0.5)
    assert increments.shape == (2, 4)
    np.testing.assert_array_equal(increments, np.repeat((path.value(2.5) - path.value(2.0))[:, None], 4, axis=1))


@given(steps=st.integers(1, 60), dt=st.floats(1e-3, 0.5))
def test_increments_of_an_expression_add_up(steps, dt):
    path = DrivingPath.from_expression("exp(-t)*sin(3*t)")
    total = path.block(range(1), 0, steps, dt).sum()
    assert abs(total - (path.value(steps * dt) - path.value(0.0)).item()) < 2e-15  # measured 3.8e-16


@pytest.mark.parametrize("samples", [COMMON, EACH])
def test_increments_are_given_back(samples):
    path = DrivingPath.from_increments(samples, 0.1)
    assert (path.smooth, path.components) == (False, 2)
    batch = [3, 0, 3]
    expected = samples[:, :, batch] if samples.ndim == 3 else np.repeat(samples[:, :, None], 3, axis=2)
    np.testing.assert_array_equal(path.block(batch, 0, 12, 0.1), expected)
    coarse = path.increments(batch, 1, 0.3)
    np.testing.assert_array_equal(coarse, expected[3] + expected[4] + expected[5])


@pytest.mark.parametrize("samples", [COMMON, EACH])
def test_values_of_sampled_paths(samples):
    path = DrivingPath.from_increments(samples, 0.25)
    np.testing.assert_array_equal(path.value(0.0), np.zeros(samples.shape[1:]))
    np.testing.assert_allclose(path.value(3.0), samples.sum(axis=0), rtol=1e-14, atol=0)
    between = path.value(np.array([0.25, 0.375, 0.5]))
    assert between.shape == (2, 3, *samples.shape[2:])
    np.testing.assert_allclose(between[:, 1], samples[0] + 0.5 * samples[1], rtol=1e-14, atol=1e-15)
    for t in (-0.1, 3.1, np.nan):
        with pytest.raises(InputError, match="not defined at this time"):
            path.value(t)


def test_recorded_noise_drives_as_the_noise_did():
    noise = WienerNoise(1, 3, 0.01)
    path = DrivingPath.from_increments(noise.block(range(6), 0, 8, 0.01), 0.01)
    for step in range(8):
        np.testing.assert_array_equal(path.increments(range(6), step, 0.01), noise.increments(range(6), step, 0.01))


def test_the_given_array_is_copied_and_kept():
    samples = COMMON.copy()
    path = DrivingPath.from_increments(samples, 0.1)
    samples[:] = 0
    np.testing.assert_array_equal(path.increments([0], 0, 0.1)[:, 0], COMMON[0])
    with pytest.raises(ValueError, match="read-only"):
        path.samples[0] = 1


def test_invalid_sampled_paths_raise_errors():
    path = DrivingPath.from_increments(EACH, 0.1)
    with pytest.raises(MethodError, match="no derivative"):
        path.derivative(0.0)
    with pytest.raises(MethodError, match="multiple of its resolution"):
        path.increments([0], 0, 0.15)
    with pytest.raises(MethodError, match="multiple of its resolution"):
        path.increments([0], 0, 0.05)
    with pytest.raises(InputError, match="ends before this step"):
        path.increments([0], 12, 0.1)
    with pytest.raises(InputError, match="paths below 5, got 5"):
        path.increments([1, 5], 0, 0.1)
    with pytest.raises(InputError, match="resolution"):
        DrivingPath.from_increments(EACH, 0.0)


@pytest.mark.parametrize("samples", [np.zeros(3), np.zeros((0, 2)), np.zeros((2, 2, 2, 2)), 1.0])
def test_increments_of_a_wrong_shape(samples):
    with pytest.raises(InputError, match="steps, k"):
        DrivingPath.from_increments(samples, 0.1)


def test_increments_that_are_not_finite_are_located():
    samples = COMMON.copy()
    samples[3, 1] = np.nan
    with pytest.raises(InputError, match=r"got nan, at index \(3, 1\)"):
        DrivingPath.from_increments(samples, 0.1)


def test_defining_noise_loads_neither_llvm_nor_sympy():
    code = (
        "import sys\n"
        "from semidirect.random.wiener import WienerNoise\n"
        "from semidirect.random.driving_path import DrivingPath\n"
        "WienerNoise(1, 2, 0.1)\n"
        "DrivingPath.from_expression('sin(t)').derivative(1.0)\n"
        "assert not {'llvmlite', 'sympy'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
