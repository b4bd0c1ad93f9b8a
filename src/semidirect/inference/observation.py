"""An observation: values that depend on the state, seen with noise, and synthetic data of a run."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any, final

from semidirect.core.arguments import validated_seed
from semidirect.core.errors import InputError
from semidirect.core.explained_calls import explains_calls
from semidirect.inference.observed_values import ObservedValues
from semidirect.inference.synthetic import synthetic_data

if TYPE_CHECKING:
    import xarray

    from semidirect.ensemble.run import RunLike

__all__ = ["Observation", "observations_of"]


@explains_calls
@final
class Observation(ObservedValues):
    """Values that depend on the state, observed with noise: ``sd.Observation(["x", "y"], noise=0.01)``.

    The values have the shape ``(marks, components)``. A mark is seen or lost as a whole, such as a dot on a ball; a number or a
    vector is one mark. In data, nan in all components of a mark says that it was not seen.

    Attributes
    ----------
    values : str, sequence of str, or callable(state)
        What is observed: names or expressions, or a function of the state written with ``sd.ops``, as for
        :func:`~semidirect.observable`, that returns a number, a vector or rows of a matrix, one for each mark. It may depend on
        the configuration ``state.s``.
    noise : number, array, ObservationNoise or callable(data, predicted)
        Standard deviations of normal errors: one, ``(components,)`` or ``(marks, components)``; or another law; a function is a
        log-density, :class:`~semidirect.inference.GivenDensity`.
    covariance : array (components, components) or (marks, components, components)
        Instead of ``noise``: the covariance of normal errors of the components of a mark.
    seen : callable(state), optional
        For each mark a number that is positive if the mark can be seen, such as the height of a dot towards the camera. Data of a
        mark that cannot be seen are impossible, and nan of one that can be seen has the probability ``lost``.
    lost : float
        Probability that a mark is missing although it can be seen. If it is 0 and ``seen`` is not given, nan in data is an error.
        A time at which all marks are missing carries no information.
    name : str
        The name in messages and data.
    """

    def of(self, run: RunLike, *, seed: int = 0) -> xarray.DataArray:
        """Synthetic data: this observation of the paths of a run at its saved times, with noise.

        Parameters
        ----------
        run : Run
            A run that saved its state and the configuration.
        seed : int
            Seed of the noise; path p has noise of its own, whichever other paths there are.

        Returns
        -------
        xarray.DataArray
            Dims ``time``, ``mark``, ``component``, and before them ``path`` if the run has several paths; nan for marks that
            are not seen. Components of names have these as labels, by which a filter finds them.
        """
        return synthetic_data(self, run, validated_seed(seed))


def observations_of(value: Any) -> tuple[Observation, ...]:
    """One observation or several."""
    several = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not several or not all(isinstance(one, Observation) for one in several):
        raise InputError("observation", expected="an sd.Observation or a list of them", got=reprlib.repr(value))
    return several
