"""Innovations: data less what was predicted of them, with their covariance, and what they say of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.stats import chi2

from semidirect.core import arguments, errors, explains_calls
from semidirect.inference.observation import Sight
from semidirect.inference.sighting import Sighting

__all__ = ["Innovation", "Innovations", "innovation_labels"]

OUTLIER = 4.0
"""Standard deviations beyond which a value counts as an outlier: one in 16,000 normal values is further away."""


@final
@dataclass(frozen=True, eq=False)
class Innovation:
    """The innovation of one time.

    Attributes
    ----------
    data, values : array (M,)
        Data and innovations of all components of all observations; nan of those without data.
    covariance : array (M, M)
        Of the innovations under the model, that of the errors included.
    """

    data: np.ndarray
    values: np.ndarray
    covariance: np.ndarray

    @classmethod
    def of(
        cls, sights: Sequence[Sight], sighting: Sighting, predicted: np.ndarray, covariance: np.ndarray
    ) -> Innovation:
        """From the predicted values ``(m,)`` of the data of a time, and their covariance, that of the errors included."""
        sizes = [sight.shape[0] * sight.residuals for sight in sights]
        begin = np.cumsum([0, *sizes])
        where, entries = [], []
        for sight, data in sighting.pairs:
            number = next(i for i, one in enumerate(sights) if one is sight)
            where.append(begin[number] + np.flatnonzero(sight.seen_rows(data)))
            entries.append(
                data.ravel()[sight.seen_rows(data)] if sight.difference.names is None else sight.seen_data(data)
            )
        at, total = np.concatenate(where), int(begin[-1])
        data, values, matrix = np.full(total, np.nan), np.full(total, np.nan), np.full((total, total), np.nan)
        data[at], values[at] = np.concatenate(entries), sighting.data() - predicted
        matrix[np.ix_(at, at)] = covariance
        return cls(data, values, matrix)


def innovation_labels(sights: Sequence[Sight]) -> list[str]:
    """The names of all components of all observations."""
    labels: list[str] = []
    for sight in sights:
        own = (
            [str(x) for x in sight.labels]
            if sight.residuals == sight.columns
            else [str(i + 1) for i in range(sight.residuals)]
        )
        named = sight.names is not None and sight.difference.names is None
        prefix = "" if named else f"{sight.observation.name} "
        marks = [f"{mark + 1}." for mark in range(sight.shape[0])] if sight.shape[0] > 1 else [""]
        labels += [f"{prefix}{mark}{label}" for mark in marks for label in own]
    twice = {label for label in labels if labels.count(label) > 1}
    return [f"{label} ({i + 1})" if label in twice else label for i, label in enumerate(labels)]


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class Innovations:
    """Data less their predictions given the data before, and whether they are those of the model.

    Under the model, and for normal distributions, innovations of different times are independent, with zero mean and the
    covariance that the filter predicts.

    Attributes
    ----------
    times : array (T,)
        Times [s].
    labels : tuple of str
        Names of the M components of all observations.
    values : array (T, M)
        Innovations, in the units of the system; nan without data.
    covariance : array (T, M, M)
        Their covariance.
    """

    times: np.ndarray
    labels: tuple[str, ...]
    values: np.ndarray
    covariance: np.ndarray

    @property
    def count(self) -> np.ndarray:
        """The number (T,) of values with data."""
        return np.isfinite(self.values).sum(axis=1)

    @property
    def standardised(self) -> np.ndarray:
        """L⁻¹ν with the Cholesky factor L of the covariance of the values with data, (T, M): independent standard normal numbers
        under the model; nan without data.
        """
        out = np.full(self.values.shape, np.nan)
        for row, value, matrix in zip(out, self.values, self.covariance, strict=True):
            at = np.flatnonzero(np.isfinite(value))
            part = matrix[np.ix_(at, at)]
            if len(at) and np.isfinite(part).all():
                row[at] = np.linalg.solve(np.linalg.cholesky(part), value[at])
        return out

    @property
    def squared(self) -> np.ndarray:
        """The normalised innovations squared νᵀS⁻¹ν (T,): χ² with :attr:`count` degrees of freedom under the model; nan without
        data.
        """
        squares = self.standardised**2
        return np.where(np.isfinite(squares).any(axis=1), np.nansum(squares, axis=1), np.nan)

    @property
    def outliers(self) -> np.ndarray:
        """The values (T, M) that are further than four of their standard deviations from their prediction."""
        return self.beyond(OUTLIER)

    def beyond(self, deviations: float) -> np.ndarray:
        """The values (T, M) that are further than so many of their standard deviations from their prediction."""
        deviation = np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2))
        with np.errstate(invalid="ignore"):
            return np.abs(self.values) > deviations * deviation

    def bounds(self, level: float = 0.95) -> tuple[float, float, float]:
        """The mean of the normalised innovations squared per value, and between which numbers it is with this probability."""
        share = arguments.validated_number("level", level, expected="a number between 0 and 1")
        if not 0 < share < 1:
            raise errors.InputError("level", expected="a number between 0 and 1", got=f"{share:g}")
        squared = self.squared
        finite = np.isfinite(squared)
        n = int(self.count[finite].sum())
        if not n:
            return np.nan, np.nan, np.nan
        low, high = chi2.ppf([(1 - share) / 2, (1 + share) / 2], n) / n
        return float(squared[finite].sum() / n), float(low), float(high)

    def whiteness(self, lags: int | None = None) -> float:
        """The probability, under the model, of correlations between times at least as large: the test of Ljung and Box of the
        standardised innovations, over so many lags, by default 10 or a fifth of the times.
        """
        z = self.standardised
        z = z[np.isfinite(z).any(axis=1)]
        most = max(min(10, len(z) // 5), 1) if lags is None else arguments.validated_whole("lags", lags, least=1)
        if len(z) < most + 2:
            return float("nan")
        total, degrees = 0.0, 0
        for column in z.T:
            there = np.isfinite(column)
            n = int(there.sum())
            if n < most + 2:
                continue
            x = np.where(there, column - column[there].mean(), 0.0)
            power = float(x @ x)
            total += sum(n * (n + 2) / (n - k) * float(x[k:] @ x[:-k] / power) ** 2 for k in range(1, most + 1))
            degrees += most
        return float(chi2.sf(total, degrees)) if degrees else float("nan")

    def __str__(self) -> str:
        mean, low, high = self.bounds()
        count, outliers = int(self.count.sum()), int(self.outliers.sum())
        verdict = "as" if low <= mean <= high else "larger than" if mean > high else "smaller than"
        return "\n".join([
            f"{count} innovations at {len(self.times)} times",
            f"normalised squares: mean {mean:.3g}, 95% between {low:.3g} and {high:.3g}: {verdict} the model predicts",
            f"whiteness: p = {self.whiteness():.2g}",
            f"further than {OUTLIER:g} standard deviations: {outliers}",
        ])  # fmt: skip

    def __repr__(self) -> str:
        return f"Innovations({len(self.times)} times, {', '.join(self.labels)})"


def innovations_of(data: Any) -> Innovations:
    """Those of the data set of a filter."""
    if "innovation" not in data:
        raise errors.InputError("innovations", expected="a filter that reports them", got="none",
                                hint="An update of another package reports none.")  # fmt: skip
    labels = tuple(str(x) for x in data["observed"].values.tolist())
    return Innovations(
        np.array(data["time"]), labels, np.array(data["innovation"]), np.array(data["innovation_covariance"])
    )
