"""Compiled logarithms of many rotations and motions are those of the groups."""

import numpy as np
import pytest

from semidirect.groups.motions.rotations import space_exponential, space_logarithm
from semidirect.groups.motions.series import without_screw
from semidirect.inference.logarithm_rows import motion_vectors, rotation, rotation_vectors, shifted_vectors

MIDDLE = space_exponential(np.array([0.3, 0.2, -1.0]))


def vectors(width, n=3000, seed=0):
    """Rotation vectors up to a length, half of them short, with some of special lengths and axes."""
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(3, n))
    v *= width * rng.random(n) ** np.where(np.arange(n) % 2, 1, 6) / np.linalg.norm(v, axis=0)
    lengths = np.array([0, 1e-200, 1e-160, 1e-9, 0.5, 1 - 1e-9, 1, 1 + 1e-9, 2 * np.pi / 3, np.pi - 1e-9, np.pi])
    lengths = lengths[lengths <= width]
    for axis in range(3):
        part = slice(20 * axis, 20 * axis + len(lengths))
        v[:, part] = 0
        v[axis, part] = lengths
    return v


@pytest.mark.parametrize("width", [0.99, np.pi])
@pytest.mark.parametrize("middle", [np.eye(3), MIDDLE])
def test_rotation_vectors_are_logarithms(width, middle):
    """Measured: 9e-16, 4e-16 for angles below 1."""
    v = vectors(width)
    g = middle @ np.moveaxis(space_exponential(v), -1, 0)
    found = rotation_vectors(middle, np.ascontiguousarray(np.moveaxis(g, 0, -1)).reshape(9, -1))
    expected = space_logarithm(middle.T @ g).T
    half_turn = np.linalg.norm(v, axis=0) > np.pi - 1e-6  # where both signs are right
    signs = np.where(half_turn & (np.sum(found[:3] * expected, axis=0) < 0), -1, 1)
    assert np.abs(signs * found[:3] - expected).max() < 4e-15
    np.testing.assert_allclose(found[3], np.sum(found[:3] ** 2, axis=0), rtol=1e-13)
    np.testing.assert_allclose(found[4], 1 / 12 + found[3] / 720, rtol=1e-15)


def test_short_vectors_keep_their_relative_accuracy():
    v = vectors(1e-3)
    found = rotation_vectors(np.eye(3), space_exponential(v).reshape(9, -1))[:3]
    length = np.linalg.norm(v, axis=0)
    assert np.max(np.linalg.norm(found - v, axis=0)[length > 1e-150] / length[length > 1e-150]) < 1e-15


def test_shifted_vectors_are_of_first_order():
    """The remainder is of second order: a tenth of the step leaves a hundredth of it."""
    v = vectors(0.9)
    g = np.moveaxis(space_exponential(v), -1, 0)
    found = rotation_vectors(np.eye(3), space_exponential(v).reshape(9, -1))
    rests = []
    for size in (1e-2, 1e-3):
        step = size * np.array([0.3, -0.5, 0.8])
        exact = space_logarithm(space_exponential(-step) @ g).T
        rests.append(np.abs(shifted_vectors(step, found) - exact).max())
    assert 60 < rests[0] / rests[1] < 140


@pytest.mark.parametrize("size", [2, 3])
def test_motion_vectors_are_turns_and_translations(size):
    """In the plane and in space, to angles up to a half turn. Measured: 3e-15."""
    v = vectors(np.pi - 1e-6)
    turn = np.ascontiguousarray(v[:1] if size == 2 else v)
    x = np.random.default_rng(1).normal(size=(size, v.shape[1]))
    middle, place = MIDDLE[:size, :size], np.array([0.1, -0.2, 0.3])[:size]
    found = motion_vectors(middle, place, turn, x)
    assert np.array_equal(found[: len(turn)], turn)
    assert np.abs(found[len(turn) :] - without_screw(turn, middle.T @ (x - place[:, None]))).max() < 2e-14


def test_the_rotation_of_a_vector():
    for v in vectors(np.pi).T[:100]:
        assert np.abs(rotation(v) - space_exponential(v)).max() < 1e-15
