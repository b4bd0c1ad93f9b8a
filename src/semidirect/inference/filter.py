"""Filters: the states of a system, given data of observations."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import arguments, errors, messages
from semidirect.engines import Execution
from semidirect.inference.choose_update import update_of
from semidirect.inference.data import with_data
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.in_coordinates import in_coordinates
from semidirect.inference.inputs import Inputs
from semidirect.inference.reported_rows import reported_rows
from semidirect.inference.start import Prior, started
from semidirect.inference.update import Update
from semidirect.machine import one_blas_thread
from semidirect.specification import Checks, Formulation, names_moved_arguments
from semidirect.stepper import Stepper, stepper

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.inference.observation import Observation
    from semidirect.specification import MethodLike

__all__ = ["again", "filter", "levels_of"]

SURPRISING = 6.0
"""Standard deviations between data and their prediction beyond which a filter warns."""

MOST_CURVED = 0.15
"""Share of a variance that a quadratic function explains beyond which the assumptions of an ensemble Kalman filter are poor."""


@names_moved_arguments
def filter(system: SystemDefinition, observation: Observation | Sequence[Observation], data: Any, *, dt: float,
           particles: int = 1000, seed: int = 0, state: Prior | None = None, t_start: float = 0.0,
           method: MethodLike | None = None, driver: Any = None, update: str | Update = "particles",
           quantities: Sequence[str] | None = None, levels: Sequence[float] = (0.05, 0.5, 0.95), lag: int = 0,
           execution: Execution | None = None, columns: Mapping[str, str] | None = None, time: str | None = None,
           clock: Any = None, inputs: Inputs | None = None, smooth: bool = False,
           without: Sequence[float] = (), reject: float | None = None) -> Filtered:  # fmt: skip
    """The distribution of the state at each time of data, given the data up to then.

    The result is a function of the arguments and the seed, identical to the last bit for any number of threads.

    Parameters
    ----------
    system : System
        The model. Parameters that differ from path to path are those of the particles.
    observation : Observation, or a list of them
        The observation or observations of the data.
    data : xarray.DataArray or Dataset, pandas.DataFrame, file name or (times, values), or a list of them
        Data of each observation, as of :meth:`.Observation.of`: values ``(T, marks, components)``, or ``(T, components)`` of one
        mark, at ascending times. Observations may have times of their own. Values with labels, columns of a table or
        coordinates of a ``DataArray``, are found by the names of what is observed, whatever their order. A table, or a file
        ``.csv`` or ``.parquet`` of one, has a column ``time``, ``t`` or ``timestamp``. nan is a missing value.

        Times are seconds, dates or Unix times, and are used as they are. An interval between multiples of ``dt`` has steps of
        this length, any other one as few equal steps as are no longer.
    dt : float
        Longest step [s].
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
    update : str or Update
        How data are used: ``"particles"``, ``"ensemble-kalman"``, ``"extended-kalman"``, the name of an update of an installed
        package, or an object: :class:`~semidirect.inference.ParticleUpdate`,
        :class:`~semidirect.inference.EnsembleKalmanUpdate`, :class:`~semidirect.ExtendedKalman`.
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
    time : str, optional
        The label of the times in the data; short for ``columns={"time": …}``.
    clock : float, date or "first"; optional
        Which time of the data is t = 0. Default: the first time if the times are dates or Unix times, and else 0.
    inputs : dict table → column, or (data, dict); optional
        Tables of the system that were recorded: ``{"nodes": "time", "left": "wl"}`` takes the times and the column ``wl`` of the
        data of the first observation, or of data of their own, on the same clock.
    smooth : bool
        Whether estimates given all data are computed, too, ``smoothed_…``: of an extended Kalman filter, by the smoother of
        Rauch, Tung and Striebel in the form of Bryson and Frazier; of particles, by backward simulation, which needs noise in
        all directions of the state.
    without : sequence of float, optional
        Times [s] since t = 0 whose data are left out, such as those of outliers.
    reject : float, optional
        Data of times at which a value is further than so many standard deviations from its prediction are not used: outliers.

    Raises
    ------
    InputError, UnknownNameError, MethodError
        For invalid arguments or data, and for data that are impossible for all particles.

    Warns
    -----
    FilterWarning
        If the particles collapsed, or data are far from their prediction.
    """
    system, state = in_coordinates(system, state, update_of(update), smooth=smooth)
    # data first: inputs become tables of the system, whose equations then have them
    problem = with_data(system, observation, data, dt, t_start, columns, time, clock, inputs)
    system = system.replace(**problem.tables) if problem.tables else system
    sights, sightings = problem.sights, problem.without(without)
    rule, count = update_of(update), arguments.validated_whole("particles", particles, least=2)
    seed, lag = arguments.validated_seed(seed), arguments.validated_whole("lag", lag, least=0, most=2**31 - 1)
    at = levels_of(levels)
    # what an update cannot do raises an error before any path is run
    if lag and not rule.smooths:
        raise errors.MethodError(f"smoothing with update={rule.name!r}", hint="Use update='particles'.")
    if arguments.validated_flag("smooth", smooth) and not rule.looks_back:
        raise errors.MethodError(f"smooth=True with update={rule.name!r}", expected="an update that smooths over all data",
                                 hint="Use update='extended-kalman' or 'particles'.")  # fmt: skip
    most = np.inf if reject is None else arguments.validated_positive("reject", reject)
    if most < np.inf and not rule.rejects:
        raise errors.MethodError(f"reject= with update={rule.name!r}", expected="an update that leaves out data",
                                 hint="Leave out their times: without=[…].")  # fmt: skip
    if smooth and lag:
        raise errors.InputError("smooth and lag", expected="one of them", got="both")
    # matrices are small, and threads of BLAS would change the last bits of their products
    with one_blas_thread():
        ensemble, start = started(system, state, count, seed, dt=dt, t_start=t_start, method=method, driver=driver,
                                  execution=execution, last=math.ceil(sightings[-1].t / dt - 1e-6))  # fmt: skip
        make = partial(again, system, dt=dt, seed=seed, method=method, driver=driver,
                       execution=ensemble.execution)  # fmt: skip
        filtered = rule.filtered(FilterTask(system, ensemble, start, make, sights, sightings, dt, seed,
                                              reported_rows(ensemble.system, quantities), at, lag, smooth, most))  # fmt: skip
    filtered.data["time"].attrs.update(problem.origin.attributes())
    _warn(filtered)
    return filtered


def again(system: SystemDefinition, state: Any, t: float, paths: int, formulation: Formulation | None, **arguments: Any
           ) -> Stepper:  # fmt: skip
    """Paths from a state of the mean path, which a method that does not keep orbits or constraints leaves by its error."""
    return stepper(
        system, t_start=t, state=state, paths=paths, formulation=formulation, checks=Checks(validate=False), **arguments
    )


def levels_of(levels: Any) -> np.ndarray:
    """Levels of quantiles."""
    values = arguments.validated_array("levels", levels)
    if values.ndim != 1 or not len(values) or not ((values > 0) & (values < 1)).all():
        raise errors.InputError("levels", expected="numbers between 0 and 1", got=reprlib.repr(levels))
    return values


def _warn(filtered: Filtered) -> None:
    times, collapses, data = filtered.times, filtered.collapses, filtered.data
    if collapses:
        t, why = collapses[0]
        messages.warn_caller(
            errors.FilterWarning(
                f"the particles collapsed at {len(collapses)} of {len(times)} times, first at t = {t:g} s: {why}. Intervals are "
                "too short from there on. Use more particles, or moves over more intervals, which are dear: "
                "update=sd.inference.ParticleUpdate(reach=20)."
            ),
        )
    curved = float(np.median(data["nonlinearity"])) if "nonlinearity" in data else 0.0
    if curved > MOST_CURVED:
        messages.warn_caller(
            errors.FilterWarning(
                "states and data are not jointly normal, as this update assumes: a quadratic function of the data explains "
                f"{curved:.0%} of what the update leaves of a state or its square, in the median over times. Intervals and "
                "log-likelihoods are approximate. Use sd.inference.EnsembleKalmanUpdate(order=2), or update='particles'."
            ),
        )
    surprises = data["surprise"].values
    far = np.flatnonzero(np.nan_to_num(surprises) > SURPRISING)
    if len(far):
        i = int(far[0])
        messages.warn_caller(
            errors.FilterWarning(
                f"data at {len(far)} of {len(times)} times are far from their prediction, first at t = {times[i]:g} s by "
                f"{surprises[i]:.3g} standard deviations. Check units, times and the model."
            ),
        )
