"""Measure the orders of all methods and write ``docs/verification.md``; ``--table`` writes the table of methods only.

Usage: python tests/verification/report.py [--missing | --only METHOD … | --pages | --table]

All of it takes the better part of an hour on one core. What is measured goes into ``measured.json`` beside this file, cell by
cell, so that ``--missing`` goes on where an earlier call stopped and ``--only`` measures some methods again; ``--pages`` writes
the page from what is there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import grid
import pages
from preserved import preserved

MEASURED = Path(__file__).with_name("measured.json")
DOCS = Path(__file__).parents[2] / "docs"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--missing", action="store_true", help="measure what is not in measured.json")
    what.add_argument("--only", nargs="+", metavar="METHOD", help="measure these methods again")
    what.add_argument("--pages", action="store_true", help="write the page from what was measured")
    what.add_argument("--table", action="store_true", help="write the table of methods from their attributes")
    args = parser.parse_args(arguments)
    if not (args.pages or args.table):
        measure(load() if args.missing or args.only else empty(), args.only)
    write_pages(table_only=args.table)
    return 0


def empty() -> dict[str, Any]:
    return {"orders": [], "preserved": {}}


def load() -> dict[str, Any]:
    return json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else empty()


def measure(measured: dict[str, Any], only: list[str] | None) -> None:
    """Fill in what is missing; cells of methods that this version does not have go."""
    here = grid.methods()
    stale = set(only or ())
    cells = {key(c): c for c in measured["orders"] if c["method"] in here and c["method"] not in stale}
    kept = {m: v for m, v in measured["preserved"].items() if m in here and m not in stale}
    todo = [c for kind, noise in grid.tables() for c in grid.cases(kind, noise)]
    order = [key(vars(c)) for c in todo]
    for case in sorted(todo, key=lambda c: not c.enumerated):  # what is soon done first
        if key(vars(case)) in cells:
            continue
        began = time.perf_counter()
        cells[key(vars(case))] = cell = entry(case)
        seconds = time.perf_counter() - began
        print(f"{' '.join(key(cell))}: {cell['text']}  ({seconds:.0f} s)", flush=True)
        save([cells[k] for k in order if k in cells], kept)
    for method in here:
        if method not in kept:
            kept[method] = preserved(method)
            print(f"kept by {method}", flush=True)
            save([cells[k] for k in order if k in cells], kept)
    save([cells[k] for k in order if k in cells], {m: kept[m] for m in here})


def entry(case: grid.Case) -> dict[str, Any]:
    """A cell: what it says, and the numbers behind it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return {**vars(case), "declared": case.declared, **case.measure()}


def key(cell: Any) -> tuple[str, ...]:
    return cell["kind"], cell["noise"], cell["problem"], cell["method"]


def save(cells: list[dict[str, Any]], kept: dict[str, Any]) -> None:
    lines = ",\n".join(json.dumps(c, ensure_ascii=False) for c in cells)
    rest = ",\n".join(f"{json.dumps(m)}: {json.dumps(v, ensure_ascii=False)}" for m, v in kept.items())
    MEASURED.write_text(f'{{"orders": [\n{lines}\n], "preserved": {{\n{rest}\n}}}}\n', encoding="utf-8")


def write_pages(*, table_only: bool) -> None:
    choose = DOCS / "choose_an_integrator_in_detail.md"
    choose.write_text(
        pages.between(choose.read_text(encoding="utf-8"), "methods", pages.method_table()), encoding="utf-8"
    )
    if not table_only:
        (DOCS / "verification.md").write_text(pages.verification(load()), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
