"""A fit by a filter agrees with the maximum of Kalman's likelihood, where that is exact."""

from pathlib import Path

import fit_coverage
import numpy as np
import pytest
import robot_files
from rolling_line import DISK, START, TRACK, kalman
from scipy.optimize import minimize_scalar

import semidirect as sd


def test_the_estimate_is_that_of_kalmans_likelihood():
    """Measured, with 500 particles: off by 0.24 standard errors, which differ by 1 %."""
    run = DISK.simulate(t_end=6, dt=0.1, save="every:2", seed=5, state=START)
    data = TRACK.of(run, seed=5).isel(time=slice(1, None))
    top = minimize_scalar(lambda s: -kalman(s, data), bounds=(0.1, 1), method="bounded", options={"xatol": 1e-8}).x
    h = 1e-3
    error = h / np.sqrt(2 * kalman(top, data) - kalman(top + h, data) - kalman(top - h, data))
    found = sd.fit(DISK.replace(noise=(0.5, 0)), TRACK, data, "noise", dt=0.1, particles=500, replicates=1,
                   state=START, update="ensemble-kalman", execution=sd.Execution(1, engine="compiled"))  # fmt: skip
    print(f"exact {top:.4f} ± {error:.4f}, fitted {found['noise1']:.4f} ± {found.standard_error[0]:.4f}")
    assert found.converged
    assert abs(found["noise1"] - top) < 0.4 * error
    assert found.standard_error[0] == pytest.approx(error, rel=0.15)


@pytest.mark.parametrize(
    ("study", "page"), [(fit_coverage, "fitting_in_detail"), (robot_files, "from_csv")], ids=["fits", "robots"]
)
def test_the_page_shows_the_coverage_on_record(study, page, capsys):
    study.report()
    assert capsys.readouterr().out in (Path(__file__).parents[2] / f"docs/{page}.md").read_text()
