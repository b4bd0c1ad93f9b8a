"""Do fitted parameters agree with the truth within their standard errors? A ball with six dots, filmed for 50 s.

``python tests/inference/fit_coverage.py run --first 0 --repetitions 100`` adds repetitions to the record beside this file, and
``report`` prints how often the offset and the amplitude of the noise are within two standard errors of the truth, and in their
intervals. Repetitions on record are not repeated. ``likelihoods`` compares the
log-likelihoods of filters on one film.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

import semidirect as sd

TRUE = {"offset": 0.3, "noise1_3": 0.1}
BALL = sd.load("routh-sphere", noise=[[0, 0, TRUE["noise1_3"]]])
BEGIN = {"offset": 0.305, "noise": [[0, 0, 0.11]]}
"""Where the search begins."""
BOUNDS = {"offset": (0.27, 0.33), "noise": (0.05, 0.2)}
DOTS = np.concatenate([np.eye(3), -np.eye(3)])
CAMERA = sd.inference.camera(DOTS, noise=0.05, transparent=True)
OPTIONS = {"dt": 0.025, "method": "lie-heun"}
RECORD = Path(__file__).with_name("fit_coverage.txt")
"""A line for each repetition: its number, two estimates, two standard errors, and the lower and upper ends of two intervals."""


def start(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """The prior of the angular velocity."""
    return {"Omega": np.array([0.3, 1.0, 2.0]) + 0.05 * rng.standard_normal((count, 3))}


def film(number: int, t_end: float = 50.0):
    """The data of a repetition."""
    truth = BALL.simulate(t_end=t_end, state=start(np.random.default_rng(number), 1), seed=10**6 + number,
                          save="every:20", **OPTIONS)  # fmt: skip
    return CAMERA.of(truth, seed=number).isel(time=slice(1, None))


def repetition(number: int, order: int = 2, particles: int = 1000, replicates: int = 2, **more):
    """The fit to the data of a repetition."""
    return sd.fit(BALL.replace(**BEGIN), CAMERA, film(number), ["offset", "noise"], state=start, seed=number, bounds=BOUNDS,
                  update=sd.inference.EnsembleKalmanUpdate(order=order), particles=particles, replicates=replicates,
                  **OPTIONS, **more)  # fmt: skip


def run(first: int, count: int, particles: int) -> None:
    """Add repetitions to the record."""
    for number in range(first, first + count):
        if RECORD.exists() and number in np.loadtxt(RECORD, ndmin=2)[:, 0]:
            continue
        begin = time.perf_counter()
        found = repetition(number, particles=particles, execution=sd.Execution(engine="compiled", threads=1))
        assert found.converged
        numbers = [*found.estimate, *found.standard_error, *found.interval.T.ravel()]
        with RECORD.open("a") as file:
            file.write(" ".join([str(number), *(f"{x:.6g}" for x in numbers)]) + "\n")
        error = ", ".join(f"{e:.2g}" for e in found.monte_carlo_error / found.standard_error)
        print(f"{number}: {found!r}, {found.evaluations} evaluations, {time.perf_counter() - begin:.0f} s, of the error Monte "
              f"Carlo {error}", flush=True)  # fmt: skip


def report() -> None:
    """Print the shares within two standard errors, and in intervals."""
    table = np.loadtxt(RECORD, ndmin=2)
    n, truth = len(table), np.array([*TRUE.values()])
    z = (table[:, 1:3] - truth) / table[:, 3:5]
    inside = (table[:, 5:7] < truth) & (truth < table[:, 7:9])
    for i, name in enumerate(TRUE):
        within = int(np.sum(np.abs(z[:, i]) < 2))
        low, high = binomtest(within, n).proportion_ci(method="wilson")
        share = f"{within / n:.2f}, 95% interval {low:.2f} to {high:.2f}"
        print(f"{name}: within two standard errors in {within} of {n} ({share})")
        print(f"  within its 95% interval in {inside[:, i].sum()}; standardised errors: mean {z[:, i].mean():+.2f} ± "
              f"{1 / np.sqrt(n):.2f}, mean square {np.mean(z[:, i] ** 2):.2f} ± {np.sqrt(2 / n):.2f}")  # fmt: skip


def likelihoods(number: int = 0, seeds: int = 4) -> None:
    """Print by how much the log-likelihood of a film falls between two amplitudes, by three filters."""
    data, low, high = film(number), 0.085, 0.12
    filters = {
        "ensemble Kalman, order 1": (sd.inference.EnsembleKalmanUpdate(order=1), 1600),
        "ensemble Kalman, order 2": (sd.inference.EnsembleKalmanUpdate(order=2), 1600),
        "particles": (sd.inference.ParticleUpdate(temper_below=0), 60_000),
    }
    for name, (update, particles) in filters.items():
        found = [[sd.filter(BALL.replace(noise=[[0, 0, x]]), CAMERA, data, particles=particles, seed=seed, state=start,
                            update=update, quantities=["Omega"], **OPTIONS).log_likelihood for x in (low, high)]
                 for seed in range(seeds)]  # fmt: skip
        fall = -np.diff(found).ravel()
        error = fall.std(ddof=1) / np.sqrt(seeds)
        print(f"{name}: log-likelihood falls by {fall.mean():.2f} ± {error:.2f} from {low} to {high}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    add = commands.add_parser("run")
    add.add_argument("--repetitions", type=int, default=100)
    add.add_argument("--first", type=int, default=0)
    add.add_argument("--particles", type=int, default=1000)
    commands.add_parser("report")
    commands.add_parser("likelihoods")
    chosen = parser.parse_args()
    if chosen.command == "run":
        run(chosen.first, chosen.repetitions, chosen.particles)
    elif chosen.command == "report":
        report()
    else:
        likelihoods()


if __name__ == "__main__":
    main()
