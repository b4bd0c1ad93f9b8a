"""Parameters of a system from data: the maximum of the likelihood that a filter estimates."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.arguments import validated_number, validated_seed, validated_whole
from semidirect.core.errors import FilterWarning, InputError
from semidirect.definition.kinds import a_system
from semidirect.ensemble.seeds import derived_seed
from semidirect.inference.filter import filter
from semidirect.inference.fitted import Fitted
from semidirect.inference.free_parameters import FreeParameters
from semidirect.inference.maximum import Maximum, maximise
from semidirect.inference.start import Prior
from semidirect.inference.surface import Surface
from semidirect.model.numerical_sde import numerical_sde

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.ensemble.execution import Execution
    from semidirect.inference.extended_kalman import ExtendedKalman
    from semidirect.inference.observation import Observation
    from semidirect.inference.update import Update
    from semidirect.integrators.integrator import Integrator

__all__ = ["fit"]

_log = logging.getLogger(__name__)


def fit(system: SystemDefinition, observation: Observation | Sequence[Observation], data: Any, over: Sequence[str] | str, *,
        dt: float, bounds: Mapping[str, Any] | None = None, level: float = 0.95, replicates: int = 3,
        particles: int = 1000, seed: int = 0, state: Prior | None = None, t_start: float = 0.0,
        method: str | Integrator | None = None, driver: Any = None, update: str | Update | ExtendedKalman = "particles",
        execution: Execution | None = None) -> Fitted:  # fmt: skip
    """Parameters that maximise the likelihood of data, with confidence intervals.

    The likelihood is that of :func:`~semidirect.filter`, with the same random numbers for all values of the parameters. A
    search by quadratic functions, which average over noise, leads to the maximum, from the values of the system. There a
    quadratic function is fitted to the log-likelihoods of ``replicates`` seeds at points up to 1.5 standard errors away; its
    curvature is the observed information, and the maxima of the seeds differ by the error that is due to random numbers.

    Parameters
    ----------
    system : System
        The model; its values are where the search begins.
    observation, data
        As for :func:`~semidirect.filter`.
    over : sequence of str
        What to fit: ``"offset"``; an entry of an array, ``"noise1_3"``; an array, all of its entries that are not zero.
    dt : float
        Step [s].
    bounds : dict name → (low, high), optional
        Bounds of parameters, in addition to those that the system declares.
    level : float
        Level of the confidence intervals.
    replicates : int
        Number of seeds at the maximum. With one, errors that are common to all values of a seed remain unknown.
    particles, seed, state, t_start, method, driver, update, execution
        As for :func:`~semidirect.filter`. ``update="ensemble-kalman"`` needs far fewer particles and is smooth, but approximate;
        standard errors are then those of an approximate likelihood. ``sd.EnsembleKalmanUpdate(order=2)`` is more accurate.

    Raises
    ------
    UnknownNameError, InputError
        For parameters that do not exist, invalid arguments or data, and data that are impossible at the start of the search.

    Warns
    -----
    FilterWarning
        If an estimate is at a bound, the search did not converge, or random numbers dominate
        the standard error.
    """
    a_system(system)
    free = FreeParameters.of(system, over, bounds)
    share = validated_number("level", level, expected="a number between 0 and 1")
    if not 0 < share < 1:
        raise InputError("level", expected="a number between 0 and 1", got=f"{share:g}")
    count, seed = validated_whole("replicates", replicates, least=1), validated_seed(seed)
    shape = numerical_sde(system, variables="velocity").structure.shape
    options = {"dt": dt, "particles": particles, "state": state, "t_start": t_start, "method": method, "driver": driver,
               "update": update, "execution": execution, "quantities": [shape.variables[0].name]}  # fmt: skip

    def log_likelihood(point: np.ndarray, seed: int) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FilterWarning)
            value = filter(free.system_at(point), observation, data, seed=seed, **options).log_likelihood
        shown = zip(free.labels, free.values(point).tolist(), strict=True)
        _log.debug("log-likelihood %.3f at %s", value, ", ".join(f"{name} = {x:.6g}" for name, x in shown))
        return value

    first = log_likelihood(free.start, seed)  # whose errors are those of the arguments
    if not np.isfinite(first):
        raise InputError("the log-likelihood at the start of the search", expected="a finite number", got="nan or ∞",
                         hint="Begin with other values of the parameters.")  # fmt: skip
    surface = Surface(_where_defined(log_likelihood), free.lower, free.upper)
    surface.record(free.start, seed, first)
    seeds = [seed, *(derived_seed(seed, i, 3) for i in range(1, count))]
    found = maximise(surface, free.start, free.scale, seeds)
    return _fitted(free, surface, seeds, found, share)


def _where_defined(function: Callable[[np.ndarray, int], float]) -> Callable[[np.ndarray, int], float]:
    """−∞ where no system has the parameters, and where data are impossible."""

    def value(point: np.ndarray, seed: int) -> float:
        try:
            found = function(point, seed)
        except InputError:
            return -np.inf
        return found if np.isfinite(found) else -np.inf

    return value


def _fitted(free: FreeParameters, surface: Surface, seeds: Sequence[int], found: Maximum, level: float) -> Fitted:
    from scipy.stats import norm

    slopes, declared = free.slopes(found.place), free.system.parameters()
    noise = found.noise * np.outer(slopes, slopes)
    total = found.covariance * np.outer(slopes, slopes) + np.where(np.isnan(noise), 0.0, noise)
    error = np.sqrt(np.diag(total))
    away = norm.ppf(0.5 + level / 2) * error / slopes
    ends = np.stack([np.maximum(found.place - away, free.lower), np.minimum(found.place + away, free.upper)], axis=1)
    heights = found.heights
    result = Fitted(
        system=free.system_at(found.place), names=free.labels,
        units=tuple(declared[name].unit for name, _ in free.places), estimate=free.values(found.place),
        standard_error=error, monte_carlo_error=np.sqrt(np.diag(noise)),
        interval=free.values(ends.T).T, level=level, covariance=total, log_likelihood=float(heights.mean()),
        log_likelihood_error=float(heights.std(ddof=1) / np.sqrt(len(heights))) if len(heights) > 1 else np.nan,
        points=free.values(np.array(surface.points)), replicates=np.array([seeds.index(seed) for seed in surface.seeds]),
        values=np.array(surface.values),
        at_bound=tuple(label for label, at in zip(free.labels, found.at_bound, strict=True) if at),
        converged=found.converged,
    )  # fmt: skip
    _warn(result)
    return result


def _warn(result: Fitted) -> None:
    said = []
    if not result.converged:
        said.append("the search did not converge: the likelihood has no maximum near the values that were tried, or its noise is "
                    "too large. Use more particles, update='ensemble-kalman', other starting values, or bounds")  # fmt: skip
    if result.at_bound:
        said.append(f"the estimate of {', '.join(result.at_bound)} is a bound, and has no standard error")
    if (result.monte_carlo_error > 0.7 * result.standard_error).any():
        said.append(
            "half of the variance of an estimate is due to random numbers of the filter. Use more particles or replicates"
        )
    for text in said:
        warnings.warn(FilterWarning(f"{text}."), stacklevel=4)
