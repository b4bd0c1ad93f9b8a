"""Giles' algorithm: as many levels as the bias needs, as many paths on each as the variances ask for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis.advice.rates import rates_at_start
from semidirect.analysis.method_compatibility import declared_order, refuse_what_has_no_order
from semidirect.analysis.multilevel.level import Level
from semidirect.analysis.multilevel.orders import (
    bias_of,
    event_size,
    unseen,
    used_variance_order,
    used_weak_order,
    variance_bounds,
    variance_order,
    weak_order,
)
from semidirect.analysis.multilevel.result import Multilevel
from semidirect.analysis.multilevel.sampler import Sampler
from semidirect.analysis.nested_runs import NestedRuns
from semidirect.core import arguments, errors
from semidirect.definition import a_system
from semidirect.engines import Execution
from semidirect.integrators import integrator
from semidirect.model import NoiseClass, NumericalSDE
from semidirect.quantities import Quantities
from semidirect.random import Wiener, drivers
from semidirect.specification import default_method, names_moved_arguments, schedule
from semidirect.state import InitialState, starting_time
from semidirect.statistics import Dependence

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.specification import MethodLike

__all__ = ["multilevel"]

FIRST_LEVELS = 3
"""The mean of the last differences shows the bias, and at least two of them its order."""
PILOT = 100
"""Paths with which a level begins."""
ENOUGH = 1.01
"""More paths are made where a level has fewer than the optimum by this factor."""
NEGLIGIBLE = 0.1
"""The part of the error asked for that a mean of differences which were not seen may have."""
STEPS_PER_RATE = 4
"""Steps of the first level in the time 1/rate of the fastest motion at the start."""
MOST_LEVELS = 20
MOST_PATHS = 1e12
"""On one level: no computer makes more."""


@names_moved_arguments
def multilevel(
    system: SystemDefinition,
    quantity: str,
    *,
    t_end: float,
    rmse: float,
    dt: float | None = None,
    t_start: float | None = None,
    method: MethodLike | None = None,
    state: Mapping[str, Any] | None = None,
    driver: Any = None,
    seed: int = 0,
    levels: int = 12,
    execution: Execution | None = None,
) -> Multilevel:
    """The mean of a quantity at t_end with a root mean square error of at most ``rmse``, by multilevel Monte Carlo.

    E Q_L = E Q_0 + Σ E[Q_l − Q_{l−1}], each mean from paths of its own, with steps dt, dt/2, …; both values of a difference
    belong to one Brownian path, so that few fine paths suffice. The numbers of paths minimise the cost in steps for half of
    rmse² as variance; levels are added until the bias, from the means of the last levels and their order, is below the other half
    (M. B. Giles, Multilevel Monte Carlo path simulation, Operations Research 56, 2008). The cost is proportional to rmse⁻² if the
    variances fall faster than the steps, as they do where the strong order is above ½.

    The result is a function of the arguments and the seed, to the last bit, and not of the number of threads.

    Parameters
    ----------
    system : System
    quantity : str
        A scalar: an observable, a component such as ``Omega1``, or an expression.
    t_end, t_start : float
        As for :meth:`.System.simulate`; the quantity is taken at t_end [s].
    rmse : float
        The error asked for, in the unit of the quantity.
    dt : float, optional
        The step of the first level [s]; default about a quarter of the time 1/rate of the fastest motion at the start.
    method, state, driver, seed, execution : optional
        As for :meth:`.System.simulate`.
    levels : int
        Largest number of levels, at least 3.

    Raises
    ------
    InputError
        For invalid arguments, if too many paths fail, or if the bias needs more levels.
    MethodError
        For a method whose steps of different length cannot share a Brownian path.
    """
    a_system(system)
    rmse = arguments.validated_number("rmse", rmse, expected="a positive number", positive=True)
    seed, most = (
        arguments.validated_seed(seed),
        arguments.validated_whole("levels", levels, least=FIRST_LEVELS, most=MOST_LEVELS),
    )
    model, drive = NumericalSDE.of(system), drivers.driver_of(driver)
    scheme = default_method(system, model, noisy=drive.moves).method if method is None else integrator(method)
    _refuse_what_cannot_be_sampled(system, scheme, drive)
    start = starting_time(t_start, t_end, state)
    start, t_end = schedule.span_of(start, t_end)
    _refuse_starts_by_path(InitialState.of(system, state, t=start, model=model).paths)
    if dt is None:
        dt = _first_step(t_end - start, STEPS_PER_RATE * rates_at_start(system, state, start).fastest, start)
    first, last = schedule.steps_between(start, t_end, dt)
    name = _scalar(system, quantity)
    runs = NestedRuns(system, t_end, dt, 1, seed, state, drive, (name,), "final", Execution.of(execution), start)
    sampler = Sampler(runs, scheme, name, last - first)
    order = declared_order(scheme, "weak", NoiseClass.of(NumericalSDE.of(system)).with_configuration) or 1.0
    samples, alpha, beta = _sampled(sampler, rmse, most, order)
    statistical = _statistical_error(samples, beta)
    half = 0.5 * (rmse * rmse)  # which may be 0 or infinite, where a power raises an error
    plain = max(1, math.ceil(samples[-1].value_variance / half)) if half else 1
    unit = Quantities.of(system, model, [name]).units.get(name, "")
    return Multilevel(
        type(system).__name__, name, unit, scheme.label, sum(x.mean for x in samples), statistical, bias_of(samples, alpha), rmse,
        weak_order(samples), variance_order(samples), tuple(samples), float(start), float(t_end), seed, plain,
        plain * (last - first) * 2 ** (len(samples) - 1),
    )  # fmt: skip


def _sampled(sampler: Sampler, rmse: float, most: int, order: float) -> tuple[Sequence[Level], float, float]:
    """Levels with as many paths as needed, and the orders of means and variances that were used."""
    levels = [sampler.empty(number) for number in range(FIRST_LEVELS)]
    targets, round_ = np.full(FIRST_LEVELS, PILOT), 0
    while True:
        for number, level in enumerate(levels):
            lacking = int(targets[number]) - level.paths
            if lacking > 0 and targets[number] > ENOUGH * level.paths:
                levels[number] = sampler.more(number, level, lacking, round_)
        round_ += 1
        alpha, beta = used_weak_order(levels, order), used_variance_order(levels, order)
        targets = _needed(levels, beta, rmse)
        if np.any(targets > ENOUGH * np.array([x.paths for x in levels])):
            continue
        if bias_of(levels, alpha) <= rmse / math.sqrt(2):
            return levels, alpha, beta
        if len(levels) == most:
            raise errors.InputError(
                "the bias of the finest step is too large", expected=f"at most {rmse / math.sqrt(2):.2g}",
                got=f"{bias_of(levels, alpha):.2g} at dt = {levels[-1].dt:g}, level {most}",
                hint="Allow more levels, begin with a smaller dt, or ask for a larger rmse.",
            )  # fmt: skip
        levels.append(sampler.empty(len(levels)))
        targets = np.maximum(_optimal(levels, beta, rmse), np.array([x.paths for x in levels]))
        targets[-1] = max(targets[-1], PILOT)


def _needed(levels: Sequence[Level], beta: float, rmse: float) -> np.ndarray:
    """The numbers of paths for the variance; first twice as many where few differences were seen and others may matter."""
    paths = np.array([x.paths for x in levels])
    others = np.array([unseen(levels, number) for number in range(len(levels))])
    few = others > NEGLIGIBLE * rmse
    if not few.any():
        return _optimal(levels, beta, rmse)
    if not np.max(others * paths / (NEGLIGIBLE * MOST_PATHS)) < rmse:
        raise errors.InputError("rmse", expected=f"an error that {MOST_PATHS:.0e} paths reach", got=f"{rmse:.3g}")
    return np.where(few, 2 * paths, paths)


def _statistical_error(levels: Sequence[Level], beta: float) -> float:
    """The standard error of the sum of the means; where few differences were seen, with the bound of their variance."""
    bounds = variance_bounds(levels, beta)
    variances = [
        b if event_size(levels, i) and unseen(levels, i) else x.variance for i, (x, b) in enumerate(zip(levels, bounds))
    ]
    return math.sqrt(sum(v / x.paths for v, x in zip(variances, levels, strict=True)))


def _first_step(span: float, rate: float, start: float) -> float:
    """A step of at most 1/rate: a dyadic part of the time, or a dyadic number of seconds for a run that begins later."""
    if not 0 < rate < math.inf:  # nothing moves at the start, or the rate is not known
        return span
    if start == 0:
        return math.ldexp(span, -max(0, math.ceil(math.log2(span) + math.log2(rate))))
    return math.ldexp(1.0, -math.ceil(math.log2(rate)))


def _optimal(levels: Sequence[Level], beta: float, rmse: float) -> np.ndarray:
    """The numbers of paths that reach a variance of rmse²/2 at the least cost."""
    variances, costs = variance_bounds(levels, beta), np.array([float(x.steps) for x in levels])
    total = float(np.sum(np.sqrt(variances * costs)))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        counts = np.ceil(2 / np.float64(rmse) ** 2 * np.sqrt(variances / costs) * total)
    if total > 0 and not np.max(counts) < MOST_PATHS:
        raise errors.InputError("rmse", expected=f"an error that {MOST_PATHS:.0e} paths reach", got=f"{rmse:.3g}")
    return np.where(variances > 0, counts, 0).astype(np.int64)


def _refuse_what_cannot_be_sampled(system: SystemDefinition, method: Integrator, driver: Any) -> None:
    if system.workings.paths is not None:
        raise errors.InputError("parameters per path", got=f"{system.workings.paths} paths", expected="one system",
                                hint="Estimate each of them on its own: system.at_path(i).")  # fmt: skip
    if not driver.random or not NumericalSDE.of(system).wieners:
        got = "a system without noise" if driver.random else "a driver that is not random"
        raise errors.InputError("a mean over paths needs noise", got=got, hint="One run gives the value.")
    if isinstance(driver, Wiener) and driver.path is not None:
        raise errors.InputError(
            "a mean over paths needs independent noises",
            got=f"path={driver.path} for all of them",
            hint="Paths with one noise are one sample: leave path= out, or simulate that path alone.",
        )
    Dependence(replications=driver.replications).refuse("the paths of multilevel Monte Carlo")
    if method.weak or driver.shared(1.0) is None:
        raise errors.MethodError(f"{method.label} with three-point increments has no paths that steps of different length share",
                                 hint="Use normal increments and a method with a strong order, such as lie-heun.")  # fmt: skip
    refuse_what_has_no_order(method, "strong", NoiseClass.of(NumericalSDE.of(system)).with_configuration)


def _refuse_starts_by_path(paths: int) -> None:
    if paths > 1:
        raise errors.InputError("starts per path", got=f"{paths} paths", expected="one start",
                                hint="Estimate each of them on its own.")  # fmt: skip


def _scalar(system: SystemDefinition, quantity: str) -> str:
    """The quantity, if it has one component."""
    contents = Quantities.of(system, NumericalSDE.of(system), None)
    if not isinstance(quantity, str) or quantity not in contents.everything:
        arguments.validated_name("quantity", quantity, contents.everything)
        raise contents.unknown("quantity", quantity)
    rows = len(contents.everything[quantity])
    if rows != 1:
        raise errors.InputError(
            "the quantity of a multilevel estimate",
            expected="a scalar",
            got=f"{rows} of {quantity}",
            hint=f"Name a component, such as {quantity}1, or an expression such as 'norm({quantity})'.",
        )
    return quantity
