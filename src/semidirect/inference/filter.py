"""Filters: the states of a system, given data of observations."""

from __future__ import annotations

import logging
import reprlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import (
    arguments,  # fmt: skip
    errors,
    warn_caller,
)
from semidirect.engines import Execution
from semidirect.inference.cloud import GENERATIONS, Cloud
from semidirect.inference.data import with_data
from semidirect.inference.ensemble_kalman import EnsembleKalmanUpdate
from semidirect.inference.extended_kalman import ExtendedKalman, KalmanPath
from semidirect.inference.filtered import Filtered
from semidirect.inference.invariance import invariance_of
from semidirect.inference.linearised import Make
from semidirect.inference.observation import Sight
from semidirect.inference.particle_update import ParticleUpdate
from semidirect.inference.sighting import Sighting
from semidirect.inference.start import Prior, started
from semidirect.inference.summary import ELEMENT, Summary
from semidirect.inference.update import Report, Streams, Update
from semidirect.inference.weights import mean, variances
from semidirect.machine import one_blas_thread
from semidirect.model import numerical_sde
from semidirect.quantities import Quantities
from semidirect.results import data_set
from semidirect.specification import Checks, Formulation, names_moved_arguments
from semidirect.stepper import Stepper, stepper

if TYPE_CHECKING:
    import xarray

    from semidirect.definition import SystemDefinition
    from semidirect.inference.observation import Observation
    from semidirect.specification import MethodLike

__all__ = ["filter"]

_log = logging.getLogger(__name__)

UPDATES: tuple[type[Update | ExtendedKalman], ...] = (ParticleUpdate, EnsembleKalmanUpdate, ExtendedKalman)

SURPRISING = 6.0
"""Standard deviations between data and their prediction beyond which a filter warns."""

MOST_ERROR = 0.3
"""Of a mean, in standard deviations: with a larger one, intervals of 90 % contain the truth in less than 87 %."""

MOST_CURVED = 0.15
"""Share of a variance that a quadratic function explains beyond which the assumptions of an ensemble Kalman filter are poor."""

FEWEST_FAMILIES, FEWEST_MOVED = 5, 0.1
"""With fewer families, of which less than this share of moves is accepted, their Monte Carlo error is not known."""


