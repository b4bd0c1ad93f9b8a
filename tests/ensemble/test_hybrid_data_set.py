"""A run of a hybrid system is written as a data set of xarray, and read again."""

import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import xarray

import semidirect as sd
from semidirect.core.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "facts"))  # the hoops of the tests of facts
from hopping_hoops import hoops


def test_a_run_is_written_and_read_again(tmp_path):
    """All arrays to the last bit, with their types, and all names."""
    run = hoops(3, 1)
    run.to_xarray().to_zarr(tmp_path / "hoops", zarr_format=2)
    with xarray.open_zarr(tmp_path / "hoops") as opened:
        read = sd.runs.HybridRun.from_xarray(opened)
    assert list(read) == list(run)
    for name in run:
        np.testing.assert_array_equal(read[name], run[name], strict=True)
    for one, other in ((vars(read.transitions), vars(run.transitions)), (vars(read), vars(run))):
        for name, value in other.items():
            if isinstance(value, np.ndarray):
                np.testing.assert_array_equal(one[name], value, strict=True, err_msg=name)
    assert (read.modes, read.switches, read.start) == (run.modes, run.switches, run.start)
    assert (dict(read.units), read.to_xarray().attrs) == (dict(run.units), run.to_xarray().attrs)
    assert [read.sequence(i) for i in range(3)] == [run.sequence(i) for i in range(3)]
    with pytest.raises(InputError, match="a data set of a hybrid run"):
        sd.runs.HybridRun.from_xarray(read.to_xarray().drop_vars("transition_loss"))
    for wrong in (xarray.Dataset(), None, {"hybrid": 1}):
        with pytest.raises(InputError, match="a data set of a hybrid run"):
            sd.runs.HybridRun.from_xarray(wrong)


@pytest.fixture(scope="module")
def data_set():
    return hoops(3, 1).to_xarray()


def stated(data_set, **changes):
    """The data set with other names of modes, switches, quantities, or another start."""
    names = json.loads(data_set.attrs["hybrid"]) | changes
    return data_set.assign_attrs(hybrid=json.dumps({k: v for k, v in names.items() if v is not ...}))


def entries(data_set, name, change):
    """The data set with other entries of a variable, of any type."""
    old = data_set[name]
    return data_set.assign({name: (old.dims, change(old.values.copy()), old.attrs)})


def first(value):
    def change(array):
        array.flat[0] = value
        return array

    return change


NAMES = {
    "start": [-1, 4, 77, 10**30, 1.0, True, None, "0", [0], {}],
    "modes": [
        "ab",
        None,
        3,
        {},
        [],
        [1, 2, 3, 4],
        ["a", "a", "b", "c"],
        ["", "a", "b", "c"],
        [None] * 4,
        ["a"] * 200,
        ...,
    ],
    "switches": ["ab", None, 3, {}, [], [1], [["a"]], ...],
    "quantities": ["ab", None, 3, ["no such quantity"], [["energy"]], [{}], ["mode"], ["transition_time"], [7], ...],
}
ARRAYS = {
    "mode": [first(77), first(4), first(-1), lambda x: x.astype(str), lambda x: x + 0.5, lambda x: x.astype(object)],
    "status": [first(-1), first(100), first(1), lambda x: x.astype(float), lambda x: x.astype(str)],
    "ended_at": [first(0.5), first(np.inf), lambda x: x.astype(str), lambda x: x.astype(bool)],
    "energy": [lambda x: x.astype(str), lambda x: x.astype(complex), lambda x: x.astype(object), lambda x: x > 0],
    "transition_path": [first(-1), first(3), first(2), lambda x: x[::-1], lambda x: x.astype(float)],
    "transition_time": [first(np.nan), first(1e9), lambda x: x.astype(str), lambda x: x.astype("datetime64[s]")],
    "transition_source": [first(3), first(-1), first(77)],
    "transition_target": [first(3), first(-1), lambda x: x.astype(str)],
    "transition_switch": [first(99), first(-1), lambda x: x.astype(float)],
    "transition_loss": [lambda x: x.astype(str), lambda x: x.astype(int)],
    "transition_impulse": [lambda x: x.astype(str)],
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in NAMES.items() for v in values])
def test_names_that_no_run_has_raise_errors(data_set, name, value):
    with pytest.raises(InputError, match="hybrid run"):
        sd.runs.HybridRun.from_xarray(stated(data_set, **{name: value}))


