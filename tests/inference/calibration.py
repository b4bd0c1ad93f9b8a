"""Calibration of the particle filter: a ball with dots, seen by a camera; do 90 % intervals contain the truth in 90 % of cases?

``python tests/inference/calibration.py --noise 0.05 --repetitions 400`` prints the coverage and the ranks of the truth. The tests
run a few repetitions.
"""

import argparse
import time

import numpy as np
from scipy.stats import chisquare

import semidirect as sd

BALL = sd.load("routh-sphere", noise=[[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
DOTS = np.concatenate([np.eye(3), -np.eye(3)])
LEVELS = [0.05, *(i / 10 for i in range(1, 10)), 0.95]
OPTIONS = {"dt": 0.01, "method": "lie-heun"}


def start(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """The prior of the angular velocity."""
    return {"Omega": np.array([0.3, 1.0, 2.0]) + 0.1 * rng.standard_normal((count, 3))}


def repetitions(noise: float, count: int, particles: int = 1000, cycles: int = 20, first: int = 0, **more):
    """Coverage of 90 % intervals ``(count, times, 3)``, ranks among ten ``(count, 3)`` at the end, and the results."""
    camera = sd.camera(DOTS, noise=noise)
    covered, ranks, results = [], [], []
    for number in range(first, first + count):
        truth = BALL.simulate(t_end=cycles / 10, state=start(np.random.default_rng(number), 1), seed=10**6 + number,
                              save="every:10", **OPTIONS)  # fmt: skip
        data = camera.of(truth, seed=number).isel(time=slice(1, None))
        found = sd.filter(BALL, camera, data, particles=particles, seed=number, state=start, levels=LEVELS,
                          quantities=["Omega"], **OPTIONS, **more)  # fmt: skip
        levels, omega = found.data["Omega_quantile"].values, truth["Omega"][0, 1:]
        covered.append((omega >= levels[:, 0]) & (omega <= levels[:, -1]))
        ranks.append((omega[-1] > levels[-1, 1:-1]).sum(axis=0))
        results.append(found)
    return np.array(covered), np.array(ranks), results


def main() -> None:
    """Print coverage and ranks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noise", type=float, default=0.05)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--particles", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    chosen = parser.parse_args()
    begin = time.perf_counter()
    covered, ranks, results = repetitions(chosen.noise, chosen.repetitions, chosen.particles, first=chosen.first,
                                          execution=sd.Execution(engine="compiled", threads=1))  # fmt: skip
    looked = covered[:, [4, 9, 14, 19]]
    error = looked.mean(axis=(1, 2)).std() / np.sqrt(len(looked))
    counts = np.bincount(ranks.ravel(), minlength=10)
    print(f"noise {chosen.noise:g}: coverage of 90 % intervals {looked.mean():.4f} ± {error:.4f} in {len(looked)} repetitions; "
          f"ranks {counts.tolist()}, χ² p = {chisquare(counts).pvalue:.3f}; {sum(bool(r.collapses) for r in results)} with "
          f"collapse; {(time.perf_counter() - begin) / len(looked):.2f} s each")  # fmt: skip


if __name__ == "__main__":
    main()
