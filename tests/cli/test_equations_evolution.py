"""``semidirect equations`` and ``evolution`` print what the objects print."""

import math
from random import Random

import numpy as np
import pytest

import semidirect as sd
from semidirect.pages.printing import Equations, evolution_text
from semidirect.testing.laws.derivations import exact_parameters

SYSTEMS = ("heavy-top", "line-follower", "rattleback", "rolling-ball", "rolling-disk", "tippe-top")
"""Free, with internal states, with the longest pages, rolling, of coordinates, by covectors; tests/equations read all pages."""


def test_a_derivation_is_that_of_the_system(semidirect):
    shown = sd.load("routh-sphere").derivation()
    assert semidirect("equations", "routh-sphere", "--derivation").out == f"{shown}\n"
    assert semidirect("equations", "routh-sphere", "--derivation", "--latex").out == f"{shown.latex()}\n"
    steps = semidirect("equations", "routh-sphere", "--derivation", "--format", "json").json["derivation"]
    assert [step["title"] for step in steps] == [step.title for step in shown.steps()]
    assert [tuple(step["lines"]) for step in steps] == [step.lines for step in shown.steps()]
    assert shown._repr_markdown_() == shown.latex()
    assert repr(shown) == "Derivation(RollingBall)"
    for wrong, words in (
        (("tippe-top",), "basis B of the distribution"),
        (("suslov", "--form", "ito"), "not allowed with"),
        (("suslov", "--principle", "lagrange-dalembert"), "Leave out --principle"),
    ):
        done = semidirect("equations", *wrong, "--derivation")
        assert done.code == 2
        assert words in done.err


@pytest.mark.parametrize("name", SYSTEMS)
def test_equations(semidirect, name):
    done, equations = semidirect("equations", name), sd.load(name).equations()
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{equations}\n"
    assert ("∘dW" in done.out) is (sd.load(name).sde().wieners > 0)
    assert semidirect("equations", name, "--latex").out == f"{equations.latex()}\n"


def test_forms_principles_and_options(semidirect):
    ito = semidirect("equations", "routh-sphere", "--form", "ito")
    assert ito.out == f"{sd.load('routh-sphere').equations('ito')}\n"
    printed = sd.load("routh-sphere", coupling="printed")
    done = semidirect("equations", "routh-sphere", "--set", "coupling=printed")
    assert done.out == f"{printed.equations()}\n"
    assert done.out != semidirect("equations", "routh-sphere").out
    assert semidirect("equations", "routh-sphere", "--set", 'coupling="printed"').out == done.out
    other = semidirect("equations", "heavy-top", "--principle", "lagrange-dalembert")
    assert other.out == f"{Equations(sd.load('heavy-top'), 'stratonovich', 'lagrange-dalembert')}\n"


@pytest.mark.parametrize(
    ("name", "quantity"), [(n, sorted(sd.load(n).observables())[0]) for n in SYSTEMS if n != "rattleback"]
)
def test_evolution(semidirect, name, quantity):
    done, system = semidirect("evolution", name, quantity), sd.load(name)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{evolution_text(system, system.evolution(quantity))}\n"
    latex = semidirect("evolution", name, quantity, "--latex")
    assert latex.out == f"{evolution_text(system, system.evolution(quantity), latex=True)}\n"


def test_evolution_of_a_state_variable(semidirect):
    assert "dW" in semidirect("evolution", "heavy-top", "Gamma").out


# -- for programs --------------------------------------------------------------------------------------------------

FUNCTIONS = {"sqrt": math.sqrt, "cos": math.cos, "sin": math.sin, "tan": math.tan, "exp": math.exp}


def worked_out(found, values):
    """Rates by column and quantity: the definitions one after the other, nothing but Python and a linear solve."""
    known = {**FUNCTIONS, **values}

    def value(text):
        return float(eval(text, {"__builtins__": {}}, known))

    for d in found["definitions"]:
        if "matrix" in d:
            rows = np.linalg.solve([[value(e) for e in row] for row in d["matrix"]], [value(e) for e in d["rhs"]])
        else:
            rows = [value(e) for e in d["expressions"]]
        known |= dict(zip(d["names"], rows, strict=True))
    return {c: {q: [value(e) for e in rows] for q, rows in by.items()} for c, by in found["rates"].items()}


def inputs(system):
    """Numbers for all that a program is given."""
    s, given, random = system.sde().setting, exact_parameters(system), Random(2)
    symbols = [x for x in system.sde().program.inputs if x is not s.dt and x not in set(s.dW)]
    return {x: float(given[x]) if x in given else random.uniform(0.3, 1.2) for x in symbols}


@pytest.mark.parametrize("form", ["stratonovich", "ito"])
@pytest.mark.parametrize("name", ["routh-sphere", "rolling-disk", "tippe-top"])
def test_equations_for_programs(semidirect, name, form):
    system = sd.load(name)
    found, values = semidirect("equations", name, "--form", form, "--format", "json").json, inputs(system)
    assert found["state"] == {v.name: [x.name for x in v.symbols] for v in system.sde().variables}
    moving = {v.name: v.symbols for v in system.sde().variables} | {
        k: (x,) for k, x in system.sde().coordinates.items()
    }
    expected = system.sde().evolution(moving).function(list(values))(*values.values())
    rates = worked_out(found, {x.name: v for x, v in values.items()})
    for column, ours in {"dt": "drift" if form == "stratonovich" else "ito", "dW1": "noise1"}.items():
        for quantity, rows in rates.get(column, {}).items():
            np.testing.assert_allclose(rows, expected[quantity][ours], rtol=1e-10, atol=1e-10)  # measured 2e-13
    assert len(rates) == 1 + system.sde().wieners


def test_evolution_for_programs(semidirect):
    found = semidirect("evolution", "routh-sphere", "energy", "--format", "json").json
    system = sd.load("routh-sphere")
    evolution = system.evolution("energy")
    values = inputs(system)
    values |= {x: values.get(x, 0.7) for v in evolution.sde.variables for x in v.symbols}
    rates = worked_out(found, {x.name: v for x, v in values.items()})
    expected = evolution.function(list(values))(*values.values())["energy"]
    assert rates["dt"]["energy"] == pytest.approx(expected["drift"], abs=1e-12)
    assert rates["dW1"]["energy"] == pytest.approx(expected["noise1"], rel=1e-10)
    assert abs(expected["noise1"][0]) > 1e-2


def test_one_kind_of_output(semidirect):
    done = semidirect("equations", "heavy-top", "--latex", "--format", "json")
    assert done.code == 2
    assert "not allowed with argument" in done.err
