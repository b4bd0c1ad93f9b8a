"""The Lyapunov exponents of a system, with errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import display, explains_calls
from semidirect.statistics import batch_means
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LyapunovSpectrum"]


@explains_calls
@final
@dataclass(frozen=True, repr=False)
class LyapunovSpectrum(display.Read):
    """The result of :func:`lyapunov`.

    Attributes
    ----------
    system, method : str
    averages : BatchMeans
        The averages over time of each path: the exponents, their sum, and if it is known the divergence and the difference of
        the two.
    count : int
        Number of exponents.
    dimension : int
        That of the phase space.
    t_start, t_end, dt : float
        [s].
    every : int
        Steps from one re-orthonormalisation to the next.
    seed : int
    constraints : int
        The rows of a constraint in A form, each of which has an exponent 0 that is none of the system.
    """

    system: str
    method: str
    averages: batch_means.BatchMeans
    count: int
    dimension: int
    t_start: float
    t_end: float
    dt: float
    every: int
    seed: int
    constraints: int = 0

    @property
    def exponents(self) -> np.ndarray:
        """λ₁ ≥ λ₂ ≥ … [1/s], means over paths."""
        return self.averages.mean[: self.count]

    @property
    def standard_error(self) -> np.ndarray:
        """Their standard errors: between paths if there are at least 20, else between batches of times."""
        return self.averages.standard_error[: self.count]

    @property
    def by_path(self) -> np.ndarray:
        """The exponents of each path, (paths, K); nan for a path that failed."""
        return self.averages.by_path[:, : self.count]

    @property
    def error_by_path(self) -> np.ndarray:
        """The standard errors of :attr:`by_path`, between batches."""
        return self.averages.error_by_path[:, : self.count]

    @property
    def failed(self) -> int:
        """The number of paths that failed; the means leave them out."""
        return int(np.isnan(self.by_path).any(axis=1).sum())

    @property
    def total(self) -> tuple[float, float]:
        """The sum of the exponents and its standard error, which knows that they are correlated."""
        return self._row(self.count)

    @property
    def divergence(self) -> tuple[float, float] | None:
        """The mean of the derived divergence and its standard error; ``None`` unless all exponents of a reduced state were
        estimated.
        """
        return self._row(self.count + 1) if self._compared else None

    @property
    def excess(self) -> tuple[float, float] | None:
        """The mean difference of the sum and the divergence on the same paths, and its standard error: 0 but for the method."""
        return self._row(self.count + 2) if self._compared else None

    @property
    def lyapunov_dimension(self) -> float:
        """Kaplan and Yorke's: k + (λ₁ + … + λ_k)/|λ_{k+1}| with the largest k for which the sum is not negative; nan if it takes
        more exponents than are known. Of a constraint in A form, as many exponents as it has, those nearest to 0, do not count.
        """
        exponents, size = self.exponents, self.dimension - self.constraints
        if self.constraints:
            if self.count < self.dimension:
                return float("nan")
            exponents = np.delete(exponents, np.argsort(np.abs(exponents))[: self.constraints])
        sums = np.concatenate([[0.0], np.cumsum(exponents)])
        k = int(np.flatnonzero(sums >= 0)[-1])
        if k < len(exponents):
            return float(k + sums[k] / abs(exponents[k]))
        return float(k) if k == size else float("nan")

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw averages of the exponents up to each time with bands of 95 %, and the exponents with their errors."""
        from semidirect.analysis.pictures.exponents import plot_exponents

        batches, interval = self.averages.batches, self.averages.interval
        ends = self.t_start + interval * (batches.skipped + batches.length * np.arange(1, batches.count + 1))
        series = self.averages.series
        curves = np.empty((0, self.count)) if series is None else series[:, : self.count]
        begin = printing.figures(self.t_start + interval * batches.skipped)
        paths = f"{len(self.by_path)} path{'s' * (len(self.by_path) > 1)}"
        title = f"{self.system}, {self.method}, {paths}, averages from {begin} s"
        return plot_exponents(
            ends[: len(curves)], curves, self.exponents, self.averages.plain_error[: self.count], title=title, ax=ax
        )

    def described(self) -> dict[str, Any]:
        """In JSON's types: exponents and errors, their sum, and the divergence and the excess if they are known."""
        own = {k: v for k, v in vars(self).items() if k != "averages"}
        table = [[None if np.isnan(x) else float(x) for x in row] for row in self.averages.table]
        names = ["sum", "divergence", "excess"]
        parts = [dict(zip(("mean", "standard_error", "autocorrelation_time"), row, strict=True)) for row in table]
        averages = self.averages
        return {**own, "exponents": parts[: self.count], **dict(zip(names, parts[self.count :], strict=False)),
                "paths": len(averages.by_path), "failed": self.failed, "batches": averages.batches.count,
                "note": averages.note or None}  # fmt: skip

    @property
    def _compared(self) -> bool:
        return len(self.averages.mean) > self.count + 1

    def _row(self, number: int) -> tuple[float, float]:
        return float(self.averages.mean[number]), float(self.averages.standard_error[number])

    def __str__(self) -> str:
        averages, rows = self.averages, []
        names = [f"λ{i + 1}" for i in range(self.count)] + ["sum", "divergence", "sum - divergence"]
        for name, (mean, error, time) in zip(names, averages.table, strict=False):
            chance = printing.standard_error(float(error), float(mean), ".1e")
            rows.append([name, printing.figures(float(mean)), chance, printing.figures(float(time))])
        length = averages.batches.length * averages.interval
        begin = self.t_start + averages.batches.skipped * averages.interval
        batches = (
            f"{averages.batches.count} batches of {printing.figures(length)} s from t = {printing.figures(begin)} s"
        )
        lines = [
            f"Lyapunov exponents of {self.system} by {self.method}, t = {self.t_start:g} to {self.t_end:g} s, dt = {self.dt:g} s",
            text_layout.table(["", "mean [1/s]", "s.e.", "autocorrelation time [s]"], rows, right=(1, 2, 3)),
            f"{int(averages.count.max(initial=0))} paths, {batches}, seed {self.seed}",
        ]
        if self.constraints:
            lines.append(
                f"Of the exponents, {self.constraints} that vanish belong to the constraint, not to the system."
            )
        return "\n".join([*lines, *([f"Note: {averages.note}."] if averages.note else [])])
