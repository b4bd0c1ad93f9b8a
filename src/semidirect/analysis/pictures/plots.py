"""The pictures of a run: ``run.plot("energy")``, ``run.plot.sphere("Gamma")``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, final, overload

from semidirect.analysis.pictures.curves import plot_phase, plot_plane
from semidirect.analysis.pictures.distributions import plot_histogram, plot_quantiles, plot_survival
from semidirect.analysis.pictures.sphere import plot_sphere
from semidirect.analysis.pictures.sphere_histogram import plot_sphere_histogram
from semidirect.analysis.pictures.time_series import plot
from semidirect.core import explains_calls
from semidirect.results import RunLike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

P = ParamSpec("P")
R = TypeVar("R")


def _of_run(function: Callable[Concatenate[RunLike, P], R]) -> Callable[Concatenate[RunPlots, P], R]:
    """The method that draws the run of the plots."""
    plain: Callable[..., R] = inspect.unwrap(function)

    @wraps(plain)
    def method(self: RunPlots, *args: P.args, **arguments: P.kwargs) -> R:
        return plain(self.run, *args, **arguments)

    own, *others = inspect.signature(plain).parameters.values()
    method.__name__ = plain.__name__.removeprefix("plot_")
    method.__signature__ = inspect.Signature([own.replace(name="self"), *others])  # type: ignore[attr-defined]
    return method


@explains_calls
@final
@dataclass(frozen=True, repr=False)
class RunPlots:
    """Pictures of a run; called, it draws quantities against time.

    Attributes
    ----------
    run : Run
    """

    run: RunLike

    def __repr__(self) -> str:
        return f"plots of {self.run!r}"

    phase = _of_run(plot_phase)
    plane = _of_run(plot_plane)
    sphere = _of_run(plot_sphere)
    sphere_histogram = _of_run(plot_sphere_histogram)
    histogram = _of_run(plot_histogram)
    quantiles = _of_run(plot_quantiles)
    survival = _of_run(plot_survival)

    @overload
    def __call__(
        self, quantity: str, /, *, component: int | None = ..., realisations: int | None = ...,
        band: tuple[float, float] | None = ..., deterministic: RunLike | None = ..., label: str | None = ...,
        color: str | None = ..., ax: Axes | None = ...,
    ) -> Axes: ...  # fmt: skip
    @overload
    def __call__(
        self, first: str, second: str, /, *more: str, component: int | None = ..., realisations: int | None = ...,
        band: tuple[float, float] | None = ..., deterministic: RunLike | None = ..., label: str | None = ...,
        color: str | None = ..., ax: Sequence[Axes] | None = ...,
    ) -> tuple[Axes, ...]: ...  # fmt: skip
    @overload
    def __call__(
        self, /, *, component: int | None = ..., realisations: int | None = ...,
        band: tuple[float, float] | None = ..., deterministic: RunLike | None = ..., label: str | None = ...,
        color: str | None = ..., ax: Sequence[Axes] | None = ...,
    ) -> tuple[Axes, ...]: ...  # fmt: skip
    @wraps(plot)
    def __call__(self, *quantities: str, **how: Any) -> Any:  # noqa: D102
        return plot(self.run, *quantities, **how)
