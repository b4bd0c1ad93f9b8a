"""The difference between a run and the same run at half the step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from semidirect.core import display


@final
@dataclass(frozen=True)
class OutputError:
    """The difference of one output between a run and the refined run.

    Attributes
    ----------
    unit : str
    size : float
        Root mean square of the output in the refined run; π for an angle.
    largest : float
        Largest Euclidean norm of the difference, or geodesic distance of configurations, over all paths and saved times.
    rms : float
        Root mean square over all paths and saved times.
    """

    unit: str
    size: float
    largest: float
    rms: float


@final
@dataclass(frozen=True, repr=False)
class ErrorCheck(display.Brief):
    """A run compared with the same run at half the step.

    For a method of order p on this problem the error of the run is about the difference over 1 − 2^(−p).

    Attributes
    ----------
    dt, refined_dt : float
        Steps [s]; equal for a method that chooses its own steps, which is compared with tighter tolerances.
    paths : int
        Number of compared paths, which are good in both runs.
    failed : int
        Number of the other paths.
    times : int
        Number of compared times; 1 if only the end was saved.
    outputs : dict name → OutputError
        All saved quantities, and the configuration by factors if all of s was saved.
    """

    dt: float
    refined_dt: float
    paths: int
    failed: int
    times: int
    outputs: Mapping[str, OutputError]

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {**vars(self), "outputs": {name: dict(vars(e)) for name, e in self.outputs.items()}}
