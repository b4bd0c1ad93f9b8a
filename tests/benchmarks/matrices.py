"""What a step of matrices costs, and what 100,000 of them keep: ``python tests/benchmarks/matrices.py`` writes docs/matrices.md.

Beside it stands the same rule by hand as quflow has it: one matrix, no noise, the tridiagonal systems by LAPACK.
"""

import json
import os
import platform
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.linalg.lapack import dpttrf as pttrf
from scipy.linalg.lapack import zpttrs as pttrs
from semidirect_matrix_systems import Manakov, Zeitlin
from semidirect_matrix_systems.zeitlin import bands

import semidirect as sd

ROOT = Path(__file__).parents[2]
RECORD, PAGE = Path(__file__).with_suffix(".json"), ROOT / "docs" / "matrices.md"
STEP, STEPS, SIX, REPEATS = 0.02, 40, (0.02,) * 6, 5
SHORT, MANY, PIECE = 0.002, 100_000, 5_000
"""The step of the long runs, its number, and how many are run before they are recorded."""


def by_hand(size, W, steps):
    """Processor time of a step in NumPy, without noise, and the number of its iterations.

    As in quflow: the change of the step before is the guess, an iteration has two products, the last one gives the step, and it
    ends where a change is below rounding or no smaller than the one before. Tridiagonal matrices are factored once.
    """
    factors = []
    for k, (d, e) in enumerate(zip(*bands(size), strict=True)):
        d = d[:-1] if k == 0 else d
        e = e[: len(d) - 1]
        factors.append(pttrf(d, e)[:2] if len(d) > 1 else (d, e))
    places = [(np.arange(size - k), np.arange(k, size)) for k in range(size)]

    def stream(W):
        P = np.zeros_like(W)
        for k, ((d, e), (i, j)) in enumerate(zip(factors, places, strict=True)):
            w = np.diagonal(W, k)
            if k == 0:
                x = np.append(pttrs(d, e + 0j, (w - w.mean())[:-1])[0], 0)
                x -= x.mean()
            else:
                x = pttrs(d, e + 0j, w)[0] if len(w) > 1 else w / d
            P[i, j] = x
            if k:
                P[j, i] = -x.conj()
        return P

    count, change = 0, np.zeros_like(W)
    tolerance = np.finfo(float).eps * STEP * np.linalg.norm(W, np.inf)
    begin = time.process_time()
    for _ in range(steps):
        residual = np.inf
        for _ in range(100):
            count += 1
            middle = W + change
            A = 0.5 * STEP * stream(middle)
            product = A @ middle
            bracket = product.conj().T - product  # [V, A] of skew-Hermitian matrices
            new, before = bracket + product @ A, residual
            residual, change = np.linalg.norm(new - change, np.inf), new
            if residual <= tolerance or residual >= before:
                break
        W = W + 2 * bracket
    return (time.process_time() - begin) / steps, count / steps, W


def ours(system, W, paths, steps):
    """Least processor time of a path and step; the cost of a run beside its steps is left out."""
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

    short, long = (min(seconds(count) for _ in range(REPEATS)) for count in (1, steps + 1))
    return (long - short) / steps / paths


def costs():
    """Milliseconds of a step by size."""
    out = {}
    for size, steps in ((32, STEPS), (64, STEPS // 2), (128, STEPS // 4)):
        W = sd.matrices.algebra("su", size).draw(np.random.default_rng(size), 1)[0] / size
        seconds, iterations, end = min((by_hand(size, W, steps) for _ in range(REPEATS)), key=lambda one: one[0])
        quiet = Zeitlin(modes=size, noise=()).simulate(t_end=steps * STEP, dt=STEP, state={"W": W}, save="final")
        out[str(size)] = {
            "hand": 1e3 * seconds,
            "iterations": iterations,
            "difference": float(np.abs(quiet["W"][0, -1] - end).max()),
            "one path": 1e3 * ours(Zeitlin(modes=size, noise=SIX), W, 1, steps),
            "16 paths": 1e3 * ours(Zeitlin(modes=size, noise=SIX), W, 16, max(steps // 8, 2)),
        }
        print(size, out[str(size)], flush=True)
    return out


def processor():
    """The name of this processor, where the system tells it."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text("utf-8").splitlines() if facts.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


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
    difference = max(row["difference"] for row in record["costs"].values())
    lines = [
        "Processor time of a step and path of `Zeitlin` with six noises, in milliseconds, beside the same rule by hand for one",
        "matrix and without noise, with the iteration of quflow: it starts from the change of the step before, has two products,",
        "ends at rounding, and solves factored tridiagonal systems by LAPACK. Its matrices differ from those of `Zeitlin`",
        f"without noise by {difference:.0e}; with noise W moves further in a step,",
        "which takes more iterations (`python tests/benchmarks/matrices.py`, one thread of an",
        f"{record['processor']}, on a machine that was not quiet):",
        "",
        "| N | by hand, one matrix, no noise | one path, six noises | 16 paths, six noises | over by hand |",
        "|---:|---:|---:|---:|---:|",
    ]
    for size, row in record["costs"].items():
        times = [row["hand"], row["one path"], row["16 paths"]]
        ratios = f"{times[1] / times[0]:.1f}, {times[2] / times[0]:.1f}"
        lines.append(f"| {size} | {' | '.join(f'{x:.2g}' for x in times)} | {ratios} |")
    changes = " and ".join(f"{x:.0e} of {name}" for name, x in record["spectra"].items())
    if changes:
        lines += ["", f"After 100,000 steps with noise, eigenvalues of W have changed by {changes}."]
    return "\n".join(lines)


def main():
    """Measure what is asked for, ``costs`` and ``spectra``, or both; and write the page."""
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {"costs": {}, "spectra": {}}
    parts = sys.argv[1:] or ["costs", "spectra"]
    if "costs" in parts:
        record["costs"], record["processor"] = costs(), processor()
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
