"""The cards of the systems: all are written, and their formulas are those that are run.

`tests/equations/test_pages_say_what_is_run.py` reads the formulas of every system back, as numbers; here the cards are compared
with them. The proofs of all cards are made when the pages are built.
"""

import re
import sys
from pathlib import Path

import pytest

import semidirect as sd

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "extensions"))

import cards  # noqa: E402

ALIGNED = re.compile(r"^\\begin\{align\*\}\n.*?^\\end\{align\*\}(?:\nwhere [^\n]*\.)?$", re.MULTILINE | re.DOTALL)
PROVED = ("suslov", "lagrange-top", "rolling-disk")


def test_every_system_has_a_card_and_a_picture():
    assert sorted(cards.NAMES) == sorted(sd.plugins.available())
    assert len(cards.NAMES) == 25
    assert {p.stem for p in cards.PICTURES.glob("*.webp")} == set(cards.NAMES)
    assert all(p.stat().st_size < 20_000 for p in cards.PICTURES.glob("*.webp"))  # the largest has 12 kB
    page = cards.index()
    assert all(f":link: {name}\n" in page for name in cards.NAMES)


def headings_outside_fences(page):
    """The headings of a page of MyST. A fence of backticks whose title holds one is none (CommonMark 4.5): it would be shown."""
    open_fences, found = [], set()
    for line in page.splitlines():
        fence = re.match(r"(`{3,}|:{3,})(.*)$", line)
        if fence is None:
            if not open_fences and line.startswith("## "):
                found.add(line[3:])
        elif open_fences and fence[1] == open_fences[-1] and not fence[2]:
            open_fences.pop()
        elif not open_fences or open_fences[-1][0] == ":":  # nothing begins within code
            assert "`" not in fence[2] or fence[1][0] == ":", line
            open_fences.append(fence[1])
    assert not open_fences
    return found


def test_letters_have_their_indices_and_labels_none():
    assert cards.escaped("x_gc = x_cm − Σ ξ_i∘dW^i, c_jW^j") == (
        "x{sub}`gc` = x{sub}`cm` − Σ ξ{sub}`i`∘dW{sup}`i`, c{sub}`j`W{sup}`j`"
    )
    assert cards.escaped("(xgc_eq), ``noise_x``, (constraints_disk), Sim_Results") == (
        r"(xgc\_eq), `noise_x`, (constraints\_disk), Sim\_Results"
    )


@pytest.mark.parametrize("name", cards.NAMES)
def test_the_formulas_of_a_card_are_those_that_are_run(name, monkeypatch):
    if name not in PROVED:
        monkeypatch.setattr(cards.Card, "conserved", {})
        monkeypatch.setattr(cards.Card, "energy", lambda self: "")
    card = cards.Card(name)
    page, system = card.page(), card.system
    expected = [system.equations().latex()]
    assert ALIGNED.findall(page) == (expected + [system.evolution("energy").latex()] if name in PROVED else expected)
    for parameter, declared in type(system).workings.parameters().items():
        (row,) = re.findall(rf"^\| `{parameter}` \|.*$", page, re.MULTILINE)
        assert f"| {cards.unbroken(declared.unit)} |" in row
    assert card.definition.is_file()
    assert f"class {type(system).__name__}(" in card.definition.read_text(encoding="utf-8")
    assert len(card.facts()) >= 2
    assert "## Sources" in page
    assert headings_outside_fences(page) >= {"Equations", "Parameters", "What is conserved", "Sources", "Definition"}


@pytest.mark.parametrize("name", PROVED)
def test_verdicts_of_a_card_are_those_of_proofs(name):
    page, system = cards.Card(name).page(), sd.load(name)
    for quantity in system.observables():
        (row,) = re.findall(rf"^\| `{quantity}` \|.*$", page, re.MULTILINE)
        drift, noise = (cell.strip() for cell in row.split("|")[-3:-1])
        for shown, along in ((drift, "drift"), (noise, "noise")):
            assert shown.startswith("**yes**") == system.is_conserved(quantity, along=along)


def test_a_card_says_what_an_option_may_be(monkeypatch):
    monkeypatch.setattr(cards.Card, "conserved", {})
    monkeypatch.setattr(cards.Card, "energy", lambda self: "")
    assert "| `coloured` | `False` | `True`, `False` |" in cards.Card("slipping-ball").page()
    assert "| `coupling` | `variational` | `variational`, `printed` |" in cards.Card("routh-sphere").page()
    assert "`routh-sphere`: I₁ = I₂" in cards.Card("routh-sphere").page()