@names_moved_arguments
def filter(system: SystemDefinition, observation: Observation | Sequence[Observation], data: Any, *, dt: float,
           particles: int = 1000, seed: int = 0, state: Prior | None = None, t_start: float = 0.0,
           method: MethodLike | None = None, driver: Any = None, update: str | Update | ExtendedKalman = "particles",
           quantities: Sequence[str] | None = None, levels: Sequence[float] = (0.05, 0.5, 0.95), lag: int = 0,
           execution: Execution | None = None, columns: Mapping[str, str] | None = None) -> Filtered:  # fmt: skip
    """The distribution of the state at each time of data, given the data up to then.

    The result is a function of the arguments and the seed, identical to the last bit for any number of threads.

    Parameters
    ----------
    system : System
        The model. Parameters that differ from path to path are those of the particles.
    observation : Observation, or a list of them
        What the data are of.
    data : xarray.DataArray, pandas.DataFrame or (times, values), or a list of them
        Data of each observation, as of :meth:`.Observation.of`: values ``(T, marks, components)``, or ``(T, components)`` of one
        mark, at ascending times [s], multiples of ``dt``. Observations may have times of their own. Values with labels, columns
        of a table or coordinates of a ``DataArray``, are found by the names of what is observed, whatever their order. A table
        has a column ``time``.
    dt : float
        Step [s].
    particles : int
        Number of particles.
    seed : int
        Seed of all random numbers.
    state : dict, or callable(rng, particles) → dict; optional
        The start: values common to all particles or one per particle, as in :meth:`.System.simulate`; or a function that draws
        them. Names of parameters give parameters one value per particle. Default: the recommended state, which is then known.
    t_start : float
        Its time [s].
    method, driver
        As in :meth:`.System.simulate`.
    update : str, Update or ExtendedKalman
        How data are used: ``"particles"``, ``"ensemble-kalman"``, ``"extended-kalman"``, or an object:
        :class:`~semidirect.inference.ParticleUpdate`, :class:`~semidirect.inference.EnsembleKalmanUpdate`,
        :class:`~semidirect.ExtendedKalman`.
    quantities : list of names, optional
        State variables, observables and expressions to report, and ``"element"``, the configuration. Default: velocities,
        advected quantities and the configuration.
    levels : sequence of float
        Levels of the quantiles.
    lag : int
        Number of later times whose data are used for smoothed estimates.
    execution : Execution, optional
        Threads and engine.
    columns : dict quantity → label, optional
        The labels of observed quantities in the data, or of their components, where they are others than their names; ``"time"``
        stands for the times.

    Raises
    ------
    InputError, UnknownNameError, MethodError
        For invalid arguments or data, and for data that are impossible for all particles.

    Warns
    -----
    FilterWarning
        If the particles collapsed, or data are far from their prediction.
    """
    sights, sightings = with_data(system, observation, data, dt, t_start, columns)
    chosen, count = _update(update), arguments.validated_whole("particles", particles, least=2)
    seed, lag = arguments.validated_seed(seed), arguments.validated_whole("lag", lag, least=0, most=2**31 - 1)
    at = _levels(levels)
    if lag and not chosen.smooths:
        raise errors.MethodError(f"smoothing with update={chosen.name!r}", hint="Use update='particles'.")
    times = np.array([one.t for one in sightings])
    with one_blas_thread():
        ensemble, drawn = started(system, state, count, seed, dt=dt, t_start=t_start, method=method, driver=driver,
                                  execution=execution, last=round(times[-1] / dt))  # fmt: skip
        wanted = _wanted(ensemble.system, quantities)
        if isinstance(chosen, ExtendedKalman):
            make = partial(_again, system, dt=dt, seed=seed, method=method, driver=driver, execution=execution)
            return _extended(chosen, make, ensemble, sightings, sights, dt, wanted, at)
        cloud = Cloud(ensemble, wanted, drawn, followed=chosen.smooths)
        now, smoothed = Summary(system.group, at), Summary(system.group, at)
        reports: list[Report] = []
        roots: list[int] = []
        surprises: list[float] = []
        for number, sighting in enumerate(sightings):
            t, before = sighting.t, None
            cloud.resample()
            if round(ensemble.t / dt) < round(t / dt):
                before = ensemble.copy()
                ensemble.advance(t=t)
            found = sighting.values(ensemble)
            surprises.append(_surprise(sighting, found, np.where(ensemble.status == 0, cloud.weights, 0.0)))
            reports.append(chosen.assimilate(cloud, before, sighting, found, Streams(seed, number)))
            roots.append(cloud.generation().families())
            lineages = cloud.lineages() if chosen.smooths else []
            values = ensemble.values(wanted)
            weights = cloud.weights
            now.add(values, weights, lineages)
            if lag:
                cloud.past.append(dict(values))
                if len(cloud.past) > lag:
                    smoothed.add(cloud.past.popleft(), weights, lineages)
        while cloud.past:
            smoothed.add(cloud.past.popleft(), weights, lineages)
        collapses = _collapses(times, reports, roots, now.arrays(), min(count, FEWEST_FAMILIES))
        _warn(collapses, times, np.array(surprises), np.array([report.nonlinearity for report in reports]))
        arrays = now.arrays() | ({f"smoothed_{k}": v for k, v in smoothed.arrays().items()} if lag else {})
        return Filtered(_data_set(times, arrays, reports, surprises, roots, at, [t for t, _ in collapses]), collapses,
                        cloud.likelihood_error() if chosen.smooths else np.nan)  # fmt: skip


def _again(system: SystemDefinition, state: Any, t: float, paths: int, formulation: Formulation | None, **arguments: Any
           ) -> Stepper:  # fmt: skip
    """Paths from a state of the mean path, which a method that does not keep orbits or constraints leaves by its error."""
    return stepper(
        system, t_start=t, state=state, paths=paths, formulation=formulation, checks=Checks(validate=False), **arguments
    )


