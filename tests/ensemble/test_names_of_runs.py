"""Names of a run that are not there: the errors say where the value is, how it is saved, or what was meant."""

from pathlib import Path

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, NoAttributeError, NotSavedError, UnknownNameError
from semidirect.core.messages.near_names import nearest_name

BODY = sd.load("rigid-body")
TIMES = {"t_end": 0.2, "dt": 0.1}
SOME = BODY.simulate(**TIMES, save=sd.Save(names=["M"]))


@pytest.mark.parametrize(
    "name", ["energy", "Omega", "Omega1", "g11", "momentum-squared", "energy*2 + M1", "norm(Omega)"]
)
def test_quantity_that_was_not_saved_is_not_unknown(name):
    with pytest.raises(NotSavedError, match=r"did not save .* Simulate with save=sd.Save\(names=\['M', '"):
        SOME[name]
    again = BODY.simulate(**TIMES, save=sd.Save(names=["M", name]))
    assert np.array_equal(again[name], BODY.simulate(**TIMES, save=sd.Save(names=[name]))[name])


def test_quantity_of_a_stored_run_that_was_not_saved(tmp_path):
    SOME.save(tmp_path / "run.zarr")
    with pytest.raises(NotSavedError, match="the run did not save 'energy', but M"):
        sd.Run.load(tmp_path / "run.zarr").plot("energy")


def test_what_needs_the_configuration_says_so():
    run = BODY.simulate(**TIMES, formulation=sd.Formulation(reconstruct=False))
    with pytest.raises(NotSavedError, match="reconstruct=True"):
        run["g11"]


def test_names_of_no_quantity_stay_unknown():
    for name in ("enrgy", "M1*nothing", "M4"):
        with pytest.raises(UnknownNameError) as found:
            SOME[name]
        assert not isinstance(found.value, NotSavedError)


@pytest.mark.parametrize(("ask", "message"), [
    (lambda run: run.energy, r"write \['energy'\]"), (lambda run: run.momentum_squared, r"write \['momentum-squared'\]"),
    (lambda run: run.falures, r"Did you mean .failures\?"),
    (lambda run: run.final.Omega, r"write \['Omega'\]"), (lambda run: run.nothing_like_this, "Quantities, read as"),
])  # fmt: skip
def test_attributes_that_are_names_say_how_they_are_read(ask, message):
    run = BODY.simulate(**TIMES)
    with pytest.raises(NoAttributeError, match=message):
        ask(run)
    assert not hasattr(run, "energy")
    assert getattr(run, "energy", None) is None


@pytest.mark.parametrize(("call", "message"), [
    (lambda: BODY.simulate(**TIMES, save="energy"), r"quantities are chosen by save=sd.Save\(names=\['energy'\]\)"),
    (lambda: BODY.simulate(**TIMES, save=["energy", "M"]), r"save=sd.Save\(names=\['energy', 'M'\]\)"),
    (lambda: BODY.simulate(**TIMES, save="finale"), "Did you mean 'final'?"),
    (lambda: BODY.simulate(**TIMES, save="evry:10"), "Did you mean 'every:10'?"),
    (lambda: BODY.simulate(**TIMES, method="RK4"), "Did you mean 'rk4'?"),
    (lambda: BODY.simulate(**TIMES, method="Lie Heun"), "Did you mean 'lie-heun'?"),
    (lambda: BODY.simulate(**TIMES, method="Euler_Maruyama"), "Did you mean 'euler-maruyama'?"),
    (lambda: sd.load("RigidBody"), "Did you mean 'rigid-body'?"),
    (lambda: sd.load("rigid-body", noise=0.1), r"For example noise=\[\[0.0, 0.0, 0.1\]\]"),
    (lambda: BODY.replace(noise=[0, 0, 0.1]), r"For example noise=\[\[0.0, 0.0, 0.1\]\]"),
    (lambda: BODY.replace(inertia=2.0), r"For example inertia=\[2.0, 2.0, 2.0\]"),
])  # fmt: skip
def test_what_was_meant_is_said(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_the_nearest_name_ignores_case_and_hyphens():
    assert nearest_name("RK4", ["rkmk4", "rk4"]) == "rk4"
    assert nearest_name("RK4", ["RK4", "rk4"]) == "RK4"
    assert nearest_name("zzz", ["rk4"]) is None
    assert nearest_name(3, ["rk4"]) is None


@pytest.mark.parametrize("ending", [".csv", ".nc", ".npz", ".parquet", ".CSV"])
def test_no_folder_gets_the_name_of_a_file(tmp_path, ending):
    place = tmp_path / f"out{ending}"
    for store in (lambda: BODY.simulate(**TIMES, save=sd.Save(store=place)), lambda: SOME.save(place)):
        with pytest.raises(
            InputError, match=f"expected the name of a folder of Zarr, got that of a file, {ending.lower()}. Write"
        ):
            store()
    assert not Path(place).exists()


def test_one_quantity_of_an_ensemble_is_an_array():
    ensemble = BODY.ensemble(dt=0.1, paths=3, seed=1).advance(steps=2)
    M, both = ensemble.read("M"), ensemble.read("M", "energy")
    assert isinstance(M, np.ndarray)
    assert list(both) == ["M", "energy"]
    assert np.array_equal(M, both["M"])
    assert np.array_equal(M["M"], both["M"])
    assert type(M["M"]) is type(M[0]) is type(M + 1) is type(M[:, 0]) is np.ndarray
    assert ensemble.by_name("M").keys() == {"M"}
    with pytest.raises(IndexError):
        M["energy"]
