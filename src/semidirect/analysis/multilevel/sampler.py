"""Paths of a level at two steps on the same noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.analysis.multilevel.level import Level
from semidirect.analysis.nested_runs import NestedRuns
from semidirect.core import errors
from semidirect.specification import seeds

if TYPE_CHECKING:
    from semidirect.integrators import Integrator

__all__ = ["Sampler"]

PATHS_OF_A_RUN = 2**16
"""Largest number of paths in one run, which bounds the memory."""
MOST_FAILURES = 0.01
"""Part of the paths that may fail; the estimate is of those that do not."""


@final
@dataclass(frozen=True)
class Sampler:
    """Makes paths of any level.

    The noise of level l is drawn at its step h_l, and the increments of a step of 2 h_l are sums of two of its own. Each run
    has a seed of its own, made of the seed, the level and the number of the run on it, so that all differences are independent.

    Attributes
    ----------
    runs : NestedRuns
        The arguments that all runs share; resolution and paths are those of the first level.
    method : Integrator
    quantity : str
    first_steps : int
        Steps of the first level.
    """

    runs: NestedRuns
    method: Integrator
    quantity: str
    first_steps: int

    def empty(self, number: int) -> Level:
        """A level without paths."""
        fine = self.first_steps * 2**number
        return Level(self.runs.resolution / 2**number, fine + (fine // 2 if number else 0))

    def more(self, number: int, level: Level, paths: int, round_: int) -> Level:
        """The level with more paths.

        Raises
        ------
        InputError
            If too many paths fail.
        """
        for part, start in enumerate(range(0, paths, PATHS_OF_A_RUN)):
            seed = seeds.derived_seed(self.runs.seed, number, round_, part)
            runs = replace(self.runs, resolution=level.dt, seed=seed, paths=min(PATHS_OF_A_RUN, paths - start))
            results = [runs.at(self.method, level.dt), *([runs.at(self.method, 2 * level.dt)] if number else [])]
            good = np.logical_and.reduce([run.good for run in results])
            values = [run[self.quantity][good, -1] for run in results]
            if not all(np.isfinite(x).all() for x in values):
                raise errors.InputError(f"{self.quantity} is not finite on a path", got=f"at dt = {level.dt:g}",
                                        hint="Take the mean of a quantity that every path has.")  # fmt: skip
            differences = values[0] - values[1] if number else values[0]
            level = level.with_paths(differences, values[0], int(np.count_nonzero(~good)))
            if level.failed > MOST_FAILURES * (level.paths + level.failed):
                failed = next(run for run in results if not run.good.all())
                raise errors.InputError(
                    "too many paths fail for an estimate of all", expected=f"less than {MOST_FAILURES:.0%}",
                    got=f"{level.failed} of {level.paths + level.failed} at dt = {failed.config['dt']:g}: {failed.failures()[0]}",
                    hint="Begin with a smaller step, dt=….",
                )  # fmt: skip
        return level
