"""The evidence of data for models: log-likelihoods with their errors, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import display, errors, explains_calls
from semidirect.inference.filtered import Filtered
from semidirect.inference.fitted import Fitted
from semidirect.text import printing, text_layout

__all__ = ["Evidence", "evidence"]

HEADER = ["", "log-likelihood", "± Monte Carlo", "fitted", "AIC", "log Bayes factor", "±"]


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class Evidence(display.Read):
    """A comparison of models by their likelihoods of the same data: made by :func:`~semidirect.inference.evidence`.

    Attributes
    ----------
    names : tuple of str
        The models, as they were given.
    log_likelihood, error : array (k,)
        log p(data) and its Monte Carlo error, nan where it is not known.
    fitted : int array (k,)
        How many parameters of each were fitted to these data.
    """

    names: tuple[str, ...]
    log_likelihood: np.ndarray
    error: np.ndarray
    fitted: np.ndarray

    @property
    def aic(self) -> np.ndarray:
        """Akaike's criterion 2k − 2 log p(data), which is smallest for the model that predicts best."""
        return np.asarray(2 * self.fitted - 2 * self.log_likelihood)

    @property
    def best(self) -> str:
        """The model with the smallest criterion."""
        return self.names[int(np.argmin(self.aic))]

    def difference(self, name: str, other: str) -> tuple[float, float]:
        """The log-likelihood of a model less that of another one, and the Monte Carlo error of it: without fitted parameters, the
        logarithm of the Bayes factor.
        """
        for one in (name, other):
            if one not in self.names:
                raise errors.UnknownNameError("model", one, self.names)
        i, k = self.names.index(name), self.names.index(other)
        return float(self.log_likelihood[i] - self.log_likelihood[k]), float(np.hypot(self.error[i], self.error[k]))

    def _rows(self) -> list[list[str]]:
        rows = []
        for i, name in enumerate(self.names):
            away, error = self.difference(name, self.best)
            rows.append([name, f"{self.log_likelihood[i]:.2f}", _short(self.error[i]), str(self.fitted[i]),
                         f"{self.aic[i]:.2f}", f"{away:.2f}", _short(error)])  # fmt: skip
        return rows

    def __str__(self) -> str:
        return str(text_layout.table(HEADER, self._rows(), right=range(1, len(HEADER))))

    def __repr__(self) -> str:
        each = zip(self.names, self.log_likelihood, strict=True)
        return f"Evidence({', '.join(f'{name}={printing.figures(float(value))}' for name, value in each)})"


def evidence(results: Mapping[str, Filtered | Fitted]) -> Evidence:
    """The log-likelihoods of several models with the same data, with their Monte Carlo errors.

    Without fitted parameters, differences are logarithms of Bayes factors: 3 is strong evidence. Where parameters were fitted,
    the criterion of Akaike charges one for each of them.

    Parameters
    ----------
    results : dict name → result of a filter or a fit
        Of the same data, in the same units.

    Raises
    ------
    InputError
        For anything else, and for results of different data.
    """
    good = isinstance(results, Mapping) and results and all(isinstance(x, (Filtered, Fitted)) for x in results.values())
    if not good:
        raise errors.InputError(
            "results to compare", expected="a dict name → result of sd.filter or sd.fit", got=repr(type(results))
        )
    filters: list[Any] = [one.filtered if isinstance(one, Fitted) else one for one in results.values()]
    for name, one in zip(results, filters, strict=True):
        ours, theirs = (x.data.get("observed_data") for x in (filters[0], one))
        same = ours is not None and theirs is not None and np.array_equal(ours.values, theirs.values, equal_nan=True)
        if not (same and np.array_equal(filters[0].times, one.times)):
            raise errors.InputError(f"results to compare: {name}", expected="those of the same data", got="other data",
                                    hint="Likelihoods of different data cannot be compared.")  # fmt: skip
    return Evidence(
        tuple(map(str, results)), np.array([one.log_likelihood for one in results.values()]),
        np.array([one.log_likelihood_error for one in results.values()]),
        np.array([len(one.names) if isinstance(one, Fitted) else 0 for one in results.values()]),
    )  # fmt: skip


def _short(value: float) -> str:
    return "-" if value != value else f"{value:.2g}"
