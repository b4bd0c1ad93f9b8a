"""Fields and quantities of every system in CasADi: against those of NumPy, and their Jacobians against differences.

Usage: python tests/export/fields.py [SYSTEM …], or all that are not on record

Differences are relative to the largest number of a function; those of Jacobians are extrapolated from central differences.
The place is the start, with each component moved by some hundredths. What is measured goes into ``fields.json`` beside this file.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pairs

MEASURED = Path(__file__).with_name("fields.json")
FUNCTIONS = ("drift", "diffusion", "observe")
STEP = 2.0**-14


def relative(mine: np.ndarray, theirs: np.ndarray) -> float:
    """The largest difference, of numbers that have the largest size 1."""
    if not mine.size:
        return 0.0
    np.testing.assert_array_equal(np.isfinite(mine), np.isfinite(theirs))
    finite = np.isfinite(theirs)
    return float(f"{np.abs(mine - theirs)[finite].max() / max(np.abs(theirs[finite]).max(), 1e-300):.1e}")


def differences(function: Any, y: np.ndarray) -> np.ndarray:
    """The Jacobian of a function by central differences, extrapolated three times."""
    columns = []
    for e in np.eye(len(y)):
        row = [(function(y + h * e) - function(y - h * e)) / (2 * h) for h in STEP / 2.0 ** np.arange(4)]
        for k in range(1, 4):
            row = [(4**k * b - a) / (4**k - 1) for a, b in itertools.pairwise(row)]
        columns.append(row[0])
    return np.array(columns).T


def measured(system: Any) -> dict[str, list[float]]:
    """Function → its difference from NumPy, and that of its Jacobian from differences."""
    import casadi

    parts = ["fields", "observables"]
    mine, theirs = (system.export(to, what=parts).load() for to in ("casadi", "numpy"))
    q, rng = theirs.defaults(), np.random.default_rng(1)
    y = theirs.start() + 0.03 * rng.uniform(-1, 1, len(theirs.start()))
    at = casadi.MX.sym("y", len(y))
    rows = {}
    for name in FUNCTIONS:
        exact, ours = getattr(theirs, name), getattr(mine, name)
        value = np.array(ours(0.3, y, q))
        row = [relative(value, exact(0.3, y, q).reshape(value.shape))]
        if value.size:
            # in columns, as jacobian has them
            slope = np.array(casadi.Function("slope", [at], [casadi.jacobian(ours(0.3, at, q), at)])(y))
            by_differences = differences(lambda x, f=exact: np.ravel(f(0.3, x, q), order="F"), y)
            row.append(relative(slope, by_differences))
        rows[name] = row
    return rows


def main() -> None:
    """Measure the systems that are named, or all that are not on record."""
    record = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
    for name in sys.argv[1:] or [name for name in pairs.systems() if name not in record]:
        record[name] = measured(pairs.loaded(name))
        print(name, record[name], flush=True)
        MEASURED.write_text(json.dumps(record, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
