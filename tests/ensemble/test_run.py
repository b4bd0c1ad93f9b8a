"""The result of a run: frozen, labelled, the same after saving and loading."""

import dataclasses
import json
import os

import numpy as np
import pytest
import zarr

import semidirect as sd
from semidirect.core.errors import InputError, StoreError, UnknownNameError

BALL = sd.load("rolling-ball")


@pytest.fixture(scope="module")
def run():
    return BALL.simulate(t_end=0.2, dt=0.05, paths=3, seed=4, driver=None, method="heun")


class Failing(sd.System):
    """z' = z²."""

    group = sd.SO2()

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda z: [z.z**2])]


def identical(run, other):
    """Bit for bit, in every part and in order."""
    assert list(run) == list(other)
    assert list(run.final) == list(other.final)
    pairs = [(run.data[k], other.data[k]) for k in run] + [(run.final[k], other.final[k]) for k in run.final]
    names = ("times", "status", "failed_at", "failed_component")
    for ours, theirs in pairs + [(getattr(run.data, n), getattr(other.data, n)) for n in names]:
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        assert ours.tobytes() == theirs.tobytes()
    assert dict(run.config) == dict(other.config)
    assert dict(run.data.units) == dict(other.data.units)
    assert run.data.components == other.data.components
    assert list(map(str, run.failures())) == list(map(str, other.failures()))


def test_loaded_runs_are_identical(run, tmp_path):
    assert run.save(tmp_path / "run.zarr") == tmp_path / "run.zarr"
    identical(run, sd.Run.load(tmp_path / "run.zarr"))


@pytest.mark.parametrize(
    "options",
    [
        {"save": "final"},
        {"save": sd.Save(names=[])},
        {"state": {"z": [0.1, 3.0]}},  # a path that fails, with inf and nan
        {"save": [0.1, 0.5], "checks": sd.Checks(validate=False), "seed": 2**64 - 1},
    ],
)
def test_other_loaded_runs_are_identical(options, tmp_path):
    run = Failing().simulate(t_end=1, dt=0.1, **options)
    identical(run, sd.Run.load(run.save(tmp_path / "run.zarr")))


def test_negative_zero_survives(tmp_path):
    """Although it equals what a store takes for granted."""
    run = Failing().simulate(t_end=1, dt=0.5)
    run = sd.Run(dataclasses.replace(run.data, data={"zero": np.full(run["omega"].shape, -0.0)}))
    identical(run, sd.Run.load(run.save(tmp_path / "run.zarr")))


def test_a_store_holds_no_pickle(run, tmp_path):
    run.save(tmp_path / "run.zarr")
    for folder, _, files in os.walk(tmp_path / "run.zarr"):
        for file in files:
            if file == "zarr.json":
                with open(os.path.join(folder, file)) as text:
                    assert "pickle" not in json.dumps(json.load(text))
    assert zarr.open_group(str(tmp_path / "run.zarr"), mode="r").attrs["config"]["seed"] == 4


def test_configuration_is_complete(run):
    assert json.loads(json.dumps(dict(run.config))) == dict(run.config)
    expected = {
        "t_end": 0.2, "dt": 0.05, "paths": 3, "seed": 4, "save": "all", "method": "heun", "form": "P", "validate": True,
        "principle": "Hamilton–Pontryagin", "noise": {"kind": "wiener", "resolution": 0.05, "components": 1},
        "variables": ["M", "Gamma"], "options": {"coupling": "variational", "vertical": "formal"},
    }  # fmt: skip
    assert {k: run.config[k] for k in expected} == expected
    assert run.config["parameters"]["noise"] == [[0.0, 0.0, 0.1]]
    assert run.config["state"]["Omega"] == [0.4, -0.2, 1.5]


def test_it_can_be_run_again_from_its_configuration(run):
    c = run.config
    again = sd.load("rolling-ball", **c["parameters"], **c["options"]).simulate(
        t_end=c["t_end"],
        dt=c["dt"],
        paths=c["paths"],
        seed=c["seed"],
        method=c["method"],
        save=c["save"],
        state=c["state"],
    )
    identical(run, again)


