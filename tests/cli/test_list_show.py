"""``semidirect list`` and ``show`` against what the classes say."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import plugins
from semidirect.cli import list as list_command
from semidirect.definition.preset import Preset
from semidirect.state.state import InitialState

SYSTEMS = sorted(plugins.available())


def test_list(semidirect):
    done = semidirect("list")
    assert (done.code, done.err) == (0, "")
    header, *lines = done.out.splitlines()
    assert header.split() == ["name", "group", "what"]
    assert [line.split()[0] for line in lines if line[0] != " "] == SYSTEMS
    assert all(line[header.index("what") - 2 :].startswith("  ") for line in lines)


def test_list_names_distributions_where_there_are_several(semidirect, monkeypatch):
    of = {"title": "A top.", "group": "SO3"}
    found = [{"name": "a", **of, "from": "one"}, {"name": "b", **of, "from": "another"}]
    monkeypatch.setattr(list_command, "systems", lambda: found)
    rows = [line.split(maxsplit=3) for line in semidirect("list").out.splitlines()]
    assert rows == [["name", "group", "from", "what"], ["a", "SO3", "one", "A top."], ["b", "SO3", "another", "A top."]]


def test_list_for_programs(semidirect):
    done = semidirect("list", "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert [s["name"] for s in done.json] == SYSTEMS
    for system in done.json:
        assert list(system) == ["name", "title", "group", "from"]
        made = sd.load(system["name"])
        assert system["group"] == made.group.name
        assert system["from"] == "semidirect"
        preset = isinstance(plugins.load(system["name"]), Preset)
        assert preset or system["title"] == made.workings.title()
        assert system["title"].endswith(".")


@pytest.mark.parametrize("name", SYSTEMS)
def test_show_for_programs(semidirect, name):
    done = semidirect("show", name, "--format", "json")
    assert (done.code, done.err) == (0, "")
    shown, system = done.json, sd.load(name)
    assert shown["name"] == name
    assert shown["title"] == shown["doc"].split("\n")[0]
    assert system.workings.title() in shown["doc"]
    assert shown["class"] == f"{type(system).__module__}:{type(system).__qualname__}"
    assert list(shown["parameters"]) == list(system.values)
    for key, about in shown["parameters"].items():
        declared = type(system).workings.parameters()[key]
        # JSON has one empty list for all shapes of nothing.
        assert np.array_equal(np.reshape(about["default"], np.shape(system.values[key])), system.values[key])
        assert (about["unit"], about["doc"]) == (declared.unit, declared.doc)
        assert len(about["shape"]) == len(declared.shapes)
    assert {k: o["default"] for k, o in shown["options"].items()} == dict(system.workings.choices)
    assert {k for k, o in shown["observables"].items() if o["defined"]} == set(system.observables())
    for key, observable in system.observables().items():
        about = shown["observables"][key]
        assert (about["unit"], about["status"], about["doc"]) == (observable.unit, observable.status, observable.doc)
    for key, value in system.initial.items():
        assert np.array_equal(shown["state"][key]["recommended"], value)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_state_variables_shown_are_those_of_a_state(semidirect, name):
    system, shown = sd.load(name), semidirect("show", name, "--format", "json").json["state"]
    complete = InitialState.of(system, None).named
    by_momenta = system.workings.definition().by_hamiltonian  # whose start has no velocities
    assert {k for k, s in shown.items() if s["kind"] != "momentum" or by_momenta} == set(complete)
    for key, value in complete.items():
        assert shown[key]["size"] == np.size(value)
    momenta = {k for k, s in shown.items() if s["kind"] == "momentum"}
    assert momenta == {v.name for v in system.sde().variables if v.kind == "momentum"}


@pytest.mark.parametrize("name", SYSTEMS)
def test_show_for_people(semidirect, name):
    done = semidirect("show", name)
    assert (done.code, done.err) == (0, "")
    system = sd.load(name)
    for key in (*system.values, *system.workings.choices, *system.observables(), *system.initial):
        assert f"\n  {key} " in done.out
    for title in ("parameters", "options", "state", "observables"):
        assert (f"\n{title}\n" in done.out) == (title != "options" or bool(system.workings.choices))
    assert not any(line.endswith(" ") for line in done.out.splitlines())


def test_what_depends_on_an_option_is_said(semidirect):
    assert "gamma-norm" in semidirect("show", "rigid-body").out
    assert "(not for the default parameters)" in semidirect("show", "rigid-body").out
    assert not semidirect("show", "rigid-body", "--format", "json").json["observables"]["gamma-norm"]["defined"]


def test_shapes_in_words(semidirect):
    shown = semidirect("show", "rolling-ball", "--format", "json").json["parameters"]
    assert shown["inertia"]["shape"] == ["(3,)", "(3, 3)"]
    assert shown["noise"]["shape"] == ["(k, 3)"]
    assert shown["mass"]["shape"] == ["number"]
