"""10⁵ steps of the geometric methods: what they keep is kept to round-off, without dividing by a norm."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd

SYSTEMS = {
    "rigid-body": {"advect_gamma": True},
    "heavy-top": {"noise": [[0.1, 0, 0.2], [0, 0.3, -0.1]]},
    "routh-sphere": {"noise": [[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]},
}
CASES = [
    ("rigid-body", "lie-heun"),
    ("rigid-body", "lie-heun(exp)"),
    ("rigid-body", "lie-midpoint"),
    ("rigid-body", "implicit-midpoint"),
    ("rigid-body", "variational"),
    ("heavy-top", "lie-heun"),
    ("heavy-top", "lie-midpoint"),
    ("routh-sphere", "lie-heun"),
]


def largest_change(values):
    """Relative to the start, over (paths, times)."""
    return float(np.max(np.abs(values / values[:, :1] - 1)))


@pytest.mark.parametrize(("name", "method"), CASES)
def test_invariants_over_100_000_steps(name, method, record_property):
    """|Γ| stays what it was, 1 or (unvalidated) 2, and so do the Casimirs |M|² and M·Γ where they are, and g in SO(3)."""
    length = np.repeat([1.0, 2.0], 8)
    run = sd.load(name, **SYSTEMS[name]).simulate(
        t_end=1000, dt=0.01, paths=16, method=method, save=sd.Save("every:1000", names=["M", "Gamma", "gamma-norm", "g"]),
        state={"Gamma": length[:, None] * [0, 0.6, 0.8]}, checks=sd.Checks(validate=False),
        execution=sd.Execution(engine="compiled"),
    )  # fmt: skip
    # the noise of the ball feeds it energy (4e5 J measured) until a step turns it by more than π/2, which is reported
    assert {f.reason for f in run.failures()} <= {"a step rotated by more than π/2"}
    assert run.good.all() or name == "routh-sphere"
    assert (run["gamma-norm"][:, 0] == length).all()
    error = largest_change(run["gamma-norm"])
    g = run["g"].reshape(-1, 3, 3)
    assert np.abs(np.swapaxes(g, 1, 2) @ g - np.eye(3)).max() < 5e-13  # measured 1.9e-13
    if name != "routh-sphere":
        assert largest_change(np.sum(run["M"] * run["Gamma"], axis=-1)) < 2e-12  # measured 8.6e-13
    if name == "rigid-body":
        assert largest_change(np.sum(run["M"] ** 2, axis=-1)) < 5e-13  # measured 1.6e-13
    record_property(f"| |Γ| − |Γ₀| |/|Γ₀| over 10⁵ steps, {name}, {method}", f"{error:.1e}")
    assert error < 1e-13  # measured 5.4e-14


def test_the_script_of_longer_runs():
    """``python tests/integrators/long_runs.py`` takes minutes; one row of it takes a moment."""
    spec = spec_from_file_location("long_runs", Path(__file__).with_name("long_runs.py"))
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    found = script.measure(script.BODY, "lie-heun", dt=0.01, steps=2000, state=script.STARTS["rigid body"], paths=4)
    assert found["failed"] == 0
    assert (
        max(found[k] for k in ("gamma", "momentum_gamma", "momentum", "spatial", "group")) < 3e-14
    )  # measured 8.7e-15
    assert found["energy"] > 1e-3  # the noise changes it
