"""The driver made of an array of increments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

import numpy as np

from semidirect.core import display, errors
from semidirect.random.driver import DrivenRun, Driver
from semidirect.random.drivers.path import GivenPath
from semidirect.random.driving_path import DrivingPath, SampledPath, validated_components
from semidirect.random.driving_process import DrivingProcess
from semidirect.random.shared_increments import share_noise

__all__ = ["GivenIncrements"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class GivenIncrements(display.Brief, Driver):
    """Increments that replace those of the noise.

    Attributes
    ----------
    dW : array (steps, m) or (steps, m, paths)
        The increments of the steps of the run, in order; with a third axis, path by path.
    """

    dW: Any

    name: ClassVar[str] = "increments"

    def path(self, dt: float, first: int) -> SampledPath:
        """The path with these increments of steps dt [s], of which the first has this number, counted from t = 0."""
        return DrivingPath.from_increments(self.dW, dt, first)

    def process(self, run: DrivenRun) -> DrivingProcess:
        """The path with these increments, after a check of the numbers of steps and paths."""
        path = self.path(run.dt, run.steps.start)
        if len(path.samples) < len(run.steps):
            expected, got = f"increments of {len(run.steps)} steps", f"{len(path.samples)} of them"
            hint = "Give one of each step, or the path as an expression in t, such as 'sin(t)'."
            raise errors.InputError("the driving path", expected=expected, got=got, hint=hint)
        if np.ndim(path.samples) == 3 and np.shape(path.samples)[2] != run.paths:
            expected, got = f"increments of {run.paths} paths", f"{np.shape(path.samples)[2]}"
            hint = "Give as many paths, increments (steps, k) for all of them, or one noise for all, driver=sd.Wiener(path=0)."
            raise errors.InputError("the driving path", expected=expected, got=got, hint=hint)
        return validated_components(path, run.components)

    def as_json(self, process: DrivingProcess) -> dict[str, Any]:
        """The number of components: a manifest does not contain the increments, but the store has a digest of them."""
        return {"kind": GivenPath.name, "components": process.components}

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Self:
        """Always raises an error, since the manifest does not contain them."""
        raise errors.InputError("the increments are not in the store", hint="Give them as driver=….")

    @property
    def one_noise(self) -> bool:
        """True for increments that paths share."""
        return share_noise(self.dW)

    @property
    def refinable(self) -> bool:
        """False: increments belong to their steps."""
        return False
