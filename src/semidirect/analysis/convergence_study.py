"""The order of a method on a system, measured against its own fine solution and against the solution of another method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.error_curve import Curve, curve_of
from semidirect.analysis.method_compatibility import (
    Kind,
    declared_order,
    independent_of,
    refuse_what_has_no_order,
)
from semidirect.analysis.nested_runs import NestedRuns, common_paths, increment_law_of, normal_increments, suited_driver
from semidirect.analysis.order_fit import FEWEST, MOST_LEVELS, Verdict
from semidirect.core import arguments, display, errors, explains_calls
from semidirect.definition import a_system, labels
from semidirect.engines import Execution
from semidirect.integrators import AdaptiveIntegrator, integrator
from semidirect.model import NumericalSDE
from semidirect.random import drivers
from semidirect.results import Difference
from semidirect.specification import default_method, names_moved_arguments, schedule
from semidirect.state import starting_time
from semidirect.statistics import Dependence
from semidirect.text import printing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from semidirect.definition import SystemDefinition
    from semidirect.results import RunData
    from semidirect.specification import MethodLike

__all__ = ["Convergence", "convergence"]

TOLERANCE = 0.15
PATHS: Mapping[str, int] = {"strong": 200, "weak": 10_000, "deterministic": 1}
FINER = 4
"""Halvings from the smallest step of the fit to the own fine solution; they bias an order of 1 by log₂(31/15) − 1 = .05."""
FINER_APART = 2
"""The same if steps do not share their noise: statistical errors would hide the gain of finer steps."""


@explains_calls
@final
@dataclass(frozen=True, repr=False)
class Convergence(display.Brief):
    """A study of convergence.

    Attributes
    ----------
    system : str
        Name of the class.
    method, reference : str
        The method, and the method of another construction whose fine solution checks it.
    kind : {"strong", "weak", "deterministic"}
    noise_class, reason : str
        The class of the noise as the state sees it, and why.
    steps : array (K,)
        The steps of the fit, largest first [s].
    finest : float
        Step of the fine solutions [s].
    t_start, t_end : float
        When the runs start and end [s].
    paths, failed, seed : int
        Number of paths, number of paths left out because they failed at some step, seed.
    increment_law : str
        ``normal``: one Brownian path at all steps. ``three-point``: separate noise at each step size.
    tolerance : float
        How far a measured order may be from the declared one.
    curves : tuple of Curve
        The first decides.
    """

    system: str
    method: str
    reference: str
    kind: Kind
    noise_class: str
    reason: str
    steps: np.ndarray
    finest: float
    t_start: float
    t_end: float
    paths: int
    failed: int
    seed: int
    increment_law: str
    tolerance: float
    curves: tuple[Curve, ...]

    def __getitem__(self, name: str) -> Curve:
        for curve in self.curves:
            if curve.name == name:
                return curve
        raise errors.UnknownNameError("quantity of the study", name, [c.name for c in self.curves])

    @property
    def verdict(self) -> Verdict:
        """The verdict of the first curve that is not exact."""
        return next((c.verdict for c in self.curves if c.verdict != "exact"), "exact")

    @property
    def right_limit(self) -> bool:
        """Whether all curves have the limit of the other method."""
        return all(c.right_limit for c in self.curves)

    @property
    def good(self) -> bool:
        """Whether no declared order was missed, and the limit is right."""
        return self.right_limit and all(c.verdict != "not met" for c in self.curves)

    def plot(self, names: Sequence[str] | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw errors relative to the size of each quantity against the step, on logarithmic axes.

        Full circles: against the method's own fine solution, with standard errors of weak errors as bars. Hollow squares: against
        the other method's. The dashed line through the first quantity has the declared order.

        Parameters
        ----------
        names : sequence of str, optional
            Which quantities; default all that have an error beyond round-off, six at most.
        ax : Axes, optional
            Where to draw; default the axes of a new figure.

        Raises
        ------
        UnknownNameError
            For a quantity that was not studied.
        """
        from semidirect.analysis.pictures.error_curves import plot_error_curves

        measured = [c for c in self.curves if c.verdict != "exact"]
        curves = (
            measured if names is None else [self[n] for n in arguments.validated_names("quantities to draw", names)]
        )
        title = f"{self.system}, {self.method}: {self.kind}, {self.noise_class} noise"
        error = "bias" if self.kind == "weak" else "error"
        return plot_error_curves(self.steps, curves, error=error, title=title, ax=ax)

    def _repr_html_(self) -> str:
        rows = [
            [c.name, c.unit, "-" if c.verdict == "exact" else f"{c.fit.slope:.3g}", printing.figures(c.declared), c.verdict,
             "yes" if c.right_limit else "NO"]
            for c in self.curves
        ]  # fmt: skip
        errors = [
            [printing.figures(float(h)), *(f"{c.errors[k]:.2e}" for c in self.curves)] for k, h in enumerate(self.steps)
        ]
        return "".join([
            display.heading(f"{self.system} by {self.method}: {self.kind} order, {self.paths:,} paths, {self.failed:,} failed"),
            display.table(["quantity", "unit", "order", "declared", "verdict", f"limit of {self.reference}"], rows),
            display.table(["dt [s]", *(f"error of {c.name}" for c in self.curves)], errors),
        ])  # fmt: skip

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {
            "system": self.system, "method": self.method, "kind": self.kind, "reference": self.reference,
            "noise_class": self.noise_class, "reason": self.reason, "steps": self.steps.tolist(), "finest": self.finest,
            "t_start": self.t_start, "t_end": self.t_end, "paths": self.paths, "failed": self.failed, "seed": self.seed,
            "increment_law": self.increment_law, "tolerance": self.tolerance, "verdict": self.verdict,
            "right_limit": self.right_limit, "quantities": {c.name: c.described() for c in self.curves},
        }  # fmt: skip


