"""Motions by given velocities: their stored runs are known again, and their coordinates have names wherever quantities have."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError
from semidirect.groups.group_texts import described_group

GROUPS = {
    "SO2": sd.SO2(), "SO3": sd.SO3(["w"]), "SE2": sd.SE2(), "SE3": sd.SE3(), "R2": sd.RealSpace(2), "T2": sd.groups.Torus(2),
    "SO4": sd.groups.SO(4), "Heisenberg": sd.groups.Heisenberg(), "product": sd.DirectProduct(sd.SO3(), sd.RealSpace(1)),
}  # fmt: skip


def motion(group):
    n = group.dimension
    return sd.Kinematics(group, velocity=np.linspace(0.1, 0.4, n), noise=0.2 * np.eye(n)[:2])


@pytest.mark.parametrize("name", GROUPS)
def test_group_is_found_from_its_text(name):
    found = described_group(repr(GROUPS[name]))
    assert (repr(found), found.stored_names) == (repr(GROUPS[name]), GROUPS[name].stored_names)


@pytest.mark.parametrize(
    "text", ["SO3", "SO3(Omega: 4)", "R999(x: 999)", "SU2(a: 3)", "SO3 x SU2(a: 3, b: 3)", "SO3(a: 3, b: 3)", 3, ""]
)
def test_other_texts_are_no_group(text):
    assert described_group(text) is None


@pytest.mark.parametrize("name", ["SO3", "SE2", "T2"])
def test_stored_run_of_a_motion_can_be_extended(name, tmp_path):
    system, times = motion(GROUPS[name]), {"dt": 0.1, "paths": 2, "seed": 3}
    system.simulate(t_end=0.3, save=sd.Save(store=tmp_path / "run.zarr"), **times)
    assert repr(sd.Run.load(tmp_path / "run.zarr").data.known_system) == repr(system)
    longer, whole = sd.extend(tmp_path / "run.zarr", t_end=0.5), system.simulate(t_end=0.5, **times)
    for quantity in whole:
        np.testing.assert_array_equal(longer[quantity], whole[quantity])


def test_motion_that_is_stated_by_functions_needs_its_system(tmp_path):
    system = sd.Kinematics(sd.RealSpace(1), velocity=lambda t: (t,))
    system.simulate(t_end=0.3, dt=0.1, method="rk4", save=sd.Save(store=tmp_path / "run.zarr"))
    with pytest.raises(
        InputError, match=r"the Kinematics of a stored run: expected a group of the library .* got velocity = .*system="
    ):
        sd.extend(tmp_path / "run.zarr", t_end=0.5)
    assert sd.extend(tmp_path / "run.zarr", t_end=0.5, system=system).times[-1] == 0.5


@pytest.mark.parametrize("name", ["SO2", "SO3", "SE2", "R2", "product"])
def test_coordinates_have_names_in_expressions_stops_and_observations(name):
    system, times = motion(GROUPS[name]), {"t_end": 0.4, "dt": 0.1, "seed": 3}
    run = system.simulate(**times)
    for coordinate in GROUPS[name].stored_names:
        level = float(run[coordinate][0, -1])
        stopped = system.simulate(**times, stop=sd.Stop(coordinate, above=level - 1e-9, locate=False))
        first = np.flatnonzero(run[coordinate][0] > level - 1e-9)[0]
        assert stopped.stopped.time[0] == run.times[first]
        crossed = system.simulate(**times, save=sd.Save(crossings=sd.Crossing(coordinate, 1e9)))
        assert crossed.crossings[0].count.tolist() == [0]
        doubled = system.simulate(**times, save=sd.Save(names=[f"2*{coordinate}"]))[f"2*{coordinate}"]
        np.testing.assert_array_equal(doubled, 2 * run[coordinate])
    for quantity in run:
        if run[quantity].ndim > 2:  # a vector of coordinates, in expressions too
            norm = system.simulate(**times, save=sd.Save(names=[f"norm({quantity})"]))[f"norm({quantity})"]
            np.testing.assert_allclose(norm, np.linalg.norm(run[quantity], axis=-1), rtol=1e-14)
    data = sd.Observation(list(GROUPS[name].stored_names), noise=0.1).of(run, seed=1)
    assert data["component"].values.tolist() == list(GROUPS[name].stored_names)
