"""Variances over Sobol points: the figures of the page, and that none is significantly larger than of independent paths."""

import numpy as np
import pages
import pytest
import sobol as script

MEASURED = script.load()


def test_the_page_is_written_from_what_was_measured():
    text = script.PAGE.read_text(encoding="utf-8")
    assert pages.between(text, "sobol", script.table(MEASURED)) == text
    assert {name: tuple(found) for name, found in MEASURED.items()} == script.QUANTITIES


@pytest.mark.parametrize("name", script.SMOOTH)
def test_variances_of_smooth_means_are_smaller(name):
    one = MEASURED[name][script.SMOOTH[name]]
    assert one["independent"] >= script.LEAST * one["points"]  # measured 128, 6600 and 6800


def test_no_variance_is_significantly_larger():
    every = [one for found in MEASURED.values() for one in found.values()]
    assert len(every) >= 20
    assert max(map(script.least, every)) <= script.MOST  # measured 0.7
    assert sum(q.startswith("where") for found in MEASURED.values() for q in found) >= 8


def test_a_short_run_agrees():
    """One seed of one system: the same variances of the values, and variances of means of the same size."""
    name = "sleigh"
    each, variances = script.means(name, script.SEEDS[0])
    ours = each.var(axis=0, ddof=1)
    for q, a, b in zip(script.QUANTITIES[name], ours, variances / script.POINTS, strict=True):
        known = MEASURED[name][q]
        assert b == pytest.approx(known["independent"], rel=0.05)
        assert 1 / 3 < a / known["points"] < 3
    assert np.isfinite(each).all()
