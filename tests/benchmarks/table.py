"""The page ``docs/benchmarks.md`` from what was measured."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
from pathlib import Path

from filters import OVER_A_WINDOW, STEPPER, WITHOUT_MOVES
from measure import Findings, Plan, fits
from peers import PEERS
from problems import PROBLEMS

MULTILEVEL = Path(__file__).parents[1] / "verification" / "multilevel.json"
"""What `tests/verification/multilevel.py` measured, in steps, which are the same on every machine."""

HEAD = """# Benchmarks

<!-- Written by `python tests/benchmarks/run.py`; do not edit. -->

Every number is a ratio of two times (or memories) measured in one run of one machine, **the competitor's over this
engine's: 5 means that `semidirect` is five times as fast**. Float64, final state only, one pinned core, best of several
rounds in which the competitors take turns. What is timed is the processor time of the process, all its threads, which on
one core is the clock's time when nobody else is there; brian2's is that of the loop of its program, without the start of the
program and its files. `semidirect` is timed through its public API, `system.simulate(..., save="final")`, with everything
that comes with it: the configuration is reconstructed (g, and x of the ball, which nobody else computes; with
in a row of its own it is not), failures are looked for, and the final (M, Γ) is asked for. Energies and the
other observables are not, and with `save="final"` they are evaluated when they are. In four rows the derivatives of (M, Γ) by the
first angular velocity at the start are asked for, too.
The C kernels compute the final (M, Γ) and nothing else, with `{flags}`
and with or without `{width}`, whichever is faster here (it is named below): they may contract, reorder and divide
approximately, where `semidirect` gives the same bits on every machine. The first has normals from 31-bit uniforms by
the vector mathematics library, one call of the generator a step; the second, normals as fine as those of `semidirect` and by
its polynomials, three calls for two steps.

The script asserts that the means of Γ₃ and of the energy at the end agree among all competitors within
{agreement:g} standard errors (and 0.005), so that all of them solve the same problem. brian2's `heun` is Heun for the noise,
each noise by itself, and Euler for the drift: less work a step and a larger error; for this check its step is a sixteenth.
"""


BEFORE = """## Against an earlier version

- Eight heavy tops, each coupled to the next, three noises, 48 dimensions, `lie-heun`, 1,024 paths, no reconstruction: a step
  takes the earlier version {dimensions} times as long (the difference of runs of 1,200 and of 200 steps).
- One path of the rattleback without noise for 15 s by `dop853`: {rattleback} times as long.
"""


FILTERS = """## Filters

- What a time of data costs a particle filter, in times of what its kernel takes to advance 10,000 particles by ten steps to it,
  one thread, with the default quantities and levels: {ratios}.
- What ten steps of 10,000 paths by an ensemble that is advanced step by step, and a reading of one quantity, cost all threads
  together, in times of what one thread takes for them in a long advance: {steppers}.
"""


HYBRIDS = """## Hybrid systems

