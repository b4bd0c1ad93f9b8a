"""geomstats as a neighbour: the same points, an independent exp, means and distances."""

import subprocess
import sys

import numpy as np
import pytest

from semidirect.core.errors import DefinitionError, InputError, NotOnGroupError
from semidirect.geometry import geomstats_adapter as adapter
from semidirect.groups import SE2, SE3, SO, SO2, SO3, Heisenberg

GROUPS = [SO2(), SO3(), SO(4), SE2(), SE3()]


def cloud(group, spread=0.4, count=12):
    return group.exp(spread * np.random.default_rng(0).standard_normal((count, group.dimension)))


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: g.name)
def test_spaces_convert_both_ways_and_agree_on_points_and_exp(group):
    space = adapter.to_geomstats(group)
    assert adapter.from_geomstats(space) == group
    xi = np.random.default_rng(1).standard_normal((20, group.dimension))
    g = group.exp(xi)
    assert np.all(space.belongs(g, atol=1e-12))
    np.testing.assert_allclose(np.asarray(space.exp(group.hat(xi))), g, rtol=0, atol=2e-14)
    np.testing.assert_allclose(
        np.asarray(space.compose(g[:10], g[10:])), group.compose(g[:10], g[10:]), rtol=0, atol=1e-15
    )


@pytest.mark.parametrize("group", [SO2(), SO3(), SO(4)], ids=lambda g: g.name)
def test_the_mean_is_where_the_logarithms_vanish(group):
    points = cloud(group)
    mean = adapter.frechet_mean(group, points)
    assert group.contains(mean)
    assert np.max(np.abs(np.mean(group.log(group.inverse(mean) @ points), axis=0))) <= 2e-10  # measured 4e-12
    shift = group.random(3)
    np.testing.assert_allclose(adapter.frechet_mean(group, shift @ points), shift @ mean, rtol=0, atol=1e-9)


def test_the_default_of_geomstats_stops_early():
    points = cloud(SO3(), 1.0)
    loose = adapter.geomstats().learning.frechet_mean.FrechetMean(adapter.to_geomstats(SO3())).fit(points).estimate_
    tight = adapter.frechet_mean(SO3(), points)
    rest = [np.linalg.norm(np.mean(SO3().log(SO3().inverse(m) @ points), axis=0)) for m in (loose, tight)]
    assert rest[1] <= 2e-10
    assert rest[0] >= 1e-4  # measured 7e-3


def test_the_mean_of_motions_has_the_mean_position():
    points = cloud(SE3())
    mean = adapter.frechet_mean(SE3(), points)
    np.testing.assert_allclose(mean[:3, 3], np.mean(points[:, :3, 3], axis=0), rtol=0, atol=1e-9)
    np.testing.assert_allclose(mean[:3, :3], adapter.frechet_mean(SO3(), points[:, :3, :3]), rtol=0, atol=1e-9)


def test_weights_pull_the_mean():
    g = SO2().exp([[0.0], [0.6]])
    mean = adapter.frechet_mean(SO2(), g, weights=[1, 2])
    np.testing.assert_allclose(SO2().log(mean), [0.4], rtol=0, atol=1e-10)
    np.testing.assert_allclose(adapter.dispersion(SO2(), g, mean, weights=[1, 2]), 0.08, rtol=0, atol=1e-10)


@pytest.mark.parametrize("group", [SO2(), SO3(), SO(4)], ids=lambda g: g.name)
def test_distances_and_dispersions_are_ours(group):
    points = cloud(group)
    np.testing.assert_allclose(adapter.geodesic_distance(group, points[:6], points[6:]), group.distance(points[:6], points[6:]),
                               rtol=1e-7)  # fmt: skip
    mean = adapter.frechet_mean(group, points)
    np.testing.assert_allclose(adapter.dispersion(group, points), np.mean(group.distance(mean, points) ** 2), rtol=1e-7)
    assert adapter.geodesic_distance(group, points[0], points[1]).shape == ()


def test_refusals():
    with pytest.raises(DefinitionError, match="no space for Heisenberg"):
        adapter.to_geomstats(Heisenberg())
    with pytest.raises(DefinitionError, match="no group for the geomstats space"):
        adapter.from_geomstats(object())
    with pytest.raises(NotOnGroupError):
        adapter.frechet_mean(SO3(), 2 * cloud(SO3()))
    with pytest.raises(InputError, match="the points of a mean: expected at least one"):
        adapter.frechet_mean(SO3(), np.zeros((0, 3, 3)))
    with pytest.raises(InputError, match="mean was not found"):
        adapter.frechet_mean(SO3(), SO3().random(0, 50), max_iterations=1)


def test_it_is_imported_late_and_leaves_numpy_as_it_was():
    code = (
        "import sys, numpy, semidirect.groups, semidirect.representations\n"
        "heavy = {'geomstats', 'sympy', 'scipy', 'llvmlite'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "before = hasattr(numpy, 'trapz')\n"
        "from semidirect.geometry.geomstats_adapter import geomstats\n"
        "assert 'geomstats' not in sys.modules\n"
        "geomstats()\n"
        "assert hasattr(numpy, 'trapz') == before\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
