"""``semidirect equations`` and ``evolution`` print what the objects print."""

import pytest

import semidirect as sd
from semidirect import plugins
from semidirect.equations.printing import Equations, evolution_text

SYSTEMS = sorted(plugins.available())


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


@pytest.mark.parametrize(("name", "quantity"), [(n, q) for n in SYSTEMS for q in sorted(sd.load(n).observables())[:1]])
def test_evolution(semidirect, name, quantity):
    done, system = semidirect("evolution", name, quantity), sd.load(name)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{evolution_text(system, system.evolution(quantity))}\n"
    latex = semidirect("evolution", name, quantity, "--latex")
    assert latex.out == f"{evolution_text(system, system.evolution(quantity), latex=True)}\n"


def test_evolution_of_a_state_variable(semidirect):
    assert "dW" in semidirect("evolution", "heavy-top", "Gamma").out