def _extended(chosen: ExtendedKalman, make: Make, ensemble: Stepper, sightings: Sequence[Sighting],
              sights: Sequence[Sight], dt: float, wanted: Mapping[str, Sequence[Any]], levels: np.ndarray
              ) -> Filtered:  # fmt: skip
    """The extended Kalman filter from the mean of an ensemble on."""
    state, covariance = chosen.start(ensemble)
    path, now = KalmanPath(make, state, ensemble.t, covariance), ensemble.t
    rows, reports, surprises = [], [], []
    for sighting in sightings:
        if sighting.t > now:
            path.advance(sighting.t)
        now = sighting.t
        report, surprise = path.assimilate(sighting)
        reports.append(report)
        surprises.append(surprise)
        rows.append(path.summary(wanted, levels))
    times = np.array([one.t for one in sightings])
    _warn((), times, np.array(surprises), np.array([np.nan]))
    arrays = {k: np.stack([row[k] for row in rows]) for k in rows[0]}
    data = _data_set(times, arrays, reports, surprises, [0] * len(times), levels, ())
    return Filtered(data.drop_vars(["effective_size", "nonlinearity", "stages", "acceptance", "ancestors"]), (), 0.0,
                    invariance_of(make, path.at, sights, dt))  # fmt: skip


def _update(given: str | Update | ExtendedKalman) -> Update | ExtendedKalman:
    if isinstance(given, Update | ExtendedKalman):
        return given
    known = {kind.name: kind for kind in UPDATES}
    if not (isinstance(given, str) and given in known):
        raise errors.UnknownNameError("update", given, known)
    return known[given]()


def _levels(levels: Any) -> np.ndarray:
    found = arguments.validated_array("levels", levels)
    if found.ndim != 1 or not len(found) or not ((found > 0) & (found < 1)).all():
        raise errors.InputError("levels", expected="numbers between 0 and 1", got=reprlib.repr(levels))
    return found


def _wanted(system: SystemDefinition, names: Sequence[str] | None) -> dict[str, Sequence[Any]]:
    """The rows of the quantities to report; those of the configuration are the coordinates of s."""
    model = numerical_sde(system)
    if names is None:
        shape = numerical_sde(system, variables="velocity").structure.shape
        names = [*shape.velocities, *model.definition.advected, ELEMENT]
    names = arguments.validated_names("quantities", names, least=1)
    contents = Quantities.of(system, model, [name for name in names if name != ELEMENT])
    return {name: model.coordinate_rows if name == ELEMENT else contents.everything[name] for name in names}


def _surprise(sighting: Sighting, found: Mapping[str, np.ndarray], weights: np.ndarray) -> float:
    """The largest distance of data from their prediction, in its standard deviations; nan where none are known."""
    alive, largest = weights > 0, np.nan
    if not alive.any():
        return largest
    if not alive.all():
        weights = weights[alive]
    w = weights / weights.sum()
    for sight, data in sighting.seen:
        rows, seen = sight.seen_values(data, found), sight.seen_rows(data)
        rows = rows if len(w) == len(alive) else rows[:, alive]
        predicted = mean(rows, w)
        variance = variances(rows, w, predicted) + sight.variances.ravel()[seen]
        z = np.abs(data.ravel()[seen] - predicted) / np.sqrt(variance)
        largest = np.fmax(largest, np.max(z[np.isfinite(z)], initial=-np.inf))
    return float(largest) if np.isfinite(largest) else np.nan