@names_moved_arguments
def convergence(system: SystemDefinition, method: MethodLike | None = None, kind: Kind | None = None, *,
                t_end: float | None = None, t_start: float | None = None, dt: float | None = None, levels: int = 6,
                paths: int | None = None, seed: int = 0, state: Mapping[str, Any] | None = None, driver: Any = None,
                reference: MethodLike | None = None, quantities: Sequence[str] = (), tolerance: float = TOLERANCE,
                finer: int | None = None, execution: Execution | None = None) -> Convergence:  # fmt: skip
    """Measure the order of a method on a system from t_start to t_end, with steps dt, dt/2, …, dt/2^(levels − 1).

    Every run uses the same Brownian paths. An error is measured against the method's own solution at a sixteenth of the smallest
    step (a quarter if steps do not share their noise), so that a wrong limit cannot hide the order, and then against the
    solution of another method at that step, so that a wrong limit shows. The interval of confidence of an order is the 95 %
    bootstrap interval over paths (400 resamples; steps share their paths), longer where a few paths have most of the error, as
    under multiplicative noise; or, without noise, Student's over the steps.

    Parameters
    ----------
    system : System
    method : str or Integrator, optional
        Default: the one that runs of the system take.
    kind : {"strong", "weak", "deterministic"}, optional
        Strong: √E|X_h − X|². Weak: |E φ(X_h) − E φ(X)| for each quantity φ, the difference taken path by path.
        Deterministic: without noise, or along a smooth ``driver``. Default: strong if the driver is random.
    t_start, t_end, dt : float
        Start and end, both multiples of the largest step dt [s]; default from 0, or the time of a ``run.final`` that is the
        state, for one second, and a sixteenth of the time between.
    levels : int
        Number of steps of the fit, at least 5.
    paths : int, optional
        Default 200 (strong), 10,000 (weak), 1 (deterministic).
    reference : str or Integrator, optional
        The other method; default ``dop853`` without noise, else ``implicit-midpoint``, or ``heun`` for an implicit method.
    quantities : sequence of str
        Quantities in addition to the state variables (and, in a weak study, the observables).
    tolerance : float
        Largest difference between a measured and the declared order for the verdict ``met``.
    driver : optional
        The driver, as in :meth:`~semidirect.System.simulate`. Three-point increments are for weak studies only, and
        methods that accept nothing else always get them: then steps do not share their noise, and statistical errors are
        larger. The other method uses Brownian paths if it can.
    finer : int, optional
        Halvings from the smallest step to the fine solutions; default 4, or 2 where steps do not share their noise.
    execution : Execution, optional
        As for :meth:`~semidirect.System.simulate`.

    Raises
    ------
    MethodError
        For a pairing that has no order, with the reason and what to use.
    InputError
        For invalid arguments, or if more than a third of the paths fail.
    """
    from semidirect.model import NoiseClass

    a_system(system)
    tolerance = arguments.validated_number("tolerance", tolerance, expected="a positive number", positive=True)
    if kind is not None:
        arguments.validated_name("kind of convergence", kind, PATHS)
    model = NumericalSDE.of(system)
    drive = drivers.driver_of(driver)
    scheme = default_method(system, model, noisy=drive.moves).method if method is None else integrator(method)
    # the kind of order that is measured, and whether the noise of the run admits it
    noisy = drive.random and bool(model.wieners)
    kind = kind if kind is not None else ("strong" if noisy else "deterministic")
    levels = arguments.validated_whole("levels", levels, least=FEWEST, most=MOST_LEVELS)
    seed = arguments.validated_seed(seed)
    if not noisy and kind in ("strong", "weak"):
        got = "a system without noise" if drive.random else "a driver that is not random"
        raise errors.InputError(f"a {kind} study needs noise", got=got,
                                hint="Use the deterministic order (--deterministic).")  # fmt: skip
    classification = NoiseClass.of(NumericalSDE.of(system))
    noise, placed = (
        ("none", "none") if kind == "deterministic" else (classification.name, classification.with_configuration)
    )
    law = increment_law_of(suited_driver(scheme, drive) if kind == "weak" else drive)
    Dependence(noisy and drive.one_noise, drive.replications).refuse(
        "an order with its interval, which is that of resampled paths"
    )
    refuse_what_has_no_order(scheme, kind, noise, law, wieners=model.wieners)
    other = independent_of(scheme, kind) if reference is None else integrator(reference)
    # one path is enough for a deterministic order; an interval of confidence needs several
    count = (
        (1 if system.workings.paths is None else system.workings.paths)
        if kind == "deterministic" and paths is None
        else paths
    )
    count = PATHS[kind] if count is None else count
    count = arguments.validated_whole("paths", count, least=1)
    if kind != "deterministic" and count < 2:
        raise errors.InputError("paths", expected="at least 2, for an interval of confidence", got=str(count))
    t_start = starting_time(t_start, t_end, state)
    t_start, t_end = schedule.span_of(t_start, t_start + 1.0 if t_end is None else t_end)
    dt = (t_end - t_start) / 16 if dt is None else dt
    schedule.steps_between(t_start, t_end, dt)
    # steps are halved, and the finest ones serve as a reference
    steps = dt * 0.5 ** np.arange(levels)
    finer = (FINER if law == "normal" else FINER_APART) if finer is None else finer
    finer = arguments.validated_whole("finer, halvings", finer, least=1, most=MOST_LEVELS)
    finest = float(steps[-1]) * 0.5**finer
    # errors are those of the state, of the configuration and of what is asked for
    variables = [v.name for v in model.structure.shape.variables]
    quantity_names = _quantities(system, kind, quantities)
    if kind == "weak" and not variables and not quantity_names:
        raise errors.InputError(
            "a weak error needs numbers", got="a motion of the configuration alone", hint="Ask for quantities=[…]."
        )
    keep = tuple(dict.fromkeys([*variables, *quantity_names, *([] if kind == "weak" else _stored(system))]))
    runs = NestedRuns(
        system, t_end, finest, count, seed, state, drivers.driver_of(0) if kind == "deterministic" and drive.random else drive,
        keep, execution=Execution.of(execution), t_start=t_start,
    )  # fmt: skip
    # finer steps of the same method show its order, an independent method that its limit is right
    ladder = [runs.at(scheme, float(h)) for h in (*steps, 2 * finest, finest)]
    exact = kind == "deterministic" and isinstance(other, AdaptiveIntegrator)
    others_noise = replace(runs, driver=normal_increments(runs.driver))
    second = [others_noise.at(other, dt if exact else finest)]
    second.append(second[0] if exact else others_noise.at(other, 2 * finest))
    # a path that fails in one run is left out of all
    good = common_paths([*ladder, *second])
    names = [*variables, *quantity_names, *([] if kind == "weak" else ["configuration"])]
    at = _Differences(
        system, [_ends(r, good) for r in ladder], [_ends(r, good) for r in second], names, variables, kind
    )
    fine = [at.own(k) for k in range(levels + 1)]
    fine_other = [at.independent(k) for k in range(levels + 2)]
    others = at.of_the_other()
    # state and configuration may have different orders, since noise may reach them differently
    curves = []
    for name in fine[0]:
        order = declared_order(scheme, kind, noise if name in (Difference.STATE, *variables) else placed)
        curves.append(
            curve_of(name, kind, steps, t_end - t_start, [f[name] for f in fine], [f[name] for f in fine_other],
                     others[name], order, tolerance, law)
        )  # fmt: skip
    return Convergence(
        type(system).__name__, scheme.label, other.label, kind, noise, "no noise" if noise == "none" else classification.reason,
        steps, finest, float(t_start), float(t_end), count, int(np.count_nonzero(~good)), seed, law,
        tolerance, tuple(curves),
    )  # fmt: skip


