"""Runs of one system at steps dt/2^k on the same Brownian paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.errors import InputError

if TYPE_CHECKING:
    from semidirect.ensemble.run import Run
    from semidirect.integrators.integrator import Integrator
    from semidirect.system import System

__all__ = ["NestedRuns"]

SEEDS = 2**64


@final
@dataclass(frozen=True)
class NestedRuns:
    """What of a run does not change with the step.

    The noise has the resolution of the smallest step, and the increments of a larger one are sums of its increments: W is the
    same function for every step and every method. Three-point increments are no path; then each step has noise of its own.

    Attributes
    ----------
    system : System
    t_end : float
        Horizon [s].
    resolution : float
        The smallest step [s].
    paths, seed : int
    state : dict or None
        Initial state.
    drive : optional
        What replaces the noise.
    keep : tuple of str
        Quantities to keep.
    save : str or sequence of float
        When.
    increments : {"normal", "three-point"}
    more : dict
        Other arguments of :func:`~semidirect.ensemble.simulate.simulate`.
    """

    system: System
    t_end: float
    resolution: float
    paths: int
    seed: int
    state: Mapping[str, Any] | None
    drive: Any
    keep: tuple[str, ...]
    save: str | Sequence[float] = "final"
    increments: str = "normal"
    more: Mapping[str, Any] = field(default_factory=dict)

    def at(self, method: Integrator, dt: float) -> Run:
        """The run by a method at a step, a power of two times the resolution."""
        noise: dict[str, Any] = {}
        seed = self.seed
        if self.drive is None and self.system.model().wieners:
            if self.increments == "normal":
                noise = {"noise_dt": self.resolution}
            else:
                noise = {"increments": self.increments}
                seed = (self.seed + round(float(np.log2(dt / self.resolution)))) % SEEDS
        return self.system.simulate(
            t_end=self.t_end, dt=dt, paths=self.paths, seed=seed, method=method, state=self.state, drive=self.drive,
            keep=list(self.keep), save=self.save, **noise, **self.more,
        )  # fmt: skip


def common_paths(runs: Sequence[Run]) -> np.ndarray:
    """Which paths are good in all of the runs, bool (paths,).

    Raises
    ------
    InputError
        If fewer than two thirds of them are, since what is left would be a choice.
    """
    good = np.logical_and.reduce([run.good for run in runs])
    if 3 * np.count_nonzero(good) < 2 * len(good):
        first = next(run for run in runs if not run.good.all())
        raise InputError(
            "too many paths fail for an order or a comparison", expected="two thirds that are good at every step",
            got=f"{np.count_nonzero(good)} of {len(good)}; {first.config['method']} at dt = {first.config['dt']:g}: "
            f"{first.failures()[0]}", hint="Take smaller steps or a shorter time.",
        )  # fmt: skip
    return good
