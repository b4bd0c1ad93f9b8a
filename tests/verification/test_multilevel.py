"""The cost of multilevel Monte Carlo: the figures of the page, and a short run that agrees with them."""

import multilevel as script
import numpy as np
import pages
import pytest
from momentum_mean import mean_momentum

MEASURED = script.load()


def figures(case, name):
    return np.array([x[name] for x in MEASURED[case]["estimates"]])


def test_the_page_is_written_from_what_was_measured():
    text = script.PAGE.read_text(encoding="utf-8")
    assert pages.between(text, "multilevel", script.table(MEASURED)) == text


def test_the_mean_of_a_ball_is_the_exact_one():
    start = np.array([0.3, -0.4, 1.2])
    noise = 0.5 * np.eye(3)
    exact = np.exp(-0.25) * start  # E dM = −σ² M dt
    assert np.abs(mean_momentum([2, 2, 2], noise, start, 1.0, 6) - exact).max() < 1e-12  # measured 3e-16


@pytest.mark.parametrize("case", script.CASES)
def test_estimates_are_within_three_errors(case):
    rmse = figures(case, "rmse")
    assert rmse == pytest.approx(script.ERRORS)
    assert np.all(np.abs(figures(case, "estimate") - MEASURED[case]["exact"]) < 3 * rmse)
    assert np.all(figures(case, "error") <= 1.01 * rmse)


def test_the_cost_is_proportional_to_the_error_to_the_power_of_minus_two_where_beta_is_two():
    scaled = figures("one noise", "cost") * figures("one noise", "rmse") ** 2
    assert np.all(np.abs(scaled / np.mean(scaled) - 1) < 0.15)  # measured 0.04
    assert figures("one noise", "gain")[-1] >= 10  # measured 111
    assert figures("one noise", "variance_order")[-1] == pytest.approx(2, abs=0.15)


def test_the_cost_has_the_square_of_a_logarithm_where_beta_is_one():
    cost, levels = (
        figures("three noises", "cost"),
        np.array([len(x["levels"]) for x in MEASURED["three noises"]["estimates"]]),
    )
    assert figures("three noises", "variance_order")[-1] == pytest.approx(1, abs=0.15)
    root = np.sqrt(cost) * figures("three noises", "rmse")  # √(V₀C₀) + (L − 1)√(V₁C₁)
    fit = np.polyfit(levels, root, 1)
    assert np.abs(np.polyval(fit, levels) / root - 1).max() < 0.05
    assert root[-1] > 1.3 * root[0]


def test_a_short_run_agrees():
    found, known = script.measure("one noise", script.ERRORS[0]), MEASURED["one noise"]["estimates"][0]
    assert found.cost == known["cost"]
    assert found.estimate == pytest.approx(known["estimate"], rel=1e-9)
    assert script.exact("one noise") == pytest.approx(MEASURED["one noise"]["exact"], abs=1e-9)
