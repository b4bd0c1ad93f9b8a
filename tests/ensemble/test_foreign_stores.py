"""Stores that anybody may have written: consistent files, checksums and all, with contents that no run has.

A store is refused by an error of ours when it is loaded, or everything that a user does with the run works.
"""

import copy
import hashlib
import json
import random
import shutil
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import SemidirectError, StoreError
from semidirect.ensemble.store.layout import opened_group, sealed_group
from semidirect.ensemble.store.manifest import Manifest

HOSTILE = [
    "x:{style}", "{data}", r"$\frac{$", "\x1b[2J", "\ud800", "</script>", "", "$", "\u202e", "per path", "nan", "a" * 3000,
    0, -1, 1, 3, 1.5, None, True, [], {}, [1], {"a": 1}, 2**63, 10**400, 1e308, -0.0, float("nan"), float("inf"), [None],
    [[1], [2, 3]], {"kind": "x"}, [{"kind": "moments"}],
]  # fmt: skip


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A run with entries of every kind, and its manifest."""
    place = tmp_path_factory.mktemp("stores") / "run"
    top = sd.load("heavy-top", mass=sd.PerPath([1.0, 2.0]))
    save = sd.Save(store=place, crossings=sd.Crossing("energy", 1.0))
    statistics = ["moments", sd.Histogram("energy", 0, 1, 3)]
    top.simulate(t_end=0.1, dt=0.05, paths=2, seed=1, reduce=statistics, stop=sd.Stop("energy", above=100), save=save)
    return place, opened_group((place / "zarr.json").read_bytes())


def entries(value, place=()):
    if place:
        yield place
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from entries(value[key], (*place, key))


def forged(original, folder, change):
    """The same store with another manifest, and all metadata and checksums that follow from it."""
    place, attributes = original
    attributes = copy.deepcopy(attributes)
    change(attributes)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(place, folder)
    content = sealed_group(attributes)
    (folder / "zarr.json").write_bytes(content)
    try:
        manifest = Manifest.decoded(content, folder)
    except StoreError:
        return folder
    for name, text in manifest.files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    arrays = [(folder / array.file(0)) for array in manifest.layout.values()]
    sums = [hashlib.sha256(file.read_bytes() if file.exists() else b"").digest() for file in arrays]
    (folder / manifest.marks.file(0)).write_bytes(b"".join([*sums, manifest.seal(0, b"".join(sums))]))
    return folder


def at(place, value):
    def change(attributes):
        for key in place[:-1]:
            attributes = attributes[key]
        attributes[place[-1]] = value

    return change


def texts_of(run):
    """What a user reads of it."""
    yield from (repr(run), repr(run.final), str(run.failures()), str(run.crossings), run._repr_html_())
    yield from (one.text() for one in run.reductions.values())
    yield str(run.to_xarray())
    if run.data.known_system is not None:
        yield str(run.monitor())


def use(run, *, drawn):
    """Everything that reads the record of a run."""
    for text in texts_of(run):
        assert not any((ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 for c in text)
    values = [run[name] for name in run]
    assert len(values) == len(run)
    view = run.view().html
    scene = view.partition('id="data">')[2].partition("</script>")[0]
    assert json.loads(scene) == run.view().scene
    for read in (
        run.to_pandas,
        run.statistics,
        run.element,
        lambda: run["mass*energy"],
        lambda: run.data.unit("mass*energy"),
    ):
        read()
    if drawn:
        run.plot()
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
        plt.close("all")


def used_or_refused(store, *, drawn=False):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run = sd.Run.load(store)
            use(run, drawn=drawn)
        except SemidirectError as error:
            return str(error)
    return ""


CASES = [
    (("config", "dt"), 0),
    (("config", "dt"), 0.0),
    (("config", "dt"), -1),
    (("config", "dt"), "0.05"),
    (("config", "t_end"), 1e308),
    (("config", "t_start"), -1),
    (("config", "seed"), -1),
    (("config", "seed"), "1"),
    (("config", "paths"), 0),
    (("config", "system"), "x:\x1b[2J"),
    (("config", "system"), None),
    (("config", "method"), "\x9b2J"),
    (("config", "noise"), []),
    (("config", "noise", "resolution"), 0),
    (("config", "parameters"), []),
    (("config", "parameters", "arm"), [[1], [2, 3]]),
    (("config", "variables"), {}),
    (("config", "observables"), [1]),
    (("config", "element", "size"), 2),
    (("config", "element", "cells", "g11"), [9, 9]),
    (("config", "element", "size"), 10**9),
    (("config", "stop"), {"name": "energy"}),
    (("config", "stop"), {"name": "energy", "above": 1, "extra": 1}),
    (("config", "reduce"), {}),
    (("units", "energy"), 1),
    (("units", "energy"), "\x1b]0;title\x07"),
    (("components", 0), "\r\n\x1b[A"),
    (("long_names", "energy"), "\x85"),
    (("config", "state"), 3),
    (("units", "energy"), "\u202eJ"),
]


@pytest.mark.parametrize(("place", "value"), CASES, ids=lambda x: ascii(x)[:40])
def test_what_no_run_records_is_refused(original, tmp_path, place, value):
    message = used_or_refused(forged(original, tmp_path / "run", at(place, value)))
    assert "cannot be read as a run" in message
    assert message.isprintable()


@pytest.mark.parametrize("text", ["x:{style}", "x:{data}{script}", "x:</script><b>", r"x:$\frac{$", "x:$", r"x:\$x_{$"])
def test_texts_that_mean_something_to_pages_and_pictures_are_texts(original, tmp_path, text):
    def change(attributes):
        attributes["config"]["system"] = attributes["config"]["method"] = text
        attributes["units"] = dict.fromkeys(attributes["units"], text)
        attributes["long_names"] = dict.fromkeys(attributes["long_names"], text)

    assert used_or_refused(forged(original, tmp_path / "run", change), drawn=True) == ""


def test_any_entry_of_a_manifest_may_be_anything(original, tmp_path):
    draw, places = random.Random(3), list(entries(original[1]))
    refused = 0
    for _ in range(40):
        place, value = draw.choice(places), draw.choice(HOSTILE)
        try:
            store = forged(original, tmp_path / "run", at(place, value))
        except (ValueError, UnicodeError):  # no JSON has it
            continue
        message = used_or_refused(store)
        refused += bool(message)
        assert message.isprintable(), (place, value)
    assert refused > 10


@pytest.mark.parametrize(("name", "value"), [("status", 99), ("status", -1), ("failed_component", 1000)])
def test_numbers_that_no_run_records_are_refused(original, tmp_path, name, value):
    """Consistent files, with numbers that no run has."""
    array = Manifest.decoded(sealed_group(original[1]), tmp_path).layout[f"record/{name}"]
    shutil.copytree(original[0], tmp_path / "own")
    (tmp_path / "own" / array.file(0)).write_bytes(array.encoded(np.array([value, 0], array.dtype)))
    store = forged((tmp_path / "own", original[1]), tmp_path / "run", lambda attributes: None)
    with pytest.raises(StoreError, match="cannot be read as a run"):
        sd.Run.load(store)
