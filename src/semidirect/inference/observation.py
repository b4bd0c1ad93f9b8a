"""An observation: values that depend on the state, seen with noise."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from semidirect.core.arguments import validated_number, validated_seed
from semidirect.core.errors import InputError
from semidirect.inference.noise import ObservationNoise, noise_of

if TYPE_CHECKING:
    import xarray

    from semidirect.ensemble.run import RunData

__all__ = ["Observation", "observations_of"]


@final
@dataclass(frozen=True, eq=False)
class Observation:
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
        Standard deviations of normal errors, or another law; a function is a log-density, :class:`~semidirect.GivenDensity`.
    seen : callable(state), optional
        For each mark a number that is positive if the mark can be seen, such as the height of a dot towards the camera. Data of a
        mark that cannot be seen are impossible, and nan of one that can be seen has the probability ``lost``.
    lost : float
        Probability that a mark is missing although it can be seen. If it is 0 and ``seen`` is not given, nan in data is an error.
        A time at which all marks are missing carries no information.
    name : str
        The name in messages and data.
    """

    values: str | Sequence[str] | Callable[[Any], Any]
    noise: ObservationNoise
    seen: Callable[[Any], Any] | None = None
    lost: float = 0.0
    name: str = "observation"

    def __init__(self, values: str | Sequence[str] | Callable[[Any], Any], *, noise: Any,
                 seen: Callable[[Any], Any] | None = None, lost: float = 0.0, name: str = "observation"):  # fmt: skip
        listed: Any = tuple(values) if isinstance(values, (list, tuple)) else values
        texts = [listed] if isinstance(listed, str) else listed
        if not (
            callable(listed) or (isinstance(texts, (list, tuple)) and texts and all(isinstance(x, str) for x in texts))
        ):
            raise InputError("observed values", expected="names, expressions or a function of the state",
                             got=reprlib.repr(values))  # fmt: skip
        if not (seen is None or callable(seen)):
            raise InputError("seen", expected="a function of the state", got=reprlib.repr(seen))
        chance = validated_number("lost", lost, expected="a probability below 1")
        if not 0 <= chance < 1:
            raise InputError("lost", expected="a probability below 1", got=f"{chance:g}")
        if not isinstance(name, str):
            raise InputError("name of an observation", expected="text", got=reprlib.repr(name))
        given = {"values": listed, "noise": noise_of(noise), "seen": seen, "lost": chance, "name": name}
        for field, value in given.items():
            object.__setattr__(self, field, value)

    @property
    def may_miss(self) -> bool:
        """Whether marks may be missing in data."""
        return self.seen is not None or self.lost > 0

    def of(self, run: RunData, *, seed: int = 0) -> xarray.DataArray:
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
            are not seen.
        """
        from semidirect.inference.synthetic import synthetic_data

        return synthetic_data(self, run, validated_seed(seed))


def observations_of(value: Any) -> tuple[Observation, ...]:
    """One observation or several."""
    several = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not several or not all(isinstance(one, Observation) for one in several):
        raise InputError("observation", expected="an sd.Observation or a list of them", got=reprlib.repr(value))
    return several
