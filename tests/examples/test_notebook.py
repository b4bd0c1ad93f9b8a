"""The first notebook: its cells run in their order, and it is kept without what they showed."""

import ast
import json
import warnings
from pathlib import Path

import matplotlib.pyplot as plt

import semidirect as sd

NOTEBOOK = json.loads((Path(__file__).parents[2] / "examples" / "first_steps.ipynb").read_text(encoding="utf-8"))
CELLS = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def test_it_is_a_notebook_without_outputs():
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in NOTEBOOK["cells"]}) == len(NOTEBOOK["cells"])
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in CELLS)


def test_its_cells_run_and_show_something(monkeypatch):
    simulate, shown, names = sd.System.simulate, [], {}
    monkeypatch.setattr(
        sd.System, "simulate", lambda self, **asked: simulate(self, **{**asked, "paths": 20, "t_end": 2})
    )
    for cell in CELLS:
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sd.errors.FailedPathsWarning)
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            shown.append(last and eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    plt.close("all")
    assert len(shown) == len(CELLS) == 7
    rich = [any(hasattr(value, f"_repr_{kind}_") for kind in ("html", "latex")) for value in shown]
    assert rich == [True, True, True, False, True, True, True]  # a picture is shown by Matplotlib
    assert "not conserved" in str(shown[2])
