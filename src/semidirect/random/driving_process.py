"""The increments of the noise of one run, as a function of path, step and length of the step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np

from semidirect.core import arguments, errors, user_code
from semidirect.random.covariance import mixed

__all__ = ["DrivingProcess", "KernelDraw"]


def validated_share(share: Any, paths: int) -> np.ndarray:
    """Shares of a step, one for each path."""
    array = arguments.validated_array("the shares of a step", share)
    if array.shape != (paths,):
        raise errors.InputError(
            "the shares of a step", expected=f"one for each path, ({paths},)", got=f"shape {array.shape}"
        )
    return array


@final
@dataclass(frozen=True)
class KernelDraw:
    """The data with which a compiled kernel draws the increments of a step itself, without an array of them.

    Attributes
    ----------
    seed : int
    root : float
        √h, the factor of the standard variables of the generator.
    lower : array (m, m) or None
        The Cholesky factor that mixes correlated noises.
    weak : bool
        Whether the variables are three-point variables instead of normals.
    """

    seed: int
    root: float
    lower: np.ndarray | None
    weak: bool


class DrivingProcess(user_code.Hooked, ABC):
    """The process that a :class:`~semidirect.random.driver.Driver` makes for a run: dW of each path and step. It can be pickled.

    A subclass has to define :attr:`components` and :meth:`block`; everything else has a default.

    Attributes
    ----------
    components : int
        The number of components of W.
    smooth : bool
        Whether W has a derivative, so that methods for ordinary differential equations apply.
    """

    smooth: ClassVar[bool] = False

    if TYPE_CHECKING:  # not a property: subclasses with this name as a field would take the property as its default

        @property
        def components(self) -> int:
            """The number of components of W."""

    @abstractmethod
    def block(self, paths: Any, step: int, steps: int, dt: float) -> np.ndarray:
        """The increments of consecutive steps from ``step`` on, ``(steps, rows, paths)``, for a range or integers ``(n,)``."""

    def block_from(self, paths: np.ndarray, steps: np.ndarray, count: int, dt: float) -> np.ndarray:
        """As :meth:`block`, where the first step of each path ``(n,)`` is its own."""
        out: np.ndarray | None = None
        for step in np.unique(steps).tolist():
            which = np.flatnonzero(steps == step)
            rows = self.block(paths[which], step, count, dt)
            out = np.empty((*rows.shape[:2], len(paths))) if out is None else out
            out[:, :, which] = rows
        return np.zeros((count, 0, 0)) if out is None else out

    def part(self, paths: Any, step: int, dt: float, share: np.ndarray) -> np.ndarray:
        """The rows of the first part of a step, of the length ``share·dt`` with a share ``(n,)`` from 0 to 1 for each path, where
        W is taken as linear within the step if nothing more is known: ``(rows, n)``.
        """
        rows = self.block(paths, step, 1, dt)[0]
        return rows * validated_share(share, rows.shape[-1])

    @property
    def increment_law(self) -> str | None:
        """``"normal"`` or ``"three-point"`` for a Wiener process; ``None`` for any other, treated as a path."""
        return None

    @property
    def correlated(self) -> bool:
        """Whether the components of a Wiener process are correlated."""
        return False

    def mixing(self) -> np.ndarray | None:
        """L, by which the components of a Wiener process are L times independent ones; ``None`` where they are independent."""
        if self.correlated:
            raise errors.MethodError(
                "the covariance of this driver is not known", hint="Its class has to define mixing()."
            )
        return None

    def mixed(self, z: np.ndarray) -> np.ndarray:
        """L z over the axis of components, the last but one, in the order that kernels use; z where they are independent."""
        lower = self.mixing()
        return z if lower is None else mixed(lower, z)

    @property
    def random_resolution(self) -> float | None:
        """The interval h₀ [s] at which random numbers are drawn; ``None`` if none are drawn."""
        return None

    def with_seed(self, seed: int) -> Self:
        """The process of a run with another seed; the same object if no random numbers are drawn."""
        return self

    def of_step(self, dt: float, step: float) -> DrivingProcess:
        """The process for a run in which some steps have another length than dt [s], with the same random numbers for each step.

        Raises
        ------
        MethodError
            If it is not defined for such steps.
        """
        raise errors.MethodError(
            "a driver that is defined at the step, in steps of another length", expected=f"steps of {dt:g} s", got=f"{step:g} s",
            hint="Give data at multiples of dt, or use driver=sd.Wiener().",
        )  # fmt: skip

    @property
    def rates_per_step(self) -> int:
        """The number of rows of each component in a step: one, the increment, unless rates at stages replace it."""
        return 1

    def derivative(self, t: Any) -> np.ndarray:
        """W′(t) of a smooth process; times ``(...)`` give ``(k, ...)``."""
        raise errors.MethodError("this driver has no derivative", hint="Give W(t) as an expression in t.")

    @property
    def steady(self) -> bool:
        """Whether W′ is known to be constant in time; false by default."""
        return False

    def kernel_draw(self, dt: float) -> KernelDraw | None:
        """The data with which a kernel draws the increments of steps dt itself; ``None`` if it gets them from :meth:`block`."""
        return None

    def arrays(self) -> tuple[np.ndarray, ...]:
        """Arrays of the user that determine it; they are part of the identity of a run on disk."""
        return ()

    def check_steps(self, steps: range, dt: float, paths: int) -> None:
        """Raise an error for steps or paths for which it is not defined, before the first step of a run."""
        validated_steps(steps, dt, paths)
        with np.errstate(all="ignore"):
            for step in (steps[0], steps[-1]) if steps else ():
                self.block(range(paths - 1, paths), step, 1, dt)

    def paths_of_noise(self, paths: np.ndarray) -> np.ndarray:
        """The numbers of the paths whose random numbers these paths have: their own, unless all have one noise."""
        return paths

    def check_half_step(self, dt: float) -> None:  # most have nothing to say
        """Raise a :class:`~semidirect.errors.MethodError` if W is not defined at half the step."""


def validated_steps(steps: range, dt: float, paths: int) -> None:
    """Raise an error unless it is a range of steps."""
    arguments.validated_instance("steps", steps, range, expected="a range of steps")
    arguments.validated_positive("dt", dt)
    arguments.validated_whole("paths", paths, least=1)
