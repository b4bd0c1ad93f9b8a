"""How paths end before their time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

GOOD, BLOW_UP, NOT_CONVERGED, STOPPED, TURNED_TOO_FAR, OUT_OF_BOUNDS, NO_CONTRACTION = range(7)
LARGEST_TURN = math.pi / 2
"""Half the injectivity radius of SO(3): a larger increment of a geometric method no longer follows the path."""

REASONS: Mapping[int, str] = {
    BLOW_UP: "a value is not finite",
    NOT_CONVERGED: "an implicit step did not converge",
    TURNED_TOO_FAR: "a step turned by more than π/2",
    OUT_OF_BOUNDS: "a value is beyond its bound",
    NO_CONTRACTION: "the sweeps of an implicit step do not contract: the step is too long",
}
MEANING = "0 good, 1 not finite, 2 not converged, 3 stopped, 4 step too large, 5 beyond a bound, 6 no contraction"


@dataclass(frozen=True)
class Failure:
    """A path that failed: index, time of its first bad step [s], component of the state or observable, reason."""

    path: int
    time: float
    component: str
    reason: str

    def __str__(self) -> str:
        where = f" in {self.component}" if self.component else ""
        return f"path {self.path}, t = {self.time:g}{where}: {self.reason}"


def failed(status: np.ndarray) -> np.ndarray:
    """Which paths failed; one that an event stopped did not."""
    return (status != GOOD) & (status != STOPPED)


def failures(status: np.ndarray, failed_at: np.ndarray, failed_component: np.ndarray, components: Sequence[str],
             numbers: np.ndarray | None = None) -> list[Failure]:  # fmt: skip
    """The paths that failed; ``numbers`` are those of the paths, where they do not count from 0."""
    return [
        Failure(int(p if numbers is None else numbers[p]), float(failed_at[p]),
                components[failed_component[p]] if failed_component[p] >= 0 else "", REASONS[int(status[p])])
        for p in np.flatnonzero(failed(status))
    ]  # fmt: skip
