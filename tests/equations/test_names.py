"""One name, one thing: names that would be printed alike differ, and no page shows an internal name."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from latex_reader import lines_of
from library_pages import loaded
from printed_derivation import PrintedDerivation
from printed_page import Printed

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError
from semidirect.pages.derivation import Derivation
from semidirect.pages.notation import _GREEK, latex_name, unicode_name

INTERNAL = re.compile(r"""[~@'"°!]|(?<![\w\u0303])_""")


def top(**symbols):
    """A rigid body whose parameters have these symbols."""
    members = {name: sd.parameter(1.5 + i, symbol=symbol) for i, (name, symbol) in enumerate(symbols.items())}

    def lagrangian(self, xi, a):
        factor = 1
        for name in symbols:
            factor = factor * getattr(self, name)
        return factor * ops.dot(xi.Omega, xi.Omega) / 2 - a.Gamma[2]

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    members |= {"group": group, "advected": advected, "lagrangian": lagrangian,
                "constraint": lambda self: sd.Unconstrained(noise=((0.1, 0.2, 0.3),))}  # fmt: skip
    return type("Body", (sd.System,), members)()


CLASHING = (
    "Omega",
    "L",
    "B",
    "H",
    "N",
    "M_",
    "p",
    "kappa",
    "dM",
    "dGamma",
    "E1",
    "xi",
    "s",
    "eta",
    "w",
    "lambda",
    "sin",
    "I",
    "speed",
)


@settings(max_examples=8)
@given(st.lists(st.sampled_from(CLASHING), min_size=1, max_size=3, unique=True))
def test_names_that_would_be_printed_alike_are_told_apart(symbols):
    """Read back with every name known by one value: two things of one name would not agree."""
    system = top(**{f"k{i}": symbol for i, symbol in enumerate(symbols)})
    page = Printed(system).read()
    assert len(page.legend) == len(symbols)


def body(block, advected, symbol):
    """A top whose velocity, vertical and only parameter have these names."""
    group = sd.SO3(blocks=[block])
    members = {
        "k": sd.parameter(1.5, symbol=symbol), "group": group,
        "advected": {advected: sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))},
        "lagrangian": lambda self, xi, a: self.k * ops.dot(xi[block], xi[block]) / 2 - a[advected][2],
        "constraint": lambda self: sd.Unconstrained(noise=((0.1, 0.2, 0.3),)),
    }  # fmt: skip
    return type("Body", (sd.System,), members)()


@settings(max_examples=6)
@given(st.lists(st.sampled_from((*CLASHING, "dphi", "R", "f", "C", "A", "Gamma")), min_size=3, max_size=3, unique=True))
def test_velocities_and_what_is_advected_may_have_any_name(names):
    try:
        system = body(*names)
    except DefinitionError:
        assume(False)  # s is the configuration
    Printed(system).read()
    PrintedDerivation(system).read()
    for name in names:
        if len(name) > 1 and name not in _GREEK and name[1:] not in _GREEK and name.isalpha() and name[0] != "d":
            letters = re.search(rf"(?<![A-Za-z\\{{]){name}(?![A-Za-z])", system.equations().latex())
            assert letters is None, "a name of several letters is one name, set upright"


