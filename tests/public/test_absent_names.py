"""What has not the name that was typed says where the value is, or which name is meant."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

import semidirect as sd
from semidirect.core.moved_names import MOVED


@pytest.fixture(scope="module")
def run():
    return sd.load("rigid-body").simulate(t_end=0.2, dt=0.1, paths=2, execution=sd.Execution(engine="numpy"))


MODULE = {
    "compare": "It is sd.analysis.compare.", "convergence": "It is sd.analysis.convergence.",
    "prove": "It is sd.invariants.prove.", "Rune": "Did you mean sd.Run?", "sytem": "Did you mean sd.System?",
    "multi_level": "Did you mean sd.multilevel?",
}  # fmt: skip


@pytest.mark.parametrize("name", MODULE)
def test_the_package_says_where_a_name_is(name):
    with pytest.raises(AttributeError, match=f"'semidirect' has no attribute '{name}'. {re.escape(MODULE[name])}$"):
        getattr(sd, name)


def test_every_name_of_a_package_inside_is_found_from_the_top():
    for module in (sd.analysis, sd.invariants, sd.noise):
        for name in module.__all__:
            if name not in sd.__all__ and name not in MOVED["semidirect"]:
                with pytest.raises(AttributeError, match=re.escape(f"sd.{module.__name__.split('.')[-1]}.{name}")):
                    getattr(sd, name)


SYSTEM = {
    "inertias": "Did you mean .inertia?", "simulat": "Did you mean .simulate?", "Omega": "run['Omega']",
    "energie": "run['energy']", "omega": "run['Omega']",
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEM)
def test_a_system_says_what_is_meant(name):
    with pytest.raises(sd.errors.NoAttributeError, match=re.escape(SYSTEM[name])):
        getattr(sd.load("rigid-body"), name)


def test_a_system_without_a_definition_has_no_other_error():
    with pytest.raises(AttributeError, match="Nothing has no attribute 'speed'"):
        _ = type("Nothing", (sd.System,), {})().speed
    body = sd.load("rigid-body")
    assert not hasattr(body, "_private")
    assert getattr(body, "absent", 3) == 3
    assert str(pickle.loads(pickle.dumps(body))) == str(copy.copy(body)) == str(body)


RUN = {
    "energy": "write ['energy']", "t": "Write .times.", "to_csv": "Write .to_pandas().to_csv(…).", "mean": "Write .statistics()",
    "to_netcdf": "Write .to_xarray().to_netcdf(…).", "state": ".final",
}  # fmt: skip


@pytest.mark.parametrize("name", RUN)
def test_a_run_says_how_its_values_are_read(name, run):
    with pytest.raises(sd.errors.NoAttributeError, match=re.escape(RUN[name])):
        getattr(run, name)


ARGUMENTS = {
    "solver": "method", "T": "t_end", "n": "paths", "n_paths": "paths", "h": "dt", "x0": "state", "rng": "seed",
    "workers": "execution", "events": "stop", "path": "paths", "methd": "method",
}  # fmt: skip


@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_name_of_an_argument_elsewhere_is_told_by_ours(name):
    with pytest.raises(
        sd.errors.CallError, match=f"unknown argument '{name}' of simulate. Did you mean '{ARGUMENTS[name]}'"
    ):
        sd.load("rigid-body").simulate(t_end=0.2, dt=0.1, **{name: 1})
    with pytest.raises(sd.errors.CallError, match="Did you mean 'names'"):
        sd.Save(quantities=["energy"])
