"""The record of how often truths lie within stated errors, and a few repetitions that agree with it."""

import coverage as script
import numpy as np
import pytest
from estimates.cell import Cell, Outcome, Tally, of_error, of_interval

CELLS, KNOWN = script.cells(), script.load()
FEWEST_PROBLEMS = 3


def tallies():
    return [(CELLS[key], Tally(**value)) for key, value in KNOWN.items()]


def test_the_page_is_written_from_what_was_measured():
    assert script.PAGE.read_text(encoding="utf-8") == script.page(KNOWN)


def test_no_coverage_without_a_warning_is_too_low():
    low = [cell.key for cell, t in tallies() if t.too_low(script.LEAST, script.SIGNIFICANCE)]
    assert not low


def test_healthy_problems_rarely_warn_and_others_do():
    for cell, t in tallies():
        if cell.healthy:
            assert t.warned <= script.MOST_WARNED * t.repetitions, cell.key
        else:
            assert t.warned > 0.5 * t.repetitions, cell.key


def test_each_estimate_has_enough_problems_and_repetitions():
    for estimate in {cell.estimate for cell in CELLS.values()}:
        problems = [cell for cell in CELLS.values() if cell.estimate == estimate]
        assert len(problems) >= FEWEST_PROBLEMS, estimate
        assert any(cell.trait for cell in problems), estimate
        correlated = [cell for cell in problems if "correlated" in cell.trait]
        assert correlated, estimate
    assert [*KNOWN] == [*CELLS]
    for cell, t in tallies():
        assert t.repetitions >= script.REPETITIONS, cell.key


def test_what_cannot_be_known_is_refused_each_time():
    refusals = [t for cell, t in tallies() if cell.truth == "—"]
    assert len(refusals) >= 10
    assert all(t.refused == t.repetitions for t in refusals)


def test_means_have_the_error_that_was_asked_for_and_the_one_that_is_stated():
    """Of each multilevel problem; measured at most .77 of what was asked, and .98 of what is stated."""
    asked = [t for cell, t in tallies() if cell.estimate == "multilevel" and not t.refused]
    assert len(asked) >= 3
    for t in asked:
        assert 0 < t.asked_ratio <= 1.2
        assert t.ratio <= 1.2


def test_false_claims_are_found():
    false = [t for cell, t in tallies() if cell.problem.startswith("false: ")]
    assert len(false) >= 3
    assert all(t.covered + t.warned_covered >= 0.9 * t.repetitions for t in false)


def test_a_few_repetitions_are_the_same_again():
    key = "moments/E q, normal"
    tally = Tally().with_outcomes(CELLS[key].outcomes(range(20)))
    assert tally.repetitions == 20
    assert tally.covered >= 15
    assert 0.5 < tally.ratio < 1.6
    assert abs(tally.ratio - Tally(**KNOWN[key]).ratio) < 0.5


def test_a_run_continues_where_it_was_interrupted():
    asked = []

    def outcomes(seeds):
        asked.append(seeds)
        return [Outcome(seed % 2 == 0, seed % 3 == 0, 1.0) for seed in seeds]

    cell = Cell("an estimate", "a problem", "known", outcomes, block=7)
    whole = list(script.measured(cell, None, 20))
    assert [t.repetitions for t in whole] == [7, 14, 20]
    assert list(script.measured(cell, vars(whole[0]), 20))[-1] == whole[-1]
    assert list(script.measured(cell, vars(whole[-1]), 20)) == []
    assert (whole[-1].warned, whole[-1].covered, whole[-1].warned_covered) == (7, 6, 4)


@pytest.mark.parametrize(("covered", "low"), [(400, False), (368, False), (350, True), (300, True)])
def test_low_coverage_is_found(covered, low):
    assert Tally(400, 0, covered, 0, 0.0).too_low(script.LEAST, script.SIGNIFICANCE) == low


def test_outcomes_of_errors_and_intervals():
    assert of_error(1.0, 0.5, 1.9, warned=False) == Outcome(True, False, pytest.approx(1.8))
    assert not of_error(1.0, 0.0, 1.1, warned=True).covered
    assert of_error(1.0, 0.0, 1.0 + 1e-12, warned=False).covered
    assert of_interval(0.0, 2.0, 1.9, warned=False).covered
    assert of_interval(0.0, 2.0, 2.1, warned=False).ratio == pytest.approx(1.1 * 1.96, rel=1e-3)
    assert np.isinf(of_interval(1.0, 1.0, 2.1, warned=False).ratio)
