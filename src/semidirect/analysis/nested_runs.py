"""Runs of one system at steps dt/2^k on the same Brownian paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors
from semidirect.engines import Execution, stepping
from semidirect.ensemble import simulate
from semidirect.model import NumericalSDE
from semidirect.random import Wiener
from semidirect.specification import Save

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.random import Driver
    from semidirect.results import RunData

__all__ = ["NestedRuns", "common_paths", "increment_law_of", "normal_increments", "suited_driver"]

SEEDS = 2**64


@final
@dataclass(frozen=True)
class NestedRuns:
    """The parts of a run that do not depend on the step.

    Wiener processes have the resolution of the smallest step unless they state one, and the increments of a larger step are sums
    of its increments: W is the same function for every step and every method. Three-point increments do not form a path;
    then each step has separate noise.

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
    driver : Driver
        The driver of the noise.
    keep : tuple of str
        Quantities to keep.
    save : str or sequence of float
        When.
    execution : Execution
        The execution of the runs; the engine is that of methods that can be compiled.
    t_start : float
        When the runs start [s].
    """

    system: SystemDefinition
    t_end: float
    resolution: float
    paths: int
    seed: int
    state: Mapping[str, Any] | None
    driver: Driver
    keep: tuple[str, ...]
    save: str | Sequence[float] = "final"
    execution: Execution = field(default_factory=Execution)
    t_start: float = 0.0

    def at(self, method: Integrator, dt: float) -> RunData:
        """The run by a method at a step, a power of two times the resolution."""
        own, seed = suited_driver(method, self.driver), self.seed
        shared = own.shared(self.resolution)
        if shared is None and NumericalSDE.of(self.system).wieners:
            seed = (self.seed + round(float(np.log2(dt / self.resolution)))) % SEEDS
        execution = replace(self.execution, engine=stepping.AUTO) if method.calculus == "ode" else self.execution
        return simulate(
            self.system, t_end=self.t_end, t_start=self.t_start, dt=dt, paths=self.paths, seed=seed, method=method,
            state=self.state, driver=own if shared is None else shared, save=Save(self.save, self.keep), execution=execution,
        )  # fmt: skip


def suited_driver(method: Integrator, driver: Driver) -> Driver:
    """The driver in the form for a method: weak methods get three-point increments of Wiener processes."""
    return replace(driver, increment_law="three-point") if method.weak and isinstance(driver, Wiener) else driver


def normal_increments(driver: Driver) -> Driver:
    """The driver with normal increments, which form paths."""
    return replace(driver, increment_law="normal") if isinstance(driver, Wiener) else driver


def increment_law_of(driver: Driver) -> str:
    """The law of the increments of Wiener processes; ``"normal"`` for any other driver."""
    return driver.increment_law if isinstance(driver, Wiener) else "normal"


def common_paths(runs: Sequence[RunData]) -> np.ndarray:
    """The paths that are good in all of the runs, bool (paths,).

    Raises
    ------
    InputError
        If fewer than two thirds of them are good, since the rest would be a biased selection.
    """
    good = np.logical_and.reduce([run.good for run in runs])
    if 3 * np.count_nonzero(good) < 2 * len(good):
        first = next(run for run in runs if not run.good.all())
        raise errors.InputError(
            "too many paths fail for an order or a comparison", expected="at least two thirds good at every step",
            got=f"{np.count_nonzero(good)} of {len(good)}; {first.config['method']} at dt = {first.config['dt']:g}: "
            f"{first.failures()[0]}", hint="Use smaller steps or a shorter time.",
        )  # fmt: skip
    return good
