"""Runs on disk: what Zarr reads is the run; resumed and extended runs are those that were never interrupted, byte for byte."""

import logging
from dataclasses import replace

import numpy as np
import pytest
import xarray
import zarr
from damaged_stores import forge

import semidirect as sd
from semidirect.core.errors import InputError, StoreError
from semidirect.specification import RunSpec

CHUNK = 64
BALL = sd.load("rolling-ball")
CALL = {"t_end": 0.2, "dt": 0.05, "paths": 200, "seed": 4, "method": "heun"}
REDUCTIONS = ("moments", "covariance", "extremes", sd.Histogram("energy", 0, 10), sd.FirstPassage("energy", 1.0))


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: CHUNK)


def tree(path):
    """All files of a store."""
    return {str(f.relative_to(path)): f.read_bytes() for f in path.rglob("*") if f.is_file()}


def stored(call, place, *, resume=False):
    """The arguments of a run, with a store."""
    return {**call, "save": replace(sd.Save.of(call.get("save")), store=place, resume=resume)}


def same_bits(run, other):
    assert list(run) == list(other)
    pairs = [(run[k], other[k]) for k in run] + [(run.final[k], other.final[k]) for k in run.final]
    pairs += [
        (getattr(run.data, k), getattr(other.data, k)) for k in ("times", "status", "failed_at", "failed_component")
    ]
    assert list(run.reductions) == list(other.reductions)
    for key, reduced in run.reductions.items():
        theirs = other.reductions[key].tables()
        pairs += [(np.asarray(v), np.asarray(theirs[k][1])) for k, (_, v) in reduced.tables().items()]
    for ours, theirs in pairs:
        assert (ours.dtype, ours.shape, ours.tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes())
    assert dict(run.config) == dict(other.config)


def test_the_run_is_that_in_memory(store_path):
    call = CALL | {"reduce": REDUCTIONS}
    run = BALL.simulate(**call, save=sd.Save(store=store_path / "run.zarr"))
    same_bits(BALL.simulate(**call), run)
    same_bits(sd.Run.load(store_path / "run.zarr"), run)
    same_bits(run, sd.Run.load(run.save(store_path / "again.zarr")))
    assert sorted(p.name for p in store_path.iterdir()) == ["again.zarr", "run.zarr"]


def test_zarr_and_xarray_read_it(store_path):
    run = BALL.simulate(**CALL, reduce="moments", save=sd.Save(store=store_path / "run.zarr"))
    group = zarr.open_group(str(store_path / "run.zarr"), mode="r")
    members = dict(group.members(max_depth=None))
    assert len(members) > 20
    for name in run:
        np.testing.assert_array_equal(group["data"][name][:], run[name])
    assert group["record/checksums"].shape[0] == 4
    assert [k for k in members if k.startswith("reductions/0.")]
    for name, array in group["reductions"].arrays():
        if name != "times":
            assert np.isfinite(array[:][:, :1]).all()
    dataset = xarray.open_zarr(str(store_path / "run.zarr"), group="data", consolidated=False)
    assert dataset["Omega"].dims == ("path", "time", "component")
    assert dataset["energy"].attrs["units"] == "J"
    np.testing.assert_array_equal(dataset["energy"].values, run["energy"])


def test_the_order_of_work_leaves_no_trace(store_path):
    BALL.simulate(
        **CALL, reduce="moments", save=sd.Save(store=store_path / "a.zarr"), execution=sd.Execution(threads=1)
    )
    BALL.simulate(
        **CALL, reduce="moments", save=sd.Save(store=store_path / "b.zarr"), execution=sd.Execution(threads=2)
    )
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")