def _quantities(system: SystemDefinition, kind: Kind, requested: Sequence[str]) -> list[str]:
    return list(
        dict.fromkeys(
            [*arguments.validated_names("quantities", requested), *(system.observables() if kind == "weak" else ())]
        )
    )


def _stored(system: SystemDefinition) -> list[str]:
    from semidirect.expressions import component_names

    return list(component_names.grouped(NumericalSDE.of(system).coordinates))


def _ends(run: RunData, good: np.ndarray) -> dict[str, np.ndarray]:
    return {name: run[name][good, -1] for name in run}


@dataclass(frozen=True)
class _Differences:
    """Differences between the ends of the runs of a ladder, by quantity, the whole state first."""

    system: SystemDefinition
    ladder: list[dict[str, np.ndarray]]
    second: list[dict[str, np.ndarray]]
    names: list[str]
    variables: list[str]
    kind: Kind

    def own(self, k: int) -> dict[str, Difference]:
        """Errors of step k from the finest solution of the same method."""
        return self._of(self.ladder[k], self.ladder[-1])

    def independent(self, k: int) -> dict[str, Difference]:
        """Errors of step k from the finest solution of the other method."""
        return self._of(self.ladder[k], self.second[0])

    def of_the_other(self) -> dict[str, Difference]:
        """The change of the other method's solution when its fine step is halved."""
        return self._of(self.second[1], self.second[0])

    def _of(self, first: dict[str, np.ndarray], second: dict[str, np.ndarray]) -> dict[str, Difference]:
        differences = Difference.by_name(self.system.group, first, second, self.names, labels.units_of(self.system))
        whole = Difference.of_state({v: differences[v] for v in self.variables or differences})
        rest = {k: v for k, v in differences.items() if k not in self.variables or len(self.variables) > 1}
        return {Difference.STATE: whole, **rest}
