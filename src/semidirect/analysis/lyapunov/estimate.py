"""Benettin's algorithm: tangent vectors of the steps themselves, re-orthonormalised at intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis.lyapunov.orthonormal import orthonormal
from semidirect.analysis.lyapunov.spectrum import LyapunovSpectrum
from semidirect.core import arguments, errors
from semidirect.definition import a_system, in_scalars, start_in_scalars
from semidirect.model import sensitivities
from semidirect.random import drivers
from semidirect.specification import Formulation, names_moved_arguments, schedule, seeds
from semidirect.state import starting_time
from semidirect.statistics import batch_means
from semidirect.stepper import Stepper, stepper

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.engines import Execution
    from semidirect.integrators import Integrator
    from semidirect.model import NumericalSDE

__all__ = ["lyapunov"]

BASES = (0x4C79,)
"""The key of the seed of the first tangent vectors, which are independent of the noise."""
SETTLED = 8.0
"""Vectors have settled in so many times 1/gap: under noise, those of some paths take several times as long as those of most."""
DEPENDENT = 1e-10
"""A sine of the angle between a vector and the span of those before it, below which it consists of rounding errors."""


@names_moved_arguments
def lyapunov(
    system: SystemDefinition,
    *,
    t_end: float,
    dt: float,
    every: int = 10,
    exponents: int | None = None,
    configuration: bool = False,
    burn_in: float = 0.1,
    batches: int = 32,
    t_start: float | None = None,
    paths: int | None = None,
    seed: seeds.Seed = seeds.DEFAULT,
    method: str | Integrator | None = None,
    state: Mapping[str, Any] | None = None,
    driver: Any = None,
    execution: Execution | None = None,
) -> LyapunovSpectrum:
    """The Lyapunov exponents of the flow of a system under its noise.

    Tangent vectors are the derivatives of the numerical steps, exact to round-off, and grow or shrink by factors whose
    logarithms are averaged over time. The metric is that of the components of the state vector, and of the orthonormal basis e_i
    of the Lie algebra; exponents do not depend on it. Each quantity that is conserved has an exponent 0.

    In A form the state is (ξ, a, z), also off the constraint Aξ = b. The flow of these equations conserves Aξ − b for all ξ, so
    the exponents are those of the system on its constraint, and one exponent 0 for each row of A.

    The tangent vectors of each path begin as a basis of its own, drawn from the seed, so that those directions that have not yet
    settled differ from path to path. They settle at the rates by which neighbouring exponents differ: where these are small, more
    of the beginning is left out, up to half the time. Then the first of the rest are compared with the last.

    The result is a function of the arguments and the seed, to the last bit, and not of the number of threads.

    Parameters
    ----------
    system : System
    t_end, dt : float
        As for :meth:`.System.simulate`.
    every : int
        Steps from one re-orthonormalisation to the next; the number of all steps is a multiple of it.
    exponents : int, optional
        How many, from the largest on; default all.
    configuration : bool
        Whether the phase space contains the configuration, in body-fixed coordinates η = s⁻¹ δs, with which advected
        quantities move. By default it is that of the reduced equations: all components of momenta, advected quantities and
        internal states.
    burn_in : float
        The share of the time, at the beginning, that is left out at least.
    batches : int
        The rest is divided into at least so many batches, between which errors are estimated where there are fewer than 20
        paths, or one noise for all.
    t_start, paths, seed, method, state, driver, execution : optional
        As for :meth:`.System.simulate`.

    Raises
    ------
    InputError
        For invalid arguments, or a phase space of dimension 0.
    MethodError
        For equations that are not differentiable, and if vectors became parallel between two re-orthonormalisations.
    """
    a_system(system)
    configuration = arguments.validated_flag("configuration", configuration)
    burn_in, batches = batch_means.validated_batches("Lyapunov exponents", burn_in, batches)
    every = arguments.validated_whole("every", every, least=1)
    # bases are made orthonormal after a fixed number of steps, so these have to divide the run
    start, number = starting_time(t_start, t_end, state), seeds.number_of_seed(seed, state)
    if system._states_arrays:
        system, state, t_start = in_scalars(system), start_in_scalars(system, state), start
    first, last = schedule.steps_between(start, t_end, dt)
    if (last - first) % every:
        raise errors.InputError("the number of steps", expected=f"a multiple of every={every}", got=str(last - first))
    # the tangent vectors are sensitivities, which the stepper carries with each path
    names, size, constraints = _directions(system, configuration, exponents)
    formulation = Formulation(reconstruct=configuration, sensitivity=names)
    flock = stepper(
        system, dt=dt, t_start=t_start, paths=paths, seed=number, method=method, state=state, driver=driver,
        execution=execution, formulation=formulation,
    )  # fmt: skip
    # a full set of exponents sums to the mean divergence, which is measured beside it as a check
    count, intervals = len(names), (last - first) // every
    compared = not configuration and count == size
    flock.replace_tangents(_bases(seeds.derived_seed(number, *BASES), flock.paths, size, count))
    # errors are those of batch means, since rates of one path are correlated in time
    groups, interval = batch_means.Batches.of(intervals, burn_in, batches), every * float(dt)
    sums = batch_means.BatchSums(groups, (count + 1 + 2 * compared, flock.paths))
    for rows in _growth(flock, every, intervals, interval, compared):
        sums.add(rows)
    averages = settled_averages(sums, groups, interval, intervals, count, one_noise=drivers.driver_of(driver).one_noise)
    return LyapunovSpectrum(
        type(system).__name__, flock.method.label, averages, count, size, float(start), float(t_end), float(dt), every, number,
        constraints,
    )  # fmt: skip


def _bases(seed: int, paths: int, size: int, count: int) -> np.ndarray:
    """Orthonormal vectors ``(count, size, paths)`` of random directions; those of a path do not depend on how many there are."""
    normals = np.random.default_rng(seed).standard_normal((paths, size, count))
    return np.ascontiguousarray(np.linalg.qr(normals)[0].transpose(2, 1, 0))


def settled_averages(
    sums: batch_means.BatchSums,
    groups: batch_means.Batches,
    interval: float,
    intervals: int,
    count: int,
    *,
    one_noise: bool,
) -> batch_means.BatchMeans:
    """The averages without those batches in which vectors may not have settled, of at most half of all intervals."""
    averages = batch_means.BatchMeans.of_batches(groups, interval, sums, one_noise=one_noise)
    unsettled = math.ceil(_time_to_settle(averages, count) / interval)
    late = max(min(unsettled, intervals // 2) - groups.skipped, 0) // max(groups.length, 1)
    return (
        averages if late == 0 else batch_means.BatchMeans.of_batches(groups, interval, sums, late, one_noise=one_noise)
    )


def _time_to_settle(averages: batch_means.BatchMeans, count: int) -> float:
    """In which the vectors of neighbouring exponents are aligned; exponents that errors do not separate may be equal,
    and then their vectors need not settle.
    """
    exponents, error = averages.mean[:count], averages.plain_error[:count]
    gaps = np.abs(np.diff(exponents))
    apart = gaps[gaps > np.hypot(error[1:], error[:-1])]
    return SETTLED / float(apart.min()) if len(apart) and np.isfinite(apart).all() else 0.0


def _growth(flock: Stepper, every: int, intervals: int, interval: float, compared: bool) -> Any:
    """The rates of each interval ``(rows, paths)``: of the tangent vectors, their sum and, if compared, the divergence and the
    difference.
    """
    rate = flock.mean_divergence() if compared else None
    for _ in range(intervals):
        basis = orthonormal(flock.advance(steps=every).tangents())
        good = flock.status == 0
        if every > 1 and (basis.independence[:, good] < DEPENDENT).any():
            raise errors.MethodError(
                f"tangent vectors became parallel within {every} steps",
                where=f"t = {flock.t:g}",
                hint="Give a smaller every=, or fewer exponents=.",
            )
        flock.replace_tangents(basis.vectors)
        with np.errstate(all="ignore"):
            rates = np.log(basis.lengths) / interval
        rows = [*rates, rates.sum(axis=0)]
        if rate is not None:
            before, rate = rate, flock.mean_divergence()
            rows += [(before + rate) / 2, rows[-1] - (before + rate) / 2]
        yield np.where(good, np.array(rows), np.nan)


def _directions(system: SystemDefinition, configuration: bool, exponents: int | None
                ) -> tuple[Sequence[str], int, int]:  # fmt: skip
    """The names of as many directions as exponents, the dimension of the phase space, and the rows of a constraint in A form."""
    model: NumericalSDE = Formulation(reconstruct=configuration).model(system)
    size = model.phase_dimension
    if not size:
        raise errors.InputError(
            "the phase space of Lyapunov exponents",
            expected="momenta, advected quantities or internal states",
            got="none",
            hint="Give configuration=True.",
        )
    count = size if exponents is None else arguments.validated_whole("exponents", exponents, least=1, most=size)
    names = [d.label for d in sensitivities.directions(model)["state" if configuration else "components"]]
    return names[:count], size, model.structure.shape.residual