def test_an_unfinished_run_is_resumed_to_the_same_bytes(store_path):
    store = store_path / "run.zarr"
    BALL.simulate(**CALL, save=sd.Save(store=store))
    before = tree(store)
    for number in (0, 3):
        (store / f"record/checksums/c.{number}.0.0").unlink()
    (store / "data/energy/c.0.0").unlink()
    (store / "data/energy/c.1.0.7-8.partial").write_bytes(b"of a writer that died")
    with pytest.raises(StoreError, match=r"is not finished: 2 of 4 chunks are missing \(0, 3\).*resume.*partial=True"):
        sd.Run.load(store)
    part = sd.Run.load(store, partial=True)
    np.testing.assert_array_equal(part.data.numbers, np.arange(64, 192))
    whole = BALL.simulate(**CALL)
    np.testing.assert_array_equal(part["energy"], whole["energy"][64:192])
    np.testing.assert_array_equal(part.to_xarray()["path"], np.arange(64, 192))
    with pytest.raises(StoreError, match=r"exists already.*An unfinished run continues with Save\(resume=True\)"):
        BALL.simulate(**CALL, save=sd.Save(store=store))
    run = BALL.simulate(**CALL, save=sd.Save(store=store, resume=True), execution=sd.Execution(engine="compiled"))
    assert run.data.work.chunks.total() == 2
    assert tree(store) == before


def test_resuming_without_a_store_starts_the_run(store_path):
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "a.zarr"))
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "b.zarr", resume=True))
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")
    with pytest.raises(InputError, match=r"resume: expected a store"):
        BALL.simulate(**CALL, save=sd.Save(resume=True))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 5}, "seed: 4 in the store, 5 requested"),
        ({"dt": 0.1}, r"dt: 0.05 in the store, 0.1 requested; noise.resolution: 0.05 in the store, 0.1 requested"),
        (
            {"paths": 100, "t_end": 0.4},
            "t_end: 0.2 in the store, 0.4 requested; paths: 200 in the store, 100 requested",
        ),
        ({"method": "lie-heun"}, r'method: "heun" in the store, "lie-heun" requested'),
        ({"save": sd.Save(names=["energy"])}, "quantities: .* requested"),
        ({"save": "final"}, 'save: "all" in the store, "final" requested'),
        ({"reduce": "moments"}, "reduce: nothing in the store, .*moments.* requested"),
        ({"state": {"Omega": np.tile([0.4, -0.2, 1.5], (200, 1))}}, "state.Omega: .* in the store, .* requested"),
    ],
)
def test_another_run_is_not_resumed(store_path, changes, message):
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    before = tree(store_path / "run.zarr")
    with pytest.raises(StoreError, match=f"holds another run: .*{message}"):
        BALL.simulate(**stored(CALL | changes, store_path / "run.zarr", resume=True))
    assert tree(store_path / "run.zarr") == before


def test_a_run_that_another_version_began_is_not_resumed_but_read(store_path, monkeypatch):
    written = BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    monkeypatch.setattr("semidirect.core.__version__", f"{sd.__version__}.post1")
    with pytest.raises(
        StoreError, match=r"semidirect: \"(.*)\" in the store, \"\1\.post1\" requested.* with the same version"
    ):
        BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr", resume=True))
    assert np.array_equal(sd.Run.load(store_path / "run.zarr")["energy"], written["energy"])


def test_parameters_of_paths_are_compared(store_path):
    masses = np.linspace(1, 2, 200)
    BALL.replace(mass=sd.PerPath(masses)).simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    with pytest.raises(StoreError, match=r"holds another run: inputs: "):
        BALL.replace(mass=sd.PerPath(masses[::-1])).simulate(
            **CALL, save=sd.Save(store=store_path / "run.zarr", resume=True)
        )


def test_a_different_version_of_numpy_warns(store_path, caplog):
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    forge(store_path / "run.zarr", lambda manifest: manifest["versions"].update(numpy="1.0"))
    with caplog.at_level(logging.WARNING):
        BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr", resume=True))
    assert "was begun with numpy 1.0" in caplog.text


def test_a_run_is_read_chunk_by_chunk(store_path):
    run = BALL.simulate(**CALL, reduce="moments", save=sd.Save(store=store_path / "run.zarr"))
    parts = list(sd.Run.parts(store_path / "run.zarr"))
    assert [p.paths for p in parts] == [64, 64, 64, 8]
    np.testing.assert_array_equal(np.concatenate([p["Omega"] for p in parts]), run["Omega"])
    merged = parts[0].reductions["moments"]
    for part in parts[1:]:
        merged = merged.with_paths(part.reductions["moments"])
    assert merged.mean["energy"].tobytes() == run.reductions["moments"].mean["energy"].tobytes()