class Pushed(sd.System):
    """A body with no noise but that of a force, which has cases."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, xi.Omega) / 2

    def force(self, xi, a):
        return ops.where(a.Gamma[2] > 0, 2 * a.Gamma[2], 0) * a.Gamma

    def noise_force(self, a):
        return [[0, 0, 1]]

    def constraint(self):
        return sd.Unconstrained()


def test_pages_without_transport_noise_have_no_fields_and_cases_are_words():
    Printed(Pushed()).read()
    for form in ("stratonovich", "ito"):
        text, latex = str(Pushed().equations(form)), Pushed().equations(form).latex()
        assert "Piecewise" not in text + latex
        assert " if Γ₃ > 0, else 0)" in text
        assert r"\begin{cases}" in latex
        assert "N₁" not in text
        assert "\u0303" not in text
        assert "tilde" not in latex


def test_a_number_with_the_name_of_a_vector_is_spelled():
    lines = [line.strip() for line in str(top(factor="Omega").equations()).splitlines()]
    assert "M = Omega Ω" in lines
    assert r"\boldsymbol{M} &= \mathrm{Omega}\,\boldsymbol{\Omega} \\" in top(factor="Omega").equations().latex()


def test_a_parameter_has_its_name_in_code_where_it_is_printed_otherwise():
    system = top(weight="", theta="", spin_rate="", axle="J_a", c="")
    shown = "weight, θ (theta), spin_rate, J_a (axle), c"
    assert f"  parameters {shown}" in str(system.equations()).splitlines()
    latex = r"$\mathrm{weight}$, $\theta$ (theta), $\mathrm{spin}_{\mathrm{rate}}$ (spin rate), $J_{a}$ (axle), $c$"
    assert system.equations().latex().endswith(f"; and {latex} are parameters.")


def test_the_derivation_names_parameters_likewise():
    class Robot(sd.System):
        """A body whose noise has parameters of each kind."""

        turn: sd.Parameter = sd.parameter((0.1, 0.0, 0.0), symbol="tau_0")
        push_rate: sd.Parameter = sd.parameter(1.0)
        c: sd.Parameter = sd.parameter(1.0)
        group = sd.SO3()

        def lagrangian(self, xi):
            return ops.dot(xi.Omega, xi.Omega) / 2

        def constraint(self):
            return sd.Unconstrained(noise=[self.c * self.push_rate * self.turn])

    derivation = Derivation(Robot())
    assert str(derivation).endswith("parameters τ₀ (turn), push_rate, c")
    shown = r"$\boldsymbol{\tau}_{0}$ (turn), $\mathrm{push}_{\mathrm{rate}}$ (push\_rate), $c$"
    assert derivation.latex().endswith(f"parameters {shown}")


def test_a_word_keeps_its_distance_from_a_factor_and_its_underscore():
    class Sleigh(type(sd.load("chaplygin-sleigh"))):
        """A sleigh without a symbol for its speed."""

        symbols = {}

    sleigh, disk = Sleigh().equations().latex(), sd.load("rolling-disk").equations().latex()
    assert r"&= m\,\mathrm{speed} \\" in sleigh
    assert not re.search(r"[\w})] \\mathrm\{\w{2,}\}", re.sub(r"\\(times|cdot|circ|quad|diamond) ", "", sleigh)), (
        "no space"
    )
    assert "$I$ (spin inertia)" in disk
    for name in sd.plugins.available():
        for words in re.findall(r"\\text\{([^{}]*)\}", sd.load(name).equations().latex()):
            assert "\\" not in words


@pytest.mark.parametrize("name", sorted(sd.plugins.available()))
def test_no_page_shows_names_of_the_inside(name):
    system = loaded(name)
    texts = [str(system.equations(form)) for form in ("stratonovich", "ito")]
    if system.sde().form != "A":
        texts.append(str(Derivation(system)))
    for text in texts:
        shown = text.replace("ad*_", "")  # of the reaction
        assert not INTERNAL.search(shown), INTERNAL.search(shown)


def test_momenta_of_blocks_and_of_the_distribution_have_two_names():
    text = str(Derivation(sd.load("rolling-disk")))
    assert "  p_ω = π_ω + R π_v₁\n" in text
    assert lines_of("\\begin{align*}\np_{\\omega} &= \\pi_{\\omega} \n\\end{align*}") == ["p_ω = π_ω "]


@given(st.text(st.sampled_from("abXsigma_0123456789"), min_size=1, max_size=8))
def test_every_name_has_balanced_latex_without_double_marks(name):
    for shown in (latex_name(name), latex_name(name, bold=True), latex_name(f"~d{name}@1'2")):
        assert shown.count("{") == shown.count("}")
        assert not re.search(r"_\{[^{}]*\}_|\^\{[^{}]*\}\^", shown)
    assert unicode_name(name)
