"""Damaged, forged and linked stores: no wrong number, no error of others, no memory taken, nothing written elsewhere.

The large run is ``python tests/ensemble/damaged_stores.py``.
"""

import hashlib
import json
import os
import tracemalloc
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
import remote_path
from damaged_stores import (
    bomb,
    everything,
    exchange,
    files,
    flips,
    forge,
    forgeries,
    make,
    other_damage,
    survey,
    verdict,
)
from remote_path import copied, folder_for, on_a_disk, removed

import semidirect as sd
from semidirect.core.errors import StoreError
from semidirect.ensemble.store.store import Store

FLIPS, OTHERS, FORGERIES = (12, 100, 16) if remote_path.AT else (60, 25, 80)
SEED = 7


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two runs that differ in their seeds, and what is in the first one."""
    folder = remote_path.folder(tmp_path_factory.mktemp("stores"))
    make(folder / "run.zarr")
    make(folder / "other.zarr", seed=5)
    return folder, everything(folder / "run.zarr")


@pytest.fixture
def stores(made, store_path):
    """Copies of them."""
    folder, truth = made
    copied(folder, store_path / "stores")
    return store_path / "stores/run.zarr", store_path / "stores/other.zarr", truth


def contents(path):
    return {name: (path / name).read_bytes() for name in files(path)}


# -- damage --------------------------------------------------------------------------------------------------------


def test_what_is_not_damaged_is_read(stores):
    path, other, truth = stores
    assert verdict(path, truth) == "harmless"
    assert verdict(other, truth).startswith("wrong")  # the test sees what is another run
    inputs = {"inputs/mass/c.0", "inputs/state.u/c.0.0", "reductions/times/c.0", "record/times/c.0"}
    assert inputs <= {*files(path)}


def test_bits_that_were_turned(stores):
    path, _, truth = stores
    counts, bad = survey(flips(path, FLIPS, SEED), path, truth)
    assert bad == []
    assert counts["error"] == FLIPS


def test_bytes_of_the_manifest_and_of_the_times(stores):
    """Those that no chunk holds: one bit of some bytes of the small files and of the manifest, at both ends and between."""
    path, _, truth = stores
    names = [n for n in files(path) if n.startswith(("record/times", "reductions/times", "inputs/")) and "/c." in n]
    names = [n for n in names if (path / n).stat().st_size]
    assert len(names) >= 4
    for name in [*names, "zarr.json"]:
        content = (path / name).read_bytes()
        for k in np.linspace(0, len(content) - 1, min(len(content), 8)).astype(int).tolist():
            damaged = bytearray(content)
            damaged[k] ^= 1 << k % 8
            (path / name).write_bytes(damaged)
            assert verdict(path, truth) == "error", (name, k)
        (path / name).write_bytes(content)


def test_missing_and_exchanged_files_are_detected(stores):
    """Gone, empty, cut off, longer, pipes, links, exchanged: every 25th of some 1,500 kinds."""
    path, other, truth = stores
    counts, bad = survey(islice(other_damage(path, other), SEED, None, OTHERS), path, truth)
    assert bad == []
    assert counts["error"] > (6 if remote_path.AT else 40)  # 8, and 48


def test_chunks_of_other_runs_are_rejected(stores):
    """Whole chunks with their checksums, exchanged or of another run: each file is as it was written."""
    path, other, truth = stores
    manifest = Store.open(path).manifest
    arrays = [*manifest.layout.values(), manifest.marks]
    for one, (there, two) in ((0, (path, 1)), (2, (other, 2))):
        for array in arrays:
            exchange(path / array.file(one), there / array.file(two))
        with pytest.raises(StoreError, match="checksums of another chunk or run"):
            sd.Run.load(path)
        for array in arrays:
            exchange(path / array.file(one), there / array.file(two))
        assert verdict(path, truth) == "harmless"


def test_the_shorter_last_chunk_of_a_run_that_became_longer(store_path):
    """Put back from a copy, it would leave paths without values."""
    call = {"t_end": 0.2, "dt": 0.05, "method": "heun"}
    ball = sd.load("rolling-ball")
    from semidirect.specification import RunSpec

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunSpec, "usual_chunk", lambda *given: 64)
        ball.simulate(**call, paths=100, save=sd.Save(names=["energy"], store=store_path / "run.zarr"))
        copied(store_path / "run.zarr", store_path / "copy.zarr")
        sd.extend(store_path / "run.zarr", paths=128)
    manifest = Store.open(store_path / "run.zarr").manifest
    for array in (*manifest.layout.values(), manifest.marks):
        before = (store_path / "copy.zarr" / array.file(1)).read_bytes()
        (store_path / "run.zarr" / array.file(1)).write_bytes(before)
    with pytest.raises(StoreError, match=r"chunk 1 of .*, paths 64 to 127, is damaged: record/checksums"):
        sd.Run.load(store_path / "run.zarr")


def test_a_run_that_is_resumed_mends_what_can_be_made_again(stores):
    """All but the manifest: whatever else is damaged is as it was afterwards, or an error says why not."""
    path, _, _ = stores
    before = contents(path)
    for name in ("record/times/c.0", "reductions/times/c.0", "inputs/state.u/c.0.0", "data/Omega/zarr.json", "end/y/c.1.0",
                 "record/checksums/c.2.0.0", "record/zarr.json", "inputs/mass/c.0"):  # fmt: skip
        content = bytearray((path / name).read_bytes())
        content[len(content) // 2] ^= 4
        (path / name).write_bytes(content)
    removed(path / "data/energy")
    make(path, resume=True)
    assert contents(path) == before
    removed(path / "record")
    make(path, resume=True)
    assert contents(path) == before
    (path / "zarr.json").write_bytes(before["zarr.json"].replace(b'"seed": 4', b'"seed": 5'))
    with pytest.raises(StoreError, match=r"zarr\.json: ValueError: it was changed or damaged: .*Restore this file"):
        make(path, resume=True)


# -- sizes ---------------------------------------------------------------------------------------------------------


def refused_in_little_memory(path, message):
    """Read in every way; the most memory that was taken is small."""
    tracemalloc.start()
    try:
        for partial in (False, True):
            with pytest.raises(StoreError, match=message):
                everything(path, partial)
        with pytest.raises(StoreError, match=message):
            list(sd.Run.parts(path))
        assert tracemalloc.get_traced_memory()[1] < 3e7  # 2e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("paths", [2**40, 2**62])
@pytest.mark.parametrize("chunk_paths", [1, 64, "all"])
def test_more_paths_than_there_are(stores, paths, chunk_paths):
    path, _, _ = stores
    count = paths if chunk_paths == "all" else chunk_paths
    forge(path, lambda m: m.update(paths=paths, chunk_paths=count, config={**m["config"], "paths": paths}))
    with pytest.raises(StoreError, match=r"was changed"):  # the metadata of arrays say something else
        sd.Run.load(path)
    for name, content in Store.open(path).manifest.files().items():
        (path / name).write_bytes(content)
    refused_in_little_memory(path, "is not finished|is damaged")
    with pytest.raises(StoreError, match=r"holds another run: .*paths|is damaged"):
        make(path, resume=True)


@on_a_disk
def test_files_with_holes_of_the_size_that_is_claimed(stores):
    """They take no room on the disk, but would take all memory."""
    path, _, _ = stores
    forge(path, lambda m: m.update(paths=2**37, chunk_paths=2**37))
    manifest = Store.open(path).manifest
    for name, content in manifest.files().items():
        (path / name).write_bytes(content)
    for array in manifest.layout.values():
        if array.size:
            os.truncate(path / array.file(0), array.size)
    refused_in_little_memory(path, "does not fit into memory|is damaged")


@pytest.mark.parametrize("sealed", [False, True])
def test_a_small_chunk_that_inflates_to_a_large_one(stores, sealed):
    """Also where all its checksums belong to it."""
    path, _, _ = stores
    manifest = Store.open(path).manifest
    names = list(manifest.layout)
    name = next(k for k, array in manifest.layout.items() if array.compressed)
    content = bomb(2**28)
    assert len(content) < 3e5
    (path / manifest.layout[name].file(1)).write_bytes(content)
    if sealed:
        marks = path / manifest.marks.file(1)
        sums = bytearray(marks.read_bytes()[:-32])
        sums[32 * names.index(name) : 32 * names.index(name) + 32] = hashlib.sha256(content).digest()
        marks.write_bytes(bytes(sums) + manifest.seal(1, bytes(sums)))
    refused_in_little_memory(path, f"is damaged: {name}/c.1")
    array = replace(manifest.layout[name], length=2**20)  # long enough for the file, not for what it inflates to
    with pytest.raises(ValueError, match="does not decompress to"):
        array.decoded(content, (1,))
    with pytest.raises(ValueError, match="does not decompress to"):
        manifest.layout[name].decoded(content, (1,))


@pytest.mark.parametrize("name", ["zarr.json", "data/energy/zarr.json", "record/times/c.0", "record/checksums/c.0.0.0"])
def test_small_files_that_are_large(stores, name):
    path, _, truth = stores
    if remote_path.AT:
        (path / name).write_bytes(bytes(2**27))  # objects have no holes
    else:
        os.truncate(path / name, 2**42)
    tracemalloc.start()
    try:
        assert verdict(path, truth) == "error"
        most = 3e8 if remote_path.AT else 3e7  # 1.7e8 in memory, 2.7e8 of S3, twice the object; 2e6 of a file
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def test_inconsistent_manifests_with_valid_checksums_are_rejected(stores):
    """Whoever means harm can give a manifest its checksum: ours is still the only error, and chunks belong to one run."""
    path, _, truth = stores
    for what in forgeries(path, SEED, FORGERIES):
        assert not verdict(path, truth).startswith("foreign"), what
    for key, value in {"seed": 5, "dt": 0.1, "t_end": 0.8, "method": "lie-heun", "options": {}, "noise": {}}.items():
        before = (path / "zarr.json").read_bytes()
        forge(path, lambda m, key=key, value=value: m["config"].update({key: value}))
        assert verdict(path, truth) == "error", key
        (path / "zarr.json").write_bytes(before)


def test_attributes_of_other_types_are_rejected(stores):
    """Of every attribute of a manifest, and every shape of what is known before the run."""
    path, _, truth = stores
    before = (path / "zarr.json").read_bytes()
    attributes = json.loads(before)["attributes"].keys() - {"checksum"}
    changes = [lambda m, key=key, value=value: m.update({key: value})
               for key in sorted(attributes) for value in (True, "xy", 7, [], ["x"])]  # fmt: skip
    changes += [lambda m, k=k, value=value: m["given"][k].__setitem__(0, value)
                for k in json.loads(before)["attributes"]["given"] for value in ([], "", {}, None, [True])]  # fmt: skip
    for change in changes[:: 10 if remote_path.AT else 1]:
        forge(path, change)
        assert not verdict(path, truth).startswith("foreign"), json.loads((path / "zarr.json").read_text())[
            "attributes"
        ]
        (path / "zarr.json").write_bytes(before)


# -- links ---------------------------------------------------------------------------------------------------------


@on_a_disk
@pytest.mark.parametrize(
    "folder", ["data", "data/energy", "record", "record/checksums", "end", "reductions", "inputs", "inputs/mass"]
)
def test_nothing_is_written_through_a_link(stores, folder):
    """Of what is linked nothing is changed or removed; what is not missing is still read, under its checksums."""
    path, _, truth = stores
    outside = path.parent / "outside"
    (path / folder).rename(outside)
    (path / folder).symlink_to(outside, target_is_directory=True)
    (outside / "mine.1-1.partial").write_text("mine")
    assert verdict(path, truth) == "harmless"
    for file in (path / "data/energy/c.1.0", path / "record/times/c.0"):
        content = bytearray(file.read_bytes())
        content[0] ^= 1
        file.write_bytes(content)
    before = contents(outside)
    with pytest.raises(StoreError, match=rf"a link, through which nothing is written: .*{folder}"):
        make(path, resume=True)
    assert contents(outside) == before


@on_a_disk
def test_a_link_in_the_place_of_a_file_is_replaced(stores):
    path, _, truth = stores
    precious = path.parent / "precious"
    for name in ("data/energy/c.1.0", "record/checksums/c.0.0.0", "record/times/c.0", "data/energy/zarr.json"):
        precious.write_text("mine")
        (path / name).unlink()
        (path / name).symlink_to(precious)
        make(path, resume=True)
        assert precious.read_text() == "mine"
        assert not (path / name).is_symlink()
        assert verdict(path, truth) == "harmless"


# -- neighbours ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["longer", "shorter", "extending", "2024.new", "new", "partial"])
@pytest.mark.parametrize(
    "kind", ["folder", "run", *(pytest.param(kind, marks=on_a_disk) for kind in ("link", "link to an empty folder"))]
)
def test_what_lies_beside_a_run_is_not_touched(store_path, suffix, kind):
    """Also where it is named as the run's own files are: a copy of the run that the user made, for one."""
    ball, call = sd.load("rolling-ball"), {"dt": 0.05, "paths": 5, "method": "heun"}
    path, beside = store_path / "run.zarr", store_path / f"run.zarr.{suffix}"
    kept = store_path / "kept" if "link" in kind else beside
    if kind == "run":
        ball.simulate(**call, t_end=0.2, save=sd.Save(names=["energy"], store=kept))
    else:
        folder_for(kept)
        if kind != "link to an empty folder":
            (kept / "thesis.tex").write_text("mine")
    if "link" in kind:
        beside.symlink_to(kept, target_is_directory=True)
    before = contents(kept)
    ball.simulate(**call, t_end=0.2, save=sd.Save(names=["energy"], store=path))
    if suffix == "extending":
        with pytest.raises(StoreError, match=r"run\.zarr\.extending (was not made to extend this run|cannot be)"):
            sd.extend(path, t_end=0.4)
    else:
        assert sd.extend(path, t_end=0.4).times[-1] == 0.4
    ball.simulate(
        **call, t_end=0.2 if suffix == "extending" else 0.4, save=sd.Save(names=["energy"], store=path, resume=True)
    )
    assert contents(kept) == before
    assert sorted(p.name for p in store_path.iterdir()) == sorted({"run.zarr", beside.name, kept.name})


def test_an_extension_that_was_interrupted_belongs_to_its_run(store_path):
    ball, call = sd.load("rolling-ball"), {"dt": 0.05, "paths": 5, "method": "heun"}
    ball.simulate(**call, t_end=0.2, save=sd.Save(names=["energy"], store=store_path / "run.zarr"))
    beside = store_path / "run.zarr.extending"
    folder_for(beside)
    (beside / "extension.json").write_text(json.dumps({"format": "semidirect extension 1", "of": "other.zarr"}))
    folder_for(beside / "shorter")
    (beside / "shorter/mine").write_text("mine")
    with pytest.raises(StoreError, match="was not made to extend this run"):
        sd.extend(store_path / "run.zarr", t_end=0.4)
    assert sorted(p.name for p in beside.iterdir()) == ["extension.json", "shorter"]
    assert (beside / "shorter/mine").read_text() == "mine"
    np.testing.assert_equal(sd.Run.load(store_path / "run.zarr").times[-1], 0.2)