- With kernels between events, 1,000 paths, one thread, only the end saved: as many times as fast as array code takes: {ratios}.
"""


def page(results: dict[str, Findings], plan: Plan, names: list[str], command: str, before: dict[str, float],
         cycles: dict[str, float], hybrids: dict[str, float]) -> str:  # fmt: skip
    """The whole page."""
    from competitors.c_kernel import FLAGS, WIDTHS
    from measure import AGREEMENT

    parts = [HEAD.format(flags="gcc " + " ".join(FLAGS), width=" ".join(WIDTHS[-1]), agreement=AGREEMENT)]
    for problem, found in results.items():
        parts.append(_problem(problem, found, plan, names))
    if before:
        parts.append(
            BEFORE.format(dimensions=_number(before["48 dimensions"]), rattleback=_number(before["rattleback"]))
        )
    if cycles:
        parts.append(_filters(cycles))
    if hybrids:
        parts.append(_hybrids(hybrids))
    parts.append(acceptance(results, before, cycles, hybrids))
    parts.append(_conditions(results, command))
    return "\n".join(parts)


def with_filters(text: str, cycles: dict[str, float], command: str) -> str:
    """The page with other rows on filters, and where they were measured."""
    return _with(
        text, "## Filters", _filters(cycles), _filter_rows(cycles), (FILTER_ROW, FILTERS_AT, STEPPER_ROW), command
    )


def with_hybrids(text: str, hybrids: dict[str, float], command: str) -> str:
    """The page with other rows on hybrid systems, and where they were measured."""
    rows = _hybrid_rows(hybrids)
    return _with(text, "## Hybrid systems", _hybrids(hybrids), rows, (HYBRID_ROW, HYBRIDS_AT), command)


def _with(text: str, title: str, section: str, rows: list[tuple[str, str, float, float | None]], old: tuple[str, ...],
          command: str) -> str:  # fmt: skip
    """The page with another section and its rows, and where they were measured."""
    before, after = text.split(f"{ASKED}\n", 1)
    if f"{title}\n" in before:
        first, rest = before.split(f"{title}\n", 1)
        _, *others = rest.split("\n## ", 1)
        before = first + section + "".join(f"\n## {other}" for other in others)
    else:
        before += f"{section}\n"
    before = before.rstrip("\n") + "\n\n"
    lines = [x for x in after.splitlines() if not x.startswith(old)]
    last_row = max(i for i, x in enumerate(lines) if x.startswith("| "))
    lines[last_row + 1 : last_row + 1] = [_row(*row) for row in rows]
    lines.append(f"{old[1]} {datetime.date.today().isoformat()}, `{command}`, {_processor()}; {_load()}")
    return "\n".join([before + ASKED, *lines]) + "\n"


ASKED = "## What was asked for"
FILTER_ROW, FILTERS_AT = "| a time of data of a filter, ", "- Rows on filters:"
STEPPER_ROW = "| a cycle of the stepper, "
HYBRID_ROW, HYBRIDS_AT = "| hybrid system, ", "- Rows on hybrid systems:"


def _hybrids(ratios: dict[str, float]) -> str:
    return HYBRIDS.format(ratios=", ".join(f"{name} {_number(value)}" for name, value in ratios.items()))


def _hybrid_rows(ratios: dict[str, float]) -> list[tuple[str, str, float, float | None]]:
    return [
        (f"{HYBRID_ROW[2:]}{name}, 1,000 paths, kernels over array code", "≥", 20.0, value)
        for name, value in ratios.items()
    ]


def _filters(cycles: dict[str, float]) -> str:
    steppers = {name: value for name, value in cycles.items() if STEPPER in name}
    return FILTERS.format(
        ratios=", ".join(f"{name} {_number(value)}" for name, value in cycles.items() if name not in steppers),
        steppers=", ".join(f"{name} {_number(value)}" for name, value in steppers.items()),
    )


def _filter_rows(cycles: dict[str, float]) -> list[tuple[str, str, float, float | None]]:
    return [
        (f"{STEPPER_ROW[2:]}{name}, over the kernel", "≤", 1.6, value) if STEPPER in name else
        (f"{FILTER_ROW[2:]}{name}, over the kernel", "≤", 2.0 if WITHOUT_MOVES in name else 5.0, value)
        for name, value in cycles.items()
        if OVER_A_WINDOW not in name  # nobody asked what that costs
    ]  # fmt: skip


def _row(what: str, side: str, limit: float, got: float | None) -> str:
    verdict = "not measured" if got is None else "yes" if (got >= limit) == (side == "≥") else "**no**"
    return f"| {what} | {side} {limit:g} | {_number(got)} | {verdict} |"


def _problem(problem: str, found: Findings, plan: Plan, names: list[str]) -> str:
    p = PROBLEMS[problem]
    head = [f"{paths:,} path{'s' * (paths > 1)} × {steps:,} steps" for paths, steps in plan.sizes]
    lines = [f"## {p.title}", "", f"`{p.system}`, `{p.method}`, Δt = 0.01 s, ξ_i = 0.1 e_i.", "",
             "| | " + " | ".join([*head, "first call"]) + " |", "|---|" + "---:|" * (len(head) + 1)]  # fmt: skip
    for name in names:
        if name in found.missing:
            continue
        cells = [_number(found.ratio(name, size)) if fits(name, size) else "too slow" for size in plan.sizes]
        first = found.first.get(name)
        cells.append(_number(first / found.first["semidirect"]) if first is not None else "")
        lines.append(f"| {PEERS[name].label} | " + " | ".join(cells) + " |")
    lines.append("")
    for name in names:
        if name in found.missing:
            lines.append(f"- {PEERS[name].label}: {found.missing[name]}.")
    for name in names:
        if found.chosen.get(name):
            lines.append(f"- {PEERS[name].label}: `{found.chosen[name]}`.")
    again = found.first.get("semidirect again")
    if again is not None:
        lines.append(
            "- First call: preparing (deriving, tracing, compiling) and the first run, after the imports, over that of "
            "`semidirect` with an empty folder of kernels; in a second process it takes "
            f"{_number(again / found.first['semidirect'])} of that."
        )
    for (paths, steps), ratio in found.threads.items():
        lines.append(
            f"- Two threads are {ratio:.2f} times as fast as one at {paths:,} paths × {steps:,} steps (by the clock)."
        )
    ours = found.memory.get("semidirect")
    if ours is not None:
        others = ", ".join(
            f"{PEERS[k].label} {v / ours:.2f} times that"
            for k, v in found.memory.items()
            if k in PEERS and k != "semidirect"
        )
        lines.append(
            f"- Peak resident memory of {plan.memory[0]:,} paths, final state only: {ours:.0f} MB, libraries included"
            + (f"; {others}." if others else ".")
        )
    statistics = found.memory.get("statistics")
    if statistics is not None:
        paths, steps = plan.statistics
        lines.append(
            f"- The same for {paths:,} paths × {steps:,} steps with mean, variance and histogram (200 bins) of every "
            f"observable at {min(steps, 100) + 1} times, two threads: {statistics:.0f} MB."
        )
    return "\n".join(lines) + "\n"


def acceptance(results: dict[str, Findings], before: dict[str, float], cycles: dict[str, float],
               hybrids: dict[str, float]) -> str:  # fmt: skip
    """The ratios that the project set itself, and what they are."""
    many, one = (10000, 1000), (1, 20000)
    slopes, reduced = "semidirect-slopes", "semidirect-reduced-slopes"
    rows: list[tuple[str, str, float, float | None]] = []
    rigid, ball = results.get("rigid-body"), results.get("routh-ball")
    if rigid is not None:
        rows += [
            ("rigid body, 10⁴ paths, speed over C with 31-bit normals", "≥", 1.0, rigid.ratio("c", many)),
            ("rigid body, 10⁴ paths, without reconstruction, over that C", "≥", 1.2,
             rigid.ratio("c", many, "semidirect-reduced")),
            ("rigid body, 10⁴ paths, speed over diffrax", "≥", 10.0, rigid.ratio("diffrax", many)),
            ("rigid body, 10⁴ paths, speed over torchsde", "≥", 35.0, rigid.ratio("torchsde", many)),
            ("rigid body, 10⁴ paths, speed over brian2", "≥", 3.0, rigid.ratio("brian2", many)),
            ("rigid body, one path, 20,000 steps, speed over diffrax", "≥", 8.0, rigid.ratio("diffrax", one)),
            ("rigid body, one path, 1,000 steps, speed over diffrax", "≥", 2.0, rigid.ratio("diffrax", (1, 1000))),
            ("rigid body, one path, 1,000 steps, stepper, speed over diffrax", "≥", 6.0,
             rigid.ratio("diffrax", (1, 1000), "semidirect-stepper")),
        ]  # fmt: skip
        rows += [(f"rigid body, {n[0]:,} paths, two threads over one", "≥", 1.7, r) for n, r in rigid.threads.items()]
    if ball is not None:
        rows += [
            ("Routh ball, 10⁴ paths, speed over C with normals as fine", "≥", 0.7, ball.ratio("c-fine", many)),
            ("Routh ball, 10⁴ paths, without reconstruction, over that C", "≥", 0.9,
             ball.ratio("c-fine", many, "semidirect-reduced")),
        ]  # fmt: skip
    for name, found in (("rigid body", rigid), ("Routh ball", ball)):
        if found is not None:
            rows += [
                (f"{name}, 10⁴ paths, time of value and one derivative over that of the value", "≤", 3.0,
                 found.ratio(slopes, many)),
                (f"{name}, the same without reconstruction", "≤", 3.0, found.ratio(reduced, many, "semidirect-reduced")),
                (f"{name}, 10⁴ paths, value and one derivative, speed over diffrax in forward mode", "≥", 20.0,
                 found.ratio("diffrax-forward", many, slopes)),
                (f"{name}, the same over a scan of JAX, both without reconstruction", "≥", 20.0,
                 found.ratio("jax-forward", many, reduced)),
            ]  # fmt: skip
    rows += [
        ("48-dimensional system, a step, over the earlier version", "≥", 1.8, before.get("48 dimensions")),
        ("rattleback by dop853, over the earlier version", "≥", 10.0, before.get("rattleback")),
        ("mean of a rigid body to 3·10⁻⁴, one noise, steps of plain sampling over those of multilevel", "≥", 10.0,
         json.loads(MULTILEVEL.read_text(encoding="utf-8"))["one noise"]["estimates"][-1]["gain"]),
    ]  # fmt: skip
    rows += _filter_rows(cycles) + _hybrid_rows(hybrids)
    lines = [ASKED, "", "| | asked | measured | |", "|---|---:|---:|---|"]
    lines += [_row(*row) for row in rows]
    return "\n".join(lines) + "\n"


def _conditions(results: dict[str, Findings], command: str) -> str:
    versions: dict[str, str] = {}
    for found in results.values():
        versions |= found.versions
    listed = ", ".join(f"{k} {v}" for k, v in sorted(versions.items()))
    return (
        "## Where and when\n\n"
        f"- {datetime.date.today().isoformat()}, `{command}`\n"
        f"- {_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}\n"
        f"- {_compiler()}\n- {listed}\n- {_load()}\n"
    )


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _processor() -> str:
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    wanted = ("model name", "cpu family", "model")
    fields = {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in text.split("\n\n")[0].splitlines())}
    if "model name" not in fields:
        return platform.processor() or "unknown processor"
    flags = fields.get("flags", "").split()
    widest = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else ""
    rest = ", ".join([*(f"{k} {fields[k]}" for k in wanted[1:] if k in fields), *([widest] if widest else [])])
    return f"{fields['model name']} ({rest})" if rest else fields["model name"]


def _load() -> str:
    if not hasattr(os, "getloadavg"):
        return "load unknown"
    load = os.getloadavg()[2]
    busy = load > (os.cpu_count() or 1)
    return f"load average of the last quarter of an hour at the end: {load:.1f}" + (
        "; others were at work, so the ratios of threads say nothing about a quiet machine" if busy else ""
    )


def _compiler() -> str:
    try:
        return subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "no gcc"
