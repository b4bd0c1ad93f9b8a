"""Means over paths: ``Moments``, whose errors are the standard errors of means."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scipy.special import ndtr

import semidirect as sd
from estimates.cell import Cell, Outcome, listened, of_error
from estimates.systems import euler_moments, heun_growth, line, simulated

PATHS = 400


def means(system: sd.System, method: str, quantity: str, truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The mean of a quantity at t = 1 over the paths, at each seed."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                run = simulated(
                    system, seed, PATHS, method=method, reduce=sd.Moments([quantity]), save=sd.Save("final", ["q"])
                )
                found = run.reductions["moments"]
                value, error = found.mean[quantity][-1], found.standard_error[quantity][-1]
            yield of_error(value, error, truth, bool(texts))

    return outcomes


MEAN, VARIANCE = euler_moments(1.0, 1.0, 1.0, 0.05)
ABOVE = 1.8
CELLS = [
    Cell("moments", "mean of q, normal", "law of the steps", means(line(), "euler-maruyama", "q", MEAN)),
    Cell("moments", "mean of q, log-normal", "law of the steps",
         means(line(0.0, 0.0, 0.6), "heun", "q", heun_growth(0.6, 1.0, 0.05)), "skewed"),
    Cell("moments", f"P(q > {ABOVE})", "law of the steps",
         means(line(), "euler-maruyama", f"where(q > {ABOVE}, 1, 0)", float(ndtr((MEAN - ABOVE) / VARIANCE**0.5))), "rare"),
]  # fmt: skip
