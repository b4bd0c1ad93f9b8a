"""Values that have labels are found by them: a table, a DataArray, synthetic data; other labels raise an error."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import xarray

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.inference.data import with_data

DT = 0.1
DISK = sd.load("rolling-disk", noise=(0.1, 0.1))
RUN = DISK.simulate(t_end=1.0, dt=DT, seed=3)
NAMES = ["x", "y", "theta"]
TRACK = sd.Observation(NAMES, noise=0.05)
DATA = TRACK.of(RUN, seed=2).isel(time=slice(1, None))
TOP = sd.load("heavy-top")
FALL = TOP.simulate(t_end=0.5, dt=DT, seed=1)


def used(data, observation=TRACK, system=DISK, columns=None):
    """The values that a filter uses, time by time in the order of the observations."""
    sightings = with_data(system, observation, data, DT, 0.0, columns).sightings
    return [one.data().tolist() for one in sightings]


TRUE = DATA.values[:, 0].tolist()


def table(labels=tuple(NAMES), **more):
    return pd.DataFrame({"time": DATA.time.values, **dict(zip(labels, DATA.values[:, 0].T, strict=True)), **more})


def test_synthetic_data_carry_the_names_of_what_was_observed():
    assert DATA["component"].values.tolist() == NAMES
    vector = sd.Observation(["Gamma", "Omega1"], noise=0.1).of(FALL, seed=1)
    assert vector["component"].values.tolist() == ["Gamma1", "Gamma2", "Gamma3", "Omega1"]
    rows = sd.Observation(lambda state: [[state.Gamma[0]], [state.Gamma[1]]], noise=0.1).of(FALL, seed=1)
    assert (rows["component"].values.tolist(), rows["mark"].values.tolist()) == ([1], [1, 2])


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_order_of_labelled_values_does_not_matter(order):
    order = list(order)
    assert used(DATA.isel(component=order)) == TRUE
    assert used(DATA.isel(component=order).transpose("component", "time", "mark")) == TRUE
    assert used(DATA.isel(component=order, mark=0, drop=True)) == TRUE
    assert used(table()[["time", *np.array(NAMES)[order]]]) == TRUE
    assert used(table().iloc[:, [order[0] + 1, 0, order[1] + 1, order[2] + 1]].assign(other=1.0)) == TRUE
    new = ["X [m]", "t'", "why"]
    columns = {"x": "X [m]", "theta": "t'", "y": "why"}
    renamed = DATA.assign_coords(component=[columns[name] for name in NAMES])
    assert used(renamed.isel(component=order), columns=columns) == TRUE
    assert sorted(new) == sorted(columns.values())
    if order != [0, 1, 2]:  # without labels the order is all that is known
        assert used((DATA.time.values, DATA.values[..., order])) != TRUE


def test_columns_of_a_table_and_its_times_may_have_other_names():
    other = table(("a", "b", "c")).rename(columns={"time": "t"})
    assert used(other, columns={"x": "a", "y": "b", "theta": "c", "time": "t"}) == TRUE
    indexed = table().set_index("time")
    assert used(indexed) == TRUE
    assert used(table(note="text")) == TRUE
    assert used(table(path=0)) == TRUE
    assert used(DATA.rename(time="t"), columns={"time": "t"}) == TRUE


def test_a_vector_has_the_labels_of_its_components_or_of_the_axes():
    gamma = sd.Observation("Gamma", noise=0.1)
    one = FALL.to_xarray()["Gamma"].isel(path=0, time=slice(1, None))
    true = one.values.tolist()
    labels = [["x", "y", "z"], ["Gamma1", "Gamma2", "Gamma3"], [1, 2, 3]]
    for names in labels:
        for order in permutations(range(3)):
            data = one.assign_coords(component=names).isel(component=list(order))
            assert used(data, gamma, TOP) == true
    assert used(one.assign_coords(component=["m1", "m2", "m3"]), gamma, TOP, columns={"Gamma": "m"}) == true
    assert used(FALL.to_pandas().iloc[1:], gamma, TOP) == true


def test_marks_are_found_by_their_numbers():
    two = sd.Observation(lambda state: [[state.Gamma[0]], [state.Gamma[1]]], noise=0.1)
    data = two.of(FALL, seed=1).isel(time=slice(1, None))
    assert used(data.isel(mark=[1, 0]), two, TOP) == used(data, two, TOP)


@pytest.mark.filterwarnings("ignore::semidirect.errors.FilterWarning")
def test_filters_of_several_observations_take_columns():
    track, turn = sd.Observation(["x", "y"], noise=0.05, name="track"), sd.Observation("theta", noise=0.05, name="turn")
    columns = {"x": "a", "y": "b"}
    plain = (DATA.time.values, DATA.values[:, 0, 2])
    assert used([table(("a", "b", "theta")), plain], [track, turn], columns=columns) == TRUE
    how = {"dt": DT, "particles": 20}
    other = {"columns": {"x": "a", "y": "b", "theta": "c"}}
    found = [sd.filter(DISK, TRACK, data, **more, **how).log_likelihood
             for data, more in ((DATA, {}), (table(("a", "b", "c")), other))]  # fmt: skip
    assert found[0] == found[1]


@pytest.mark.parametrize(("data", "how", "message"), [
    (lambda: table(("Y", "X", "T")), {}, "expected the labels 'x', 'y', 'theta', got Y, X, T. Say which they are: columns="),
    (lambda: DATA.assign_coords(component=["x", "y", "phi"]), {}, "expected the label 'theta', got x, y, phi"),
    (lambda: DATA.assign_coords(component=["x", "x", "y"]), {}, "expected each once, got 'x' twice"),
    (lambda: table().rename(columns={"theta": "x"}), {}, "expected each once, got 'x' twice"),
    (lambda: DATA.assign_coords(component=[5, 6, 7]), {}, "expected names, or numbers from 1 to 3"),
    (lambda: DATA, {"columns": {"x": "y"}}, "got 'y' twice"),
    (lambda: DATA, {"columns": {"x": "a"}}, "expected the label 'a'"),
    (lambda: (DATA.time.values, DATA.values), {"columns": {"x": "a"}}, "columns of the observation: expected data with labels"),
    (lambda: DATA, {"columns": ["x"]}, "expected a dict quantity → label"),
    (lambda: table(path=[0, 1] * 5), {}, "expected those of one path"),
    (lambda: table().rename(columns={"time": "when"}), {}, "expected one with the name 'time'"),
    (lambda: table().assign(x="a"), {}, "column 'x' of the observation: expected numbers"),
    (lambda: xarray.Dataset({"a": DATA[:, 0, 0]}), {}, "expected the labels 'x', 'y', 'theta', got a"),
])  # fmt: skip
def test_labels_that_do_not_match_raise_an_error(data, how, message):
    with pytest.raises(InputError, match=message):
        used(data(), **how)


def test_columns_of_what_is_not_observed_are_unknown():
    with pytest.raises(UnknownNameError, match="Did you mean 'theta'"):
        used(DATA, columns={"thet": "a"})
