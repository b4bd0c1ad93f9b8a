"""The table: its rows, columns and cells, and the script that fills it."""

from __future__ import annotations

import argparse
import fnmatch
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from what_works_with_what import analyses, methods, of_runs, outputs, pairs, record, symbolic  # noqa: F401  # they declare capabilities
from what_works_with_what.capability import CAPABILITIES
from what_works_with_what.kinds import KINDS

Cell = tuple[str, str, Callable[[], str]]


def cells() -> Iterator[Cell]:
    """Row, column and check of each cell of both tables; rows of the second are features of runs."""
    for kind in KINDS:
        for one in CAPABILITIES:
            yield kind.name, one.name, partial(one.check, kind)
    for row, column, check in pairs.cells():
        yield f"run: {row}", column, check


def main() -> None:
    """Run the checks that the record lacks, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="run cells that the record has, too")
    parser.add_argument("--failed", action="store_true", help="run again the cells that are neither verified nor known refusals")
    parser.add_argument("--row", default="*", help="rows, a pattern")
    parser.add_argument("--column", default="*", help="columns, a pattern")
    parser.add_argument("--but", default="", help="columns to leave out, a pattern")
    parser.add_argument("--record", type=Path, default=record.RECORD, help="another file, for runs side by side")
    options = parser.parse_args()
    found = record.read(options.record)
    for row, column, check in cells():
        if not (fnmatch.fnmatch(row, options.row) and fnmatch.fnmatch(column, options.column)):
            continue
        if fnmatch.fnmatch(column, options.but):
            continue
        known = found.get(row, {}).get(column)
        if known and not (options.again or (options.failed and known["outcome"] != "verified")):
            continue
        start = time.perf_counter()
        result = record.outcome(check)
        found.setdefault(row, {})[column] = result
        took = time.perf_counter() - start
        if result["outcome"] != "verified" or took > 5:
            print(f"{row} × {column} ({took:.1f} s): {result['outcome']}: {result['text'][:300]}", flush=True)
        record.write(found, options.record)
