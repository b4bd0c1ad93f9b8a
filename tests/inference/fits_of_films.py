"""Fits of the offset of a rolling ball from films, begun at twice its value, by an ensemble Kalman filter.

Usage: python tests/inference/fits_of_films.py [--films N]

A false maximum is far away, and a likelihood that is only approximate may be highest elsewhere. Of each film the interval has to
contain the offset, or a warning has to say why it need not. What is found goes into ``fits_of_films.json`` beside this file after
each film, where an interrupted run continues.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import semidirect as sd

RECORD = Path(__file__).with_suffix(".json")
OFFSET, BEGIN, TIMES, RATE, ERROR, PARTICLES = 0.01, 0.02, 90, 30, 0.003, 150
NOISES: dict[str, list[list[float]]] = {
    "about its axis .02": [[0, 0, 0.02]],
    "about its axis .1": [[0, 0, 0.1]],
    "about all axes .05": (0.05 * np.eye(3)).tolist(),
    "about all axes .01": (0.01 * np.eye(3)).tolist(),
}
COMPILED = sd.Execution(engine="compiled", threads=1)
"""One filter is too short to compile for, but each fit makes some twenty of them."""
STEPS = (1 / 30, 1 / 120)


def keys(films: int) -> list[tuple[str, str, int, int]]:
    """Film by film: noise, its name, steps in a second and seed."""
    return [(f"{name}, dt 1/{round(1 / dt)}, film {seed}", name, round(1 / dt), seed)
            for seed in range(films) for name in NOISES for dt in STEPS]  # fmt: skip


def fitted(name: str, steps: int, seed: int) -> dict[str, Any]:
    """The fit of one film."""
    ball = sd.load("rolling-ball", offset=OFFSET, noise=NOISES[name])
    track = sd.inference.position(["x1", "x2"], noise=ERROR)
    run = ball.simulate(t_end=TIMES / RATE, dt=1 / steps, method="lie-heun", save=f"every:{steps // RATE}", seed=seed)
    film = track.of(run, seed=seed).isel(time=slice(1, None))
    options = {"dt": 1 / steps, "method": "lie-heun", "update": "ensemble-kalman", "particles": PARTICLES, "seed": seed,
               "execution": COMPILED}  # fmt: skip
    begun = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = sd.fit(ball.replace(offset=BEGIN), track, film, ["offset"], replicates=1, **options)
        there = sd.filter(ball, track, film, **options)
    said = sorted({str(w.message)[:200] for w in caught if issubclass(w.category, sd.errors.FilterWarning)})
    low, high = (float(x) for x in found.interval[0])
    return {
        "estimate": float(found.estimate[0]), "standard error": float(found.standard_error[0]), "interval": [low, high],
        "log-likelihood": float(found.log_likelihood), "at the truth": float(there.log_likelihood),
        "nonlinearity": float(np.median(there.data["nonlinearity"])), "other maxima": len(found.other_maxima),
        "covered": low <= OFFSET <= high, "warnings": said, "seconds": round(time.process_time() - begun, 1),
    }  # fmt: skip


def record() -> dict[str, dict[str, Any]]:
    """What was found."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def main(arguments: list[str]) -> None:
    """Fit the films that were not."""
    films = int(arguments[1]) if arguments[:1] == ["--films"] else 3
    for key, name, steps, seed in keys(films):
        known = record()
        if key not in known:
            known[key] = fitted(name, steps, seed)
            RECORD.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(key, known[key], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
