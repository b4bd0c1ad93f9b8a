"""Compares methods on a system for a purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from semidirect.analysis.advice.candidate import Candidate
from semidirect.analysis.advice.rates import Rates, rates_at_start
from semidirect.analysis.advice.recommendation import Recommendation
from semidirect.analysis.advice.trial import Change, Trial, sizes_of
from semidirect.analysis.method_compatibility import declared_order
from semidirect.core import arguments, errors, frozen
from semidirect.definition import in_scalars, start_in_scalars
from semidirect.integrators import METHODS, Lift, integrator
from semidirect.invariants import Constants
from semidirect.model import NoiseClass, NumericalSDE
from semidirect.random import drivers
from semidirect.specification import default_method, names_moved_arguments
from semidirect.statistics import Dependence

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.model import NumericalSDE

__all__ = ["GOALS", "Goal", "recommend"]

Goal = Literal["long-run", "strong", "weak", "deterministic"]
GOALS: tuple[Goal, ...] = get_args(Goal)
VARIANTS = ("milstein(areas)", "sdelab(0.5)", "lift(gauss(2))")
"""Methods with arguments that are compared beside the plain ones."""
FURTHEST = 1e6
"""How far a step may be from the time 1/rate of the fastest motion."""
WANTED = 1e-6
"""The relative error whose cost ranks methods of one order."""


@names_moved_arguments
def recommend(
    system: SystemDefinition,
    goal: Goal = "long-run",
    *,
    dt: float | None = None,
    state: Mapping[str, Any] | None = None,
    driver: Any = None,
    quantities: Sequence[str] = (),
) -> Recommendation:
    """Name methods for a system and a purpose, the best first.

    Constants are proved, along the drift and along each noise. Their changes by each method are measured in runs of eight
    steps with noise, of this length and of four and sixteen times it, from the start on; the cost of a step is counted.

    Parameters
    ----------
    system : System
    goal : {"long-run", "strong", "weak", "deterministic"}
        ``long-run``: it keeps most of what is constant to rounding, then most of what is constant without noise, then the least
        cost. ``strong``: the highest strong order for the class of the noise, then the least cost of a small error.
        ``weak``: the highest weak order, then what it keeps, then the least cost. ``deterministic``: the least cost of a
        small error without noise, or along a smooth path.
    dt : float, optional
        The step of the short runs [s]; by default a sixteenth of the time 1/rate of the fastest motion at the start.
    state : dict, optional
        Where they start, as of :meth:`.System.simulate`.
    driver : optional
        As of :meth:`.System.simulate`; with 0 nothing but the drift counts.
    quantities : sequence of str
        Quantities or expressions in addition to the observables.

    Raises
    ------
    InputError, UnknownNameError
        For arguments that cannot be used.
    MethodError
        If no method suits.
    """
    stated, system, state = system, in_scalars(system), start_in_scalars(system, state)
    objective: Goal = arguments.validated_name("goal", goal, GOALS)  # type: ignore[assignment]
    # parameters that differ from path to path have the same structure, so one path stands for all
    one = system.workings.of_one_path
    model, moves = NumericalSDE.of(one), drivers.driver_of(driver)
    Dependence(replications=moves.replications).refuse(
        "the driver of a recommendation, which looks at paths one by one"
    )
    noisy = moves.moves and model.wieners > 0 and objective != "deterministic"
    constants = Constants.of(one, arguments.validated_names("quantities", quantities), noise=noisy)
    rates = rates_at_start(one, state)
    step = rates.step if dt is None else _step(dt, rates)
    names = (*constants.along_all, *constants.along_drift)
    # every method makes the same short runs, so that their drifts can be compared
    trial = Trial(one, step, state, moves if noisy else drivers.driver_of(0), sizes_of(one, names, state, rates.step))
    noise = NoiseClass.of(NumericalSDE.of(one))
    placed = noise.name if noisy else "none"
    excluded: dict[str, str] = {}
    candidates = []
    # a method that does not apply stays in the answer with its reason
    for method in _methods(objective):
        try:
            candidate = _tried(
                method, trial, constants, placed, noise.with_configuration if noisy else "none", objective
            )
        except errors.MethodError as error:
            excluded[method.label] = str(error).split("\n")[0]
            continue
        if candidate is None:
            excluded[method.label] = "paths fail"
        else:
            candidates.append(candidate)
    if not candidates:
        raise errors.MethodError(
            f"no method suits {type(one).__name__} for {objective}", hint="Try a smaller step, dt=…."
        )
    candidates.sort(key=RANKS[objective])
    # what the first method does not keep is measured: no other keeps all
    first = integrator(candidates[0].method)
    lost = [n for n in constants.along_all if n not in candidates[0].keeps]
    # a matrix system has a method of its own, which multiplies matrices
    own = default_method(one, model, noisy=moves.moves)
    default = own if one._has_configuration or not stated._states_arrays else default_method(stated, noisy=moves.moves)
    return Recommendation(
        type(one).__name__,
        objective,
        placed,
        noise.reason if noisy else "nothing but the drift counts",
        _form(model),
        constants,
        rates,
        step,
        tuple(candidates),
        frozen.FrozenMapping({n: trial.drift(first, n) for n in lost}),
        frozen.FrozenMapping(excluded),
        default.method.label,
        default.reason,
    )


def _step(dt: float, rates: Rates) -> float:
    """A step in which something can be seen."""
    step = arguments.validated_number("dt", dt, positive=True, expected="a positive number")
    if not 1 / FURTHEST <= step * rates.fastest <= FURTHEST:
        expected = f"from {1 / FURTHEST:.0e} to {FURTHEST:.0e} times 1/rate, {1 / rates.fastest:.3g} s"
        raise errors.InputError(
            "dt", expected=expected, got=f"{step:.3g} s", hint="Leave it out: it follows from the rates at the start."
        )
    return step


def _methods(goal: Goal) -> Iterator[Integrator]:
    for name in (*(n for n in METHODS if n != Lift.name), *(() if goal == "long-run" else VARIANTS)):  # lift is rkmk4
        try:
            yield integrator(name)
        except errors.SemidirectError:  # of a package that cannot be loaded
            continue


def _tried(
    method: Integrator, trial: Trial, constants: Constants, noise: str, placed: str, goal: Goal
) -> Candidate | None:
    """The effects of a method; ``None`` if paths fail or it has no order for this purpose."""
    still = noise == "none"
    strong, weak = (declared_order(method, kind, placed) for kind in ("strong", "weak"))
    suits = {"strong": strong, "weak": weak, "long-run": method.preserves}
    if not suits.get(goal, still):
        lack = "declares to preserve nothing" if goal == "long-run" else f"has no {goal} order here"
        raise errors.MethodError(f"{method.label} {lack}", hint="Ask for another goal, or leave this method out.")
    changes = trial.changes(method, constants.along_all, still=still)
    if changes is None:
        return None
    alone = trial.changes(method, constants.along_drift, still=True) if goal == "long-run" else None
    lost = [change.size for change in (*changes.values(), *(alone or {}).values()) if not change.kept]
    return Candidate(
        method.label, _kept(changes), _kept(alone), max(lost, default=0.0), strong, weak, float(method.deterministic_order),
        trial.evaluations(method, still=still),
        trial.error(method, still=still) if goal in ("strong", "deterministic") else float("nan"),
        method.implicit, method.geometric, method.preserves,
    )  # fmt: skip


def _kept(changes: Mapping[str, Change] | None) -> tuple[str, ...]:
    return tuple(name for name, change in (changes or {}).items() if change.kept)


def _form(model: NumericalSDE) -> str:
    form = model.structure.shape.form
    if not model.system._has_configuration:
        return "the entries of a matrix that determine it"
    if form == "P":
        return (
            "momenta, no constraint"
            if model.moving_frame.is_whole
            else "momenta of a constraint with a basis, ξ = B u + c"
        )
    return f"velocities, constraint in the form {'Aξ = b' if form == 'A' else 'ξ = B u + c'}"


def _work(c: Candidate, order: float | None, error: float) -> float:
    """Evaluations for the wanted error over a time, up to a factor that is the same for all."""
    if not order or not np.isfinite(error):
        return float("inf")
    return c.evaluations * (error / WANTED) ** (1 / order)


RANKS: Mapping[Goal, Callable[[Candidate], Any]] = {
    "long-run": lambda c: (
        -len(c.keeps), -len(c.keeps_without_noise), _work(c, c.deterministic, c.change), c.evaluations, c.implicit,
    ),
    "strong": lambda c: (-(c.strong or 0.0), _work(c, c.strong, c.error), c.evaluations),
    "weak": lambda c: (-(c.weak or 0.0), -len(c.keeps), c.evaluations),
    "deterministic": lambda c: (c.evaluations == c.evaluations, _work(c, c.deterministic, c.error), c.evaluations),
}  # fmt: skip
