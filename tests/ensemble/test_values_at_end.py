"""Quantities that are evaluated from the end of a run when they are asked for: the bits of a run that evaluates them at once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import UnknownNameError
from semidirect.engines.stepping.tasks import execute
from semidirect.ensemble.simulation import specify
from semidirect.model.numerical_model import NumericalSDE
from semidirect.results import values_at_end
from semidirect.results.assembly import Assembly
from semidirect.results.values_at_end import ValuesAtEnd

BODY = sd.load("rigid-body", advect_gamma=True)
BALL = sd.load("rolling-ball", noise=[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]])


class Pulsing(sd.System):
    """A body whose moments of inertia change with time: its angular velocity follows from momentum and time."""

    group = sd.SO3()
    initial = {"Omega": (0.4, -0.2, 1.5)}

    def lagrangian(self, xi, t):
        return (2 + ops.cos(9 * t)) * ops.dot(xi.Omega, ops.inertia(ops.array([1.0, 2.0, 3.0]), xi.Omega)) / 2

    def constraint(self):
        return sd.Unconstrained(noise=np.eye(3).tolist())


SYSTEMS = {
    "pulsing": Pulsing(),
    "body": BODY,
    "ball": BALL,
    "balls of different masses": BALL.replace(mass=sd.PerPath(np.linspace(1, 2, 9))),
    "sleigh": sd.load("chaplygin-sleigh"),
    "top": sd.load("heavy-top"),
}
CALLS = {
    "usual": {},
    "reduced": {"formulation": sd.Formulation(reconstruct=False)},
    "velocities": {"formulation": sd.Formulation(variables="velocity")},
    "no drive": {"driver": 0},
    "too long a step": {"dt": 5.0, "t_end": 50.0, "method": "heun"},  # paths fail
}


@pytest.fixture
def few_at_once(monkeypatch):
    """Several groups of paths, the last one shorter."""
    monkeypatch.setattr(values_at_end, "PATHS_AT_ONCE", 4)


def evaluated_at_once(system, **call):
    """The run as chunks that read their quantities themselves put it together, which is what a store holds."""
    spec = specify(system, **call)
    assert not spec.end_only
    assembly = Assembly(spec)
    execute(spec, assembly, threads=1)
    return assembly.run()


def same(ours, theirs):
    assert list(ours) == list(theirs)
    for name in theirs:
        assert ours[name].dtype == theirs[name].dtype, name
        assert ours[name].shape == theirs[name].shape, name
        assert ours[name].tobytes() == theirs[name].tobytes(), name
        assert not ours[name].flags.writeable


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_all_bits_are_those_of_a_run_that_evaluates_at_once(data):
    system = SYSTEMS[data.draw(st.sampled_from(sorted(SYSTEMS)))]
    changes = CALLS[data.draw(st.sampled_from(sorted(CALLS)))]
    seed, on_failure = data.draw(st.integers(0, 2**64 - 1)), data.draw(st.sampled_from(["report", "mask"]))
    call = {
        "t_end": 0.05,
        "dt": 0.01,
        "paths": 9,
        "seed": seed,
        "save": "final",
        "checks": sd.Checks(on_failure=on_failure),
        **changes,
    }
    everything = list(specify(system, **call).contents.everything)
    keep = data.draw(st.none() | st.lists(st.sampled_from(everything), unique=True))
    call["save"] = sd.Save("final", names=keep)
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(values_at_end, "PATHS_AT_ONCE", data.draw(st.integers(1, 12)))
        theirs = evaluated_at_once(system, **call)
        spec = specify(system, **call)
        assembly = Assembly(replace(spec, end_only=ValuesAtEnd.suffice(spec)))
        execute(assembly.spec, assembly, threads=data.draw(st.sampled_from([1, 2])))
        ours = assembly.run()
        names = data.draw(st.permutations(list(theirs)))
        for name in names:  # whichever is asked for first
            assert ours[name].tobytes() == theirs[name].tobytes()
        same(ours.final, theirs.final)
        same(ours.data, theirs.data)
        same(ours.final.end, theirs.final.end)
    assert ours.config == theirs.config
    assert ours.status.tobytes() == theirs.status.tobytes()


@pytest.mark.parametrize("system", [BALL, BODY], ids=["ball", "body"])
def test_a_run_that_is_asked_for_its_state_evaluates_nothing_else(system, monkeypatch):
    system.simulate(t_end=0.05, dt=0.01, paths=2, save="final")
    counted = []
    read = NumericalSDE.read
    monkeypatch.setattr(NumericalSDE, "read", lambda self, *given: counted.append(1) or read(self, *given))
    run = system.simulate(t_end=0.05, dt=0.01, paths=3, seed=1, save="final")
    assert (run["M"].shape, run["Gamma"].shape, run["g"].shape) == ((3, 1, 3), (3, 1, 3), (3, 1, 9))
    assert run.final["Gamma"].shape == (3, 3)
    assert "energy" in run
    assert len(run) > 5
    assert not counted
    assert run["energy"].shape == (3, 1)
    assert run.final["Omega"].shape == (3, 3)
    assert len(counted) == 1
    assert run["energy"] is run["energy"]


@pytest.mark.parametrize(
    "call",
    [
        {"save": "every:2"},
        {"reduce": "moments"},
        {"stop": sd.Stop("energy", above=1e9)},
        {"checks": sd.Checks({"energy": 1e9})},
        {"checks": sd.Checks(on_failure="mask")},
    ],
    ids=str,
)
def test_what_paths_are_read_for_on_their_way_is_read_then(call):
    assert ValuesAtEnd.suffice(specify(BODY, t_end=0.05, dt=0.01, save="final"))
    assert not ValuesAtEnd.suffice(specify(BODY, t_end=0.05, dt=0.01, **{"save": "final", **call}))


def test_the_run_can_be_stored_put_into_a_data_set_and_gone_on_from(tmp_path, few_at_once):
    call = {"t_end": 0.05, "dt": 0.01, "paths": 9, "seed": 4, "save": "final"}
    run, theirs = BALL.simulate(**call), BALL.simulate(**{**call, "save": sd.Save("final", store=tmp_path / "b.zarr")})
    run.save(tmp_path / "a.zarr")
    for other in (sd.Run.load(tmp_path / "a.zarr"), theirs):
        same(run.data, other.data)
        same(run.final, other.final)
    table = run.to_xarray()
    assert all((table[name].values == theirs[name]).all() for name in theirs)
    later = {**call, "t_end": 0.1, "state": run.final}
    same(BALL.simulate(**later).data, BALL.simulate(**{**later, "state": theirs.final}).data)
    part = run.final.of_paths(slice(2, 5))
    assert part["Omega"].tobytes() == theirs.final["Omega"][2:5].tobytes()


def test_threads_that_ask_at_once_get_the_same_array(few_at_once):
    run = BALL.simulate(t_end=0.05, dt=0.01, paths=9, save="final")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: run["energy"], range(32)))
    assert all(array is found[0] for array in found)


def test_a_name_that_is_not_there_is_refused():
    run = BALL.simulate(t_end=0.05, dt=0.01, paths=2, save=sd.Save("final", names=["Gamma"]))
    for mapping in (run, run.data, run.final):
        assert "energy" not in mapping
        with pytest.raises(UnknownNameError, match="energy"):
            mapping["energy"]
    assert list(run) == ["Gamma"]
