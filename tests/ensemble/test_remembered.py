"""A run whose specification was remembered is the run of a system that has never run, whatever was asked before."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.ensemble.simulation import specify
from semidirect.model import NumericalSDE

BODY = sd.load("rigid-body", advect_gamma=True)
BASE: dict[str, Any] = {"t_end": 0.04, "dt": 0.01, "state": {"Omega": (1.0, 0.5, -0.3)}, "save": "final"}
OTHER: dict[str, list[Any]] = {
    "t_end": [0.08, 0.02],
    "dt": [0.02, 0.04],
    "t_start": [0.0, 0.02],
    "paths": [1, 3, True],
    "seed": [0, 7, True, -1],
    "method": ["heun", "rkmk4", sd.load("rigid-body").method],
    "state": [{}, {"Omega": (1, 0, 0)}, {"Omega": (1.0, -0.0, 0.0)}, {"Omega": (1.0, 0.0, 0.0)}, {"Omega": [1.0, 0.0]},
              {"Omega": np.array([[1.0, 0, 0], [0, 1, 0]])}, {"Omega": (1.0, 0.0, "x")}, {"Gamma": (0.0, 0.6, 0.8)}],
    "save": ["all", "every:2", [0.04], sd.Save("final"), sd.Save(names=[]), sd.Save("final", names=["energy"]),
             sd.Save("final", names=("M", "energy")), sd.Save(names=["paths"])],
    "driver": [0, "sin(t)", ["sin(t)", "0", "0"], sd.Wiener(0.01), sd.Wiener(0.005), sd.Wiener(increment_law="three-point")],
    "execution": [sd.Execution(engine="numpy"), sd.Execution(2, engine="compiled")],
    "formulation": [sd.Formulation(variables="momentum"), sd.Formulation(variables="velocity"),
                    sd.Formulation(reconstruct=False)],
    "reduce": [None, "moments", sd.Extremes(), sd.Reduce("moments", at="all")],
    "checks": [sd.Checks(on_failure="mask"), sd.Checks(on_failure="raise"), sd.Checks({"energy": 1e-3})],
}  # fmt: skip
CHANGES = st.sampled_from([{name: value} for name, values in OTHER.items() for value in values])


def outcome(system: sd.System, call: dict[str, Any]) -> Any:
    """Everything that a run says, or the error."""
    try:
        with np.errstate(all="ignore"):
            run = system.simulate(**call)
    except sd.SemidirectError as error:
        return type(error), str(error)
    arrays = {
        **run.data,
        **{f"final {k}": v for k, v in run.final.items()},
        "status": run.data.status,
        "times": run.times,
    }
    record = json.dumps(dict(run.config), default=str)
    return record, {k: (v.shape, np.ascontiguousarray(v).tobytes()) for k, v in arrays.items()}, sorted(run.reductions)


@settings(max_examples=15, deadline=None)
@given(st.lists(CHANGES, min_size=2, max_size=4))
def test_what_was_asked_before_changes_nothing(changes: list[dict[str, Any]]):
    """Of one system, any calls one after another, each again at the end; against systems that run for the first time."""
    system = BODY.replace()
    calls = [BASE | change for change in changes] + [BASE]
    for call in [*calls, *calls]:
        assert outcome(system, call) == outcome(BODY.replace(), call)


def test_two_calls_share_a_specification_and_two_seeds_do_not_share_noise():
    system = BODY.replace()
    first, second = (specify(system, **BASE, seed=seed) for seed in (1, 2))
    assert first.saved_steps is second.saved_steps
    assert (first.seed, second.seed, first.driver.seed, second.driver.seed) == (1, 2, 1, 2)
    runs = [system.simulate(**BASE, seed=seed)["M"].tobytes() for seed in (1, 2, 1)]
    assert runs[0] == runs[2] != runs[1]


def test_what_a_user_changes_later_is_seen():
    """The dict of a state, a recommended state, and the record of a run, which is no other run's."""

    class Body(type(BODY)):
        initial = {"Omega": [1.0, 0.5, -0.3], "Gamma": [0.0, 0.6, 0.8]}

    system, state = Body(advect_gamma=True), {"Omega": [1.0, 0.0, 0.0]}
    call = {**BASE, "state": state}
    runs = [system.simulate(**call)]
    state["Omega"][0] = 2.0
    runs.append(system.simulate(**call))
    state.clear()
    runs.append(system.simulate(**call))
    Body.initial["Omega"][0] = 3.0
    runs.append(system.simulate(**call))
    assert len({run["M"].tobytes() for run in runs}) == 4
    before = json.dumps(dict(runs[-1].config))
    runs[-1].config["noise"]["kind"] = runs[-1].config["state"]["Omega"][0] = "changed"
    assert json.dumps(dict(system.simulate(**call).config)) == before


def test_a_run_like_one_before_makes_few_calls():
    """Calls of functions, Python's and C's, whose number does not depend on the machine: measured 336, and 977 where nothing is
    remembered.
    """
    system = BODY.replace()
    call = {**BASE, "execution": sd.Execution(threads=1, engine="compiled")}
    for seed in (0, 1):
        system.simulate(**call, seed=seed)
    count = 0

    def watch(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(watch)
    try:
        system.simulate(**call, seed=2)
    finally:
        sys.setprofile(None)
    assert count <= 340


def test_a_run_looks_each_of_its_models_up_once():
    """That of its equations and that in velocities, in which states are completed."""
    system, lookups = BODY.replace(), []

    def watch(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code is NumericalSDE.of.__func__.__code__:
            lookups.append(frame.f_locals["variables"])

    sys.setprofile(watch)
    try:
        system.simulate(**BASE)
    finally:
        sys.setprofile(None)
    assert sorted(lookups) == ["momentum", "velocity"]