# -- extending -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "more"),
    [
        ("numpy", {}),
        ("numpy", {"save": "every:3"}),
        ("compiled", {"save": sd.Save("final", names=["energy"])}),
        ("compiled", {"reduce": REDUCTIONS}),
    ],
)
def test_extended_runs_are_longer_runs(store_path, monkeypatch, engine, more):
    call = CALL | more | {"execution": sd.Execution(engine=engine)}
    BALL.simulate(**stored(call | {"paths": 100}, store_path / "a.zarr"))
    BALL.simulate(**stored(call, store_path / "b.zarr"))
    BALL.simulate(**stored(call | {"t_end": 0.5}, store_path / "c.zarr"))
    sd.extend(store_path / "a.zarr", paths=200)
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")
    run = sd.extend(store_path / "a.zarr", t_end=0.5)
    assert tree(store_path / "a.zarr") == tree(store_path / "c.zarr")
    assert run.data.work.chunks.total() == 4
    same_bits(run, BALL.simulate(**call | {"t_end": 0.5}))
    assert sorted(p.name for p in store_path.iterdir()) == ["a.zarr", "b.zarr", "c.zarr"]


def test_time_goes_on_from_the_end(store_path, monkeypatch):
    """The steps that were made are not made again."""
    from semidirect.integrators.heun import Heun

    BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    times, step = set(), Heun.step
    monkeypatch.setattr(
        Heun, "step", lambda self, model, y, t, *rest: times.add(round(t, 9)) or step(self, model, y, t, *rest)
    )
    sd.extend(store_path / "run.zarr", t_end=0.4)
    assert sorted(times) == [0.2, 0.25, 0.3, 0.35]


def test_paths_and_time_are_extended_at_once(store_path):
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "a.zarr"))
    sd.extend(store_path / "a.zarr", paths=300, t_end=0.4)
    BALL.simulate(**CALL | {"paths": 300, "t_end": 0.4}, save=sd.Save(store=store_path / "b.zarr"))
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")


def test_few_paths_become_many(store_path):
    """One chunk of three paths becomes chunks of the usual length."""
    BALL.simulate(**CALL | {"paths": 3}, save=sd.Save(store=store_path / "a.zarr"))
    assert (store_path / "a.zarr/data/energy/c.0.0").stat().st_size == 4 * 5 * 8
    sd.extend(store_path / "a.zarr", paths=200)
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "b.zarr"))
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")


def test_an_interrupted_extension_goes_on(store_path, monkeypatch):
    from semidirect.ensemble import extend_on_disk as module

    BALL.simulate(**CALL, save=sd.Save(store=store_path / "a.zarr"))
    BALL.simulate(**CALL | {"t_end": 0.4}, save=sd.Save(store=store_path / "b.zarr"))
    for name in ("fill", "_exchange"):
        calls = []
        real = getattr(module, name)

        def once(*given, real=real, calls=calls, first=name == "_exchange", **more):
            calls.append(given)
            if len(calls) == (2 if first else 1):
                raise KeyboardInterrupt
            return real(*given, **more)

        with monkeypatch.context() as patch:
            patch.setattr(module, name, once)
            with pytest.raises(KeyboardInterrupt):
                sd.extend(store_path / "a.zarr", t_end=0.4)
    sd.extend(store_path / "a.zarr", t_end=0.4)
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")
    assert sorted(p.name for p in store_path.iterdir()) == ["a.zarr", "b.zarr"]


def test_runs_that_cannot_be_extended_raise_errors(store_path):
    run = BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    with pytest.raises(InputError, match=r"nothing to extend"):
        sd.extend(store_path / "run.zarr")
    with pytest.raises(InputError, match=r"can only be extended: expected at least 200 paths"):
        sd.extend(store_path / "run.zarr", paths=100)
    with pytest.raises(StoreError, match=r"saved from memory cannot be extended"):
        sd.extend(run.save(store_path / "saved.zarr"), paths=300)
    with pytest.raises(StoreError, match=r"holds another run: parameters.mass"):
        sd.extend(store_path / "run.zarr", paths=300, system=BALL.replace(mass=7.0))
    (store_path / "run.zarr/record/checksums/c.1.0.0").unlink()
    with pytest.raises(StoreError, match=r"1 of 4 chunks are missing"):
        sd.extend(store_path / "run.zarr", t_end=0.4)


