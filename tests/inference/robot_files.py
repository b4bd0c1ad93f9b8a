"""Do parameters that are fitted to files like ``examples/robot.csv`` agree with the truth? A rolling robot seen by a camera.

``python tests/inference/robot_files.py write`` makes the file of the example: positions in mm at 30 Hz with jitter, gaps and
outliers, on a clock of 2026. ``run --first 0 --repetitions 400`` fits other files of its kind as the example does and adds their
estimates to the record beside this file; repetitions on record are not repeated. ``report`` prints how often intervals contain
the truth.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import binomtest

import semidirect as sd

TRUE = {"radius": 0.08, "noise1": 0.15, "noise2": 0.35}
ROBOT = sd.load("rolling-disk", radius=0.08, noise=(0.15, 0.35), variant="rolling-noise")
GUESS = ROBOT.replace(radius=0.075, noise=(0.3, 0.5))
"""Where the search begins."""
CAMERA = sd.Observation(["x", "y"], noise=3, unit="mm")
HOW = {"dt": 0.04, "state": {"omega": 5.0, "nu": 0.5}, "bounds": {"noise": (0.01, 3)},
       "update": sd.ExtendedKalman({"configuration": [0.3, 0.01, 0.01, 0.0]})}  # fmt: skip
FITTED = 130
"""Rows to which parameters are fitted; the others are predicted."""
PLACE = Path(__file__).parents[2] / "examples" / "robot.csv"
RECORD = Path(__file__).with_name("robot_files.txt")
"""A line for each repetition: its number, three estimates, the lower and the upper ends of three intervals, and the share of the
held-out values in their 90 % bands."""


def recording(seed: int) -> pd.DataFrame:
    """A file: 6 s at 30 Hz with a jitter of 3 ms, 3 % outliers, and two gaps."""
    rng = np.random.default_rng(seed)
    stamps = np.round((np.arange(180) / 30 + 0.003 * rng.uniform(-1, 1, 180) + 0.003) * 1000) / 1000
    gaps = rng.integers(30, 100, 2)
    lost = np.isin(np.arange(180), np.concatenate([np.arange(gap, gap + 8) for gap in gaps])) | (rng.random(180) < 0.03)
    lost[:2] = False
    stamps = stamps[~lost]
    path = ROBOT.ensemble(
        dt=0.005, seed=10**6 + seed, state={"omega": 5.0, "nu": 0.5, "phi": 0.15 * rng.standard_normal()}
    )
    places = []
    for t in stamps:
        if t > stamps[0]:
            path.advance(t=t - stamps[0], between=True)
        places.append([path["x"][0], path["y"][0]])
    seen = 1000 * np.array(places) + 3 * rng.standard_normal((len(stamps), 2))
    wrong = np.flatnonzero(rng.random(len(stamps)) < 0.03)
    wrong = wrong[wrong > 5]
    seen[wrong] += rng.choice([-1, 1], (len(wrong), 2)) * rng.uniform(40, 120, (len(wrong), 2))
    begin = pd.Timestamp("2026-03-02T09:30:00Z") + pd.Timedelta(minutes=seed)
    times = [
        f"{one:%Y-%m-%dT%H:%M:%S}.{one.microsecond // 1000:03d}Z" for one in begin + pd.to_timedelta(stamps, unit="s")
    ]
    return pd.DataFrame({"timestamp": times, "x [mm]": seen[:, 0].round(1), "y [mm]": seen[:, 1].round(1)})


def fitted(table: pd.DataFrame):
    """The fit of the example, and the share of held-out values in their 90 % bands."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FilterWarning)
        found = sd.fit(GUESS, CAMERA, table[:FITTED], ["radius", "noise"], reject=4, **HOW)
    later = table[FITTED:]
    predicted = found.filtered.predict(pd.to_datetime(later["timestamp"]), ["x", "y"])
    z = [
        (later[f"{k} [mm]"] / 1000 - predicted[f"{k}_mean"].values) / np.hypot(predicted[f"{k}_sd"].values, 0.003)
        for k in "xy"
    ]
    return found, float(np.mean(np.abs(z) < 1.645))


def run(first: int, count: int) -> None:
    """Add repetitions to the record."""
    for number in range(first, first + count):
        if RECORD.exists() and number in np.loadtxt(RECORD, ndmin=2)[:, 0]:
            continue
        begin = time.process_time()
        found, share = fitted(recording(number))
        numbers = [*found.estimate, *found.interval.T.ravel(), share]
        with RECORD.open("a") as file:
            file.write(" ".join([str(number), *(f"{x:.6g}" for x in numbers)]) + "\n")
        print(f"{number}: {found!r}, {found.evaluations} filters, {time.process_time() - begin:.0f} s", flush=True)


def report() -> None:
    """Print the shares within intervals."""
    table = np.loadtxt(RECORD, ndmin=2)
    n, truth = len(table), np.array([*TRUE.values()])
    inside = (table[:, 4:7] < truth) & (truth < table[:, 7:10])
    for i, name in enumerate(TRUE):
        count = int(inside[:, i].sum())
        low, high = binomtest(count, n).proportion_ci(method="wilson")
        p = binomtest(count, n, 0.92, alternative="less").pvalue
        print(
            f"{name}: within its 95% interval in {count} of {n} ({low:.2f} to {high:.2f}); below 92% with p = {p:.2g}"
        )
    print(f"held-out values in their 90% bands: {table[:, 10].mean():.2f} ± {table[:, 10].std() / np.sqrt(n):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("write", "run", "report"))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--repetitions", type=int, default=400)
    arguments = parser.parse_args()
    if arguments.command == "write":
        recording(26).to_csv(PLACE, index=False)
    elif arguments.command == "run":
        run(arguments.first, arguments.repetitions)
    else:
        report()
