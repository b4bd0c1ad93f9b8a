"""How much longer a step with one derivative takes than a step, for each installed system: ``python derivatives.py [NAME …]``.

By kernels, under the default method, with the configuration and without it; the derivative is by the first velocity at the start,
processor time, best of several rounds in turns. Nothing is asserted: a clock is no test.
"""

from __future__ import annotations

import sys
import time

import semidirect as sd
from semidirect import plugins
from semidirect.model.sensitivities.directions import directions

PATHS, STEPS, DT, ROUNDS = 1024, 256, 1e-4, 7


def seconds(start: sd.Stepper) -> float:
    """Of some steps of all paths."""
    flock = start.copy()
    began = time.process_time()
    flock.advance(steps=STEPS)
    return time.process_time() - began


def ratio(name: str, reconstruct: bool) -> float:
    """The time with a derivative over the time without."""
    system = sd.load(name)
    by = next(label for label, (first, *_) in directions(system.workings.model()).items() if first.kind == "velocity")
    starts = [
        system.ensemble(dt=DT, paths=PATHS, seed=1, execution=sd.Execution(threads=1, engine="compiled"),
                        formulation=sd.Formulation(reconstruct=reconstruct, sensitivity=along)).advance(steps=8)
        for along in ((by,), ())
    ]  # fmt: skip
    both, value = (min(times) for times in zip(*([seconds(s) for s in starts] for _ in range(ROUNDS)), strict=True))
    return both / value


def main() -> None:
    """The table."""
    print(f"{'system':24s} with g  without g")
    for name in sys.argv[1:] or sorted(plugins.available()):
        print(f"{name:24s} {ratio(name, True):6.2f} {ratio(name, False):10.2f}", flush=True)


if __name__ == "__main__":
    main()
