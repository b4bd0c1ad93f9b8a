"""A system with data as a state-space model of the package ``particles``: particle marginal Metropolis–Hastings and its other
algorithms that need no more than the bootstrap filter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast, final

import numpy as np

from semidirect.core import errors
from semidirect.definition import a_system
from semidirect.inference.data import with_data
from semidirect.inference.free_parameters import with_entries
from semidirect.inference.inputs import Inputs
from semidirect.inference.sighting import Sighting
from semidirect.inference.start import Prior, started
from semidirect.specification import names_moved_arguments

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.engines import Execution
    from semidirect.inference.observation import Observation
    from semidirect.specification import MethodLike
    from semidirect.stepper import Stepper

__all__ = ["state_space_model"]

IMPOSSIBLE = -1e300
"""The log-likelihood of data that no particle explains: ``particles`` has no use for −∞, by which weights are not defined."""


class ParticlesModel(Protocol):
    """A class of state-space models with its data, as :func:`state_space_model` makes it."""

    data: list[Sighting]

    def __call__(self, **parameters: float) -> Any:
        """The model with values of parameters, a ``particles.state_space_models.StateSpaceModel``."""

    def pmmh(self, **arguments: Any) -> Any:
        """A ``particles.mcmc.PMMH`` of the model and its data."""


@names_moved_arguments
def state_space_model(system: SystemDefinition, observation: Observation | Sequence[Observation], data: Any, *, dt: float,
                      state: Prior | None = None, t_start: float = 0.0, method: MethodLike | None = None,
                      driver: Any = None, execution: Execution | None = None,
                      columns: Mapping[str, str] | None = None, time: str | None = None, clock: Any = None,
                      inputs: Inputs | None = None
                      ) -> ParticlesModel:  # fmt: skip
    """A class of state-space models for the package ``particles``, whose parameters are those of a system.

    It is a subclass of ``particles.state_space_models.StateSpaceModel``. ``Model(radius=0.7, noise2=0.3)`` is the model with
    these values of parameters, named as in :func:`~semidirect.fit`, and those of the system for all others; ``Model.data`` are
    the data for ``particles``, one entry per time. ``Model.pmmh(prior=…, niter=…, Nx=…)`` makes a ``particles.mcmc.PMMH`` of
    both, with all other arguments of that class. States are ensembles, which can be advanced and selected and whose densities
    are not known: algorithms that need no more than the bootstrap filter apply, such as ``particles.SMC``.

    Values that no system can have, and data that no particle explains, have the log-likelihood −1e300, so they are rejected.
    Random numbers follow from NumPy's global generator, as in ``particles``: ``numpy.random.seed(1)`` makes a chain
    reproducible.

    Parameters
    ----------
    system, observation, data, dt, state, t_start, method, driver, execution, columns, time, clock, inputs
        As for :func:`~semidirect.filter`.

    Returns
    -------
    type
        The class.

    Raises
    ------
    MethodError
        If ``particles`` is not installed: ``pip install "semidirect[particles]"``.
    InputError, UnknownNameError
        For invalid arguments or data; of the class, for parameters that do not exist.
    """
    try:
        from particles import smc_samplers
        from particles.distributions import ProbDist
        from particles.mcmc import PMMH
        from particles.smc_samplers import rec_to_dict
        from particles.state_space_models import StateSpaceModel
    except ImportError as error:
        raise errors.MethodError(
            "state-space models need the package particles",
            got=str(error),
            hint='Install it: pip install "semidirect[particles]".',
        ) from error
    if not _views_parameters(smc_samplers):
        smc_samplers.view_2d_array = _parameters_in_rows
    problem = with_data(a_system(system), observation, data, dt, t_start, columns, time, clock, inputs)
    sightings = problem.sightings
    system = system.replace(**problem.tables) if problem.tables else system
    options = {"dt": dt, "t_start": t_start, "method": method, "driver": driver, "execution": execution,
               "last": math.ceil(sightings[-1].t / dt - 1e-6)}  # fmt: skip
    started(system, state, 2, 0, **options)  # raises the errors of arguments now

    @final
    class Law(ProbDist):
        """The law of the states at one time."""

        def __init__(self, draw: Any):
            self._draw = draw

        def rvs(self, size: int | None = None) -> Ensemble:
            """Random states, in a new ensemble."""
            ensemble: Ensemble = self._draw(size)
            return ensemble

    @final
    class Likelihood(ProbDist):
        """The law of the data, given states."""

        def __init__(self, states: Ensemble):
            self._states = states

        def logpdf(self, x: Sighting) -> np.ndarray:
            """The log-likelihood (N,) of what was seen at one time."""
            return self._states.log_likelihood(x)

    @final
    class Model(StateSpaceModel):
        """A system with data, for the algorithms of ``particles``."""

        data = sightings

        def __init__(self, **theta: Any):
            super().__init__(**theta)
            try:
                self.system = with_entries(system, theta)
            except errors.UnknownNameError:
                raise
            except errors.InputError:  # no system has these values
                self.system = None

        @classmethod
        def pmmh(cls, **arguments: Any) -> Chain:
            """Particle marginal Metropolis–Hastings with the model and its data; arguments as of ``particles.mcmc.PMMH``."""
            return Chain(ssm_cls=cls, data=cls.data, **arguments)

        def PX0(self) -> Law:
            """The law of the state at the first time of data."""
            return Law(self._first)

        def PX(self, t: int, xp: Ensemble) -> Law:
            """The law of the state at a time, given those of the time before."""
            return Law(lambda size: xp.advanced(sightings[t].t))

        def PY(self, t: int, xp: Ensemble, x: Ensemble) -> Likelihood:
            """The law of the data at a time."""
            return Likelihood(x)

        def _first(self, size: int) -> Ensemble:
            if self.system is None:
                return Ensemble(None, size)
            try:
                begin, _ = started(self.system, state, size, _seed(), **options)
            except errors.InputError:  # as it was possible for the values of the system itself
                return Ensemble(None, size)
            return Ensemble(begin, size).advanced(sightings[0].t)

    @final
    class Chain(PMMH):
        """A chain whose log-density is a number also where NumPy (from 2.4) makes no number of an array of one."""

        def compute_post(self) -> None:
            """The log-density of the proposal."""
            self.prop.lpost[0] = np.ravel(self.prior.logpdf(self.prop.theta))[0]
            if np.isfinite(self.prop.lpost[0]):
                smc = self.alg_instance(rec_to_dict(self.prop.theta[0]))
                smc.run()
                self.prop.lpost[0] += smc.logLt

    return cast("ParticlesModel", Model)


def _views_parameters(smc_samplers: Any) -> bool:
    """Whether ``particles`` views parameters as an array: 0.3, which may stand beside NumPy 2, uses a name that is gone."""
    try:
        smc_samplers.view_2d_array(np.zeros(1, dtype=[("a", float)]))
    except AttributeError:
        return False
    return True


def _parameters_in_rows(theta: np.ndarray) -> np.ndarray:
    """A view (N, d) of N structures of d numbers."""
    return theta.view(float).reshape(len(theta), -1)


@final
class Ensemble:
    """Particles, which are never changed: what ``particles`` needs of an array of states.

    Attributes
    ----------
    shape : (int,)
        How many there are.

    Parameters
    ----------
    paths : Stepper or None
        The states; ``None`` if no system has the parameters.
    count : int
        How many there are.
    """

    def __init__(self, paths: Stepper | None, count: int):
        self.paths, self.shape = paths, (count,)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, ancestors: np.ndarray) -> Ensemble:
        """Those that descend from some of them."""
        return Ensemble(None if self.paths is None else self.paths.copy().select(ancestors), *self.shape)

    def advanced(self, t: float) -> Ensemble:
        """At a time [s], with new noise."""
        if self.paths is None or self.paths.t >= t:
            return self
        return Ensemble(self.paths.copy().reseed(_seed()).advance(t=t, between=True), *self.shape)

    def log_likelihood(self, sighting: Sighting) -> np.ndarray:
        """Of what was seen, (N,); the least possible number of all if it is impossible for all."""
        if self.paths is not None:
            values = sighting.log_likelihood(self.paths, sighting.values(self.paths))
            if np.isfinite(values).any():
                return values
        return np.full(self.shape, IMPOSSIBLE)


def _seed() -> int:
    """A seed of NumPy's global generator, which is the one of ``particles``."""
    return int(np.random.randint(2**62, dtype=np.int64))  # noqa: NPY002
