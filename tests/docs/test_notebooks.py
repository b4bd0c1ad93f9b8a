"""Notebooks are kept without outputs; the build of the pages executes them, and a cell that fails is an error of it."""

import ast
import json
import re
from pathlib import Path

import pytest
from notebook_cells import NOTEBOOKS, cells

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("first_steps", "own_system", "csv_to_parameters", "nonholonomic_lecture")


def test_the_index_leads_to_each_notebook():
    assert {p.stem for p in NOTEBOOKS} == set(NAMES)
    index = (DOCS / "notebooks" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^:link: (\w+)$", index, re.MULTILINE) == list(NAMES)
    assert index.endswith("\n".join((":hidden:", "", *NAMES)) + "\n```\n")
    assert "\nnotebooks/index\n" in (DOCS / "index.md").read_text(encoding="utf-8").split(":caption: Model")[0]


@pytest.mark.parametrize("place", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_kept_without_outputs(place):
    """With outputs it would not be executed."""
    notebook = json.loads(place.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_a_failing_cell_is_an_error_of_the_build():
    settings = {
        node.targets[0].id: node.value.value
        for node in ast.parse((DOCS / "conf.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    assert settings["nb_execution_mode"] == "auto"
    assert settings["nb_execution_raise_on_error"] is True


@pytest.mark.parametrize("place", NOTEBOOKS, ids=lambda p: p.stem)
def test_numbers_of_a_notebook_are_printed_by_its_cells(place):
    """Words hold no decimals that were measured: those in them are given to a cell, or are printed by it from what is given."""
    code = "\n".join(cells(place, "code"))
    for text in cells(place, "markdown"):
        for number in re.findall(r"\d+\.\d+", re.sub(r"\$.*?\$", "", text, flags=re.DOTALL)):
            assert number in code, number
