"""A given path W(t) that replaces the noise: increments from elsewhere, or a function of time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from semidirect.core import arguments, display, errors, explains_calls, frozen
from semidirect.random.driving_process import DrivingProcess, validated_share
from semidirect.random.path_expression import Expression, read_expressions
from semidirect.random.philox import STEP_BITS

__all__ = ["DrivingPath", "ExpressionPath", "SampledPath", "validated_components"]

TIMES_AT_ONCE = 65536


@explains_calls
class DrivingPath(DrivingProcess):
    """A path W(t) of k components that drives the equations instead of the noise.

    Attributes
    ----------
    components : int
        k.
    smooth : bool
        Whether W has a derivative, so that methods for ordinary differential equations apply.
    """

    smooth: ClassVar[bool]

    @property
    @abstractmethod
    def components(self) -> int:
        """The number of components k."""

    @abstractmethod
    def value(self, t: Any) -> np.ndarray:
        """W(t); times ``(...)`` give ``(k, ...)``."""

    @abstractmethod
    def derivative(self, t: Any) -> np.ndarray:
        """W′(t), shaped as :meth:`value`."""

    @abstractmethod
    def increments(self, paths: Any, step: int, dt: float) -> np.ndarray:
        """W((step+1) dt) − W(step dt), ``(components, paths)``."""

    def block(self, paths: Any, step: int, steps: int, dt: float) -> np.ndarray:
        """The increments of consecutive steps from ``step`` on, ``(steps, components, paths)``."""
        out = np.empty((steps, self.components, len(paths)))
        for i in range(steps):
            out[i] = self.increments(paths, step + i, dt)
        return out

    def check_steps(self, steps: range, dt: float, paths: int) -> None:
        """Raise an error if the path begins late or ends early, has another resolution or fewer paths, or is not finite."""
        super().check_steps(steps, dt, paths)
        nodes = range(steps.start, steps.stop + 1)
        for first in range(steps.start, nodes.stop if self.smooth else steps.start, TIMES_AT_ONCE):
            times = np.arange(first, min(first + TIMES_AT_ONCE, nodes.stop)) * dt
            with np.errstate(all="ignore"):
                bad = ~np.isfinite(self.value(times)).all(axis=0)
            if bad.any():
                raise errors.InputError(
                    "the driving path is not finite",
                    where=f"t = {times[np.argmax(bad)]:g}",
                    hint="Write expressions that have a value at all times of the run.",
                )

    def check_half_step(self, dt: float) -> None:
        """Raise an error unless the path is smooth."""
        if not self.smooth:
            raise errors.MethodError(
                "a driving path given by increments is not defined at half the step",
                hint="Give it as an expression in t, or at twice the resolution to a run of its own.",
            )

    @staticmethod
    def from_increments(increments: Any, resolution: float, first: int = 0) -> SampledPath:
        """The path with these increments, ``(steps, k)`` or ``(steps, k, paths)``, over intervals of equal length [s]. The first
        increment belongs to the interval with the number ``first``, counted from t = 0.
        """
        return SampledPath(increments, resolution, first)

    @staticmethod
    def from_expression(source: str | float | Sequence[str | float]) -> ExpressionPath:
        """The path W(t) given as text in t, ``"sin(t)"``, or as a list of such, ``"[sin(t), 0.1*t**2]"``."""
        return ExpressionPath(read_expressions(source))


@dataclass(frozen=True, repr=False)
class ExpressionPath(display.Brief, DrivingPath):
    """A smooth path with one expression in t for each component."""

    expressions: tuple[Expression, ...]
    smooth: ClassVar[bool] = True

    @property
    def components(self) -> int:
        """The number of expressions."""
        return len(self.expressions)

    def value(self, t: Any) -> np.ndarray:
        """W(t); times ``(...)`` give ``(k, ...)``."""
        return np.stack([f.value(t) for f in self.expressions])

    def derivative(self, t: Any) -> np.ndarray:
        """W′(t), exact, shaped as :meth:`value`."""
        return np.stack([f.derivative(t) for f in self.expressions])

    @property
    def steady(self) -> bool:
        """True if no expression contains t."""
        return all(f.constant for f in self.expressions)

    def increments(self, paths: Any, step: int, dt: float) -> np.ndarray:
        """W((step+1) dt) − W(step dt), ``(components, paths)``, the same for every path."""
        step, dt = (
            arguments.validated_whole("step", step, least=0, most=2**STEP_BITS - 1),
            arguments.validated_positive("the step", dt),
        )
        start, end = self.value(np.array([step * dt, (step + 1) * dt])).T
        return np.repeat((end - start)[:, None], arguments.validated_paths(paths).size, axis=1)

    def part(self, paths: Any, step: int, dt: float, share: np.ndarray) -> np.ndarray:
        """The increments of the path itself."""
        step, dt = (
            arguments.validated_whole("step", step, least=0, most=2**STEP_BITS - 1),
            arguments.validated_positive("the step", dt),
        )
        share = validated_share(share, arguments.validated_paths(paths).size)
        return self.value(step * dt + share * dt) - self.value(np.full(share.shape, step * dt))


@dataclass(frozen=True, eq=False, repr=False)
class SampledPath(display.Brief, frozen.Rebuilt, DrivingPath):
    """A path given by its increments over intervals of equal length. It is linear between the nodes, and W = 0 at the start
    of the first interval.

    Attributes
    ----------
    samples : array, shape (steps, k) or (steps, k, paths)
        The increments; with a third axis, ``samples[:, :, p]`` drives path p, otherwise all paths have the same.
    resolution : float
        Length of the intervals [s].
    first : int
        Number of the first interval, counted from t = 0.
    """

    samples: np.ndarray
    resolution: float
    first: int = 0
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        try:
            samples = self.samples if _unchanging(self.samples) else arguments.numeric(self.samples)
        except (TypeError, ValueError):
            raise errors.InputError("the driving path cannot be used", expected="an array of numbers, or expressions in t",
                                    got=f"a {type(self.samples).__name__}") from None  # fmt: skip
        if samples.ndim not in (2, 3) or 0 in samples.shape:
            expected = "increments (steps, k) or (steps, k, paths)"
            hint = "Without noise there is none to replace: leave driver= out." if 0 in samples.shape[1:2] else ""
            raise errors.InputError(
                "the driving path cannot be used", expected=expected, got=f"shape {samples.shape}", hint=hint
            )
        if not np.isfinite(samples).all():
            index = tuple(int(i) for i in np.argwhere(~np.isfinite(samples))[0])
            raise errors.InputError(
                "an increment is not finite",
                expected="finite numbers",
                got=str(samples[index]),
                where=f"index {index}",
            )
        samples.setflags(write=False)
        object.__setattr__(self, "samples", samples)
        object.__setattr__(
            self, "resolution", arguments.validated_positive("the resolution of the driving path", self.resolution)
        )
        first = arguments.validated_whole(
            "the first interval of the driving path", self.first, least=0, most=2**STEP_BITS - 1
        )
        object.__setattr__(self, "first", first)

    @property
    def components(self) -> int:
        """The length of the second axis."""
        return int(self.samples.shape[1])

    def arrays(self) -> tuple[np.ndarray, ...]:
        """The increments."""
        return (self.samples,)

    @property
    def _end(self) -> float:
        return (self.first + len(self.samples)) * self.resolution

    def value(self, t: Any) -> np.ndarray:
        """W(t); times ``(...)`` give ``(k, ...)``, or ``(k, ..., paths)`` if the paths differ."""
        t = arguments.validated_array("times", t)
        count, start = len(self.samples), self.first * self.resolution
        if not ((t >= start) & (t <= self._end)).all():
            interval = f"{start:g} to {self._end!r}"
            raise errors.InputError("the driving path is not defined at this time", expected=interval)
        nodes = np.concatenate([np.zeros((1, *self.samples.shape[1:])), np.cumsum(self.samples, axis=0)])
        position = t / self.resolution - self.first
        left = np.clip(np.floor(position), 0, count - 1).astype(np.int64)
        fraction = (position - left).reshape(t.shape + (1,) * (nodes.ndim - 1))
        return np.moveaxis((1 - fraction) * nodes[left] + fraction * nodes[left + 1], t.ndim, 0)

    def derivative(self, t: Any) -> np.ndarray:
        """Always raises an error: a path given by increments has no derivative."""
        raise errors.MethodError(
            "a driving path given by increments has no derivative",
            hint="Give it as an expression in t, or choose a method for noise.",
        )

    def increments(self, paths: Any, step: int, dt: float) -> np.ndarray:
        """The sum of the increments within a step, in their order, ``(components, paths)``."""
        paths = arguments.validated_paths(paths)
        step, dt = (
            arguments.validated_whole("step", step, least=0, most=2**STEP_BITS - 1),
            arguments.validated_positive("the step", dt),
        )
        multiple = round(dt / self.resolution) if dt / self.resolution < 2**STEP_BITS else 0
        if multiple < 1 or abs(dt / (multiple * self.resolution) - 1) > 1e-12:
            raise errors.MethodError(
                "the driving path is not defined at this step",
                expected=f"a multiple of its resolution {self.resolution!r}",
                got=f"dt = {dt!r}",
                hint="Give increments for this step size, or an expression in t.",
            )
        first, count = step * multiple - self.first, len(self.samples)
        if first < 0:
            raise errors.InputError(
                "the driving path begins after this step", expected=f"a time from {self.first * self.resolution!r}",
                got=repr(step * dt), where=f"step {step}",
            )  # fmt: skip
        if first + multiple > count:
            raise errors.InputError(
                "the driving path ends before this step",
                expected=f"a time up to {self._end!r}",
                got=repr((step + 1) * dt),
                where=f"step {step}",
            )
        total = self.samples[first]
        for i in range(first + 1, first + multiple):
            total = total + self.samples[i]
        if total.ndim == 1:
            return np.repeat(total[:, None], paths.size, axis=1)
        path_count = self.samples.shape[2]
        if paths.size and int(paths.max()) >= path_count:
            raise errors.InputError(
                "no increments for a path", expected=f"paths below {path_count}", got=str(int(paths.max()))
            )
        return total[:, paths.astype(np.int64)]


def _unchanging(samples: Any) -> bool:
    """Whether an array of numbers is of its own and cannot be written to, so that it can be used as it is."""
    return (
        type(samples) is np.ndarray
        and samples.dtype == np.float64
        and samples.base is None
        and not samples.flags.writeable
    )


def validated_components(path: DrivingPath, noises: int) -> DrivingPath:
    """The path, if it has as many components as there are noises."""
    if path.components != noises:
        raise errors.InputError(
            "the driving path", expected=f"{noises} component{'s' * (noises != 1)}, one for each noise", got=str(path.components),
            hint=f"Write for example [{', '.join(['sin(t)', *['0'] * (noises - 1)])}]." if noises
            else "There is no noise to replace.",
        )  # fmt: skip
    return path