def _collapses(times: np.ndarray, reports: Sequence[Report], roots: Sequence[int], arrays: Mapping[str, np.ndarray],
               fewest: int) -> tuple[tuple[float, str], ...]:  # fmt: skip
    """When particles did not represent the distribution, and why: as updates report, where nearly all descend from one, were not
    moved and do not show their errors, and where means have a large Monte Carlo error.
    """
    found: dict[float, str] = {}
    unknown = np.zeros(len(times), dtype=bool)
    for name, error in arrays.items():
        if name.endswith("_error"):
            stem = name.removesuffix("_error")
            with np.errstate(invalid="ignore", divide="ignore"):
                ratio = np.mean(error / arrays[f"{stem}_sd"], axis=1)
            unknown |= np.isnan(error).any(axis=1)
            for i in np.flatnonzero(ratio > MOST_ERROR):
                found[times[i]] = f"the Monte Carlo error of {stem} is {ratio[i]:.2g} of its standard deviation"
    for t, report, count, hidden in zip(times, reports, roots, unknown, strict=True):
        if hidden and count < fewest and not report.acceptance > FEWEST_MOVED:
            found[t] = f"all particles descend from {count} of {GENERATIONS} times of data before"
        if report.collapse:
            found[t] = report.collapse
    return tuple((float(t), found[t]) for t in sorted(found))


def _warn(
    collapses: Sequence[tuple[float, str]], times: np.ndarray, surprises: np.ndarray, nonlinearity: np.ndarray
) -> None:
    if collapses:
        t, why = collapses[0]
        warn_caller(
            errors.FilterWarning(
                f"the particles collapsed at {len(collapses)} of {len(times)} times, first at t = {t:g} s: {why}. Intervals are "
                "too short from there on. Use more particles, or more moves: "
                "update=sd.inference.ParticleUpdate(moves=…, reach=…)."
            ),
        )
    curved = float(np.median(nonlinearity))
    if curved > MOST_CURVED:
        warn_caller(
            errors.FilterWarning(
                "states and data are not jointly normal, as this update assumes: a quadratic function of the data explains "
                f"{curved:.0%} of what the update leaves of a state or its square, in the median over times. Intervals and "
                "log-likelihoods are approximate. Use sd.inference.EnsembleKalmanUpdate(order=2), or update='particles'."
            ),
        )
    far = np.flatnonzero(np.nan_to_num(surprises) > SURPRISING)
    if len(far):
        i = int(far[0])
        warn_caller(
            errors.FilterWarning(
                f"data at {len(far)} of {len(times)} times are far from their prediction, first at t = {times[i]:g} s by "
                f"{surprises[i]:.3g} standard deviations. Check units, times and the model."
            ),
        )


def _data_set(times: np.ndarray, arrays: Mapping[str, np.ndarray], reports: Sequence[Report], surprises: Sequence[float],
              roots: Sequence[int], levels: np.ndarray, collapsed: Sequence[float]) -> xarray.Dataset:  # fmt: skip
    import xarray

    variables: dict[str, Any] = {}
    for name, values in arrays.items():
        if name.endswith("element_mean"):
            axes: tuple[str, ...] = ("time", "row", "column")
        elif name.endswith("element_covariance"):
            axes = ("time", "direction", "other_direction")
        else:
            values = values[..., 0] if values.shape[-1] == 1 else values
            level = ("quantile",) if name.endswith("_quantile") else ()
            axes = ("time", *level, *data_set.dims(values.shape[1 + len(level) :]))
        variables[name] = (axes, values)
    known = {
        "log_likelihood": "logarithm of the density of the data given those before",
        "effective_size": "effective number of particles that the data left",
        "nonlinearity": "share of what the update leaves of a state that a quadratic function of the data explains",
        "stages": "stages of tempering", "acceptance": "share of the moves that were accepted",
    }  # fmt: skip
    for name, words in known.items():
        variables[name] = (("time",), np.array([getattr(r, name) for r in reports]), {"long_name": words})
    words = "largest distance of data from their prediction, in standard deviations"
    variables["surprise"] = (("time",), np.array(surprises), {"long_name": words})
    words = f"particles of {GENERATIONS} times before from which all descend"
    variables["ancestors"] = (("time",), np.array(roots), {"long_name": words})
    variables["collapsed"] = (("time",), np.isin(times, collapsed))
    coords = {"time": (("time",), times, {"units": "s"}), "quantile": (("quantile",), levels)}
    return xarray.Dataset(variables, coords=coords)
