"""The result of a fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import display, errors, explains_calls
from semidirect.inference.saved_result import FIT, save_result, with_recordings
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from semidirect.inference.filtered import Filtered

__all__ = ["Fitted"]

HEADER = ["", "estimate", "standard error", "of it Monte Carlo", "interval", "unit"]


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class Fitted(display.Read):
    """The result of :func:`~semidirect.inference.fit.fit`: the maximum of the likelihood.

    Attributes
    ----------
    system : System or None
        The system with the estimated values; ``None`` of a fit that was read from a file without it.
    kind : str
        The name of its class.
    names : tuple of str
        The fitted parameters, ``"offset"`` or an entry of an array, ``"noise1_3"``.
    units : tuple of str
    estimate, standard_error : array (k,)
        Standard errors are the roots of the diagonal of the covariance.
    monte_carlo_error : array (k,)
        The part of the standard errors that is due to the random numbers of the filter.
    interval : array (k, 2)
        Confidence intervals of the level :attr:`level`, each for one parameter. At a bound they have one end, and the other is
        the bound; they reach from bound to bound, or to 0 and ∞, if the data do not determine the parameter.
    level : float
    covariance : array (k, k)
        The inverse of the observed information, and the covariance of the Monte Carlo error; nan for parameters at a bound.
    log_likelihood, log_likelihood_error : float
        log p(data) of the filter at the estimate, a mean over seeds, and the standard error of it: nan for one seed, 0 if
        nothing is random.
    points, replicates, values : arrays (n, k), (n,), (n,)
        Where the likelihood was evaluated, with which of the seeds, and its logarithms.
    at_bound : tuple of str
        Parameters whose estimate is a bound, so that they have no standard error.
    converged : bool
        Whether the search ended at a maximum.
    undetermined : tuple of str
        Parameters that the data do not determine, alone or together.
    other_maxima : tuple of (array (k,), float)
        Other maxima that were met, with their log-likelihoods, the highest first.
    filtered : Filtered
        The filter at the estimate, with the first seed; of several recordings that of the first.
    recordings : tuple of Filtered
        Those of all recordings.
    for_intervals : int
        How many of the evaluations were made for intervals, after the search.
    rejected : int
        The number of times that were left out as outliers.
    """

    system: Any
    names: tuple[str, ...]
    units: tuple[str, ...]
    estimate: np.ndarray
    standard_error: np.ndarray
    monte_carlo_error: np.ndarray
    interval: np.ndarray
    level: float
    covariance: np.ndarray
    log_likelihood: float
    log_likelihood_error: float
    points: np.ndarray
    replicates: np.ndarray
    values: np.ndarray
    at_bound: tuple[str, ...]
    converged: bool
    undetermined: tuple[str, ...]
    other_maxima: tuple[tuple[np.ndarray, float], ...]
    filtered: Filtered
    recordings: tuple[Filtered, ...] = ()
    for_intervals: int = 0
    rejected: int = 0
    kind: str = ""

    def __post_init__(self) -> None:
        if self.system is not None:
            object.__setattr__(self, "kind", type(self.system).__name__)

    @property
    def evaluations(self) -> int:
        """How often the likelihood was evaluated."""
        return len(self.values)

    def __getitem__(self, name: str) -> float:
        """The estimate with a name."""
        if name not in self.names:
            raise errors.UnknownNameError("fitted parameter", name, self.names)
        return float(self.estimate[self.names.index(name)])

    def __repr__(self) -> str:
        each = zip(self.names, self.estimate, self.standard_error, strict=True)
        return f"Fitted({', '.join(f'{name}={value:.4g} ± {error:.2g}' for name, value, error in each)})"

    def __str__(self) -> str:
        rows = text_layout.table(HEADER, self._rows(), right=range(1, 4))
        return "\n".join([self._head(), *self._notes(), "", rows])

    def _repr_html_(self) -> str:
        return (
            display.heading(self._head())
            + "".join(map(display.paragraph, self._notes()))
            + display.table(HEADER, self._rows())
        )

    def _head(self) -> str:
        error = self.log_likelihood_error
        margin = f" ± {error:.2g}" if error > 0 else ""
        filters = f"filters of each of {len(self.recordings)} recordings" if len(self.recordings) > 1 else "filters"
        return (f"fit of {self.kind}: log-likelihood {self.log_likelihood:.2f}{margin}, {self.evaluations + 1} "
                f"{filters}: {self.evaluations - self.for_intervals} to search, {self.for_intervals} for intervals, 1 at the "
                "estimate")  # fmt: skip

    def _notes(self) -> list[str]:
        notes = [] if self.converged or self.undetermined else ["the search did not converge"]
        notes += [f"{self.rejected} times are left out as outliers"] if self.rejected else []
        notes += [f"the data do not determine {name}" for name in self.undetermined]
        notes += [f"{name} is at a bound" for name in self.at_bound]
        for values, height in self.other_maxima:
            there = ", ".join(f"{name} = {x:.4g}" for name, x in zip(self.names, values.tolist(), strict=True))
            notes.append(f"another maximum: {there}, log-likelihood {height:.2f}")
        return notes

    def _rows(self) -> list[list[str]]:
        return [
            [name, printing.figures(float(f"{value:.4g}")), _short(error), _short(noise), f"{low:.4g} to {high:.4g}", unit]
            for name, value, error, noise, (low, high), unit in zip(
                self.names, self.estimate, self.standard_error, self.monte_carlo_error, self.interval, self.units, strict=True
            )
        ]  # fmt: skip

    def plot(self, quantities: Sequence[str] | None = None) -> tuple[Axes, ...]:
        """Draw the log-likelihoods that were computed against each parameter, with estimate and interval, and the filter at the
        estimate as :meth:`.Filtered.plot`; returns the axes, those of parameters first.
        """
        from semidirect.inference.plot_fitted import plot_fitted

        return plot_fitted(self, quantities)

    def save(self, path: str | Path) -> None:
        """Write :meth:`to_xarray` to a file ``.nc``, which :func:`~semidirect.inference.load_result` reads."""
        save_result(self.to_xarray(), Path(path))

    def described(self) -> Mapping[str, Any]:
        """In JSON's types."""
        own = {
            k: v.tolist() if isinstance(v, np.ndarray) else v
            for k, v in vars(self).items()
            if k not in ("filtered", "recordings", "kind")
        }
        others = [{"estimate": values.tolist(), "log_likelihood": height} for values, height in self.other_maxima]
        return {**own, "system": self.kind, "evaluations": self.evaluations, "other_maxima": others}

    def to_xarray(self) -> xarray.Dataset:
        """The estimates with the dimension ``parameter``, the likelihoods with the dimension ``evaluation``, and the filters at
        the estimate, with names that begin with ``recording1_``.
        """
        import xarray

        own, names = ("parameter",), list(self.names)
        data = xarray.Dataset(
            {
                "estimate": (own, self.estimate),
                "standard_error": (own, self.standard_error),
                "monte_carlo_error": (own, self.monte_carlo_error),
                "interval": (("parameter", "end"), self.interval),
                "covariance": (("parameter", "other_parameter"), self.covariance),
                "point": (("evaluation", "parameter"), self.points),
                "replicate": (("evaluation",), self.replicates),
                "log_likelihood_at_point": (("evaluation",), self.values),
            },
            coords={"parameter": names, "other_parameter": names, "end": ["low", "high"],
                    "unit": (own, list(self.units))},
            attrs={"kind": FIT, "system": self.kind, "log_likelihood": self.log_likelihood,
                   "log_likelihood_error": self.log_likelihood_error, "level": self.level, "converged": int(self.converged),
                   "for_intervals": self.for_intervals, "rejected": self.rejected, "recordings": len(self.recordings),
                   "at_bound": json.dumps(self.at_bound), "undetermined": json.dumps(self.undetermined),
                   "other_maxima": json.dumps([[values.tolist(), height] for values, height in self.other_maxima])},
        )  # fmt: skip
        return with_recordings(data, self.recordings)


def _short(value: float) -> str:
    return "-" if value != value else f"{value:.2g}"
