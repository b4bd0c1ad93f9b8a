"""Files that were written before names moved open, with the same values."""

import pickle
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

import semidirect as sd
from semidirect.cli.entry import main

WRITTEN = Path(__file__).parents[1] / "data" / "written_before"
ENERGY = [
    [0.8849999999999999, 0.8938360711635017, 0.8860635277001242],
    [0.8849999999999999, 0.8818719120642876, 0.8850846854690941],
]
"""Of the run: two paths of a rigid body at 0, 0.02 and 0.04 s, seed 7, by lie-heun."""


class Reader(pickle.Unpickler):
    """Reads a pickle in which a path means a folder of this test."""

    def __init__(self, file, place):
        super().__init__(file)
        self.place = place

    def find_class(self, module, name):
        if module.startswith("pathlib"):
            return lambda *parts: self.place / parts[-1]
        return super().find_class(module, name)


@pytest.fixture
def store(tmp_path):
    with ZipFile(WRITTEN / "run.zarr.zip") as archive:
        archive.extractall(tmp_path)
    return tmp_path / "run.zarr"


def opened(name, place=None):
    with (WRITTEN / f"{name}.pickle").open("rb") as file:
        return Reader(file, place).load()


def test_a_store(store, monkeypatch):
    """It is read by any later version, and made longer by the same one alone, whose bits the other steps have."""
    run = sd.Run.load(store)
    assert run["energy"].tolist() == ENERGY
    assert run.stopped.labels == ("energy ≥ 9",)
    with pytest.raises(
        sd.errors.StoreError, match=r'semidirect: "0.1.0" in the store, .* Use the same version, or continue'
    ):
        sd.extend(run, t_end=0.06)
    monkeypatch.setattr("semidirect.core.__version__", "0.1.0")
    longer = sd.extend(run, t_end=0.06)
    assert longer["energy"][:, :3].tolist() == ENERGY
    assert len(longer.times) == 4


@pytest.mark.parametrize("name", ["run", "stored_run"])
def test_a_run(name, store):
    run = opened(name, store.parent)
    assert type(run) is sd.Run
    assert run["energy"].tolist() == ENERGY
    assert pickle.loads(pickle.dumps(run))["energy"].tolist() == ENERGY
    if name == "run":
        assert run.reductions["moments"].mean["energy"][0] == pytest.approx(0.885)
        assert run.crossings[0].crossing.label.startswith("energy")
        assert run.system.simulate(t_end=0.04, dt=0.02, paths=2, seed=7, method="lie-heun")["energy"].tolist() == ENERGY


def test_a_state_a_stepper_and_a_system():
    final, stepper, top = opened("final"), opened("stepper"), opened("system")
    end = [
        [1.0082405978399436, 0.4864580968261563, -0.3067545122363861],
        [1.0109203421537418, 0.4778013376153777, -0.3117804763525461],
    ]
    assert final["Omega"].tolist() == end
    assert (final.t, final.seed) == (0.04, 7)
    assert stepper.read("Omega").tolist() == stepper["Omega"].tolist() == end
    assert stepper.advance(steps=1)["Omega"][0, 0] == 1.0454683257205335
    assert top.values["mass"].values.tolist() == [1.0, 2.0]


def test_arguments_statistics_groups_and_errors():
    save, reduce, stop, checks, execution, formulation, driver = opened("arguments")
    assert (save.names, reduce.statistics[0].label, stop.above) == (("energy",), "moments", 2.0)
    assert (type(checks), execution.threads, type(formulation), type(driver)) == (
        sd.Checks,
        1,
        sd.Formulation,
        sd.Wiener,
    )
    kinds = (sd.Moments, sd.Covariance, sd.Extremes, sd.Histogram, sd.TimeAverage)
    assert tuple(map(type, opened("statistics"))) == kinds
    circle, plane, quantity, _ = opened("geometry")
    assert circle == sd.SO2()
    assert plane == sd.RealSpace(2)
    assert quantity.representation == sd.VectorRepresentation(sd.SO2())
    errors = opened("errors")
    assert str(errors[0]) == "x: expected a, got b"
    assert [type(error).__name__ for error in errors] == [
        "InputError",
        "StoreError",
        "UnknownNameError",
        "FailedPathsWarning",
    ]
    assert isinstance(errors[0], sd.errors.InputError)


def test_filters_proofs_and_studies():
    observation, noise, update, kalman = opened("inference")
    assert type(observation) is sd.Observation
    assert type(observation.noise) is type(noise) is sd.inference.GaussianNoise
    assert observation.noise.scale == noise.scale == 0.1
    meant = sd.inference.ParticleUpdate(temper_below=0.2, moves=2, reach=20)  # the default of then
    assert repr((update, kalman)) == repr((meant, sd.ExtendedKalman()))
    assert opened("filter").log_likelihood == pytest.approx(8.15, abs=0.005)
    assert "energy" in str(opened("proof"))
    assert opened("monitor").findings[0].quantity
    assert opened("multilevel").estimate == 0.8841264166521647
    assert np.isfinite(opened("lyapunov").exponents).all()
    classes = opened("classes")
    assert classes[:4] == [sd.errors.InputError, sd.inference.GaussianNoise, sd.runs.HybridRun, sd.runs.Final]


def test_a_configuration(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "--config", str(WRITTEN / "run.toml")]) == 0
    out = capsys.readouterr().out
    assert "stopped by energy ≥ 9: 0" in out
    assert "0.885574" in out
