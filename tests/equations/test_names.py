"""One name, one thing: names that would be printed alike differ, and no page shows an internal name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from latex_reader import lines_of
from printed_page import Printed

import semidirect as sd
from semidirect import ops
from semidirect.pages.derivation import Derivation
from semidirect.pages.notation import latex_name, unicode_name

INTERNAL = re.compile(r"""[~@'"°!]|(?<!\w)_""")


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


def test_a_number_with_the_name_of_a_vector_is_spelled():
    lines = [line.strip() for line in str(top(factor="Omega").equations()).splitlines()]
    assert "M = Omega Ω" in lines
    assert r"\boldsymbol{M} &= \mathrm{Omega} \boldsymbol{\Omega} \\" in top(factor="Omega").equations().latex()


@pytest.mark.parametrize("name", sorted(sd.plugins.available()))
def test_no_page_shows_names_of_the_inside(name):
    system = sd.load(name)
    texts = [str(system.equations(form)) for form in ("stratonovich", "ito")]
    if system.sde().form != "A":
        texts.append(str(Derivation(system)))
    for text in texts:
        shown = text.replace("ad*_ξ", "")  # of the first line
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
