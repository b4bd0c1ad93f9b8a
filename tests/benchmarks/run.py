"""Run all benchmarks and write ``docs/benchmarks.md``: ``python tests/benchmarks/run.py [--quick] [--peers …]``.

Each competitor runs in a process of its own. Install them with ``pip install semidirect[bench]``; one that needs an
environment of its own is given its interpreter, ``--python brian2=/path/to/python``. Close everything else first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

import earlier
import filters
import hybrids
import measure
import table
from peers import PEERS, Workplace
from problems import PROBLEMS


def main(arguments: list[str]) -> None:
    """Measure, check, write."""
    options = _options(arguments)
    if options.filters:
        text, cycles = options.output.read_text(encoding="utf-8"), filters.cycles(options.core)
        text = table.with_filters(text, cycles, "python tests/benchmarks/run.py --filters")
        options.output.write_text(text, encoding="utf-8")
        return
    if options.hybrids:
        text = options.output.read_text(encoding="utf-8")
        text = table.with_hybrids(
            text, hybrids.compare(options.earlier, options.core), "python tests/benchmarks/run.py --hybrids"
        )
        options.output.write_text(text, encoding="utf-8")
        return
    plan = measure.QUICK if options.quick else measure.FULL
    pythons = dict(p.split("=", 1) for p in options.python)
    before = earlier.compare(options.earlier, options.core) if options.earlier else {}
    cycles = {} if options.quick else filters.cycles(options.core)
    hybrid = {} if options.quick else hybrids.compare(options.earlier, options.core)
    results = {}
    for problem in options.problems:
        place = Workplace(pythons, options.core, measure.fresh_folder())
        found = results[problem] = measure.times(problem, options.peers, plan, place)
        if "semidirect" in found.missing:
            raise SystemExit(f"semidirect could not run: {found.missing['semidirect']}")
        measure.check_agreement(problem, found)
        measure.threads(problem, plan, place, found)
        measure.memory(problem, [n for n in ("semidirect", "diffrax") if n in options.peers], plan, place, found)
    command = "python tests/benchmarks/run.py" + " --quick" * options.quick
    if options.raw:
        raw = {"earlier": before, "filters": cycles, "hybrids": hybrid, **{k: asdict(v) for k, v in results.items()}}
        options.raw.write_text(json.dumps(_plain(raw), indent=1), encoding="utf-8")
    options.output.write_text(
        table.page(results, plan, options.peers, command, before, cycles, hybrid), encoding="utf-8"
    )
    print(table.acceptance(results, before, cycles, hybrid))
    print(f"written: {options.output}")


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {k if isinstance(k, str) else " x ".join(map(str, k)): _plain(v) for k, v in value.items()}
    return value


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs; the ratios mean nothing")
    parser.add_argument(
        "--filters", action="store_true", help="measure the rows on filters alone, and put them into the page"
    )
    parser.add_argument(
        "--hybrids", action="store_true", help="measure the rows on hybrid systems alone, and put them into the page"
    )
    parser.add_argument("--peers", nargs="+", choices=list(PEERS), default=list(PEERS), metavar="NAME",
                        help=f"competitors: {', '.join(PEERS)}")  # fmt: skip
    parser.add_argument("--problems", nargs="+", choices=list(PROBLEMS), default=list(PROBLEMS))
    parser.add_argument(
        "--python", action="append", default=[], metavar="NAME=PATH", help="interpreter of a competitor"
    )
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [(os.cpu_count() or 1) - 1]
    parser.add_argument("--core", type=int, default=cores[-1], help="core to pin to; default the last that may be used")
    parser.add_argument("--earlier", type=Path, help="checkout of an earlier version to compare with")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[2] / "docs" / "benchmarks.md")
    parser.add_argument("--raw", type=Path, help="write the times [s], too, as JSON")
    options = parser.parse_args(arguments)
    if "semidirect" not in options.peers:
        options.peers.insert(0, "semidirect")
    return options


if __name__ == "__main__":
    main(sys.argv[1:])