@pytest.mark.parametrize("drive", ["sin(t)", 0, np.full((8, 1), 0.01)])
def test_driven_runs_are_extended(store_path, drive):
    call = CALL | {"driver": drive}
    BALL.simulate(**call, save=sd.Save(store=store_path / "a.zarr"))
    BALL.simulate(**call | {"t_end": 0.4}, save=sd.Save(store=store_path / "b.zarr"))
    sd.extend(store_path / "a.zarr", t_end=0.4, driver=drive if isinstance(drive, np.ndarray) else None)
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")


# -- nothing stored is executed ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["arrays"].update({"data/../../../secret": ["float64", []]}), "not the name of an array"),
        (lambda m: m["arrays"].update({"/etc/passwd": ["float64", []]}), "not the name of an array"),
        (lambda m: m["arrays"].update({"data/energy": ["object", [5]]}), "not the type of an array"),
        (lambda m: m.update(paths=-1), "not a count"),
        (lambda m: m.update(paths="__import__(1)"), "not a count"),
        (lambda m: m.update(format="pickle"), r"is not a run: expected semidirect run \d, got pickle"),
        (lambda m: m.pop("units"), "KeyError: 'units'"),
    ],
)
def test_an_inconsistent_manifest_is_rejected(store_path, change, message):
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    forge(store_path / "run.zarr", change)
    with pytest.raises(StoreError, match=message):
        sd.Run.load(store_path / "run.zarr")


def test_no_class_is_imported_by_a_name_in_a_file(store_path):
    (store_path / "evil.py").write_text("raise SystemExit('executed')")
    BALL.simulate(**CALL, save=sd.Save(store=store_path / "run.zarr"))
    for name in ("evil:System", "os:system", "semidirect.system:System"):
        forge(store_path / "run.zarr", lambda manifest, name=name: manifest["config"].update(system=name))
        with pytest.raises(StoreError, match="checksums of another chunk or run"):
            sd.Run.load(store_path / "run.zarr")
        with pytest.raises(InputError, match=r"is not installed"):
            sd.extend(store_path / "run.zarr", paths=300)


def test_per_path_parameters_are_extended(store_path):
    system = BALL.replace(mass=sd.PerPath(np.linspace(1, 2, 200)))
    system.simulate(**CALL, save=sd.Save(store=store_path / "a.zarr"))
    system.simulate(**CALL | {"t_end": 0.4}, save=sd.Save(store=store_path / "b.zarr"))
    sd.extend(store_path / "a.zarr", t_end=0.4)
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")
    with pytest.raises(InputError, match=r"paths: expected 200, as many as per-path values, got 300"):
        sd.extend(store_path / "a.zarr", paths=300)


class Exploding(sd.System):
    """z' = z² reaches infinity at t = 1/z(0)."""

    group = sd.SO2()

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda z: [z.z**2])]


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_paths_that_failed_or_will_are_extended(store_path, engine):
    call = {
        "dt": 0.05,
        "method": "heun",
        "execution": sd.Execution(engine=engine),
        "state": {"z": np.linspace(0.1, 9, 100)},
    }
    short = Exploding().simulate(**call, t_end=1, save=sd.Save(store=store_path / "a.zarr"))
    long = Exploding().simulate(**call, t_end=2, save=sd.Save(store=store_path / "b.zarr"))
    assert 0 < len(short.failures()) < len(long.failures()) < 100
    extended = sd.extend(store_path / "a.zarr", t_end=2)
    assert list(map(str, extended.failures())) == list(map(str, long.failures()))
    assert tree(store_path / "a.zarr") == tree(store_path / "b.zarr")
    with pytest.raises(
        InputError, match=r"cannot add paths to a run with per-path initial states: expected 100, got 300"
    ):
        sd.extend(store_path / "a.zarr", paths=300)
