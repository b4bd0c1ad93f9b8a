"""Coverage of the stated errors: how often a truth lies within the 95 % interval of an estimate. Writes ``docs/coverage.md``.

Usage: python tests/verification/coverage.py [ESTIMATE … | --pages] [--repetitions N]

The cells are those of the files of ``estimates/``, one file for each kind of estimate. What is measured goes into a JSON file
beside it after each block of repetitions, so an interrupted run continues where it was; a cell with as many repetitions as
asked for is not run again: delete its line to measure it anew. ``--pages`` writes the page from what was measured.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from estimates.cell import Cell, Tally  # noqa: E402

FOLDER = HERE / "estimates"
PAGE = HERE.parents[1] / "docs" / "coverage.md"
REPETITIONS = 400
LEAST = 0.92
"""The smallest coverage of an interval of 95 % that is allowed: none is below it at this significance."""
SIGNIFICANCE = 0.01
MOST_WARNED = 0.1
"""The largest share of repetitions that warn on a problem where nothing is wrong."""

HEAD = """# Coverage of the stated errors

<!-- Written by `python tests/verification/coverage.py`; do not edit. -->

An error that is printed after ± is a promise: the truth lies within 1.96 of it, or within the interval that is printed, in 95 %
of all cases. Each row repeats one estimate with different seeds on one problem whose truth is known otherwise, and counts how
often that is so. Repetitions in which the library warned about the error are counted apart. A coverage with * is below 92 % at a
significance of 1 %. **error / stated** is the root mean square of the error in units of the stated standard error, without the
repetitions that warned; **error / asked** that in units of the error that was asked for. On problems marked ⚠ an error cannot be
known from the data, and a warning is right, or a refusal with its reason: paths that share one noise, or of which each has the
negative of another's, are no independent draws. Of a test of conservation, coverage is the share of the runs in which a true
claim is not rejected, or a false one is.

Settings of some cells were chosen while looking at results: those of orders (steps and paths), of the exponent λ₂ on four
paths (time and batches), and of the probability of a free body by multilevel (inertia, noise, first step and error asked for).
"""


def cells() -> dict[str, Cell]:
    """All cells by their keys, in the order of the files and within each."""
    listed = [cell for name in kinds() for cell in cells_of(name)]
    found = {cell.key: cell for cell in listed}
    if len(found) != len(listed):
        raise ValueError("two cells have one key")
    return found


def kinds() -> list[str]:
    """The names of the files."""
    return sorted(p.stem for p in FOLDER.glob("*.py") if p.stem not in ("__init__", "cell", "systems"))


def cells_of(name: str) -> list[Cell]:
    """The cells of a file."""
    found: list[Cell] = importlib.import_module(f"estimates.{name}").CELLS
    return found


def record(name: str) -> dict[str, dict[str, Any]]:
    """What was measured of the cells of a file, by their keys."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def load() -> dict[str, dict[str, Any]]:
    """What was measured of all cells, by their keys."""
    return {key: value for name in kinds() for key, value in record(name).items()}


def measured(cell: Cell, known: Mapping[str, Any] | None, repetitions: int) -> Iterator[Tally]:
    """The tallies of a cell after each further block of repetitions."""
    tally = Tally(**known) if known else Tally()
    while tally.repetitions < repetitions:
        seeds = range(tally.repetitions, min(tally.repetitions + cell.block, repetitions))
        tally = tally.with_outcomes(cell.outcomes(seeds))
        yield tally


def write(name: str, key: str, tally: Tally) -> None:
    """Put the tally of a cell into the record of its file, in whose order the cells are."""
    known = record(name) | {key: vars(tally)}
    rows = [
        f" {json.dumps(c.key, ensure_ascii=False)}: {json.dumps(known[c.key])}"
        for c in cells_of(name)
        if c.key in known
    ]
    path = FOLDER / f"{name}.json"
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    part.replace(path)


def page(known: Mapping[str, Mapping[str, Any]]) -> str:
    """The page from what was measured."""
    header = (
        "estimate", "problem", "truth", "repetitions", "coverage", "error / stated", "error / asked", "warned",
        "coverage of these",
    )  # fmt: skip
    rows = [f"| {' | '.join(header)} |", "|---|---|---|---:|---:|---:|---:|---:|---:|"]
    for key, cell in cells().items():
        if key not in known:
            continue
        t = Tally(**known[key])
        name = cell.problem + (f" ({cell.trait})" if cell.trait else "") + ("" if cell.healthy else " ⚠")
        star = "*" if t.too_low(LEAST, SIGNIFICANCE) else ""
        rows.append(
            f"| {cell.estimate} | {name} | {cell.truth} | {t.repetitions} | {_share(t.covered, t.silent)}{star} | "
            f"{_number(t.ratio)} | {_number(t.asked_ratio)} | {_warned(t)} |"
        )
    return f"{HEAD}\n" + "\n".join(rows) + "\n"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "—"


def _warned(t: Tally) -> str:
    if t.refused == t.repetitions:
        return "refused | —"
    return f"{_share(t.warned, t.repetitions)} | {_share(t.warned_covered, t.warned)}"


def _number(x: float) -> str:
    return f"{x:.2f}" if np.isfinite(x) and x > 0 else "—"


def main(arguments: list[str]) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "keys", nargs="*", metavar="ESTIMATE", help="beginnings of keys, 'moments' or 'moments/mean of'"
    )
    parser.add_argument("--pages", action="store_true", help="only write the page")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, metavar="N")
    asked = parser.parse_args(arguments)
    for name in [] if asked.pages else kinds():
        for cell in cells_of(name):
            if asked.keys and not any(cell.key.startswith(k) for k in asked.keys):
                continue
            for tally in measured(cell, record(name).get(cell.key), asked.repetitions):
                write(name, cell.key, tally)
                print(f"{cell.key}: {tally}", flush=True)
    PAGE.write_text(page(load()), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
