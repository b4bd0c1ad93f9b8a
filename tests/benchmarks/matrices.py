"""What a step of matrices costs, and what 100,000 of them keep: ``python tests/benchmarks/matrices.py`` writes docs/matrices.md.

Beside it stands the same rule in NumPy by hand: one matrix, no noise, the tridiagonal systems by ``scipy.linalg.solve_banded``.
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.linalg import solveh_banded
from semidirect_matrix_systems import Manakov, Zeitlin
from semidirect_matrix_systems.zeitlin import bands

import semidirect as sd

ROOT = Path(__file__).parents[2]
RECORD, PAGE = Path(__file__).with_suffix(".json"), ROOT / "docs" / "matrices.md"
STEP, STEPS, SIX = 0.02, 40, (0.02,) * 6
SHORT, MANY, PIECE = 0.002, 100_000, 5_000
"""The step of the long runs, its number, and how many are run before they are recorded."""


def by_hand(size, W, steps):
    """Processor time of a step in NumPy, without noise."""
    diagonals, neighbours = bands(size)
    banded = []
    for k, (d, e) in enumerate(zip(diagonals, neighbours, strict=True)):
        d = d[:-1] if k == 0 else d
        e = e[: len(d) - 1]
        banded.append(np.array([np.concatenate([[0.0], e]), d]))

    def stream(W):
        P = np.zeros_like(W)
        for k, ab in enumerate(banded):
            w = np.diagonal(W, k)
            if k == 0:
                x = np.append(solveh_banded(ab, (w - w.mean())[:-1]), 0)
                x -= x.mean()
            else:
                x = solveh_banded(ab, w) if len(w) > 1 else w / ab[1]
            i = np.arange(size - k)
            P[i, i + k] = x
            P[i + k, i] = x if k == 0 else -x.conj()
        return P

    begin = time.process_time()
    for _ in range(steps):
        V = W
        for _ in range(100):
            A = 0.5 * STEP * stream(V)
            left = A @ V
            new = W - left + left.conj().T + left @ A
            change, V = np.abs(new - V).max(), new
            if change < 4e-15 * np.abs(W).max():
                break
        left = 0.5 * STEP * stream(V) @ V
        W = W - 2 * (left - left.conj().T)
    return (time.process_time() - begin) / steps


def ours(system, W, paths, steps):
    """Processor time of a path and step; what a run costs beside its steps is left out."""
    how = {
        "dt": STEP,
        "state": {"W": W},
        "paths": paths,
        "seed": 1,
        "save": "final",
        "execution": sd.Execution(threads=1),
    }

    def seconds(count):
        begin = time.process_time()
        system.simulate(t_end=count * STEP, **how)
        return time.process_time() - begin

    seconds(1)
    return (seconds(steps + 1) - seconds(1)) / steps / paths


def costs():
    """Milliseconds of a step by size."""
    out = {}
    for size, steps in ((32, STEPS), (64, STEPS // 2), (128, STEPS // 4)):
        W = sd.matrices.algebra("su", size).draw(np.random.default_rng(size), 1)[0] / size
        out[str(size)] = {
            "hand": 1e3 * by_hand(size, W, steps),
            "one path": 1e3 * ours(Zeitlin(modes=size, noise=SIX), W, 1, steps),
            "16 paths": 1e3 * ours(Zeitlin(modes=size, noise=SIX), W, 16, max(steps // 8, 2)),
        }
        print(size, out[str(size)], flush=True)
    return out


def spectra(record):
    """The change of the spectrum after 100,000 steps with noise, piece by piece: what is in the record is not run again."""
    systems = {"Manakov, so(4)": Manakov(noise=(0.3, 0.3, 0.3)), "Zeitlin, su(4)": Zeitlin(modes=4, noise=(0.1,) * 4)}
    for name, system in systems.items():
        if name in record["spectra"]:
            continue
        piece = record.setdefault("pieces", {}).get(name, {"steps": 0})
        start = np.asarray(system.initial["W"])
        W = start if "real" not in piece else np.array(piece["real"]) + 1j * np.array(piece.get("imaginary", 0.0))
        W = W if np.iscomplexobj(start) else W.real
        for steps in range(piece["steps"], MANY, PIECE):
            run = system.simulate(t_start=steps * SHORT, t_end=(steps + PIECE) * SHORT, dt=SHORT, seed=2, save="final",
                                  state={"W": W})  # fmt: skip
            W = run["W"][0, -1]
            record["pieces"][name] = {"steps": steps + PIECE, "real": W.real.tolist(), "imaginary": W.imag.tolist()}
            written(record)
        before, after = (np.linalg.eigvalsh(-1j * x) for x in (start, W))
        del record["pieces"][name]
        record["spectra"][name] = float(np.abs(after - before).max())
        print(name, record["spectra"][name], flush=True)
        written(record)


def text(record):
    """What the page says."""
    lines = [
        "Processor time of a step and path of `Zeitlin` with six noises, in milliseconds, beside the same rule for one matrix",
        "and without noise in NumPy by hand, which solves each diagonal by `scipy.linalg.solveh_banded`",
        "(`python tests/benchmarks/matrices.py`, one thread, on a machine that was not quiet):",
        "",
        "| N | by hand, one matrix, no noise | one path, six noises | 16 paths, six noises |",
        "|---:|---:|---:|---:|",
    ]
    for size, row in record["costs"].items():
        lines.append(f"| {size} | {row['hand']:.2g} | {row['one path']:.2g} | {row['16 paths']:.2g} |")
    changes = " and ".join(f"{x:.0e} of {name}" for name, x in record["spectra"].items())
    if changes:
        lines += ["", f"After 100,000 steps with noise, eigenvalues of W have changed by {changes}."]
    return "\n".join(lines)


def main():
    """Measure what is asked for, ``costs`` and ``spectra``, or both; and write the page."""
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {"costs": {}, "spectra": {}}
    parts = sys.argv[1:] or ["costs", "spectra"]
    if "costs" in parts:
        record["costs"] = costs()
        written(record)
    if "spectra" in parts:
        spectra(record)


def written(record):
    """The record and the page, written."""
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
    before, rest = PAGE.read_text("utf-8").split("<!-- cost -->\n")
    PAGE.write_text(
        f"{before}<!-- cost -->\n\n{text(record)}\n\n<!-- /cost -->{rest.split('<!-- /cost -->')[1]}", "utf-8"
    )


if __name__ == "__main__":
    main()
