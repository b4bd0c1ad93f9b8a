"""The effects of methods on a system in a few steps of a few paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from semidirect.analysis.cost import evaluations_per_step
from semidirect.analysis.monitor.watched import Coefficients
from semidirect.analysis.nested_runs import NestedRuns, suited_driver
from semidirect.core import errors
from semidirect.engines import Execution
from semidirect.ensemble import simulate
from semidirect.expressions import component_names
from semidirect.integrators import AdaptiveIntegrator
from semidirect.model import NumericalSDE
from semidirect.random import drivers
from semidirect.results import Difference
from semidirect.specification import Checks, Save
from semidirect.text import printing

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.random import Driver
    from semidirect.results import RunData

__all__ = ["Change", "Drift", "Trial", "sizes_of"]

PATHS, STEPS = 4, 8
LONGER = (16, 4)
"""Factors of longer steps, the second where paths fail by the first: there no method of high order hides its error."""
ROUNDINGS = 100
"""A method keeps what it changes by less than so many roundings a step; measured are up to 3, and 1e6 where it does not."""
DRIFTING_PATHS, DRIFTING_STEPS = 8, 256
EPSILON = float(np.finfo(float).eps)
ARRAYS = Execution(engine="numpy", threads=1)


class Change(NamedTuple):
    """The change of a quantity in some steps.

    Attributes
    ----------
    size : float
        The largest one at the step, relative to the size of the terms of the quantity.
    kept : bool
        Whether it is rounding, in longer steps as well.
    """

    size: float
    kept: bool


class Drift(NamedTuple):
    """How fast a method changes a quantity that the equations conserve, relative to its size.

    Attributes
    ----------
    rate, error : float
        Slope of the mean over some paths [1/s], and its standard error.
    largest : float
        The largest change on a path.
    time : float
        The time of these runs [s].
    """

    rate: float
    error: float
    largest: float
    time: float

    def __str__(self) -> str:
        error = printing.standard_error(self.error, 1.0, ".0e")
        return f"{self.rate:+.1e} ± {error} a second, up to {self.largest:.1e} in {self.time:.3g} s"


@final
@dataclass(frozen=True)
class Trial:
    """Short runs of a system from one state.

    Attributes
    ----------
    system : System
        With the parameters of one path.
    dt : float
        The step [s].
    state : dict or None
    driver : Driver
    sizes : dict name → float
        The size of the terms of each quantity.
    """

    system: SystemDefinition
    dt: float
    state: Mapping[str, Any] | None
    driver: Driver
    sizes: Mapping[str, float]

    def run(self, method: Integrator, dt: float, names: Sequence[str], *, still: bool = False, paths: int = PATHS,
            steps: int = STEPS) -> RunData | None:  # fmt: skip
        """A run; ``None`` where paths fail. Raises a :class:`MethodError` if the method does not apply."""
        driver = drivers.driver_of(0) if still else suited_driver(method, self.driver)
        try:
            result = simulate(
                self.system, t_end=steps * dt, dt=dt, t_start=0.0, paths=1 if still else paths, seed=0, method=method,
                driver=driver, state=self.state, save=Save("all", names), execution=ARRAYS, checks=Checks(validate=False),
            )  # fmt: skip
        except errors.MethodError:
            raise
        except errors.SemidirectError:
            return None
        return result if result.good.all() else None

    def changes(self, method: Integrator, names: Sequence[str], *, still: bool = False) -> dict[str, Change] | None:
        """The changes of quantities by a method, at the step and in longer ones; ``None`` where paths fail at the step itself."""
        run = self.run(method, self.dt, names, still=still)
        if run is None:
            return None
        sizes = {name: self._size(run, name) for name in names}
        longer = next(
            (r for r in (self.run(method, k * self.dt, names, still=still) for k in LONGER) if r is not None), run
        )
        least = ROUNDINGS * EPSILON * STEPS
        return {name: Change(size, max(size, self._size(longer, name)) <= least) for name, size in sizes.items()}

    def error(self, method: Integrator, *, still: bool = False) -> float:
        """Root mean square distance of all state variables, each in units of its size, from a run at half the step.

        If there are none, as in a motion of the configuration alone, that of the configuration.
        """
        variables = tuple(v.name for v in NumericalSDE.of(self.system).structure.shape.variables)
        saved_names = variables or tuple(component_names.grouped(NumericalSDE.of(self.system).coordinates))
        runs = NestedRuns(self.system, STEPS * self.dt, self.dt / 2, 1 if still else PATHS, 0, self.state,
                          drivers.driver_of(0) if still else self.driver, saved_names, execution=ARRAYS)  # fmt: skip
        try:
            first, second = (runs.at(method, h) for h in (self.dt, self.dt / 2))
        except errors.SemidirectError:
            return float("nan")
        if not (first.good.all() and second.good.all()):
            return float("nan")
        ends = [{name: run[name][:, -1] for name in saved_names} for run in (first, second)]
        names = variables or ("configuration",)
        difference = Difference.of_state(Difference.by_name(self.system.group, ends[0], ends[1], names, {}))
        return float(np.sqrt(np.mean(difference.distances**2)))

    def drift(self, method: Integrator, name: str) -> Drift | None:
        """How fast a method changes a quantity; ``None`` where paths fail."""
        run = self.run(method, self.dt, [name], paths=DRIFTING_PATHS, steps=DRIFTING_STEPS)
        if run is None:
            return None
        change = self._change(run, name)
        worst = int(np.argmax(np.max(np.abs(change), axis=(0, 1))))
        t = run.times - np.mean(run.times)
        slopes = change[:, :, worst] @ t / np.sum(t * t)
        error = float(np.std(slopes, ddof=1) / np.sqrt(len(slopes)))
        return Drift(float(np.mean(slopes)), error, float(np.max(np.abs(change))), float(run.times[-1]))

    def evaluations(self, method: Integrator, *, still: bool = False) -> float:
        """Evaluations of the fields in a step; nan for a method that chooses its steps."""
        if isinstance(method, AdaptiveIntegrator):
            return float("nan")
        return evaluations_per_step(self.system, method, self.dt, state=self.state, t_start=0.0,
                                    driver=drivers.driver_of(0) if still else self.driver, paths=1)  # fmt: skip

    def _size(self, run: RunData, name: str) -> float:
        """The largest change."""
        return float(np.max(np.abs(self._change(run, name))))

    def _change(self, run: RunData, name: str) -> np.ndarray:
        """The change since the start, relative to the size of the terms, (paths, T, components)."""
        values = run[name].reshape(run.paths, len(run.times), -1)
        size: float = self.sizes[name]
        return (values - values[:, :1]) / size


def sizes_of(
    system: SystemDefinition, names: Sequence[str], state: Mapping[str, Any] | None, dt: float
) -> dict[str, float]:
    """Σ_i |∂Q/∂y_i| |y_i| of each observable in the first step, the largest value of any other quantity; 1 for 0."""
    method = "lie-heun" if system._has_configuration else "heun"
    run = simulate(system, t_end=dt, dt=dt, t_start=0.0, method=method, driver=0, state=state, execution=ARRAYS,
                   checks=Checks(validate=False))  # fmt: skip
    if not run.good.all():
        raise errors.MethodError("the first step fails from this state", got=str(run.failures()[0]),
                                 hint="Give another state, or look at the parameters.")  # fmt: skip
    own = system.observables()
    sizes = {n: Coefficients(system, run, n).size() if n in own else float(np.max(np.abs(run[n]))) for n in names}
    return {name: size or 1.0 for name, size in sizes.items()}
