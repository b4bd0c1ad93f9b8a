"""Do fitted parameters agree with the truth within their standard errors? A ball with six dots, filmed for 50 s.

``python tests/inference/fit_coverage.py --first 0 --repetitions 100`` prints how often the offset and the amplitude of the noise
are within two standard errors of the truth, and the standardised errors. Slices add up; the tests run a short one.
"""

import argparse
import time

import numpy as np

import semidirect as sd

TRUE = {"offset": 0.3, "noise1_3": 0.1}
BALL = sd.load("routh-sphere", noise=[[0, 0, TRUE["noise1_3"]]])
BEGIN = {"offset": 0.31, "noise": [[0, 0, 0.12]]}
"""Where the search begins."""
DOTS = np.concatenate([np.eye(3), -np.eye(3)])
CAMERA = sd.camera(DOTS, noise=0.05, transparent=True)
OPTIONS = {"dt": 0.025, "method": "lie-heun"}


def start(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """The prior of the angular velocity."""
    return {"Omega": np.array([0.3, 1.0, 2.0]) + 0.05 * rng.standard_normal((count, 3))}


def repetitions(count: int, first: int = 0, t_end: float = 50.0, **more):
    """Estimates minus truth ``(count, 2)`` and standard errors ``(count, 2)``."""
    off, errors = [], []
    for number in range(first, first + count):
        truth = BALL.simulate(t_end=t_end, state=start(np.random.default_rng(number), 1), seed=10**6 + number,
                              save="every:20", **OPTIONS)  # fmt: skip
        data = CAMERA.of(truth, seed=number).isel(time=slice(1, None))
        options = {"update": "ensemble-kalman", "particles": 100, "replicates": 1, **more}
        found = sd.fit(BALL.replace(**BEGIN), CAMERA, data, ["offset", "noise"], state=start, seed=number,
                       bounds={"offset": (0.2, 0.4), "noise": (0.02, 0.3)}, **OPTIONS, **options)  # fmt: skip
        assert found.converged
        off.append([found[name] - value for name, value in TRUE.items()])
        errors.append(found.standard_error)
        print(
            number,
            *(f"{d:+.5f} ± {e:.5f}" for d, e in zip(off[-1], errors[-1], strict=True)),
            found.evaluations,
            flush=True,
        )
    return np.array(off), np.array(errors)


def main() -> None:
    """Print the shares within two standard errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--particles", type=int, default=100)
    chosen = parser.parse_args()
    begin = time.perf_counter()
    off, errors = repetitions(chosen.repetitions, chosen.first, particles=chosen.particles,
                              execution=sd.Execution(engine="compiled", threads=1))  # fmt: skip
    for i, name in enumerate(TRUE):
        z = off[:, i] / errors[:, i]
        print(f"{name}: within two standard errors in {np.mean(np.abs(z) < 2):.2f} of {len(z)}; mean {z.mean():+.2f}, deviation "
              f"{z.std():.2f} standard errors; {(time.perf_counter() - begin) / len(z):.0f} s each")  # fmt: skip


if __name__ == "__main__":
    main()
