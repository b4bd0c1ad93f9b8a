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

ALIGNED = re.compile(r"^\\begin\{align\*\}\n.*?^\\end\{align\*\}$", re.MULTILINE | re.DOTALL)
PROVED = ("suslov", "lagrange-top", "rolling-disk")


def test_every_system_has_a_card_and_a_picture():
    assert sorted(cards.NAMES) == sorted(sd.plugins.available())
    assert len(cards.NAMES) == 21
    assert {p.stem for p in cards.PICTURES.glob("*.webp")} == set(cards.NAMES)
    assert all(p.stat().st_size < 20_000 for p in cards.PICTURES.glob("*.webp"))  # the largest has 12 kB
    page = cards.index()
    assert all(f":link: {name}\n" in page for name in cards.NAMES)


@pytest.mark.parametrize("name", cards.NAMES)
def test_the_formulas_of_a_card_are_those_that_are_run(name, monkeypatch):
    if name not in PROVED:
        monkeypatch.setattr(cards.Card, "conserved", {})
        monkeypatch.setattr(cards.Card, "energy", lambda self: "")
    card = cards.Card(name)
    page, system = card.page(), card.system
    expected = [system.equations().latex()]
    assert ALIGNED.findall(page) == (expected + [system.evolution("energy").latex()] if name in PROVED else expected)
    for parameter, declared in type(system).parameters().items():
        (row,) = re.findall(rf"^\| `{parameter}` \|.*$", page, re.MULTILINE)
        assert f"| {declared.unit} |" in row
    assert card.definition.is_file()
    assert f"class {type(system).__name__}(" in card.definition.read_text(encoding="utf-8")
    assert len(card.facts()) >= 2
    assert "## Sources" in page


@pytest.mark.parametrize("name", PROVED)
def test_verdicts_of_a_card_are_those_of_proofs(name):
    page, system = cards.Card(name).page(), sd.load(name)
    for quantity in system.observables():
        (row,) = re.findall(rf"^\| `{quantity}` \|.*$", page, re.MULTILINE)
        drift, noise = (cell.strip() for cell in row.split("|")[-3:-1])
        for shown, along in ((drift, "drift"), (noise, "noise")):
            assert shown.startswith("**yes**") == system.is_conserved(quantity, along=along)
