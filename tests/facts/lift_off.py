"""Hoops with noise that lift off: a stop at N = 0 and the smallest N of an ensemble, from Python and by the command line.

``python tests/facts/lift_off.py`` does it for 10,000 paths; the tests do it for a few.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from contact_systems import Hoop

import semidirect as sd

HOOP = {"point_mass": 4.0, "noise": [2.0]}
T_END, DT, SEED, METHOD, SPEED = 0.3, 0.005, 7, "lie-heun", 3.0


def from_python(paths):
    """Times of lift-off, nan where a path does not, and the smallest N of all paths at 11 times."""
    run = Hoop(**HOOP).simulate(
        t_end=T_END, dt=DT, paths=paths, seed=SEED, method=METHOD, state={"omega": SPEED}, save="final",
        stop=sd.Stop("normal-force", below=0), reduce=sd.Reduce([sd.Extremes(["normal-force"])], at="every:10"), )  # fmt: skip
    return np.asarray(run.stopped.time), run.reductions["extremes"].smallest["normal-force"]


def by_command(paths, folder):
    """The smallest N at the same times, and the times of lift-off of the run that the command saved."""
    arguments = (
        f"run contact_systems:Hoop --set point_mass=4 --set noise=[2] --state omega={SPEED} --t-end {T_END} --dt {DT} "
        f"--method {METHOD} --paths {paths} --seed {SEED} --save final --stop normal-force<=0 --reduce extremes:normal-force "
        f"--reduce-at every:10 --format json -o {folder / 'hoops.zarr'}"
    )
    done = subprocess.run(
        [sys.executable, "-m", "semidirect", *arguments.split()], capture_output=True, text=True, check=False,
        cwd=Path(__file__).parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run = sd.Run.load(folder / "hoops.zarr")
    return np.asarray(run.stopped.time), json.loads(done.stdout)["reductions"]["extremes"]


if __name__ == "__main__":
    from tempfile import TemporaryDirectory
    from time import perf_counter

    start = perf_counter()
    stopped, smallest = from_python(10_000)
    print(
        f"{np.mean(np.isfinite(stopped)):.2%} lift off, at {np.nanmean(stopped):.4f} s in the mean; min N by times: {smallest}"
    )
    print(f"{perf_counter() - start:.1f} s")
    with TemporaryDirectory() as folder:
        times, _ = by_command(10_000, Path(folder))
    print("the command finds the same times:", np.array_equal(times, stopped, equal_nan=True))
