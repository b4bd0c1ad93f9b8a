"""Runs of one system at steps dt/2^k on the same Brownian paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core.errors import InputError
from semidirect.ensemble.simulate import simulate
from semidirect.model.numerical_sde import numerical_sde

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.ensemble.run import RunData
    from semidirect.integrators.integrator import Integrator

__all__ = ["NestedRuns", "common_paths", "increments_of"]

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
        Of methods that can take both; weak methods get three-point increments.
    engine : {"auto", "numpy", "compiled"}
        Of methods that can be compiled.
    noise_dt : float, optional
        Resolution of the noise, where it is not the smallest step [s].
    t_start : float
        When the runs start [s].
    """

    system: SystemDefinition
    t_end: float
    resolution: float
    paths: int
    seed: int
    state: Mapping[str, Any] | None
    drive: Any
    keep: tuple[str, ...]
    save: str | Sequence[float] = "final"
    increments: str = "normal"
    engine: str = "auto"
    noise_dt: float | None = None
    t_start: float = 0.0

    def at(self, method: Integrator, dt: float) -> RunData:
        """The run by a method at a step, a power of two times the resolution."""
        noise: dict[str, Any] = {}
        seed = self.seed
        if self.drive is None and numerical_sde(self.system).wieners:
            if increments_of(method, self.increments) == "normal":
                noise = {"noise_dt": self.resolution if self.noise_dt is None else self.noise_dt}
            else:
                noise = {"increments": "three-point"}
                seed = (self.seed + round(float(np.log2(dt / self.resolution)))) % SEEDS
        engine = "auto" if method.calculus == "ode" else self.engine
        return simulate(
            self.system, t_end=self.t_end, t_start=self.t_start, dt=dt, paths=self.paths, seed=seed, method=method,
            state=self.state, drive=self.drive, keep=list(self.keep), save=self.save, engine=engine, **noise,
        )  # fmt: skip


def increments_of(method: Integrator, asked: str) -> str:
    """The kind of increments that a method gets."""
    return "three-point" if method.weak else asked


def common_paths(runs: Sequence[RunData]) -> np.ndarray:
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
