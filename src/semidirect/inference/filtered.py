"""The result of a filter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors, explains_calls
from semidirect.inference.innovation import Innovations, innovations_of
from semidirect.inference.invariance import Invariance
from semidirect.inference.predicted_data import predicted_data
from semidirect.inference.saved_result import save_result, with_attributes
from semidirect.inference.stamps import Origin

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from semidirect.definition import SystemDefinition
    from semidirect.results import RunLike
    from semidirect.view import View

__all__ = ["Filtered"]

FRAMES = 1000
"""The most times that a page shows."""

Ahead = Callable[..., Any]
"""Predictions of quantities at times."""


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class Filtered:
    """The result of :func:`~semidirect.inference.filter.filter`.

    Attributes
    ----------
    data : xarray.Dataset
        For each quantity at each time of data, given the data up to then: ``Omega_mean``, ``Omega_sd``, ``Omega_quantile``;
        ``element_mean``, the mean of the configuration on the group, and ``element_covariance``, the covariance of
        log(mean⁻¹ s) in the basis of the algebra. For each time ``log_likelihood`` increments, ``effective_size``, ``stages``,
        ``acceptance``, ``surprise``, ``ancestors`` and ``collapsed``. With a lag, ``smoothed_…`` is the same given data of the
        next ``lag`` times as well.
    collapses : tuple of (time, reason)
        When the particles did not represent the distribution, and why.
    log_likelihood_error : float
        The root mean square error of :attr:`log_likelihood` that is due to random numbers: of particles, by the families that
        descend from those of earlier times, with the bias of a logarithm, minus half of its variance; 0 of an extended Kalman
        filter; nan where too few families were left, and of an ensemble Kalman filter, for which seeds have to be compared.
    invariant : callable, optional
        Computes :attr:`invariance`.
    ahead : callable, optional
        Computes :meth:`predict`.
    """

    data: xarray.Dataset
    collapses: tuple[tuple[float, str], ...]
    log_likelihood_error: float = float("nan")
    invariant: Callable[[], Invariance | None] | None = None
    ahead: Ahead | None = None

    @cached_property
    def invariance(self) -> Invariance | None:
        """Whether the Jacobians of an extended Kalman filter depend on the estimate; ``None`` for other filters, and if too few
        states were found in which a step can be taken.
        """
        return None if self.invariant is None else self.invariant()

    @property
    def log_likelihood(self) -> float:
        """log p(data), the sum of the increments."""
        return float(np.sum(self.data["log_likelihood"].values))

    @cached_property
    def innovations(self) -> Innovations:
        """Data less their predictions, with their covariance: the check of the model."""
        return innovations_of(self.data)

    def predict(self, times: Any, quantities: Sequence[str] | None = None) -> xarray.Dataset:
        """Quantities at later times given all data: ``x_mean``, ``x_sd`` and ``x_quantile``, with the noise of the system
        and without that of observations.

        Parameters
        ----------
        times : number, date or a sequence of them
            From the last data on, ascending, in seconds since t = 0 or dates on the clock of the data.
        quantities : list of names, optional
            Default: those that the filter reports.
        """
        if self.ahead is None:
            raise errors.InputError("predictions", expected="a filter of this process", got="one that was read from a file",
                                    hint="Run the filter again.")  # fmt: skip
        return predicted_data(
            times, quantities, float(self.times[-1]), self.origin, self.ahead, self.data["quantile"].values
        )

    @cached_property
    def origin(self) -> Origin:
        """The time of the data that is t = 0."""
        return Origin.from_attributes(self.data["time"].attrs)

    def plot(self, quantities: Sequence[str] | None = None, *, smoothed: bool | None = None, ax: Sequence[Axes] | None = None
             ) -> tuple[Axes, ...]:  # fmt: skip
        """Draw medians with bands of quantities against time, the data of those that are observed, and outliers.

        Parameters
        ----------
        quantities : list of names, optional
            Quantities that the filter reported. Default: all but the configuration.
        smoothed : bool, optional
            Whether to draw estimates given all data; by default if there are some.
        ax : sequence of matplotlib axes, optional
            One for each component, below each other.

        Returns
        -------
        tuple of matplotlib axes
        """
        from semidirect.inference.plot_filtered import plot_filtered

        return plot_filtered(self, quantities, smoothed=smoothed, ax=ax)

    def save(self, path: str | Path) -> None:
        """Write the result to a file ``.nc``, which :func:`~semidirect.inference.load_result` reads."""
        save_result(self.to_xarray(), Path(path))

    @property
    def times(self) -> np.ndarray:
        """The times of the data [s]."""
        return np.asarray(self.data["time"].values)

    def to_xarray(self) -> xarray.Dataset:
        """The data set, with the attributes from which :func:`~semidirect.inference.load_result` makes the result again."""
        return with_attributes(self)

    def view(
        self, *, truth: RunLike | None = None, system: SystemDefinition | None = None, frames: int = FRAMES
    ) -> View:
        """A page in which the body moves at its mean configuration, within the band of the estimate, beside the truth.

        Parameters
        ----------
        truth : Run, optional
            A run whose first path is the truth, at the saved times nearest to those of the data.
        system : System, optional
            The system that was filtered, where no truth is given, or that of the truth is not known.
        frames : int
            At most how many times are shown, evenly chosen.

        Returns
        -------
        View
            The value of a cell in a notebook; ``.save("view.html")`` writes it.
        """
        from semidirect.inference.estimate_in_motion import estimate_in_motion

        return estimate_in_motion(self.data, truth, system, frames)

    def __repr__(self) -> str:
        t, error = self.times, self.log_likelihood_error
        error_text = f" ± {error:.2g}" if error > 0 else ""
        return (f"Filtered({len(t)} times to {t[-1]:g} s, log-likelihood {self.log_likelihood:.2f}{error_text}, "
                f"{len(self.collapses)} collapses)")  # fmt: skip
