"""The noise of an observation: Gaussian, Student, or given by its log-density."""

from __future__ import annotations

import math
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import arguments, display, errors, frozen, ops, user_code

__all__ = ["GaussianNoise", "GivenDensity", "MarkwiseNoise", "ObservationNoise", "StudentNoise", "noise_of"]


class ObservationNoise(user_code.Hooked, ABC):
    """The law of the data, given the predicted values.

    Values have the shape ``(marks, components)``: a mark is what is seen or lost as a whole, such as one dot on a ball.
    """

    @abstractmethod
    def log_density(self, data: np.ndarray, predicted: np.ndarray, marks: np.ndarray) -> np.ndarray:
        """The logarithm of the density of the data of each mark.

        Parameters
        ----------
        data : array (k, components)
            Data of the marks with these numbers.
        predicted : array (paths, k, components)
            Predicted values.
        marks : int array (k,)
            Their numbers.

        Returns
        -------
        array (paths, k)
        """

    @abstractmethod
    def draw(self, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """Random data for predicted values ``(…, marks, components)``."""

    @abstractmethod
    def covariance(self, marks: int, components: int) -> np.ndarray:
        """The covariance matrices of the marks, ``(marks, components, components)``."""

    def scaled(self, factors: np.ndarray) -> ObservationNoise:
        """The law of values times factors ``(components,)``, for data in another unit."""
        raise errors.MethodError(f"unit= with {type(self).__name__}", expected="a law with a scale",
                                 hint="Write the law for values in the unit of the system, and convert the data.")  # fmt: skip

    def check(self, marks: int, components: int) -> None:  # a given density has nothing to check
        """Raise an :class:`~semidirect.errors.InputError` unless it applies to so many marks and components."""


class MarkwiseNoise(ObservationNoise):
    """A law under which the marks are independent, each with the same function, which can be compiled, and numbers of its own."""

    @abstractmethod
    def numbers(self, marks: int, components: int) -> np.ndarray:
        """The numbers ``(marks, k)`` of the law of each mark."""

    def marginal_numbers(self, here: np.ndarray) -> np.ndarray:
        """The numbers of the law of each mark for the observed components, ``here (marks, components)``: with them a
        difference of another component does not change :meth:`mark_log_density`.
        """
        raise errors.MethodError(f"data with a missing component of a mark, with {type(self).__name__}",
                                 expected="a law whose marginal distributions are known, such as normal errors",
                                 hint="Leave the mark out: nan in all of its components.")  # fmt: skip

    @abstractmethod
    def mark_log_density(self, away: Sequence[Any], numbers: Sequence[Any]) -> Any:
        """The logarithm of the density of one mark, written with :mod:`semidirect.ops`.

        Parameters
        ----------
        away : sequence
            Predicted value less data of each component.
        numbers : sequence
            Those of the mark.
        """

    def log_density(self, data: np.ndarray, predicted: np.ndarray, marks: np.ndarray) -> np.ndarray:
        """Mark by mark."""
        numbers = self.numbers(int(marks.max()) + 1, data.shape[1])[marks]
        away = np.moveaxis(predicted - data, 0, -1)
        return np.array([self.mark_log_density(*one) for one in zip(away, numbers, strict=True)]).T


def _scales(scale: np.ndarray, marks: int, components: int) -> np.ndarray:
    return np.broadcast_to(scale, (marks, components))


def _sum_of_squares(away: Sequence[Any], units: Sequence[Any]) -> Any:
    """Σ (d/σ)² of distances, with 1/σ."""
    total: Any = 0.0
    for distance, unit in zip(away, units, strict=True):
        residual = distance * unit
        total = total + residual * residual
    return total


def _validated_scale(value: Any) -> np.ndarray:
    scale = arguments.validated_array("the scale of the noise", value)
    if scale.ndim > 2 or not scale.size or not (np.isfinite(scale) & (scale > 0)).all():
        raise errors.InputError(
            "the scale of the noise",
            expected="positive numbers: one, one per component, or (marks, components)",
            got=reprlib.repr(scale.tolist()),
            hint="If it is a covariance, write covariance=…."
            if scale.ndim > 1 and scale.shape[-1] == scale.shape[-2]
            else "",
        )
    scale.setflags(write=False)
    return scale


def _check_scale(scale: np.ndarray, marks: int, components: int) -> None:
    try:
        _scales(scale, marks, components)
    except ValueError:
        raise errors.InputError("the scale of the noise", expected=f"one number, ({components},) or ({marks}, {components})",
                                got=f"shape {scale.shape}") from None  # fmt: skip


@final
@dataclass(frozen=True, eq=False, repr=False)
class GaussianNoise(display.Brief, frozen.Rebuilt, MarkwiseNoise):
    """Independent normal errors.

    Attributes
    ----------
    scale : number, (components,) or (marks, components)
        Standard deviations, in the units of the observed values.
    """

    scale: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", _validated_scale(self.scale))

    def numbers(self, marks: int, components: int) -> np.ndarray:
        """1/σ of each component, and the logarithm of the density at the predicted values."""
        scale = _scales(self.scale, marks, components)
        top = -np.sum(np.log(scale), axis=1) - 0.5 * components * math.log(2 * math.pi)
        return np.column_stack([1 / scale, top])

    def marginal_numbers(self, here: np.ndarray) -> np.ndarray:
        """1/σ = 0 of a component that is missing."""
        scale = _scales(self.scale, *here.shape)
        logs = np.where(here, np.log(scale), 0.0)
        top = -np.sum(logs, axis=1) - 0.5 * here.sum(axis=1) * math.log(2 * math.pi)
        return np.column_stack([np.where(here, 1 / scale, 0.0), top])

    def scaled(self, factors: np.ndarray) -> GaussianNoise:
        """Standard deviations times the factors."""
        return GaussianNoise(self.scale * factors)

    def mark_log_density(self, away: Sequence[Any], numbers: Sequence[Any]) -> Any:
        """Sum of the log-densities of the components."""
        *units, top = numbers
        return top - 0.5 * _sum_of_squares(away, units)

    def draw(self, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """Predicted values with normal errors."""
        return np.asarray(predicted + self.scale * rng.standard_normal(predicted.shape))

    def covariance(self, marks: int, components: int) -> np.ndarray:
        """Diagonal."""
        return _scales(self.scale, marks, components)[:, :, None] ** 2 * np.eye(components)

    def check(self, marks: int, components: int) -> None:
        """The scale has to fit."""
        _check_scale(self.scale, marks, components)


@final
@dataclass(frozen=True, eq=False, repr=False)
class StudentNoise(display.Brief, frozen.Rebuilt, MarkwiseNoise):
    """Errors with heavy tails: Student's distribution of several components for each mark, so that outliers count less.

    Attributes
    ----------
    scale : number, (components,) or (marks, components)
        Scales, in the units of the observed values; standard deviations are √(ν/(ν − 2)) times as large.
    degrees : float
        Degrees of freedom ν.
    """

    scale: Any
    degrees: float = 4.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", _validated_scale(self.scale))
        object.__setattr__(self, "degrees", arguments.validated_positive("degrees of freedom", self.degrees))

    def numbers(self, marks: int, components: int) -> np.ndarray:
        """1/σ of each component, the logarithm of the density at the predicted values, ν, and the exponent (ν + d)/2."""
        nu, d, scale = self.degrees, components, _scales(self.scale, marks, components)
        top = math.lgamma((nu + d) / 2) - math.lgamma(nu / 2) - 0.5 * d * math.log(nu * math.pi)
        more = np.full(marks, nu), np.full(marks, 0.5 * (nu + d))
        return np.column_stack([1 / scale, top - np.sum(np.log(scale), axis=1), *more])

    def marginal_numbers(self, here: np.ndarray) -> np.ndarray:
        """Those of the distribution of fewer components, with the same ν; 1/σ = 0 of a component that is missing."""
        nu, scale = self.degrees, _scales(self.scale, *here.shape)
        rows = []
        for one, present in zip(scale, here, strict=True):
            d = int(present.sum())
            top = math.lgamma((nu + d) / 2) - math.lgamma(nu / 2) - 0.5 * d * math.log(nu * math.pi)
            rows.append([*np.where(present, 1 / one, 0.0), top - np.sum(np.log(one[present])), nu, 0.5 * (nu + d)])
        return np.array(rows)

    def scaled(self, factors: np.ndarray) -> StudentNoise:
        """Scales times the factors."""
        return StudentNoise(self.scale * factors, self.degrees)

    def mark_log_density(self, away: Sequence[Any], numbers: Sequence[Any]) -> Any:
        """Of the components of a mark together."""
        *units, top, nu, power = numbers
        return top - power * ops.log(1 + _sum_of_squares(away, units) / nu)

    def draw(self, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """Predicted values with such errors: one χ² for each mark."""
        stretch = np.sqrt(self.degrees / rng.chisquare(self.degrees, predicted.shape[:-1]))
        return np.asarray(predicted + self.scale * rng.standard_normal(predicted.shape) * stretch[..., None])

    def covariance(self, marks: int, components: int) -> np.ndarray:
        """Diagonal, for ν > 2."""
        if self.degrees <= 2:
            raise errors.MethodError("Student noise has no covariance", expected="more than 2 degrees of freedom",
                                     got=f"{self.degrees:g}")  # fmt: skip
        squares = _scales(self.scale, marks, components) ** 2 * self.degrees / (self.degrees - 2)
        return squares[:, :, None] * np.eye(components)

    def check(self, marks: int, components: int) -> None:
        """The scale has to fit."""
        _check_scale(self.scale, marks, components)


@final
@dataclass(frozen=True, eq=False, repr=False)
class GivenDensity(display.Brief, ObservationNoise):
    """A law given by its log-density.

    Attributes
    ----------
    function : callable(data, predicted)
        The log-density of the data ``(k, components)`` of k marks for predicted values ``(paths, k, components)``: an array
        ``(paths, k)``, or ``(paths,)`` for one mark.
    sampler : callable(rng, predicted), optional
        Random data of the shape of the predicted values; needed for synthetic data only.
    """

    function: Callable[[np.ndarray, np.ndarray], Any]
    sampler: Callable[[np.random.Generator, np.ndarray], Any] | None = None

    def log_density(self, data: np.ndarray, predicted: np.ndarray, marks: np.ndarray) -> np.ndarray:
        """The values of the function, of which nan and +∞ raise an error."""
        shape = predicted.shape[:2]
        values = arguments.validated_array("the log-density", self.function(data, predicted))
        values = values[:, None] if values.shape == shape[:1] and shape[1] == 1 else values
        if values.shape != shape:
            raise errors.InputError("the log-density", expected=f"shape {shape}", got=f"shape {values.shape}")
        if np.isnan(values).any() or np.isposinf(values).any():
            raise errors.InputError("the log-density", expected="numbers, or −∞ for what is impossible", got="nan or ∞")
        return values

    def draw(self, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """The values of the sampler."""
        if self.sampler is None:
            raise errors.InputError("synthetic data", hint="Give GivenDensity(function, sampler).")
        data = arguments.validated_array("the random data", self.sampler(rng, predicted))
        if data.shape != predicted.shape:
            raise errors.InputError("the random data", expected=f"shape {predicted.shape}", got=f"shape {data.shape}")
        return data

    def covariance(self, marks: int, components: int) -> np.ndarray:
        """Unknown."""
        raise errors.MethodError("the covariance of a given log-density is not known", hint="Use a particle filter.")


def noise_of(value: Any) -> ObservationNoise:
    """The law that a user gives: an object, a function, or the standard deviation of normal errors."""
    if isinstance(value, ObservationNoise):
        return value
    return GivenDensity(value) if callable(value) else GaussianNoise(value)
