"""The result of a multilevel estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.multilevel.level import Level
from semidirect.core import display, explains_calls
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

__all__ = ["Multilevel"]


@explains_calls
@final
@dataclass(frozen=True, repr=False)
class Multilevel(display.Read):
    """The mean of a quantity at a time, by multilevel Monte Carlo.

    Attributes
    ----------
    system, quantity, unit, method : str
    estimate : float
        The mean, the sum of the means of all levels.
    statistical_error : float
        Its standard error.
    bias : float
        A bound of the error of the finest step, from the means of the last levels, their errors and the weak order.
    rmse : float
        The root mean square error that was asked for.
    weak_order, variance_order : float
        The orders α of the means and β of the variances of the differences, as measured; nan if there are too few levels.
    levels : tuple of Level
    t_start, t_end : float
        [s].
    seed : int
    plain_paths, plain_cost : int
        The cost of plain sampling at the finest step for this error: paths, and steps of all paths.
    """

    system: str
    quantity: str
    unit: str
    method: str
    estimate: float
    statistical_error: float
    bias: float
    rmse: float
    weak_order: float
    variance_order: float
    levels: tuple[Level, ...]
    t_start: float
    t_end: float
    seed: int
    plain_paths: int
    plain_cost: int

    @property
    def error(self) -> float:
        """The root of statistical_error² + bias²."""
        return float(np.hypot(self.statistical_error, self.bias))

    @property
    def cost(self) -> int:
        """The steps of all paths on all levels."""
        return sum(level.cost for level in self.levels)

    @property
    def failed(self) -> int:
        """The number of paths that failed, which are left out."""
        return sum(level.failed for level in self.levels)

    @property
    def gain(self) -> float:
        """The cost of plain sampling by this cost."""
        return self.plain_cost / self.cost

    def __str__(self) -> str:
        return f"{self._head()}\n\n{text_layout.table(HEADER, self._rows(), right=range(len(HEADER)))}"

    def _repr_html_(self) -> str:
        first, *rest = self._head().split("\n")
        return (
            display.heading(first)
            + display.heading("; ".join(line.strip() for line in rest))
            + display.table(HEADER, self._rows())
        )

    def _head(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        lost = f"; {self.failed} paths failed and are left out" if self.failed else ""
        return "\n".join([
            f"mean of {self.quantity} of {self.system} {printing.span(self.t_start, self.t_end)} by {self.method}: "
            f"{printing.with_error(self.estimate, self.error)}{unit}",
            f"  statistical error {self._part(self.statistical_error)}, bias {self._part(self.bias)}, "
            f"target {self.rmse:.1e}; "
            f"seed {self.seed}{lost}",
            f"  weak order {_seen(self.weak_order)}, order of the variance {_seen(self.variance_order)}",
            f"  {self.cost:.3g} steps; plain sampling: {self.plain_paths:.3g} path{'s' * (self.plain_paths != 1)}, "
            f"{self.plain_cost:.3g} steps, "
            f"{self.gain:.3g} times as many",
        ])  # fmt: skip

    def _part(self, value: float, form: str = ".1e") -> str:
        """A part of the estimate or of its error; 0 if it is rounding."""
        return printing.standard_error(value, self.estimate, form)

    def _rows(self) -> list[list[str]]:
        return [
            [
                printing.figures(x.dt),
                f"{x.paths}",
                f"{x.seen:.0f}",
                self._part(x.mean, "+.4g"),
                self._part(x.standard_error),
                "0" if self._part(float(np.sqrt(x.variance))) == "0" else f"{x.variance:.2e}",
                f"{x.cost:.3g}",
            ]
            for x in self.levels
        ]

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        own = {k: v for k, v in vars(self).items() if k != "levels"}
        orders = {k: None if own[k] != own[k] else own[k] for k in ("weak_order", "variance_order")}
        return {**own, **orders, "error": self.error, "cost": self.cost, "gain": self.gain, "failed": self.failed,
                "levels": [{**vars(x), "cost": x.cost, "seen": x.seen} for x in self.levels]}  # fmt: skip

    def to_xarray(self) -> xarray.Dataset:
        """The levels as a data set with the dimension ``level``; the estimate and its errors in the attributes."""
        import xarray

        names = ("steps", "paths", "failed", "seen", "mean", "variance", "value", "value_variance", "cost")
        units = {"mean": self.unit, "value": self.unit}
        data = {
            n: ("level", [getattr(x, n) for x in self.levels], {"units": units[n]} if units.get(n) else {})
            for n in names
        }
        attributes = {k: v for k, v in vars(self).items() if k != "levels"} | {"error": self.error}
        dt = ("level", [x.dt for x in self.levels], {"units": "s"})
        return xarray.Dataset(data, {"level": range(len(self.levels)), "dt": dt}, attributes)

    def plot(self) -> Figure:
        """Draw variances and means of the differences with lines of the measured orders, and paths, against the step."""
        from semidirect.analysis.pictures.levels import plot_levels

        return plot_levels(self.levels, self.quantity, self.unit, self.weak_order, self.variance_order)


HEADER = "dt [s]", "paths", "seen", "mean", "s.e.", "variance", "steps"


def _seen(order: float) -> str:
    return f"{order:.2f}" if np.isfinite(order) else "hidden by chance"
