"""Derivatives of quantities by parameters and by the start, path by path, with their means and errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, final

import numpy as np

from semidirect.core import display, errors, explains_calls
from semidirect.expressions import component_names
from semidirect.model import sensitivities
from semidirect.random import drivers
from semidirect.state import EquationIdentity
from semidirect.statistics import Dependence

if TYPE_CHECKING:
    import xarray


class Differentiated(Protocol):
    """The attributes of a run that derivatives need; :class:`~semidirect.results.run.RunData` is a subclass."""

    @property
    def data(self) -> Mapping[str, np.ndarray]:
        """The quantities."""

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration."""

    @property
    def times(self) -> np.ndarray:
        """The saved times."""

    @property
    def good(self) -> np.ndarray:
        """The paths that did not fail."""

    @property
    def numbers(self) -> np.ndarray | None:
        """The numbers of the paths, if they are not all."""

    def component_of(self, text: str) -> tuple[str, int] | None:
        """The quantity and the number of the component that has a name."""


@explains_calls
@final
@dataclass(frozen=True, repr=False)
class Sensitivity(display.Brief):
    """The derivatives of a quantity; as an array, ``values``.

    Attributes
    ----------
    quantity : str
        The differentiated quantities.
    directions : tuple of str
        By what, on the last axis.
    times : array (T,)
        Times [s].
    values : array (paths, T, K) or (paths, T, d, K)
        The derivative of the path under its noise, along each of K directions.
    good : bool array (paths,)
        Which paths did not fail; the others are left out of means.
    one_noise : bool
        Whether all paths got one realisation of the noise.
    replications : int
        The number of replications if paths of each depend on each other; else 0.
    numbers : int array (paths,), or None
        The numbers of the paths, if they are not all paths of the run.
    """

    quantity: str
    directions: tuple[str, ...]
    times: np.ndarray
    values: np.ndarray
    good: np.ndarray
    one_noise: bool = False
    replications: int = 0
    numbers: np.ndarray | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    @property
    def mean(self) -> np.ndarray:
        """The derivative of the expectation, (T, …, K): the mean over paths that did not fail, nan if there are none.

        It is not that of the expectation where paths stop at steps (``locate=False``): which step that is jumps with a parameter.
        """
        values = self.values[self.good]
        return values.mean(axis=0) if len(values) else np.full(self.values.shape[1:], np.nan)

    @property
    def standard_error(self) -> np.ndarray:
        """The standard error of :attr:`mean`, nan for fewer than two paths.

        Raises
        ------
        InputError
            If all paths got one realisation of the noise.
        """
        dependence = Dependence(self.one_noise, self.replications)
        dependence.refuse_one_noise("the standard error of a mean derivative")
        numbers = np.arange(len(self.values)) if self.numbers is None else self.numbers
        return dependence.error_of_mean(self.values[self.good], numbers[self.good])

    def to_xarray(self) -> xarray.DataArray:
        """With the dimensions path, time, component (of a vector) and direction."""
        import xarray

        labels = {"path": np.arange(len(self.values)), "time": self.times, "direction": list(self.directions)}
        dims = ["path", "time", "direction"]
        if self.values.ndim == 4:
            dims.insert(2, "component")
            labels["component"] = list(component_names.component_names(self.quantity, self.values.shape[2]))
        return xarray.DataArray(self.values, labels, dims, name=f"sensitivity of {self.quantity}")


def directions_of(run: Differentiated) -> tuple[str, ...]:
    """The labels of all directions of a run."""
    return tuple(label for label, *_ in run.config.get(EquationIdentity.DIRECTIONS, ()))


def sensitivity(run: Differentiated, quantity: str, by: str | None = None) -> Sensitivity:
    """As :meth:`.RunData.sensitivity`."""
    descriptions = run.config.get(EquationIdentity.DIRECTIONS, ())
    if not descriptions:
        raise errors.InputError("sensitivities of a run", expected="a run that was differentiated", got="none",
                                hint="Give simulate formulation=sd.Formulation(sensitivity=['mass', 'state']).")  # fmt: skip
    selection, name, at = sensitivities.numbers_of(descriptions, by), f"{sensitivities.SENSITIVITY}{quantity}", None
    if name not in run.data:
        component = run.component_of(quantity)
        if component is None or f"{sensitivities.SENSITIVITY}{component[0]}" not in run.data:
            raise _unknown(run, quantity)
        name, at = f"{sensitivities.SENSITIVITY}{component[0]}", component[1]
    values = run.data[name]
    whole = values.reshape(*values.shape[:2], -1, len(descriptions))
    scalar = at is not None or whole.shape[2] == 1
    part = (whole[:, :, at or 0] if scalar else whole)[..., selection]
    labels = directions_of(run)
    noise = run.config.get("noise", {})
    return Sensitivity(quantity, tuple(labels[k] for k in selection), run.times, part, run.good, drivers.has_one_noise(noise),
                       drivers.replications_of(noise), run.numbers)  # fmt: skip


def _unknown(run: Differentiated, quantity: str) -> Exception:
    if isinstance(quantity, str) and quantity in run.data:
        return errors.InputError(
            f"{quantity!r} has no derivatives", expected="a differentiable quantity", got="one with kinks"
        )
    names = [k.removeprefix(sensitivities.SENSITIVITY) for k in run.data if k.startswith(sensitivities.SENSITIVITY)]
    return errors.UnknownNameError("differentiated quantity of the run", quantity, names)
