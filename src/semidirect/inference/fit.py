"""Parameters of a system from data: the maximum of the likelihood that a filter estimates."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from semidirect.core import arguments, errors, messages
from semidirect.inference.choose_update import update_of
from semidirect.inference.confidence import Profile
from semidirect.inference.fitted import Fitted
from semidirect.inference.free_parameters import FreeParameters
from semidirect.inference.in_coordinates import in_coordinates
from semidirect.inference.inputs import Inputs
from semidirect.inference.maximum import Maximum, maximise
from semidirect.inference.recordings import Recordings
from semidirect.inference.reported_rows import with_observed
from semidirect.inference.search import highest, other_maxima
from semidirect.inference.smooth_maximum import maximise_smooth
from semidirect.inference.start import Prior
from semidirect.inference.surface import Surface
from semidirect.model import NumericalSDE
from semidirect.specification import names_moved_arguments, seeds

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.engines import Execution
    from semidirect.inference.filtered import Filtered
    from semidirect.inference.observation import Observation
    from semidirect.inference.update import Update
    from semidirect.integrators import Integrator

__all__ = ["fit"]

_log = logging.getLogger(__name__)

MOST_RETURNS = 3
"""To a point that is higher than a maximum, met on the way to the end of an interval."""


@names_moved_arguments
def fit(system: SystemDefinition, observation: Observation | Sequence[Observation], data: Any, over: Sequence[str] | str, *,
        dt: float, bounds: Mapping[str, Any] | None = None, starts: int | Sequence[Mapping[str, float]] = (),
        level: float = 0.95, replicates: int = 3, particles: int = 1000, seed: int = 0, state: Prior | None = None,
        t_start: float = 0.0, method: str | Integrator | None = None, driver: Any = None,
        update: str | Update = "particles", execution: Execution | None = None,
        columns: Mapping[str, str] | None = None, time: str | None = None, clock: Any = None,
        inputs: Inputs | None = None, reject: float | None = None,
        quantities: Sequence[str] | None = None) -> Fitted:  # fmt: skip
    """Parameters that maximise the likelihood of data, with confidence intervals.

    The likelihood is that of :func:`~semidirect.filter`, with the same random numbers for all values of the parameters. A
    search by quadratic functions, which average over noise, leads to the maximum, from the values of the system. Points far from
    it are tried, and the search begins again from one that is higher.

    With random numbers, a quadratic function is then fitted to the log-likelihoods of ``replicates`` seeds at points up to 1.5
    standard errors away; its curvature is the observed information, and the maxima of the seeds differ by the error that is
    due to random numbers. An extended Kalman filter from a known start has no random numbers: there the last steps are those
    of SciPy's L-BFGS-B, and no point that was evaluated is higher. The filter at the estimate comes last; its log-likelihood is
    stated, and its warnings are passed on.

    An end of an interval is where the log-likelihood, maximised over the other parameters, has fallen by z²/2, z the quantile
    of the level. The quadratic function is used where its ends agree with that.

    Parameters
    ----------
    system : System
        The model; its values are where the search begins.
    observation, data
        As for :func:`~semidirect.filter`. Of one observation, a list of data are several recordings; of several observations, a
        list of lists. Their log-likelihoods are added.
    over : sequence of str
        The parameters to fit: ``"offset"``; an entry of an array, ``"noise1_3"``; an array, all of its entries that are not zero.
    dt : float
        Step [s].
    bounds : dict name → (low, high), optional
        Bounds of parameters, in addition to those that the system declares.
    starts : sequence of dicts name → value, or int; optional
        Other values where searches begin, or how many to draw within the bounds, which all fitted parameters then need. Names
        that are left out have the values of the system. The highest maximum is the result.
    level : float
        Level of the confidence intervals.
    replicates : int
        Number of seeds at the maximum. With one, errors that are common to all values of a seed remain unknown. Not used where
        nothing is random.
    reject : float, optional
        Data of times at which a filter with the values of the system finds a value further than so many standard deviations from
        its prediction are left out: outliers. Begin with noise of the system that is rather too large.
    quantities : list of names, optional
        The quantities that the filter at the estimate reports, see :func:`~semidirect.filter`. Default: quantities observed by
        name, velocities, advected quantities and the configuration.
    particles, seed, state, t_start, method, driver, update, execution, columns, time, clock, inputs
        As for :func:`~semidirect.filter`. ``update="ensemble-kalman"`` needs far fewer particles and is smooth, but approximate;
        standard errors are then those of an approximate likelihood. ``sd.inference.EnsembleKalmanUpdate(order=2)`` is more
        accurate.

    Raises
    ------
    UnknownNameError, InputError
        For parameters that do not exist, invalid arguments or data, and data that are impossible at the start of the search.

    Warns
    -----
    FilterWarning
        If an estimate is at a bound, the data do not determine a parameter, there is another maximum, the search did not
        converge, random numbers dominate the standard error, or the filter at the estimate warns.
    """
    system, state = in_coordinates(system, state, update_of(update))
    free = FreeParameters.of(system, over, bounds)
    recordings = Recordings.of(observation, data, state, inputs)
    share = arguments.validated_number("level", level, expected="a number between 0 and 1")
    if not 0 < share < 1:
        raise errors.InputError("level", expected="a number between 0 and 1", got=f"{share:g}")
    count, seed = arguments.validated_whole("replicates", replicates, least=1), arguments.validated_seed(seed)
    begin = [free.start, *free.other_starts(starts, seed)]
    options = {"dt": dt, "particles": particles, "t_start": t_start, "method": method, "driver": driver,
               "update": update, "execution": execution, "columns": columns, "time": time, "clock": clock}  # fmt: skip
    recordings = recordings.rejecting(system, reject, seed, **options)
    reported = with_observed(system, observation) if quantities is None else quantities
    velocities = NumericalSDE.of(system, variables="velocity").structure.shape.variables[0].name

    def log_likelihood(point: np.ndarray, seed: int) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", errors.FilterWarning)
            value = recordings.log_likelihood(free.system_at(point), seed, quantities=[velocities], **options)
        pairs = zip(free.labels, free.values(point).tolist(), strict=True)
        _log.debug("log-likelihood %.3f at %s", value, ", ".join(f"{name} = {x:.6g}" for name, x in pairs))
        return value

    first = log_likelihood(free.start, seed)  # whose errors are those of the arguments
    if not np.isfinite(first):
        raise errors.InputError("the log-likelihood at the start of the search", expected="a finite number", got="nan or ∞",
                                hint="Begin with other values of the parameters.")  # fmt: skip

    smooth = not (update_of(update).random or recordings.drawn)

    def several(points: Sequence[np.ndarray], seed: int) -> list[float] | None:
        systems = [_system_at(free, point) for point in points] if smooth else []
        possible = [one for one in systems if one is not None]
        heights = recordings.log_likelihoods(possible, seed, **options) if possible else None
        if heights is None:
            return None
        results = iter(heights)
        return [_height(-np.inf if one is None else next(results)) for one in systems]

    surface = Surface(_where_defined(log_likelihood), free.lower, free.upper, several)
    surface.record(free.start, seed, first)
    draws = [seed] if smooth else [seed, *(seeds.derived_seed(seed, i, 3) for i in range(1, count))]
    outcome = _searched(free, surface, begin, draws, smooth, share)
    with warnings.catch_warnings(record=True) as announced:
        warnings.simplefilter("always", errors.FilterWarning)
        last = recordings.filtered(free.system_at(outcome.maximum.place), seed, quantities=reported, **options)
    result = _fitted(free, surface, draws, outcome, smooth, share, last, recordings.rejected)
    _warn(result, [str(message.message) for message in announced if isinstance(message.message, errors.FilterWarning)])
    return result


def _where_defined(function: Callable[[np.ndarray, int], float]) -> Callable[[np.ndarray, int], float]:
    """−∞ where no system has the parameters, and where data are impossible."""

    def value(point: np.ndarray, seed: int) -> float:
        try:
            return _height(function(point, seed))
        except errors.InputError:
            return -np.inf

    return value


def _height(log_likelihood: float) -> float:
    return log_likelihood if np.isfinite(log_likelihood) else -np.inf


def _system_at(free: FreeParameters, point: np.ndarray) -> SystemDefinition | None:
    """``None`` if no system has the parameters."""
    try:
        system: SystemDefinition = free.system_at(point)
    except errors.InputError:
        return None
    return system


class _Outcome(NamedTuple):
    """A maximum, others, intervals of coordinates, coordinates that the data do not determine, and how many evaluations were for
    the intervals.
    """

    maximum: Maximum
    others: list[Maximum]
    ends: np.ndarray
    undetermined: np.ndarray
    for_intervals: int


def _searched(free: FreeParameters, surface: Surface, starts: Sequence[np.ndarray], draws: Sequence[int], smooth: bool,
              level: float) -> _Outcome:  # fmt: skip
    """Search over the coordinates that change the likelihood."""
    flat = surface.flat(free.start, free.scale, draws[0])
    limits = np.stack([surface.lower, surface.upper], axis=1)
    if flat.all():
        return _Outcome(_nowhere(surface, free.start, draws), [], limits, flat, 0)
    part = surface.restricted(free.start, ~flat)

    def search(start: np.ndarray) -> Maximum:
        scale = free.scale[~flat]
        return maximise_smooth(part, start, scale, draws[0]) if smooth else maximise(part, start, scale, draws)

    begin, for_intervals = [start[~flat] for start in starts], 0
    for _ in range(MOST_RETURNS):
        maxima = highest(part, begin, draws[0], free.logarithmic[~flat], search)
        profile, before = Profile(part, maxima[0], draws, smooth), len(surface.values)
        ends, unbounded = profile.intervals(level)
        for_intervals += len(surface.values) - before
        if profile.higher is None:
            break
        begin = [profile.higher]
    best = maxima[0]
    undetermined = flat.copy()
    undetermined[~flat] = unbounded | best.undetermined
    limits[~flat] = np.where(undetermined[~flat, None], limits[~flat], ends)
    return _Outcome(
        best.embedded(free.start, ~flat),
        [one.embedded(free.start, ~flat) for one in other_maxima(maxima)],
        limits,
        undetermined,
        for_intervals,
    )


def _nowhere(surface: Surface, start: np.ndarray, draws: Sequence[int]) -> Maximum:
    """The start of a search over coordinates that change nothing."""
    unknown = np.full((len(start), len(start)), np.nan)
    return Maximum(start, np.array([surface(start, seed) for seed in draws]), unknown, unknown, np.zeros(len(start), dtype=bool),
                   False, unknown, np.full(len(start), np.nan))  # fmt: skip


def _fitted(free: FreeParameters, surface: Surface, draws: Sequence[int], outcome: _Outcome, smooth: bool, level: float,
            last: tuple[Filtered, ...], rejected: int) -> Fitted:  # fmt: skip
    best, parameters = outcome.maximum, free.system.workings.parameters()
    slopes = free.slopes(best.place)
    noise = best.noise * np.outer(slopes, slopes)
    total = best.covariance * np.outer(slopes, slopes) + np.where(np.isnan(noise), 0.0, noise)
    return Fitted(
        system=free.system_at(best.place), names=free.labels,
        units=tuple(parameters[name].unit for name, _ in free.places), estimate=free.values(best.place),
        standard_error=np.sqrt(np.diag(total)), monte_carlo_error=np.sqrt(np.diag(noise)),
        interval=free.ends(outcome.ends.T).T, level=level, covariance=total, log_likelihood=best.height,
        log_likelihood_error=0.0 if smooth else best.error / np.sqrt(len(best.heights)) if len(best.heights) > 1 else np.nan,
        points=free.values(np.array(surface.points)), replicates=np.array([draws.index(seed) for seed in surface.seeds]),
        values=np.array(surface.values), at_bound=_labels(free, best.at_bound), converged=best.converged,
        undetermined=_labels(free, outcome.undetermined), for_intervals=outcome.for_intervals,
        other_maxima=tuple((free.values(one.place), one.height) for one in outcome.others), filtered=last[0],
        recordings=last, rejected=rejected,
    )  # fmt: skip


def _labels(free: FreeParameters, which: np.ndarray) -> tuple[str, ...]:
    return tuple(label for label, at in zip(free.labels, which, strict=True) if at)


def _warn(result: Fitted, of_filter: Sequence[str]) -> None:
    texts = []
    if result.undetermined:
        names = ", ".join(result.undetermined)
        several = "some combination of " if len(result.undetermined) > 1 else ""
        texts.append(f"the data do not determine {several}{names}: the likelihood does not fall on both sides. Leave one of them "
                     "out, or observe more")  # fmt: skip
    elif not result.converged:
        texts.append("the search did not converge: the likelihood has no maximum near the values that were tried, or its noise "
                     "is too large. Use more particles, update='ensemble-kalman', other starting values, or bounds")  # fmt: skip
    if result.other_maxima:
        values, height = result.other_maxima[0]
        there = ", ".join(f"{name} = {x:.4g}" for name, x in zip(result.names, values.tolist(), strict=True))
        texts.append(f"the likelihood has another maximum, at {there}, with the log-likelihood {height:.2f} instead of "
                     f"{result.log_likelihood:.2f}")  # fmt: skip
    if result.at_bound:
        texts.append(
            f"the estimate of {', '.join(result.at_bound)} is a bound: it has no standard error, and a one-sided interval"
        )
    if (result.monte_carlo_error > 0.7 * result.standard_error).any():
        texts.append(
            "half of the variance of an estimate is due to random numbers of the filter. Use more particles or replicates"
        )
    for text in texts:
        messages.warn_caller(errors.FilterWarning(f"{text}."))
    for text in of_filter:
        messages.warn_caller(errors.FilterWarning(f"the filter at the estimate: {text}"))