def test_mapping(run):
    assert run.paths == 3
    assert "energy" in run
    assert "spam" not in run
    assert run["energy"].shape == (3, 5)
    assert run["Omega"].shape == (3, 5, 3)
    assert len(run) == len(list(run))
    with pytest.raises(UnknownNameError, match=r"quantity of the run 'enrgy'. Did you mean 'energy'\?"):
        run["enrgy"]


def test_repr_is_short(run):
    assert repr(run) == "Run(RollingBall, 3 paths, 5 times, 0 failed)"


def test_frozen(run):
    for array in (run.times, run["energy"], run.final["Omega"], run.data.status):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(TypeError):
        run.config["seed"] = 5
    with pytest.raises(AttributeError):
        run.times = None


def test_statistics(run):
    energy = run.statistics()["energy"]
    np.testing.assert_allclose(energy["mean"], run["energy"].sum(axis=0) / 3, rtol=1e-15)
    deviation = np.sqrt(np.sum((run["energy"] - energy["mean"]) ** 2, axis=0) / 2)
    np.testing.assert_allclose(energy["se"], deviation / np.sqrt(3), rtol=1e-12, atol=1e-18)
    assert run.statistics()["Omega"]["mean"].shape == (5, 3)


def test_xarray(run):
    dataset = run.to_xarray()
    assert dataset["energy"].dims == ("path", "time")
    assert dataset["Omega"].dims == ("path", "time", "component")
    assert dataset["energy"].attrs["units"] == "J"
    assert dataset["time"].attrs["units"] == "s"
    np.testing.assert_array_equal(dataset["Omega"].values, run["Omega"])
    np.testing.assert_array_equal(dataset["time"].values, run.times)
    assert json.loads(dataset.attrs["config"]) == dict(run.config)
    assert dataset["status"].dims == ("path",)
    assert dataset["energy"].mean("path").shape == (5,)


def test_what_exists_is_not_overwritten(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    for name in ("file", "folder"):
        with pytest.raises(StoreError, match=r"exists already. Choose another name"):
            run.save(tmp_path / name)
    assert (tmp_path / "file").read_text() == "mine"
    assert not list((tmp_path / "folder").iterdir())


def test_a_place_that_cannot_be_written_is_reported(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreError, match=r"cannot write .*file/run.zarr.* Choose a place") as caught:
        run.save(tmp_path / "file" / "run.zarr")
    assert isinstance(caught.value, OSError)


def test_garbage_is_not_a_run(run, tmp_path):
    with pytest.raises(StoreError, match=r"there is no .*nothing.zarr"):
        sd.Run.load(tmp_path / "nothing.zarr")
    (tmp_path / "file").write_bytes(b"\x80\x04garbage")
    (tmp_path / "folder").mkdir()
    for name in ("file", "folder"):
        with pytest.raises(StoreError, match="cannot be read as a run"):
            sd.Run.load(tmp_path / name)
    zarr.open_group(str(tmp_path / "other.zarr"), mode="w")
    with pytest.raises(StoreError, match="is not a run: expected semidirect run 2, got None"):
        sd.Run.load(tmp_path / "other.zarr")
    run.save(tmp_path / "broken.zarr")
    (tmp_path / "broken.zarr" / "data" / "energy" / "zarr.json").unlink()
    with pytest.raises(StoreError, match="cannot be read as a run"):
        sd.Run.load(tmp_path / "broken.zarr")


@pytest.mark.parametrize("key", [0, None, ["M"], slice(2), 1.5])
def test_a_key_that_is_no_name(key):
    run = sd.load("heavy-top").simulate(t_end=0.02, dt=0.01)
    assert key not in run
    with pytest.raises(UnknownNameError, match=r"unknown quantity of the run .* Known: M, Gamma"):
        run[key]


def test_a_place_that_is_no_path():
    run = sd.load("heavy-top").simulate(t_end=0.02, dt=0.01)
    for use in (
        run.save,
        sd.Run.load,
        lambda place: list(sd.Run.parts(place)),
        lambda place: sd.extend(place, t_end=1),
    ):
        with pytest.raises(InputError, match="expected a path, got 3"):
            use(3)
    with pytest.raises(InputError, match=r"the system of a run: .*names=\["):
        run.monitor("energy")
