"""Symbols that a system chooses for its names on printed pages, and the sentence that follows a display."""

from __future__ import annotations

import re

import pytest
from latex_reader import lines_of
from printed_derivation import PrintedDerivation
from printed_page import Printed

import semidirect as sd
from semidirect.pages.notation import unicode_name

CHOICES = {
    "heavy-top": {"Omega": "w", "Gamma": "gamma", "M": "Pi"},
    "chaplygin-sleigh": {"speed": "u", "phi": "theta", "v": "V", "p_omega": "J"},
    "rolling-disk": {"x": "q1", "omega": "nu_s", "nu": "omega_t"},
    "tippe-top": {"Y": "V", "b": "beta"},
    "spherical-robot": {"w": "rate", "p_w": "Lambda"},
}
"""Of systems in each form: velocities, momenta, coordinates, advected quantities; some take a name that another has."""


def with_symbols(name, symbols):
    return type("Body", (type(sd.load(name)),), {"symbols": symbols, "__doc__": "A body."})()


@pytest.mark.parametrize("name", CHOICES)
def test_pages_with_chosen_symbols_say_what_is_run(name):
    system = with_symbols(name, CHOICES[name])
    for form in ("stratonovich", "ito"):
        Printed(system, form).read()
    if name != "tippe-top":
        PrintedDerivation(system).read()
    text = str(system.equations())
    assert all(f"{unicode_name(symbol)} ({code})" in text for code, symbol in CHOICES[name].items())


def test_a_chosen_symbol_takes_the_place_of_a_name_in_all_that_is_made_of_it():
    latex = with_symbols("chaplygin-sleigh", {"speed": "u_x"}).equations().latex()
    assert r"p_{u_{x}} &= m u_{x} \\" in latex
    assert r"\mathrm{d}p_{u_{x}} &= " in latex
    assert "speed" not in latex
    shown = with_symbols("heavy-top", {"Omega": "w"}).equations().latex()
    assert r"\boldsymbol{M} &= \mathbb{I}\boldsymbol{w} \\" in shown
    assert r"\widetilde{\boldsymbol{w}} &= \boldsymbol{w}\,\mathrm{d}t" in shown


def test_a_parameter_keeps_its_name_beside_the_symbol_of_a_variable():
    class Sleigh(type(sd.load("chaplygin-sleigh"))):
        """A sleigh with a parameter whose name ends like that of a variable."""

        wheel_speed = sd.parameter(2.0)
        symbols = {"speed": "u"}

        def force(self, xi):
            return (0.0, self.wheel_speed * xi.v[0], 0.0)

    assert "wheel_speed" in str(Sleigh().equations())


@pytest.mark.parametrize(
    ("symbols", "message"),
    [
        ({"spead": "u"}, "unknown name 'spead'. Did you mean 'speed'"),
        ({"mass": "M"}, "A parameter states its own: sd.parameter"),
        ({"speed": "$u$"}, "that of 'speed': expected a letter"),
        ({"speed": ""}, "that of 'speed': expected a letter"),
        ({"speed": 3}, "symbols: expected a mapping"),
        (["u"], "symbols: expected a mapping"),
    ],
)
def test_symbols_that_cannot_be_are_refused(symbols, message):
    with pytest.raises(sd.errors.DefinitionError, match=re.escape(message)):
        str(with_symbols("chaplygin-sleigh", symbols).equations())


@pytest.mark.parametrize("name", ["rattleback", "tippe-top", "chaplygin-sleigh", "rigid-body"])
def test_a_display_has_equations_alone_and_a_sentence_says_the_rest(name):
    equations = sd.load(name).equations()
    display, whole = equations.latex(legend=False), equations.latex()
    assert display.endswith(r"\end{align*}")
    assert r"\text" not in display
    assert whole.startswith(f"{display}\nwhere $")
    where = whole.removeprefix(f"{display}\n")
    assert "\n" not in where
    assert where.endswith(("are parameters.", "is a parameter."))
    listed = [line for line in lines_of(whole) if line.startswith("parameters")]
    assert listed == [line.strip() for line in str(equations).splitlines() if line.startswith("  parameters")]


def test_a_constraint_is_stated_once():
    """Its rows by the names of several constraints are what the velocities solve."""
    robot = sd.load("differential-drive").equations()
    assert "(caster)" in str(robot)
    assert "caster" not in robot.latex(legend=False)
    assert robot.latex(legend=False).count(r"\Omega_{1} &= 0") == 1


def test_the_evolution_and_the_derivation_leave_their_legends_out():
    system = sd.load("chaplygin-sleigh")
    for page in (system.evolution("energy"), system.derivation()):
        assert page.latex().startswith(page.latex(legend=False))
        assert "(noise)" in page.latex()
        assert "(noise)" not in page.latex(legend=False)
