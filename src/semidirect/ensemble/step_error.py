"""How far a run is from the same run at half the step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from semidirect.core.display import Brief


@final
@dataclass(frozen=True)
class OutputError:
    """How far one output of a run is from that of the refined run.

    Attributes
    ----------
    unit : str
    size : float
        Root mean square of the output in the refined run; π for an angle.
    largest : float
        Over all paths and kept times: Euclidean norm of the difference of a vector, geodesic distance of configurations.
    rms : float
        Root mean square over all paths and kept times.
    """

    unit: str
    size: float
    largest: float
    rms: float


@final
@dataclass(frozen=True, repr=False)
class ErrorCheck(Brief):
    """A run beside the same run at half the step.

    For a method of order p on this problem the error of the run is about the difference over 1 − 2^(−p).

    Attributes
    ----------
    dt, refined_dt : float
        Steps [s]; the same for a method that chooses its own, which is checked against tighter tolerances.
    paths : int
        Paths that are good in both runs, and were compared.
    failed : int
        The others.
    times : int
        Kept times that were compared; 1 where only the end was kept.
    outputs : dict name → OutputError
        Everything that the run keeps, and the configuration by factors where it keeps all of s.
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
