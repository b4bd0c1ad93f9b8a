"""Statistics of configurations against exact facts: symmetric samples, translations, the filters' own mean, and brute force."""

import dataclasses

import numpy as np
import pytest
from matplotlib import pyplot

import semidirect as sd
from semidirect.core.errors import DefinitionError, InputError, UnknownNameError
from semidirect.geometry import geomstats_adapter
from semidirect.inference.group_mean import centred

RNG = np.random.default_rng(7)


@pytest.fixture(scope="module")
def body():
    """A run of rotations of which only the shape matters."""
    return sd.load("rigid-body").simulate(t_end=0.02, dt=0.01, paths=12, seed=1)


@pytest.fixture(scope="module")
def disk():
    return sd.load("rolling-disk", noise=(0.2, 0.2)).simulate(t_end=1, dt=0.05, paths=12, seed=1)


def with_rotations(run, g, **changes):
    """The run with other rotations at its last time."""
    data = {name: np.repeat(np.array(values)[:1], len(g), axis=0) for name, values in run.data.items()}
    data["g"][:, -1] = np.reshape(g, (len(g), 9))
    count = {
        "status": np.zeros(len(g), np.int8),
        "failed_at": np.full(len(g), np.nan),
        "failed_component": np.full(len(g), -1, np.int16),
    }
    return sd.Run(dataclasses.replace(run.data, data=data, **count, **changes))


SYMMETRIC = [np.diag([0.5, 0.2, 0.05]), 0.9 * RNG.standard_normal((4, 3)) / np.sqrt(3)]


@pytest.mark.parametrize("half", SYMMETRIC, ids=["along axes", "random"])
def test_samples_that_lie_opposite_to_each_other_have_their_centre_as_mean(body, half):
    group, g = sd.SO3(), sd.SO3().random(3)
    eta = np.concatenate([half, -half])
    found = sd.geometry.statistics(with_rotations(body, g @ group.exp(eta)))["g"]
    assert np.abs(found.mean - g).max() < 1e-9  # measured 2e-16
    covariance = eta.T @ eta / (len(eta) - 1)
    assert np.abs(found.covariance - covariance).max() < 1e-9
    assert found.variance == pytest.approx(np.trace(covariance), rel=1e-9)
    values, vectors = np.linalg.eigh(covariance)
    assert np.allclose(found.deviations, np.sqrt(values[::-1]), rtol=0, atol=1e-9)
    assert np.allclose(np.abs(np.sum(found.directions * vectors.T[::-1], axis=1)), 1, rtol=0, atol=1e-9)
    assert found.shares.sum() == pytest.approx(1, rel=1e-9)
    assert found.unique
    assert found.unit == "rad"


@pytest.fixture(scope="module")
def cloud():
    """Rotations without symmetry, spread by about half a radian."""
    return sd.SO3().random(5) @ sd.SO3().exp(0.4 * RNG.standard_normal((25, 3)) @ np.diag([1.5, 1.0, 0.4]))


def test_the_variance_is_that_of_geomstats(body, cloud):
    found = sd.geometry.statistics(with_rotations(body, cloud))["g"]
    dispersion = geomstats_adapter.dispersion(sd.SO3(), cloud, found.mean) * 25 / 24
    assert found.variance == pytest.approx(dispersion, rel=1e-9)


def test_the_mean_moves_with_the_ensemble(body, cloud):
    """The metric is invariant from both sides: the covariance stays, or turns with the axes of the body."""
    h = sd.SO3().random(11)
    plain, left, right = (sd.geometry.statistics(with_rotations(body, g))["g"] for g in (cloud, h @ cloud, cloud @ h))
    assert np.abs(left.mean - h @ plain.mean).max() < 1e-9
    assert np.abs(right.mean - plain.mean @ h).max() < 1e-9
    assert np.abs(left.covariance - plain.covariance).max() < 1e-9
    assert np.abs(right.covariance - h.T @ plain.covariance @ h).max() < 1e-9
    assert np.allclose(np.abs(np.sum(right.directions @ h.T * plain.directions, axis=1)), 1, rtol=0, atol=1e-8)


def test_it_is_the_mean_of_the_filters(body, cloud, disk):
    run = with_rotations(body, cloud)
    stored = cloud.reshape(25, 9).T
    mean, away = centred(sd.SO3(), stored, np.full(25, 1 / 25))
    found = sd.geometry.statistics(run)["g"]
    assert np.abs(found.mean - mean).max() < 1e-9  # measured 6e-12
    assert np.abs(found.coordinates - away.T).max() < 1e-9
    group = disk.system.group
    stored = np.stack([disk[name][:, -1] for name in group.stored_names])
    mean, _ = centred(group, stored, np.full(12, 1 / 12))
    of_disk = sd.geometry.statistics(disk)
    assert list(of_disk) == ["phi", "x,y", "theta"]
    assert [f.unit for f in of_disk.values()] == ["rad", "m", "rad"]
    assert np.abs(of_disk["phi"].mean - mean[:2, :2]).max() < 1e-9
    assert np.abs(of_disk["x,y"].mean - mean[:2, 2]).max() < 1e-9
    assert np.abs(of_disk["theta"].mean - mean[3:, 3:]).max() < 1e-9


