"""Which methods keep what the equations conserve: it is true of other states, steps and noise than those it was found at."""

import re
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

import semidirect as sd
from semidirect.analysis.monitor.keeping import keeping, moved_by_method
from semidirect.cli.entry import main
from semidirect.integrators.registry import METHODS, integrator

CASES = [
    ("heavy-top", "energy", None, "lie-heun"), ("heavy-top", "momentum-axis", None, "lie-heun"),
    ("heavy-top", "gamma-norm", None, "heun"), ("rigid-body", "momentum-squared", None, "heun"),
    ("chaplygin-sleigh", "energy", 0, "lie-heun"), ("suslov", "energy", 0, "lie-heun"),
    ("nonholonomic-particle", "energy", 0, "lie-heun"), ("kirchhoff-body", "momentum-impulse", None, "heun"),
]  # fmt: skip


def moved(name, quantity, driver, method, *, dt, seed):
    """The largest change, by the size of the quantity, from a state of its own on."""
    system = sd.load(name)
    start = {k: np.asarray(v) * 1.3 for k, v in system.initial.items() if k not in system.advected}
    run = system.simulate(
        t_end=20 * dt, dt=dt, paths=3, seed=seed, method=method, driver=driver,
        execution=sd.Execution(engine="numpy"), state={**system.initial, **start},
    )  # fmt: skip
    assert run.good.all()
    return float(np.max(np.abs(run[quantity] - run[quantity][:, :1])) / np.max(np.abs(run[quantity])))


@pytest.mark.parametrize(("name", "quantity", "driver", "method"), CASES)
def test_methods_keep_what_is_said(name, quantity, driver, method):
    system = sd.load(name)
    run = system.simulate(
        t_end=0.5, dt=0.01, paths=2, method=method, driver=driver, execution=sd.Execution(engine="numpy")
    )
    found = keeping(run.data, quantity)
    assert found is not None
    assert found.method == method
    assert moved(name, quantity, driver, method, dt=0.1, seed=7) > 1e-8  # least measured: 7e-7
    for other in found.keepers:
        assert moved(name, quantity, driver, other, dt=0.1, seed=7) < 1e-13  # measured up to 3e-15
    assert bool(found.keepers) == (name != "nonholonomic-particle")


def test_no_method_is_suggested_where_none_preserves_the_quantity():
    for method in ("implicit-midpoint", "gauss(2)", "nonholonomic", "lie-midpoint"):
        assert integrator(method).preserves
        assert moved("nonholonomic-particle", "energy", 0, method, dt=0.1, seed=7) > 1e-8  # least measured: 3e-7


def test_no_warning_for_preserved_or_nonconserved_quantities():
    ball = sd.load("routh-sphere").simulate(t_end=0.1, dt=0.01, execution=sd.Execution(engine="numpy"))
    assert keeping(ball.data, "energy") is None  # the noise changes it
    assert keeping(ball.data, "gamma-norm") is None  # lie-heun keeps it
    assert keeping(ball.data, "reaction") is None
    at_the_end = sd.load("heavy-top").simulate(t_end=0.1, dt=0.01, save="final", execution=sd.Execution(engine="numpy"))
    assert list(moved_by_method(at_the_end.data)) == []


def test_systems_per_path_and_steps_that_fail():
    top = sd.load("heavy-top", mass=sd.PerPath([1.0, 2.0]))
    assert (
        "implicit-midpoint"
        in keeping(
            top.simulate(t_end=0.2, dt=0.01, method="lie-heun", execution=sd.Execution(engine="numpy")).data, "energy"
        ).keepers
    )
    stiff = sd.load("heavy-top", gravity=1e6).simulate(
        t_end=2e-3, dt=1e-4, driver=0, method="lie-heun", execution=sd.Execution(engine="numpy")
    )
    found = keeping(stiff.data, "energy")
    assert found is not None
    assert found.keepers


def test_the_warning_is_in_every_output_of_a_run(tmp_path, capsys):
    run = sd.load("heavy-top").simulate(
        t_end=0.3, dt=0.01, paths=2, method="lie-heun", execution=sd.Execution(engine="numpy"), seed=1
    )
    words = str(keeping(run.data, "energy"))
    change = float(np.max(np.abs(run["energy"] - run["energy"][:, :1])) / np.max(np.abs(run["energy"])))
    size = re.fullmatch(
        r"energy: proved constant; lie-heun changes it by (\d\.?\d*e-\d+) of its largest value, "
        "implicit-midpoint and gauss\\(2\\) preserve it", words
    )[1]  # fmt: skip
    assert float(size) == float(f"{change:.0e}")
    assert words in run._repr_html_()
    assert run.monitor(refine=False)["energy"].reason.endswith(
        f"lie-heun changes it by {size} of its largest value, implicit-midpoint and gauss(2) preserve it"
    )
    ax = run.plot("energy")
    assert any(f"lie-heun changes it by {size} of its largest value\n" in text.get_text() for text in ax.texts)
    plt.close("all")
    options = ["--t-end", "0.3", "--dt", "0.01", "--paths", "2", "--seed", "1", "--save", "all", "--method", "lie-heun"]
    assert main(["run", "heavy-top", *options]) == 0
    assert words in " ".join(capsys.readouterr().out.split())
    run.save(tmp_path / "run")
    loaded = sd.Run.load(tmp_path / "run")
    assert list(map(str, moved_by_method(loaded.data))) == [words]  # of the installed system
    assert words in loaded._repr_html_()
    unknown = sd.Run(replace(run.data, system=None, config={**run.config, "system": "elsewhere:Top"}))
    assert unknown.data.known_system is None
    assert list(moved_by_method(unknown.data)) == []


def test_methods_that_are_tried_declare_what_they_preserve():
    declared = {name for name in METHODS if integrator(name).preserves}
    assert {"implicit-midpoint", "gauss", "lie-heun", "coadjoint-midpoint", "variational", "nonholonomic"} <= declared
