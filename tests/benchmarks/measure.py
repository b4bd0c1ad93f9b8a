"""What is measured: times of all competitors in turn, agreement, first calls, threads, memory."""

from __future__ import annotations

import math
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any

from peers import PEERS, Worker, Workplace

AGREEMENT = 5.0
"""Standard errors by which means may differ."""
DISCRETISATION = 0.005
"""And this much, for two methods at the same step."""


@dataclass
class Plan:
    """Sizes ``(paths, steps)`` and how often."""

    sizes: list[tuple[int, int]]
    rounds: int
    seconds: float
    """Of one competitor at one size, after which it sits out the rounds that are left."""
    threads: list[tuple[int, int]]
    memory: tuple[int, int]
    statistics: tuple[int, int]
    check: tuple[int, int]


FULL = Plan(
    [(1, 1000), (1, 20000), (100, 1000), (10000, 1000)],
    61,
    5.0,
    [(10000, 1000), (32768, 1000)],
    (10**6, 20),
    (10**6, 1000),
    (10000, 1000),
)
QUICK = Plan([(1, 60), (130, 60)], 2, 2.0, [(256, 60)], (1000, 10), (1000, 20), (500, 60))


@dataclass
class Findings:
    """Everything that was measured for one problem, by competitor."""

    best: dict[str, dict[tuple[int, int], float]] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    imports: dict[str, float] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)
    moments: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    threads: dict[tuple[int, int], float] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def ratio(self, name: str, size: tuple[int, int], of: str = "semidirect") -> float | None:
        """Time of a competitor over that of this engine."""
        other, ours = self.best.get(name, {}).get(size), self.best.get(of, {}).get(size)
        return other / ours if other is not None and ours else None


def fits(name: str, size: tuple[int, int]) -> bool:
    """Whether a competitor is fast enough to be asked."""
    peer = PEERS[name]
    return size[0] * size[1] <= peer.most and size[1] <= peer.most_steps


def times(problem: str, names: list[str], plan: Plan, place: Workplace) -> Findings:
    """Best of several rounds, the competitors in turn and in a rotating order, one process each."""
    found = Findings()
    workers = {name: place.worker(name) for name in names}
    try:
        for name, worker in workers.items():
            found.versions |= worker.ask("versions", distributions=list(PEERS[name].distributions)).get("versions", {})
        for size in plan.sizes:
            _size(problem, size, workers, plan, found)
        agree(problem, workers, plan, found)
    finally:
        for worker in workers.values():
            worker.close()
    if "semidirect" in found.first:
        again = place.worker("semidirect")
        found.first["semidirect again"] = again.ask("prepare", problem=problem, paths=plan.sizes[0][0],
                                                    steps=plan.sizes[0][1])["first"]  # fmt: skip
        again.close()
    return found


def _size(problem: str, size: tuple[int, int], workers: dict[str, Worker], plan: Plan, found: Findings) -> None:
    job: dict[str, Any] = {"problem": problem, "paths": size[0], "steps": size[1]}
    ready, spent = [], {}
    for name, worker in workers.items():
        if name in found.missing or not fits(name, size):
            continue
        _say(f"{problem}: {name} prepares {size[0]} paths × {size[1]} steps")
        answer = worker.ask("prepare", **job)
        if "unavailable" in answer:
            found.missing[name] = answer["unavailable"]
            continue
        found.first.setdefault(name, answer["first"])
        found.imports.setdefault(name, answer["import"])
        found.chosen.setdefault(name, answer["chosen"])
        ready.append(name)
        spent[name] = 0.0
    _say(f"{problem}: {size[0]} paths × {size[1]} steps")
    for n in range(plan.rounds):
        for name in ready[n % len(ready) :] + ready[: n % len(ready)]:
            if spent[name] > plan.seconds:
                continue
            answer = workers[name].ask("measure", **job, seed=n + 1)
            if "unavailable" in answer:
                found.missing[name] = answer["unavailable"]
                spent[name] = math.inf
                continue
            spent[name] += answer["clock"]
            best = found.best.setdefault(name, {})
            best[size] = min(answer["seconds"], best.get(size, math.inf))


def agree(problem: str, workers: dict[str, Worker], plan: Plan, found: Findings) -> None:
    """Means at the end of all competitors; that they are those of this engine is :func:`check_agreement`."""
    paths, steps = plan.check
    for name, worker in workers.items():
        if name in found.missing:
            continue
        finer = PEERS[name].finer
        job: dict[str, Any] = {"problem": problem, "steps": steps * finer, "paths": min(paths, PEERS[name].check_paths)}
        _say(f"{problem}: {name} for the check, {job['paths']} paths × {job['steps']} steps")
        answer = worker.ask("prepare", **job, finer=finer)
        if "unavailable" not in answer:
            answer = worker.ask("moments", **job, seed=1000, finer=finer)
        if "unavailable" in answer:
            raise AssertionError(f"{problem}: {name} gave no states: {answer['unavailable']}")
        found.moments[name] = answer


def check_agreement(problem: str, found: Findings) -> None:
    """All competitors have the means that this engine has: they step the same equations over the same time.

    Raises
    ------
    AssertionError
        If one does not.
    """
    ours = {**found.moments.get("semidirect-slopes", {}), **found.moments["semidirect"]}
    for name, theirs in found.moments.items():
        for quantity in theirs.keys() & ours.keys():
            mean, error = theirs[quantity]
            off = abs(mean - ours[quantity][0])
            allowed = AGREEMENT * math.hypot(error, ours[quantity][1]) + DISCRETISATION
            if not off <= allowed:
                raise AssertionError(
                    f"{problem}: mean of {quantity} at the end: {name} {mean:.4f}, semidirect {ours[quantity][0]:.4f}; "
                    f"they differ by {off:.4f}, more than {allowed:.4f}"
                )


def threads(problem: str, plan: Plan, place: Workplace, found: Findings) -> None:
    """One thread over two threads, by the clock, not pinned."""
    workers = {n: place.worker(f"semidirect@{n}", pinned=False) for n in (1, 2)}
    try:
        for size in plan.threads:
            job: dict[str, Any] = {"problem": problem, "paths": size[0], "steps": size[1]}
            best = {1: math.inf, 2: math.inf}
            for worker in workers.values():
                worker.ask("prepare", **job)
            for n in range(plan.rounds):
                for k, worker in workers.items():
                    best[k] = min(best[k], worker.ask("measure", **job, seed=n + 1)["clock"])
            found.threads[size] = best[1] / best[2]
    finally:
        for worker in workers.values():
            worker.close()


def memory(problem: str, names: list[str], plan: Plan, place: Workplace, found: Findings) -> None:
    """Peak resident memory of many paths, the final state only, each in a fresh process."""
    paths, steps = plan.memory
    for name in names:
        if name in found.missing:
            continue
        _say(f"{problem}: {name} runs {paths} paths for its memory")
        worker = place.worker(name)
        answer = worker.ask("prepare", problem=problem, paths=paths, steps=steps)
        if "unavailable" not in answer:
            found.memory[name] = worker.ask("memory")["megabytes"]
        worker.close()
    paths, steps = plan.statistics
    _say(f"{problem}: semidirect takes statistics of {paths} paths × {steps} steps")
    worker = place.worker("semidirect-statistics", pinned=False)
    if "unavailable" not in worker.ask("prepare", problem=problem, paths=paths, steps=steps):
        found.memory["statistics"] = worker.ask("memory")["megabytes"]
    worker.close()


def fresh_folder() -> str:
    """An empty folder for kernels, so that the first call is a first call."""
    return tempfile.mkdtemp(prefix="semidirect-bench-kernels-")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
