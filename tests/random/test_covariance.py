"""Correlated noises, and three-point increments of weak methods."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import semidirect as sd
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.random.covariance import factor, mixed
from semidirect.random.philox import address, philox4x32
from semidirect.random.wiener import WienerNoise

C = np.array([[1.0, 0.5, 0.0], [0.5, 2.0, -0.3], [0.0, -0.3, 0.5]])
H = 0.01


@given(root=hnp.arrays(np.float64, (4, 4), elements=st.floats(-3, 3).map(lambda x: round(x, 3))))
def test_the_factor_gives_the_covariance_back(root):
    covariance = root @ root.T
    lower = factor(covariance, 4)
    assert not np.triu(lower, 1).any()
    assert (np.diag(lower) >= 0).all()
    # of variances up to 36; measured 2.4e-11, where the rank is less than 4
    np.testing.assert_allclose(lower @ lower.T, covariance, rtol=0, atol=1e-9 * (1 + np.trace(covariance)))


def test_the_factor_of_a_regular_matrix_is_that_of_lapack():
    np.testing.assert_allclose(factor(C, 3), np.linalg.cholesky(C), rtol=1e-15, atol=1e-16)  # measured 0


def test_singular_covariances():
    np.testing.assert_array_equal(factor([[1, 1], [1, 1]], 2), [[1, 0], [1, 0]])
    np.testing.assert_array_equal(factor([[0, 0], [0, 4]], 2), [[0, 0], [0, 2]])
    z = WienerNoise(1, 2, H, [[1, 1], [1, 1]]).increments(range(5), 0, H)
    assert z[0].tobytes() == z[1].tobytes()


@pytest.mark.parametrize(
    ("covariance", "message"),
    [
        ([[1, 2], [2, 1]], "positive semidefinite"),
        ([[0, 1], [1, 1]], "positive semidefinite"),
        ([[1, 0.5], [0.4, 1]], "symmetric"),
        ([[-1, 0], [0, 1]], "nonnegative"),
        ([[1, np.nan], [np.nan, 1]], "finite"),
        ([[1]], "shape"),
        ([1, 1], "shape"),
        ("unit", "symmetric matrix of numbers"),
        (None, None),
    ],
)  # fmt: skip
def test_invalid_covariance_is_rejected(covariance, message):
    if message is None:
        assert WienerNoise(0, 2, H, covariance).lower is None
        return
    with pytest.raises(InputError, match=message):
        WienerNoise(0, 2, H, covariance)


def test_a_covariance_of_no_noise_is_refused_with_what_to_do():
    with pytest.raises(InputError, match="no noise to replace: leave covariance= out"):
        WienerNoise(0, 0, H, [[1.0]])


def test_increments_are_the_factor_times_independent_ones():
    plain, correlated = WienerNoise(5, 3, H), WienerNoise(5, 3, H, C)
    expected = mixed(factor(C, 3), plain.block(range(9), 4, 5, H))
    assert correlated.block(range(9), 4, 5, H).tobytes() == expected.tobytes()
    np.testing.assert_allclose(
        expected, np.einsum("ij,njp->nip", factor(C, 3), plain.block(range(9), 4, 5, H)), rtol=1e-13
    )


@given(step=st.integers(0, 10**6), k=st.integers(0, 5))
def test_sums_stay_bit_for_bit(step, k):
    noise = WienerNoise(5, 3, H, C)
    halves = noise.block(range(7), 2 * step, 2, H * 2.0**k)
    np.testing.assert_array_equal(noise.increments(range(7), step, 2 * H * 2.0**k), halves[0] + halves[1])


@pytest.mark.parametrize("k", [-3, 0, 2])
def test_the_covariance_is_that_asked_for(k):
    dt = H * 2.0**k
    z = WienerNoise(2, 3, H, C).block(range(2**13), 8, 8, dt) / np.sqrt(dt)
    z = np.moveaxis(z, 1, 0).reshape(3, -1)
    count = z.shape[1]
    deviation = np.abs(z @ z.T / count - C) / np.sqrt((C**2 + np.outer(np.diag(C), np.diag(C))) / count)
    assert deviation.max() < 4.0  # 6 of |N(0, 1)|; measured 0.7 to 3.1


def weak(seed=3, components=2):
    return WienerNoise(seed, components, H, increment_law="three-point")


def test_three_values_with_their_probabilities():
    z = weak().block(range(2**14), 0, 16, H) / np.sqrt(H)
    values, counts = np.unique(z, return_counts=True)
    np.testing.assert_allclose(values, [-np.sqrt(3), 0, np.sqrt(3)], rtol=4e-16)
    n = z.size
    expected = np.array([1 / 6, 2 / 3, 1 / 6])
    deviation = np.abs(counts / n - expected) / np.sqrt(expected * (1 - expected) / n)
    assert deviation.max() < 3.5  # measured 0.6
    for power, moment in ((2, 1.0), (4, 3.0)):
        spread = np.std(z**power) / np.sqrt(n)
        assert abs(np.mean(z**power) - moment) < 4 * spread


def test_three_point_increments_are_uncorrelated():
    z = np.moveaxis(weak().block(range(2**13), 0, 8, H), 2, 0).reshape(2**13, -1) / np.sqrt(H)  # 16 variables
    correlation = z.T @ z / len(z) - np.eye(16)
    deviation = np.abs(correlation) / np.sqrt((1 + np.eye(16)) / len(z))
    assert deviation.max() < 4.5  # 136 of about |N(0, 1)|; measured 2.4
    joint = np.mean(z[:, 0] ** 2 * z[:, 1] ** 2)  # the halves of one call of Philox
    assert abs(joint - 1) < 4 * np.sqrt(8 / len(z))


@given(seed=st.integers(0, 2**64 - 1), path=st.integers(0, 2**64 - 1), step=st.integers(0, 2**40))
def test_three_points_are_a_function_of_the_words(seed, path, step):
    counter, key = address(seed, path, step, 1)
    words = philox4x32(counter, key).astype(object)
    u = int(words[2 * (step & 1)]) << 32 | int(words[2 * (step & 1) + 1])
    sixth = 2**64 // 6
    expected = np.sqrt(3) if u < sixth else -np.sqrt(3) if u >= 2**64 - sixth else 0.0
    assert weak(seed).increments([path], step, H)[1, 0] == expected * np.sqrt(H)


def test_three_points_have_one_resolution():
    with pytest.raises(MethodError, match="only at their own step"):
        weak().increments(range(2), 0, 2 * H)
    with pytest.raises(UnknownNameError, match="three-point"):
        WienerNoise(0, 1, H, increment_law="two-point")


def test_correlated_three_points():
    z = WienerNoise(2, 2, H, [[1, 0.6], [0.6, 1]], "three-point").block(range(2**14), 0, 4, H) / np.sqrt(H)
    z = np.moveaxis(z, 1, 0).reshape(2, -1)
    assert abs(np.mean(z[0] * z[1]) - 0.6) < 4 * np.std(z[0] * z[1]) / 256  # 2^16 of them


def test_runs_say_what_drove_them():
    body = sd.load("rigid-body")
    options = {"t_end": 0.1, "dt": 0.05, "method": "heun", "save": "final"}
    run = body.simulate(**options, driver=sd.Wiener(covariance=C, increment_law="three-point"))
    assert run.config["noise"]["covariance"] == C.tolist()
    assert run.config["noise"]["increments"] == "three-point"
    assert set(body.simulate(**options).config["noise"]) == {"kind", "resolution", "components"}


@pytest.mark.parametrize("value", [-1, 0, np.nan, "1", 2 + 1j])
def test_invalid_resolutions_are_rejected(value):
    with pytest.raises(InputError, match="resolution of the noise cannot be used"):
        sd.Wiener(value)
