"""The table: its rows, columns and cells, and the script that fills it."""

from __future__ import annotations

import argparse
import fnmatch
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from what_works_with_what import (  # noqa: F401  # they declare capabilities
    analyses,
    estimates,
    exports,
    forms_of_data,
    methods,
    of_runs,
    outputs,
    pairs,
    points,
    record,
    symbolic,
)
from what_works_with_what.capability import CAPABILITIES
from what_works_with_what.feature import FEATURES
from what_works_with_what.kinds import KINDS
from what_works_with_what.page import PAGE, Layout, counts, page, verdict

Cell = tuple[str, str, Callable[[], str]]


def cells() -> Iterator[Cell]:
    """Row, column and check of each cell of both tables; rows of the second are features of runs."""
    for kind in KINDS:
        for one in CAPABILITIES:
            yield kind.name, one.name, partial(one.check, kind)
    for row, column, check in pairs.cells():
        yield f"run: {row}", column, check


def layouts() -> list[Layout]:
    """The tables of the page."""
    features = [f"run: {f.name}" for f in FEATURES]
    others = [*(f.name for f in FEATURES[1:]), *pairs.CONSUMERS, *pairs.PROGRAMS]
    return [
        ("Kinds of system and capabilities", [k.name for k in KINDS], [c.name for c in CAPABILITIES]),
        ("Capabilities and features of runs", features, others),
    ]


def main() -> None:
    """Run the checks that the record lacks, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="run cells that the record has, too")
    parser.add_argument("--failed", action="store_true", help="run again the cells that are not verified")
    parser.add_argument("--row", default="*", help="rows, a pattern")
    parser.add_argument("--column", default="*", help="columns, a pattern")
    parser.add_argument("--but", default="", help="columns to leave out, a pattern")
    parser.add_argument("--record", type=Path, default=record.RECORD, help="another file, for runs side by side")
    options = parser.parse_args()
    found, everything = record.read(options.record), list(cells())
    for row, column, check in everything:
        if not (fnmatch.fnmatch(row, options.row) and fnmatch.fnmatch(column, options.column)):
            continue
        if fnmatch.fnmatch(column, options.but):
            continue
        known = found.get(row, {}).get(column)
        if known and not (options.again or (options.failed and known["outcome"] != "verified")):
            continue
        start = time.perf_counter()
        result = record.outcome(check)
        took = time.perf_counter() - start
        found.setdefault(row, {})[column] = result
        if verdict(result) == "failed" or took > 10:
            print(f"{row} × {column} ({took:.1f} s): {result['outcome']}: {result['text'][:300]}", flush=True)
        record.write(found, options.record)
    wanted = {(row, column) for row, column, _ in everything}
    found = {row: {c: cell for c, cell in of.items() if (row, c) in wanted} for row, of in found.items()}
    empty = len(wanted) - sum(map(len, found.values()))
    number = counts(found)
    print(f"verified {number['verified']}, impossible {number['impossible']}, not built {number['not built']}; "
          f"failed {number['failed']}, empty {empty}")  # fmt: skip
    if options.record == record.RECORD:
        record.write(found)
        PAGE.write_text(page(found, layouts()), "utf-8")
