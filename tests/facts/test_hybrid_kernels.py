"""Kernels between the events of hybrid systems: the same bits as array code, which takes the steps of the events."""

import numpy as np
import pytest
from hopping_hoops import START, hopping_hoop
from hybrid_systems import Ball, OnFloor, Point, RollingBall, dropped_ball, falling_point

import semidirect as sd
from semidirect import ops
from semidirect.compile import Trail
from semidirect.hybrid import compiled
from semidirect.machine import NotCompiledError
from semidirect.random import normal_numbers as normals

LANDS = sd.Crossing("height", 0, "falling")


class Growing(Point):
    """Its velocity grows without bound in a finite time."""

    rate = sd.parameter(0.5)

    def force(self, xi, a):
        return ops.array([self.rate * xi.v[0] ** 2, 0.0])


def runs(system, **arguments):
    """The same run by array code and by kernels."""
    with_engine = (
        system.simulate(**arguments, execution=sd.Execution(engine=engine, threads=1))
        for engine in ("numpy", "compiled")
    )
    return tuple(with_engine)


def assert_same(one, other):
    assert list(one) == list(other)
    for name in one:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    for name in ("mode", "status", "ended_at"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name, column in vars(one.transitions).items():
        np.testing.assert_array_equal(column, getattr(other.transitions, name), err_msg=name)


def test_hoops_under_noise_that_slip_hop_and_land():
    """Brownian bridges, several guards of a mode, expressions as quantities, saved steps that divide nothing."""
    hoop = hopping_hoop(friction=0.8, noise=[2.0])
    arguments = {"mode": "rolling", "t_end": 0.4, "dt": 0.02, "seed": 11, "method": "lie-heun", "state": START}
    one, other = runs(hoop, paths=66, save="every:7", **arguments)
    assert len(one.transitions) > 30
    assert_same(one, other)
    few = hoop.simulate(paths=3, save="every:7", execution=sd.Execution(engine="compiled"), **arguments)
    np.testing.assert_array_equal(few["omega"], other["omega"][:3])


@pytest.mark.parametrize("method", ["rkmk4", "implicit-midpoint"])
def test_points_with_floors_of_their_own(method):
    """Parameters per path; the bounces accumulate, at another time on each path."""
    point = falling_point(LANDS, 0.2, floor=sd.PerPath([-0.3, 0.1, 0.3]))
    one, other = runs(point, mode="flight", t_end=1.1, dt=0.05, method=method, most=3)
    assert len(np.unique(one.ended_at)) == 3
    assert_same(one, other)


def test_a_ball_that_slides_and_rolls():
    """A one-sided level, beyond which a path enters: slip below its level; rolling has no guard."""
    one, other = runs(dropped_ball(sd.Impact()), mode="flight", t_end=0.6, dt=0.02, method="rkmk4", paths=2)
    assert "rolling" in one.sequence(0)
    assert_same(one, other)


def test_paths_that_fail_between_events():
    """One grows beyond all bounds, each path at its own step; another turns too far in a step."""
    grows = sd.Hybrid({"flight": Growing(rate=sd.PerPath([0.5, 0.8, 0.1])), "ground": OnFloor()},
                      [sd.Switch("flight", "ground", sd.Crossing("height", -50, "falling"))])  # fmt: skip
    state = {"v": (2.0, 0.0)}
    with pytest.warns(sd.errors.FailedPathsWarning):
        one, other = runs(grows, mode="flight", t_end=2, dt=0.01, method="rkmk4", state=state)
    assert one.status.tolist() == [1, 1, 0]
    assert one.ended_at[0] > one.ended_at[1]
    assert_same(one, other)
    turns = sd.Hybrid({"flight": Ball(), "rolling": RollingBall()}, [sd.Switch("flight", "rolling", LANDS)])
    with pytest.warns(sd.errors.FailedPathsWarning):
        one, other = runs(turns, mode="flight", t_end=0.4, dt=0.02, method="rkmk4", state={"Omega": (100, 0, 0)})
    assert one.status.tolist() == [4]
    assert_same(one, other)


def test_derivatives_through_transitions():
    """By parameters and by the start; carried along by the kernels from one bounce to the next."""
    one, other = runs(falling_point(LANDS, 0.4), mode="flight", t_end=1.3, dt=0.05, method="rkmk4", paths=2,
                      formulation=sd.Formulation(sensitivity=("gravity", "v")))  # fmt: skip
    assert len(one.transitions.of_path(0)) == 2
    assert np.isfinite(other.sensitivity("height", "gravity").values).all()
    assert_same(one, other)


def test_array_code_steps_what_kernels_cannot(monkeypatch):
    """A function that is in no kernel: array code is used, unless kernels are asked for."""

    def missing(*_):
        raise NotCompiledError("the function")

    point = falling_point(LANDS, 0.4)
    how = {"mode": "flight", "t_end": 0.8, "dt": 0.02, "method": "rkmk4", "save": "final"}
    plain = point.simulate(**how, execution=sd.Execution(engine="numpy"))
    monkeypatch.setattr(Trail, "of", missing)
    monkeypatch.setattr(compiled, "WORTH_COMPILING", 0.0)
    assert_same(point.simulate(**how), plain)
    with pytest.raises(sd.errors.MethodError, match="no kernel for the steps of flight: the function"):
        point.simulate(**how, execution=sd.Execution(engine="compiled"))


def test_only_engines_that_hybrid_systems_have():
    with pytest.raises(sd.errors.InputError, match="engine"):
        falling_point(LANDS, 0.5).simulate(mode="flight", t_end=1, dt=0.1, execution=sd.Execution(engine="fused"))


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_normals_from_a_step_of_each_path(count):
    rng = np.random.default_rng(0)
    paths, first = rng.integers(0, 2**63, 40).astype(np.uint64), rng.integers(0, 2**44, 40)
    found = normals.fill_normals(np.empty((count, 3, 40)), 5, paths, first, level=46)
    for j in range(40):
        alone = normals.fill_normals(np.empty((count, 3, 1)), 5, paths[j : j + 1], int(first[j]), 46)
        np.testing.assert_array_equal(found[..., j], alone[..., 0])
