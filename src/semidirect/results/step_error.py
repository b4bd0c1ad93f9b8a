"""The difference between a run and the same run at half the step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self, final

import numpy as np

from semidirect.core import display
from semidirect.results.difference import Difference
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    from semidirect.groups import LieGroup


class Compared(Protocol):
    """The attributes of a run that are compared; :class:`~semidirect.results.run.RunData` is one."""

    @property
    def data(self) -> Mapping[str, np.ndarray]:
        """The saved quantities."""

    @property
    def final(self) -> Mapping[str, np.ndarray]:
        """The final state."""

    @property
    def good(self) -> np.ndarray:
        """The paths that did not fail."""

    @property
    def times(self) -> np.ndarray:
        """The saved times."""

    @property
    def paths(self) -> int:
        """The number of paths."""

    @property
    def units(self) -> Mapping[str, str]:
        """The units of the quantities."""


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

    @classmethod
    def of(cls, difference: Difference) -> Self:
        """Of a difference on all paths; nan without one."""
        d = difference
        if not d.distances.size:
            return cls(d.unit, float("nan"), float("nan"), float("nan"))
        return cls(d.unit, d.size, float(np.max(d.distances)), float(np.sqrt(np.mean(d.distances**2))))


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

    @classmethod
    def of(cls, run: Compared, fine: Compared, group: LieGroup, dt: float, refined_dt: float) -> Self:
        """The differences between a run and the refined run."""
        good = run.good & fine.good
        paths = int(np.count_nonzero(good))
        first, second = ({k: v[good] for k, v in r.data.items()} for r in (run, fine))
        times, axes = len(run.times), 2
        if not first:
            times, axes = 1, 1
            first, second = ({k: v[good] for k, v in r.final.items()} for r in (run, fine))
        differences = Difference.by_name(group, first, second, [*first, "configuration"], run.units, axes)
        outputs = {name: OutputError.of(d) for name, d in differences.items()}
        return cls(dt, refined_dt, paths, run.paths - paths, times, outputs)

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {**vars(self), "outputs": {name: dict(vars(e)) for name, e in self.outputs.items()}}

    def text(self) -> str:
        """The differences in a table."""
        against = (
            f"half the step, {self.refined_dt:g} s" if self.refined_dt != self.dt else "a quarter of the tolerance"
        )
        lost = f", {self.failed} that failed left out" if self.failed else ""
        at = "at the end" if self.times == 1 else f"over {self.times} times"
        head = (
            f"error check against {against}, on the same noise: {self.paths} path{'s' * (self.paths != 1)}{lost}, {at}"
        )
        rows = [
            [name, printing.figures(e.largest), printing.figures(e.rms), printing.figures(e.size), e.unit]
            for name, e in self.outputs.items()
        ]
        return f"{head}\n{text_layout.table(['difference', 'largest', 'rms', 'size', 'unit'], rows, right=[1, 2, 3])}"
