"""Comparison of methods on the same noise: error against work, and the contribution of each method to the observables."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.cost import evaluations_per_step
from semidirect.analysis.error_budget import Entry, ModelContribution, entry, motions, needed_quantities, watched
from semidirect.analysis.method_compatibility import Kind, refuse_what_has_no_order
from semidirect.analysis.nested_runs import NestedRuns, common_paths, increment_law_of
from semidirect.analysis.order_fit import MOST_LEVELS
from semidirect.core import arguments, display, errors, explains_calls, frozen
from semidirect.definition import a_system, in_scalars, start_in_scalars
from semidirect.engines import Execution
from semidirect.ensemble import simulate
from semidirect.integrators import AdaptiveIntegrator, integrator
from semidirect.model import NumericalSDE
from semidirect.random import Wiener, drivers
from semidirect.results import Difference
from semidirect.specification import Save, names_moved_arguments, schedule
from semidirect.state import starting_time
from semidirect.statistics import Dependence
from semidirect.text import printing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.results import RunData
    from semidirect.specification import MethodLike

__all__ = ["Comparison", "Point", "compare"]

PATHS = 100
FINER = 4
MOST_TIMES = 32


@final
@dataclass(frozen=True, repr=False)
class Point(display.Brief):
    """One method at one step.

    Attributes
    ----------
    method : str
    dt : float
        Step [s].
    evaluations : float
        Evaluations of the fields a step, counted.
    work : float
        Evaluations a path to the horizon.
    time : float or None
        Time of a run, over that of the first point; measured in one process, one after the other.
    errors : dict name → float
        Root mean square at the end against the fine solution: ``state`` (relative), and the distances of s.
    ledger : dict observable → Entry
        Its contributions to the observables.
    """

    method: str
    dt: float
    evaluations: float
    work: float
    time: float | None
    errors: Mapping[str, float]
    ledger: Mapping[str, Entry]

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        ledger = {name: e.described() for name, e in self.ledger.items()}
        return {**vars(self), "errors": dict(self.errors), "ledger": ledger}


@explains_calls
@final
@dataclass(frozen=True, repr=False)
class Comparison(display.Brief, frozen.Rebuilt):
    """Several methods at several steps, all on the same Brownian paths.

    Attributes
    ----------
    system : str
    reference : str
        Whose solution at ``finest`` [s] the errors are taken against.
    noise_class : str
    steps : array
        Largest first [s].
    finest, t_start, t_end : float
    paths, failed, seed : int
    times : array (T,)
        The times of the observables [s].
    motions : dict observable → ModelContribution
        The contributions of the model.
    points : tuple of Point
        By method, then by step.
    units : dict error → str
    """

    system: str
    reference: str
    noise_class: str
    steps: np.ndarray
    finest: float
    t_start: float
    t_end: float
    paths: int
    failed: int
    seed: int
    times: np.ndarray
    motions: Mapping[str, ModelContribution]
    points: tuple[Point, ...]
    units: Mapping[str, str]

    def _repr_html_(self) -> str:
        rows = [
            [
                p.method,
                printing.figures(p.dt),
                f"{p.evaluations:.3g}",
                f"{p.work:.3g}",
                *(f"{p.errors[e]:.2e}" for e in self.units),
            ]
            for p in self.points
        ]
        columns = [f"error of {e} [{unit}]" if unit else f"error of {e}" for e, unit in self.units.items()]
        return "".join([
            display.heading(f"{self.system}: {', '.join(self.methods)} against {self.reference}, {self.paths:,} paths"),
            display.table(["method", "dt [s]", "evaluations a step", "a path", *columns], rows),
        ])  # fmt: skip

    @property
    def methods(self) -> list[str]:
        """Labels, in order."""
        return list(dict.fromkeys(p.method for p in self.points))

    def of(self, method: str) -> list[Point]:
        """The points of one method, largest step first."""
        return [p for p in self.points if p.method == method]

    def plot(self) -> Figure:
        """Draw errors against work, and the contributions of each method to up to five observables."""
        from semidirect.analysis.pictures.comparison import plot_comparison

        return plot_comparison(self)

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {
            "system": self.system, "reference": self.reference, "noise_class": self.noise_class,
            "steps": self.steps.tolist(), "finest": self.finest, "t_start": self.t_start, "t_end": self.t_end,
            "paths": self.paths, "failed": self.failed, "seed": self.seed, "times": self.times.tolist(),
            "units": dict(self.units),
            "model": {name: dict(vars(m)) for name, m in self.motions.items()},
            "points": [p.described() for p in self.points],
        }  # fmt: skip


@names_moved_arguments
def compare(system: SystemDefinition, methods: Sequence[MethodLike], *, t_end: float | None = None,
            t_start: float | None = None, dt: float | None = None, levels: int = 4, paths: int | None = None,
            seed: int = 0, state: Mapping[str, Any] | None = None, driver: Any = None,
            reference: MethodLike | None = None, observables: Sequence[str] | None = None, timed: bool = True,
            execution: Execution | None = None) -> Comparison:  # fmt: skip
    """Compare methods at the steps dt, dt/2, …, dt/2^(levels − 1) on the same noise.

    Parameters
    ----------
    system : System
    methods : sequence of str or Integrator
        At least one.
    t_start, t_end, dt : float
        Start and end, both multiples of the largest step dt [s]; default from 0, or the time of a ``run.final`` that is the
        state, for one second, and a sixteenth of the time between.
    levels : int
        Number of steps.
    paths : int, optional
        Default 100; 1 without noise.
    reference : str or Integrator, optional
        Whose solution, at a sixteenth of the smallest step, is taken for the exact one; default ``dop853`` without noise, else
        ``implicit-midpoint``.
    observables : sequence of str, optional
        Which of the scalar observables go into the ledger; default all.
    timed : bool
        Whether time is measured; each method is then run once more, with noise drawn at its own step.
    driver : optional
        The driver, as in :meth:`~semidirect.System.simulate`. Wiener processes without a resolution get that of the
        fine solution; with ``Wiener(h)`` the Brownian paths are those of a run with step h.
    execution : Execution, optional
        As for :meth:`~semidirect.System.simulate`. Time is measured on one thread, by the engine that is estimated to be faster.

    Raises
    ------
    MethodError
        For a method that cannot follow the noise, with the reason.
    InputError
        For invalid arguments, or if more than a third of the paths fail.
    """
    from semidirect.model import NoiseClass

    a_system(system)
    t_start = starting_time(t_start, t_end, state)
    system, state = in_scalars(system), start_in_scalars(system, state)
    arguments.validated_flag("timed", timed)
    methods = arguments.validated_sequence("methods", methods, of="methods")
    if not methods:
        raise errors.InputError("methods", expected="a list of methods", got="none")
    by_label = {m.label: m for m in map(integrator, methods)}
    drive = drivers.driver_of(driver)
    noisy = drive.random and bool(NumericalSDE.of(system).wieners)
    Dependence(noisy and drive.one_noise, drive.replications).refuse("a comparison over paths, whose means have errors")
    kind: Kind = "strong" if noisy else "deterministic"
    name = NoiseClass.of(NumericalSDE.of(system)).name if noisy else "none"
    for method in by_label.values():
        if noisy:
            refuse_what_has_no_order(method, kind, name, increment_law_of(drive))
    levels = arguments.validated_whole("levels", levels, least=1, most=MOST_LEVELS)
    seed = arguments.validated_seed(seed)
    t_start, t_end = schedule.span_of(t_start, t_start + 1.0 if t_end is None else t_end)
    dt = (t_end - t_start) / 16 if dt is None else dt
    first, last = schedule.steps_between(t_start, t_end, dt)
    steps = dt * 0.5 ** np.arange(levels)
    # the reference steps more finely than all methods, so that its own error does not count
    finest = float(steps[-1]) * 0.5**FINER
    other = integrator(reference if reference is not None else ("implicit-midpoint" if noisy else "dop853"))
    names = watched(system, observables)
    variables = [v.name for v in NumericalSDE.of(system).structure.shape.variables]
    # few times are saved: the energy ledger needs them, and memory grows with them
    every = -(-(last - first) // MOST_TIMES)
    times = [*(np.arange(first, last, every) * dt), last * dt]
    number = (
        (PATHS if noisy else system.workings.paths or 1)
        if paths is None
        else arguments.validated_whole("paths", paths, least=1)
    )
    keep = tuple(dict.fromkeys([*variables, *needed_quantities(system), *names]))
    # all runs follow the same Brownian paths, summed to their own steps
    runs = NestedRuns(
        system, float(t_end), finest, number, seed, state, drive, keep, save=times, execution=Execution.of(execution),
        t_start=t_start,
    )  # fmt: skip
    fine = runs.at(other, dt if isinstance(other, AdaptiveIntegrator) else finest)
    table = {(label, float(h)): runs.at(m, float(h)) for label, m in by_label.items() for h in steps}
    # a path that fails in one run is left out of all, or their means would be of different paths
    good = common_paths([fine, *table.values()])
    contributions = motions(system, fine, good, names, drive)
    clock = _times(runs, by_label, steps) if timed else {}
    points = []
    for (label, h), run in table.items():
        evaluations = evaluations_per_step(
            system, by_label[label], h, seed=seed, state=state, driver=drive, t_start=t_start
        )
        of_run, units = _errors(system, run, fine, good, variables)
        ledger = {n: entry(run, fine, good, n, m) for n, m in contributions.items()}
        points.append(
            Point(label, h, evaluations, evaluations * (t_end - t_start) / h, clock.get((label, h)), of_run, ledger)
        )
    return Comparison(
        type(system).__name__, other.label, name, steps, finest, float(t_start), float(t_end), number,
        int(np.count_nonzero(~good)), seed, fine.times, contributions, tuple(points), units,
    )  # fmt: skip


def _errors(system: SystemDefinition, run: RunData, fine: RunData, good: np.ndarray, variables: list[str]
            ) -> tuple[dict[str, float], dict[str, str]]:  # fmt: skip
    first, second = ({k: r[k][good, -1] for k in r} for r in (run, fine))
    differences = Difference.by_name(system.group, first, second, [*variables, "configuration"], {})
    whole = Difference.of_state({v: differences[v] for v in variables or differences})
    entries = {Difference.STATE: whole, **{k: d for k, d in differences.items() if k not in variables}}
    return {k: float(np.sqrt(np.mean(d.distances**2))) for k, d in entries.items()}, {
        k: d.unit for k, d in entries.items()
    }


def _times(runs: NestedRuns, methods: Mapping[str, Integrator], steps: np.ndarray) -> dict[tuple[str, float], float]:
    """Times of runs with noise drawn at their own step, over the first of them; what compiles has run before."""
    own = replace(runs.driver, resolution=None) if isinstance(runs.driver, Wiener) else runs.driver

    def once(method: Integrator, h: float) -> float:
        began = time.perf_counter()
        simulate(runs.system, t_end=runs.t_end, t_start=runs.t_start, dt=h, paths=runs.paths, seed=runs.seed,
                 method=method, state=runs.state, driver=own, save=Save("final", []), execution=Execution(threads=1))  # fmt: skip
        return time.perf_counter() - began

    durations = {}
    for label, method in methods.items():
        once(method, float(steps[-1]))
        for h in steps:
            durations[label, float(h)] = min(once(method, float(h)) for _ in range(3))
    first = next(iter(durations.values()))
    return {k: v / first for k, v in durations.items()}