def test_a_principal_geodesic_goes_through_the_mean_at_unit_speed(body, cloud, disk):
    found = sd.geometry.statistics(with_rotations(body, cloud))["g"]
    points = found.geodesic(1, [-0.5, 0.0, 1.2])
    assert np.abs(points[1] - found.mean).max() < 1e-15
    assert np.allclose(sd.SO3().distance(found.mean, points), [0.5, 0.0, 1.2], rtol=0, atol=1e-12)
    place = sd.geometry.statistics(disk)["x,y"]
    assert np.allclose(np.linalg.norm(place.geodesic(2, [0.0, 2.0]) - place.mean, axis=1), [0.0, 2.0])
    with pytest.raises(InputError, match="principal geodesic"):
        found.geodesic(4, 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_the_mean_on_a_circle_is_the_best_of_all_points(disk, seed):
    """Also where angles lie all around it; stored angles have turns that do not count."""
    angles = np.random.default_rng(seed).uniform(-3, 3, 12)
    data = {name: np.array(values) for name, values in disk.data.items()}
    data["theta"][:, -1] = angles + 2 * np.pi * np.arange(12)
    found = sd.geometry.statistics(sd.Run(dataclasses.replace(disk.data, data=data)))["theta"]
    grid = np.linspace(-np.pi, np.pi, 20001)
    away = np.angle(np.exp(1j * (angles[:, None] - grid)))
    best = np.min(np.sum(away**2, axis=0))
    assert 11 * found.variance == pytest.approx(best, rel=1e-6)
    assert 11 * found.variance <= best + 1e-9


def test_several_means_are_admitted(body):
    """Three rotations by a third of a turn from each other are each a mean."""
    thirds = sd.SO3().exp(np.array([0, 2, -2])[:, None] * [np.pi / 3, 0, 0])
    statistics = sd.geometry.statistics(with_rotations(body, thirds))
    assert not statistics["g"].unique
    assert "there may be other means" in str(statistics)
    assert np.abs(statistics["g"].directions @ statistics["g"].directions.T - np.eye(3)).max() < 1e-12
    equal = sd.geometry.statistics(with_rotations(body, thirds[[1, 1]]))["g"]
    assert np.abs(equal.directions @ equal.directions.T - np.eye(3)).max() < 1e-12
    assert equal.unique
    assert equal.spread < 1e-12


def test_failed_paths_do_not_count(body, cloud):
    run = with_rotations(body, np.concatenate([cloud, sd.SO3().random(2, 3)]))
    status = np.array(run.data.status)
    status[25:] = 1
    found = sd.geometry.statistics(
        sd.Run(dataclasses.replace(run.data, status=status, failed_at=np.where(status, 0.0, np.nan)))
    )
    assert found.paths == 25
    assert np.abs(found["g"].mean - sd.geometry.statistics(with_rotations(body, cloud))["g"].mean).max() < 1e-9


def test_a_run_of_a_ball_at_a_saved_time(tmp_path):
    run = sd.load("routh-sphere").simulate(t_end=0.5, dt=0.01, paths=6, seed=1)
    found = sd.geometry.statistics(run, 0.204)
    assert found.time == 0.2
    assert np.abs(found["x"].mean - run["x"][:, 20].mean(axis=0)).max() < 1e-12
    assert found["x"].unit == "m"
    stored = sd.geometry.statistics(sd.Run.load(run.save(tmp_path / "ball.zarr")), 0.2)
    assert np.array_equal(stored["g"].mean, found["g"].mean)


def test_refusals(body, disk):
    particle = sd.load("nonholonomic-particle").simulate(t_end=0.1, dt=0.05, paths=3)
    with pytest.raises(DefinitionError, match=r"Heisenberg.*run\.statistics"):
        sd.geometry.statistics(particle)
    with pytest.raises(InputError, match="two paths"):
        sd.geometry.statistics(with_rotations(body, np.eye(3)[None]))
    with pytest.raises(InputError, match="from 0 to 1 s"):
        sd.geometry.statistics(disk, 2.0)
    lost = sd.load("rigid-body").simulate(t_end=0.02, dt=0.01, paths=2, formulation=sd.Formulation(reconstruct=False))
    with pytest.raises(InputError, match="reconstruct=True"):
        sd.geometry.statistics(lost)
    with pytest.raises(UnknownNameError, match="phi"):
        sd.geometry.statistics(disk)["g"]


def test_it_is_drawn_by_one_call(body, cloud, disk):
    axes = sd.geometry.statistics(disk).plot()
    assert [ax.get_xlabel() for ax in axes] == [
        r"$\phi$ from its mean [rad]",
        "$x$ [m]",
        r"$\theta$ from its mean [rad]",
    ]
    assert axes[1].get_ylabel() == "$y$ [m]"
    own = pyplot.figure().add_subplot()
    of_rotations = sd.geometry.statistics(with_rotations(body, cloud))
    assert of_rotations.plot(ax=own) == (own,)
    assert "rad" in own.get_xlabel()
    with pytest.raises(InputError, match="3 of them"):
        sd.geometry.statistics(disk).plot(ax=own)
    pyplot.close("all")