@pytest.mark.parametrize(("name", "change"), [(n, c) for n, changes in ARRAYS.items() for c in changes])
def test_entries_that_no_run_has_raise_errors(data_set, name, change):
    with pytest.raises(InputError, match=f"({name}|ended_at|source) of a hybrid run: expected"):
        sd.runs.HybridRun.from_xarray(entries(data_set, name, change))


def test_data_sets_of_other_shapes_raise_errors(data_set):
    """Every axis shortened, left out or renamed; deep, broken and other text; every variable left out."""
    axes = {name: data_set.sizes[name] for name in data_set.dims}
    wrong = [
        data_set.assign_attrs(hybrid=text)
        for text in ("[" * 100_000, "{", "null", "[]", "3", '"ab"', "", None, 7, b"{}")
    ]
    wrong += [data_set.drop_vars(name) for name in data_set]
    wrong += [data_set.rename({name: "other"}) for name in ("path", "time")]
    wrong += [data_set.isel(time=slice(0)), data_set.isel(path=slice(0)), data_set.isel(path=0), data_set.isel(time=0)]
    wrong += [
        data_set.isel(time=slice(None, None, -1)),
        data_set.isel(path=slice(2)),
        data_set.assign_coords(time=[np.nan] * axes["time"]),
    ]
    wrong += [entries(data_set, "energy", lambda x: x).assign(energy=data_set["energy"][0])]
    for attribute, value in (("units", 3), ("long_name", 3), ("units", None), ("long_name", [1])):
        other = data_set.copy()
        other["energy"].attrs = {**data_set["energy"].attrs, attribute: value}
        wrong.append(other)
    for one in wrong:
        with pytest.raises(InputError, match="hybrid run"):
            sd.runs.HybridRun.from_xarray(one)


@pytest.mark.parametrize("config", ["3", "[1]", '"a"', "{", "[" * 10**5, '{"dt": 1}', "null", None, 7])
def test_a_foreign_configuration(data_set, config):
    with pytest.raises(InputError, match="hybrid run"):
        sd.runs.HybridRun.from_xarray(data_set.assign_attrs(config=config))


def test_a_data_set_without_a_configuration(data_set):
    """As earlier versions wrote it."""
    bare = data_set.copy()
    del bare.attrs["config"]
    read = sd.runs.HybridRun.from_xarray(bare)
    np.testing.assert_array_equal(read["2*omega"], 2 * read["omega"])
    with pytest.raises(InputError, match="seed"):
        _ = read.seed
    assert sd.runs.HybridRun.from_xarray(data_set).seed == 11


def test_data_sets_that_say_the_same_are_read(data_set):
    """Without labels, with the axes in another order, with the variables in another order, with more variables."""
    run = sd.runs.HybridRun.from_xarray(data_set)
    bare = data_set.copy()
    for name in bare.variables:
        bare[name].attrs = {}
    for other in (bare, data_set.transpose("time", "path", ...), data_set[sorted(data_set)], data_set.assign(more=3)):
        read = sd.runs.HybridRun.from_xarray(other)
        assert read.sequences == run.sequences
        for name in run:
            np.testing.assert_array_equal(read[name], run[name], strict=True)
    with pytest.raises(InputError, match="start of a hybrid run"):
        sd.runs.HybridRun(dataclasses.replace(run.data, history=dataclasses.replace(run.data.history, start=9)))
