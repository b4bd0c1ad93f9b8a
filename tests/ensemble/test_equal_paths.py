"""The error of a mean over paths that are equal is 0, and a table says 0 where they are equal but for rounding."""

from __future__ import annotations

import re

import numpy as np
import pytest

import semidirect as sd
from semidirect.analysis.pictures.exponents import _with_error
from semidirect.cli.entry import main
from semidirect.results.run import _where_known
from semidirect.statistics.dependence import Dependence
from semidirect.text import printing

VALUES = (0.1, 1 / 3, 2.81, -7.7e-5, 3e100, 5e-324)


@pytest.mark.parametrize("paths", [2, 3, 7, 100, 1_000])
def test_equal_values_have_no_error(paths):
    values = np.array([VALUES] * paths)
    assert not Dependence().error_of_mean(values, np.arange(paths)).any()  # before: 9.8e-18 for 0.1 on three paths
    assert not _where_known(values)["se"].any()
    if paths >= 6:
        assert not Dependence(replications=3).error_of_mean(values, np.arange(paths)).any()
    other = values.copy()
    other[0] *= 1 + 1e-9
    assert (Dependence().error_of_mean(other, np.arange(paths))[:5] > 0).all()
    assert (_where_known(other)["se"][:5] > 0).all()


def test_one_path_and_unknown_values_have_no_known_error():
    for values in ([[0.1]], [[np.nan]] * 3):
        assert np.isnan(Dependence().error_of_mean(np.array(values), np.arange(len(values)))).all()
        assert np.isnan(_where_known(np.array(values))["se"]).all()
    some = _where_known(np.array([[0.1], [np.nan], [0.1], [0.1]]))  # of paths in several modes
    assert some["se"].tolist() == [0.0]


@pytest.mark.parametrize("paths", [3, 150])
def test_no_statistic_of_equal_paths_has_an_error(paths):
    body = sd.load("rigid-body", noise=())
    statistics = [sd.Moments(), sd.Covariance(["M"]), sd.TimeAverage(["energy"])]
    run = body.simulate(t_end=0.3, dt=0.1, paths=paths, state={"Omega": (0.1, 0.7, 0.3)}, reduce=statistics)
    assert not any(of["se"].any() for of in run.statistics().values())
    moments, covariance = run.reductions["moments"], run.reductions["covariance"]
    assert not any(error.any() for error in moments.standard_error.values())
    assert not covariance.standard_error.any()
    assert not covariance.matrix_error.any()
    columns = [line.split() for line in run.reductions["time-average"].text().splitlines() if line.startswith("energy")]
    assert columns[0][2] == "0"
    if paths > 100:  # with fewer, errors of averages over time come from batches of times
        assert not run.reductions["time-average"].batch_means.error_from_paths.any()


def test_a_conserved_quantity_has_0_in_every_table(capsys):
    """|M|² moves by rounding alone, 5e-16 of it, from path to path."""
    run = sd.load("rigid-body").simulate(t_end=2, dt=0.05, paths=4, seed=0)
    assert 0 < run.statistics()["momentum-squared"]["se"][-1] < 1e-14
    assert '2.81</td><td style="text-align: left">0</td>' in run._repr_html_()
    assert main(["run", "rigid-body", "--t-end", "2", "--dt", "0.05", "--paths", "4"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("momentum-squared"))
    assert line.split()[1:3] == ["2.81", "0"]


def test_comparisons_and_levels_of_equal_paths_have_0(capsys):
    """Before: ± 0e+00, a statistical error of 2.8e-17 and variances of 5e-31 of a conserved quantity."""
    command = (
        "compare rigid-body --methods lie-midpoint --levels 2 --t-end 0.25 --paths 4 --observable momentum-squared"
    )
    assert main([*command.split(), "--driver", "0"]) == 0
    assert re.findall(r"± (\S+)", capsys.readouterr().out) == ["0"] * 5
    levels = sd.multilevel(sd.load("rigid-body"), "momentum-squared", t_end=0.25, rmse=0.01, dt=0.125)
    assert "2.81 ± 0 kg" in str(levels)
    assert "statistical error 0, bias 0, target 1.0e-02" in str(levels)
    assert not re.search(r"e-(1[5-9]|3\d)", str(levels))


def test_what_is_more_than_rounding_is_printed():
    assert printing.standard_error(3e-9, 2.0) == "3e-09"
    assert printing.standard_error(8.9e-16, 2.81) == "0"
    assert printing.standard_error(0.0, 0.0, ".1e") == "0"
    assert printing.standard_error(1e-17, 0.0, ".1e") == "1.0e-17"  # of a value at 0 no size is known
    assert printing.standard_error(None, 1.0) == "-"
    assert printing.standard_error(float("nan"), 1.0) == "nan"
    assert printing.with_error(2.81, 8.9e-16) == "2.81 ± 0"
    assert _with_error(0.0918, 1e-17) == "0.0918 ± 0"  # before, with twelve decimal places each
    assert printing.with_error(2.81, 0.1) == "2.81 ± 0.10"
