"""Figures that long runs and studies of convergence are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core import errors
from semidirect.results import RunLike, a_run


@final
@dataclass(frozen=True)
class DriftSlope:
    """The deviation of a quantity that should be constant from its first value, and whether it keeps drifting.

    Attributes
    ----------
    error : float
        The largest |Q(t) − Q(0)| over paths and times, relative to max(1, |Q(0)|).
    slope : float
        Of the straight line through the worst path's Q(t) − Q(0) by least squares [1/s], relative likewise.
    trend : float
        |slope| times the horizon over the error: near 0 for an error that oscillates, near 1 for one that grows.
    """

    error: float
    slope: float
    trend: float

    def __str__(self) -> str:
        return f"error {self.error:.1e}, slope {self.slope:.1e}/s, trend {self.trend:.2f}"


def drift_slope(run: RunLike, quantity: str) -> DriftSlope:
    """The drift of a scalar quantity or of the components of a vector, over the good paths of a run with saved times.

    Raises
    ------
    InputError
        For fewer than two saved times, or no good path.
    """
    run = a_run(run)
    if len(run.times) < 2 or not run.good.any():
        raise errors.InputError(
            "a drift", expected="two saved times or more, and a good path",
            got=f"{len(run.times)} saved times, {int(run.good.sum())} good paths",
        )  # fmt: skip
    values = np.asarray(run[quantity])[run.good]
    values = values.reshape(*values.shape[:2], -1)
    off = (values - values[:, :1]) / np.maximum(1.0, np.abs(values[:, :1]))
    path, _, component = np.unravel_index(int(np.argmax(np.abs(off))), off.shape)
    worst, error = off[path, :, component], float(np.max(np.abs(off)))
    times = np.asarray(run.times) - run.times[0]
    slope = float(np.polyfit(times, worst, 1)[0])
    return DriftSlope(error, slope, abs(slope) * float(times[-1]) / error if error > 0 else 0.0)
