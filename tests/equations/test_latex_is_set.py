"""The LaTeX of pages is set by KaTeX, where Node and KaTeX are at hand (``npm install katex``)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from library_pages import evolutions, loaded

import semidirect as sd
from semidirect.core.errors import DefinitionError
from semidirect.pages.derivation import Derivation

HERE = Path(__file__).parent
SYSTEMS = sorted(sd.plugins.available())


def formulas(latex: str) -> list[tuple[str, bool]]:
    """The environments of a text, and its formulas between dollars."""
    environments = re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}", latex, re.DOTALL)
    rest = re.sub(r"\\begin\{align\*\}.*?\\end\{align\*\}", "", latex, flags=re.DOTALL)
    return [*((e, True) for e in environments), *((e, False) for e in re.findall(r"\$([^$]+)\$", rest))]


def pages(name: str) -> list[tuple[str, bool]]:
    """Everything that is written in LaTeX about a system."""
    system = loaded(name)
    found = [formula for form in ("stratonovich", "ito") for formula in formulas(system.equations(form).latex())]
    for _, latex in evolutions(name).values():
        found += formulas(latex)
    try:
        found += formulas(Derivation(system).latex())
    except DefinitionError:
        assert system.sde().form == "A"
    return found


def errors(found: Sequence[Sequence[Any]]) -> list[str]:
    """What KaTeX says about each formula."""
    ran = subprocess.run(
        [shutil.which("node") or "node", str(HERE / "katex.js")], input=json.dumps(found), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if "Cannot find module 'katex'" in ran.stderr:
        pytest.skip("KaTeX is not installed: npm install katex")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture(autouse=True)
def _node():
    if shutil.which("node") is None:
        pytest.skip("Node is not installed; LaTeX is parsed in test_pages_say_what_is_run.py, and not set")


def test_every_page_is_set():
    errors([("x", False)])  # before pages are written: is KaTeX installed?
    found = {name: pages(name) for name in SYSTEMS}
    assert all(len(formulas) >= 4 for formulas in found.values())
    each = [(name, *formula) for name, formulas in found.items() for formula in formulas]
    said = errors([formula for _, *formula in each])
    wrong = [f"{name}: {error}\n{formula}" for (name, formula, _), error in zip(each, said, strict=True) if error]
    assert not wrong, "\n".join(wrong)


def test_what_is_no_latex_is_found():
    wrong = errors([(r"\begin{align*} p_{u}_{1} &= 1 \end{align*}", True), (r"\undefined{x}", False), ("x_{1}", False)])
    assert "Double subscript" in wrong[0]
    assert wrong[1]
    assert wrong[2] == ""
