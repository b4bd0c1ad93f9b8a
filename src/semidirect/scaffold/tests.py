"""The tests of a new system: the contract, and exact facts."""

from __future__ import annotations

from semidirect.scaffold.choices import Choices
from semidirect.scaffold.definition import casimir_is_kept

HEAD = '''"""The contract, and exact facts."""

from {module} import {name}

from semidirect.laws import check
from semidirect.testing import system_contract

Test{name} = system_contract({name})


def test_it_passes_the_check():
    """Each line of the report is ok, or does not apply."""
    report = check({name}, quick=True)
    assert report.good, str(report)
'''
FACT = '''

def test_{what}():
    """{doc}"""
    assert {name}({choices}).is_conserved({arguments})
'''


def tests(c: Choices) -> str:
    """The text of the test module."""
    name, without = c.class_name, []
    if c.noise != "none":
        without.append("noise=()")
    if c.noise == "volatility":
        without.append("spread=()")
    if c.constraint == "affine":
        without.append("rate=0")
    doc = "dE = 0 on the whole invariant set, proved at random points of finite fields."
    if without:
        doc = f"With {', '.join(without)}: {doc}"
    text = HEAD.format(module=c.module, name=name)
    text += FACT.format(what="the_energy_is_kept_by_the_drift", doc=doc, name=name, choices=", ".join(without),
                        arguments='"energy", along="drift"')  # fmt: skip
    if c.has_gamma:
        text += FACT.format(what="the_direction_keeps_its_length", doc="|Γ|² along the drift and along each noise.", name=name,
                            choices="", arguments='"gamma-squared"')  # fmt: skip
    if casimir_is_kept(c):
        text += FACT.format(what="the_casimir_is_kept", doc="Whatever the noise: transport moves the momentum on its orbit.",
                            name=name, choices="", arguments='"casimir"')  # fmt: skip
    return text
