"""The pages are those that the scripts print, nothing is missing, and some of what they say is measured again."""

import json
from pathlib import Path

import grid
import numpy as np
import pages
import pytest
import report
from enumeration import STEPS, expectations, outcomes, weak_order
from problems import CLASSES, PROBLEMS, problem

from semidirect.integrators import integrator
from semidirect.model.noise_classes import noise_class
from semidirect.random.drivers.wiener import Wiener

DOCS = Path(__file__).parents[2] / "docs"
MEASURED = json.loads(report.MEASURED.read_text(encoding="utf-8"))
CELLS = {report.key(c): c for c in MEASURED["orders"]}


def test_the_table_of_methods_is_that_of_their_attributes():
    page = (DOCS / "choose_an_integrator_in_detail.md").read_text(encoding="utf-8")
    assert page == pages.between(page, "methods", pages.method_table())


def test_the_page_is_what_was_measured():
    assert (DOCS / "verification.md").read_text(encoding="utf-8") == pages.verification(MEASURED)


def test_every_declared_order_was_measured():
    """`python tests/verification/report.py --missing` measures what is missing."""
    declared = {report.key(vars(c)): c.declared for kind, noise in grid.tables() for c in grid.cases(kind, noise)}
    assert {k: c["declared"] for k, c in CELLS.items()} == declared
    assert list(MEASURED["preserved"]) == grid.methods()


def test_every_order_is_met_or_the_reason_is_known():
    bad = [k for k, c in CELLS.items() if c.get("verdict") == "not met" or c.get("right_limit") is False]
    assert bad == []
    for key, c in CELLS.items():
        state = c["orders"]["state"][0] if "orders" in c else None
        if state is None or (c["method"], c["noise"]) in grid.REASONS:
            continue
        assert abs(state - c["declared"]) <= (0.25 if "plateau" in str(c["notes"]) else 0.15), key


@pytest.mark.parametrize("noise", CLASSES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_problems_have_the_class_that_they_stand_for(name, noise):
    found = noise_class(problem(name, noise))
    assert (found.name, found.with_configuration) == (noise, noise)


AGAIN = [
    ("deterministic", "none", "heavy top", "heun"),
    ("deterministic", "none", "rigid body", "rs2"),
    ("weak", "general", "heavy top", "rs2"),
    ("weak", "general", "rigid body", "rs1"),
    ("weak", "additive", "Routh ball", "rs1"),
]


@pytest.mark.parametrize("key", AGAIN, ids=" ".join)
def test_some_cells_again(key):
    """The bits of paths are those of every machine, so what is printed is what is printed again."""
    kind, noise, name, method = key
    assert grid.Case(method, noise, name, kind).measure()["text"] == CELLS[key]["text"]


def test_outcomes_have_the_moments_of_increments():
    values, chance = outcomes(2, 3)
    assert values.shape == (3, 18)
    assert chance.sum() == pytest.approx(1, rel=1e-15)
    np.testing.assert_allclose((values * chance) @ values.T, np.eye(3), rtol=0, atol=1e-15)
    np.testing.assert_allclose(values**4 @ chance, [3, 3, 1], rtol=1e-15)
    np.testing.assert_allclose(values**3 @ chance, 0, atol=1e-15)


def test_expectations_are_means_of_runs():
    """Of two steps, within the chance of 20,000 paths."""
    body, paths = problem("rigid body", "general"), 20_000
    exact = expectations(body, integrator("rs1"), 0.25, 2)["state"]
    noise = Wiener(increment_law="three-point")
    run = body.simulate(t_end=0.5, dt=0.25, paths=paths, method="rs1", driver=noise, save="final")
    values = np.concatenate([run["M"][:, 0], run["Gamma"][:, 0]], axis=-1)
    assert np.all(np.abs(values.mean(axis=0) - exact) < 4 * values.std(axis=0) / np.sqrt(paths))  # measured to 1.6


def test_an_enumeration_sees_a_missed_order_and_a_wrong_limit():
    top = problem("heavy top", "single")
    fits, right = weak_order(top, "heun")
    assert right
    assert abs(fits["state"].slope - 1) < 0.1  # of a step of Heun: weak order 1, not 2
    _, wrong = weak_order(top, "rs2", other="euler-maruyama")
    assert wrong
    assert fits["state"].steps == len(STEPS[2.0])
