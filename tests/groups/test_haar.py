"""Random elements of compact groups are Haar-distributed."""

import numpy as np
import pytest
from scipy.stats import kstest

from semidirect.groups import SO, SO2, SO3, DirectProduct, Torus
from semidirect.groups.motions.rotations import haar_rotations

COUNT = 20000


def test_rotation_angles_follow_their_law():
    angles = np.linalg.norm(SO3().log(SO3().random(1, COUNT)), axis=-1)
    assert kstest(angles, lambda t: (t - np.sin(t)) / np.pi).pvalue > 0.01
    other = np.linalg.norm(SO(3).log(SO(3).random(1, 2000)), axis=-1)
    assert kstest(other, lambda t: (t - np.sin(t)) / np.pi).pvalue > 0.01


@pytest.mark.parametrize(
    "group", [SO2(), SO3(), SO(4), SO(5), Torus(2), DirectProduct(SO3(), SO2())], ids=lambda g: g.name
)
def test_moments_are_those_of_haar(group):
    g = group.random(2, COUNT)
    assert group.compact
    free = group.structure.pattern == 2
    # E g_ij = 0, and E tr g = 0: five standard errors.
    assert np.max(np.abs(np.mean(g[:, free], axis=0))) < 5 / np.sqrt(COUNT)
    trace = np.trace(g, axis1=1, axis2=2)
    assert abs(np.mean(trace)) < 5 * np.std(trace) / np.sqrt(COUNT)


def test_without_the_sign_fix_the_trace_has_a_mean():
    rng = np.random.default_rng(0)
    naive = np.linalg.qr(rng.standard_normal((COUNT, 4, 4)))[0]
    trace = np.trace(naive, axis1=1, axis2=2)
    assert np.mean(trace) < -100 * np.std(trace) / np.sqrt(COUNT)  # measured -.83, 190 standard errors
    fixed = np.trace(haar_rotations(rng, COUNT, 4), axis1=1, axis2=2)
    assert abs(np.mean(fixed)) < 5 * np.std(fixed) / np.sqrt(COUNT)


def test_one_factor_is_independent_of_another():
    g = DirectProduct(SO3(), SO3(), names=("a", "b")).random(3, COUNT)
    correlation = np.mean(g[:, :3, :3][:, :, :, None, None] * g[:, 3:, 3:][:, None, None], axis=0)
    assert np.max(np.abs(correlation)) < 5 / 3 / np.sqrt(COUNT)
