"""Calibration of the particle filter: a ball with dots is seen by a camera; does an interval of 90 % contain the truth in 90 %?

``python tests/inference/calibration.py run --noise 0.05 --first 0 --repetitions 400`` adds repetitions to the record beside
this file, with moves over twenty intervals or, with ``--default``, those of the default. ``report`` prints coverage and ranks of
the records, and ``picture FILE`` draws them. The tests run a few repetitions.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import chisquare

import semidirect as sd

BALL = sd.load("routh-sphere", noise=[[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
DOTS = np.concatenate([np.eye(3), -np.eye(3)])
LEVELS = np.array([0.025, 0.05, *(i / 10 for i in range(1, 10)), 0.95, 0.975])
OPTIONS = {"dt": 0.01, "method": "lie-heun"}
MOVED = sd.inference.ParticleUpdate(reach=20)
LOOKED = [4, 9, 14, 19]
"""Numbers of the pictures after which intervals are looked at."""


def start(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """The prior of the angular velocity."""
    return {"Omega": np.array([0.3, 1.0, 2.0]) + 0.1 * rng.standard_normal((count, 3))}


def repetitions(noise: float, count: int, particles: int = 1000, cycles: int = 20, first: int = 0,
                update: sd.inference.ParticleUpdate = MOVED, **more):  # fmt: skip
    """The number of quantiles below the truth ``(count, times, 3)``, and the results."""
    camera = sd.inference.camera(DOTS, noise=noise)
    below, results = [], []
    for number in range(first, first + count):
        truth = BALL.simulate(t_end=cycles / 10, state=start(np.random.default_rng(number), 1), seed=10**6 + number,
                              save="every:10", **OPTIONS)  # fmt: skip
        data = camera.of(truth, seed=number).isel(time=slice(1, None))
        found = sd.filter(BALL, camera, data, particles=particles, seed=number, state=start, levels=LEVELS,
                          quantities=["Omega"], update=update, **OPTIONS, **more)  # fmt: skip
        below.append((truth["Omega"][0, 1:, None] > found.data["Omega_quantile"].values).sum(axis=1))
        results.append(found)
    return np.array(below), results


def inside(below: np.ndarray, nominal: float) -> np.ndarray:
    """Whether the truth is in the central interval of this probability."""
    lower, upper = (np.argmin(np.abs(LEVELS - at)) for at in ((1 - nominal) / 2, (1 + nominal) / 2))
    return (below > lower) & (below <= upper)


def coverage(below: np.ndarray, nominal: float) -> tuple[float, float]:
    """The share of intervals that contain the truth, and its standard error; repetitions are independent, times are not."""
    shares = inside(below, nominal).reshape(len(below), -1).mean(axis=1)
    return float(shares.mean()), float(shares.std() / np.sqrt(len(shares)))


def ranks(below: np.ndarray) -> np.ndarray:
    """How often the truth at the last time is in each tenth of the particles."""
    edges = [int(np.argmin(np.abs(LEVELS - tenth / 10))) for tenth in range(1, 10)]
    tenths = (below[:, -1, :, None] > edges).sum(axis=-1)
    return np.bincount(tenths.ravel(), minlength=10)


def record(noise: float, default: bool = False) -> Path:
    """The file with the repetitions at a noise of the camera: their numbers, and how many quantiles are below the truth."""
    return Path(__file__).with_name(f"calibration_{noise:g}{'_default' * default}.txt")


def recorded(noise: float, default: bool = False) -> np.ndarray:
    """``(repetitions, times, 3)``."""
    return np.loadtxt(record(noise, default), dtype=int, ndmin=2)[:, 1:].reshape(-1, len(LOOKED), 3)


def run(noise: float, first: int, count: int, particles: int, default: bool) -> None:
    """Add repetitions to the record."""
    path, update = record(noise, default), sd.inference.ParticleUpdate() if default else MOVED
    known = {int(line.split()[0]) for line in path.read_text().splitlines()} if path.exists() else set()
    begin, collapsed = time.perf_counter(), 0
    for number in sorted(set(range(first, first + count)) - known):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sd.errors.FilterWarning)
            below, results = repetitions(
                noise, 1, particles, first=number, update=update, execution=sd.Execution(engine="compiled", threads=1)
            )
        collapsed += bool(results[0].collapses)
        with path.open("a") as file:
            file.write(" ".join(map(str, [number, *below[0, LOOKED].ravel()])) + "\n")
    print(f"{time.perf_counter() - begin:.0f} s, {collapsed} with collapse")


def report(noise: float, default: bool) -> None:
    """Print coverage and ranks."""
    below = recorded(noise, default)
    counts = ranks(below)
    for nominal in NOMINAL:
        share, error = coverage(below, nominal)
        print(
            f"noise {noise:g}{', by default' * default}: {nominal:.0%} intervals contain {share:.4f} ± {error:.4f} "
            f"in {len(below)} repetitions"
        )
    print(f"ranks {counts.tolist()}, χ² p = {chisquare(counts).pvalue:.3f}")


NOMINAL = [0.2, 0.4, 0.6, 0.8, 0.9, 0.95]
NOISES = [0.2, 0.05]


def picture(path: str) -> None:
    """Draw actual against nominal coverage."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4.5, 4.2), layout="constrained")
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for noise, marker, shift in zip(NOISES, "os", (-0.006, 0.006), strict=True):
        below = recorded(noise)
        shares, errors = np.array([coverage(below, nominal) for nominal in NOMINAL]).T
        axes.errorbar(np.array(NOMINAL) + shift, shares, 2 * errors, fmt=marker, markersize=4, capsize=2,
                      label=f"camera noise {noise:g} m, {len(below)} repetitions")  # fmt: skip
    axes.set(xlabel="nominal coverage", ylabel="share of intervals that contain the truth", xlim=(0, 1), ylim=(0, 1))
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    add = commands.add_parser("run")
    add.add_argument("--noise", type=float, default=0.05)
    add.add_argument("--repetitions", type=int, default=400)
    add.add_argument("--particles", type=int, default=1000)
    add.add_argument("--first", type=int, default=0)
    add.add_argument("--default", action="store_true")
    commands.add_parser("report")
    commands.add_parser("picture").add_argument("file")
    chosen = parser.parse_args()
    if chosen.command == "run":
        run(chosen.noise, chosen.first, chosen.repetitions, chosen.particles, chosen.default)
    elif chosen.command == "report":
        for noise in NOISES:
            for default in (False, True):
                if record(noise, default).exists():
                    report(noise, default)
    else:
        picture(chosen.file)


if __name__ == "__main__":
    main()
