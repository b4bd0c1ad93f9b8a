"""The driver made of a path object, of a user's class or with given increments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

from semidirect.core import errors
from semidirect.random.driver import DrivenRun, Driver
from semidirect.random.driving_path import DrivingPath, SampledPath, validated_components
from semidirect.random.driving_process import DrivingProcess
from semidirect.random.shared_increments import share_noise

__all__ = ["GivenPath"]


@final
@dataclass(frozen=True)
class GivenPath(Driver):
    """A :class:`~semidirect.noise.DrivingPath` that replaces the noise.

    Attributes
    ----------
    path : DrivingPath
    """

    path: DrivingPath

    name: ClassVar[str] = "driving path"

    def process(self, run: DrivenRun) -> DrivingProcess:
        """The path, after a check of its number of components."""
        return validated_components(self.path, run.components)

    def as_json(self, process: DrivingProcess) -> dict[str, Any]:
        """The number of components: a manifest does not contain the path."""
        return {"components": process.components}

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Self:
        """Always raises an error, since the manifest does not contain it."""
        raise errors.InputError("the driving path is not in the store", hint="Give it as driver=….")

    @property
    def one_noise(self) -> bool:
        """True for increments that paths share; a smooth path is none of a random process."""
        return isinstance(self.path, SampledPath) and share_noise(self.path.samples)

    @property
    def refinable(self) -> bool:
        """True if the path is smooth."""
        return self.path.smooth
