"""Benettin's algorithm: tangent vectors of the steps themselves, re-orthonormalised at intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis.lyapunov.spectrum import LyapunovSpectrum
from semidirect.core.arguments import validated_flag, validated_whole
from semidirect.core.errors import InputError, MethodError
from semidirect.core.moved_arguments import names_moved_arguments
from semidirect.definition.kinds import a_system
from semidirect.ensemble.formulation import Formulation
from semidirect.ensemble.reductions.batch_means import Batches, BatchMeans, BatchSums, validated_batches
from semidirect.ensemble.schedule import steps_between
from semidirect.ensemble.seeds import DEFAULT, Seed, number_of_seed
from semidirect.ensemble.stepper import Stepper, stepper
from semidirect.ensemble.tangent_vectors import orthonormal, phase_dimension
from semidirect.model.directions import directions
from semidirect.state.final import starting_time

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.ensemble.execution import Execution
    from semidirect.integrators.integrator import Integrator
    from semidirect.model.numerical_sde import NumericalSDE

__all__ = ["lyapunov"]

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
    seed: Seed = DEFAULT,
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
        The share of the time, at the beginning, that is left out.
    batches : int
        The rest is divided into at least so many batches, between which errors are estimated where there are fewer than 20 paths.
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
    configuration = validated_flag("configuration", configuration)
    burn_in, batches = validated_batches("Lyapunov exponents", burn_in, batches)
    every = validated_whole("every", every, least=1)
    start = starting_time(t_start, t_end, state)
    first, last = steps_between(start, t_end, dt)
    if (last - first) % every:
        raise InputError("the number of steps", expected=f"a multiple of every={every}", got=str(last - first))
    names, size, constraints = _directions(system, configuration, exponents)
    formulation = Formulation(reconstruct=configuration, sensitivity=names)
    flock = stepper(
        system, dt=dt, t_start=t_start, paths=paths, seed=seed, method=method, state=state, driver=driver,
        execution=execution, formulation=formulation,
    )  # fmt: skip
    count, intervals = len(names), (last - first) // every
    compared = not configuration and count == size
    begin = np.linalg.qr(np.random.default_rng(0).standard_normal((size, count)))[0].T
    flock.replace_tangents(np.repeat(begin[:, :, None], flock.paths, axis=2))
    groups, interval = Batches.of(intervals, burn_in, batches), every * float(dt)
    sums = BatchSums(groups, (count + 1 + 2 * compared, flock.paths))
    for rows in _growth(flock, every, intervals, interval, compared):
        sums.add(rows)
    averages = BatchMeans.of(groups, interval, sums.mean.T, sums.squares.T, sums.between.T)
    return LyapunovSpectrum(
        type(system).__name__, flock.method.label, averages, count, size, float(start), float(t_end), float(dt), every,
        number_of_seed(seed, state), constraints,
    )  # fmt: skip


def _growth(flock: Stepper, every: int, intervals: int, interval: float, compared: bool) -> Any:
    """The rates of each interval ``(rows, paths)``: of the tangent vectors, their sum and, if compared, the divergence and the
    difference.
    """
    rate = flock.mean_divergence() if compared else None
    for _ in range(intervals):
        found = orthonormal(flock.advance(steps=every).tangents())
        good = flock.status == 0
        if every > 1 and (found.independence[:, good] < DEPENDENT).any():
            raise MethodError(
                f"tangent vectors became parallel within {every} steps",
                where=f"t = {flock.t:g}",
                hint="Give a smaller every=, or fewer exponents=.",
            )
        flock.replace_tangents(found.vectors)
        with np.errstate(all="ignore"):
            rates = np.log(found.lengths) / interval
        rows = [*rates, rates.sum(axis=0)]
        if rate is not None:
            before, rate = rate, flock.mean_divergence()
            rows += [(before + rate) / 2, rows[-1] - (before + rate) / 2]
        yield np.where(good, np.array(rows), np.nan)


def _directions(system: SystemDefinition, configuration: bool, exponents: int | None
                ) -> tuple[Sequence[str], int, int]:  # fmt: skip
    """The names of as many directions as exponents, the dimension of the phase space, and the rows of a constraint in A form."""
    model: NumericalSDE = Formulation(reconstruct=configuration).model(system)
    size = phase_dimension(model)
    if not size:
        raise InputError("the phase space of Lyapunov exponents", expected="momenta, advected quantities or internal states",
                         got="none", hint="Give configuration=True.")  # fmt: skip
    count = size if exponents is None else validated_whole("exponents", exponents, least=1, most=size)
    names = [d.label for d in directions(model)["state" if configuration else "components"]]
    return names[:count], size, model.structure.shape.residual
