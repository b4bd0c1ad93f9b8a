"""The data of a picture: the values of a quantity over the good paths, their mean, and the paths that are drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.analysis.pictures.labels import axis_label
from semidirect.core import arguments, errors, explains_calls
from semidirect.expressions import UnitLabel, component_names, expression_text
from semidirect.results import RunData, RunLike, a_run

MANY = 30
"""If there are more paths, only a few are drawn, with a band of quantiles."""
FEW = 5
"""The number of paths that are drawn then."""
POINTS = 1000
"""Points of a line; more would not be visible."""
NUMBERS = 20_000_000
"""Numbers that are sorted for a band; with more paths, fewer times are used."""


@final
@dataclass(frozen=True)
class DrawnQuantity:
    """A quantity of a run, or one component of it.

    Attributes
    ----------
    name, unit : str
        Its name and unit.
    component : int or None
        Which component of a vector, from 0.
    values : array (paths, T) or (paths, T, d)
        Its values.
    stored_names : tuple of str
        Those of the coordinates of the configuration.
    """

    name: str
    unit: str
    component: int | None
    values: np.ndarray
    stored_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: RunLike, text: str, component: int | None = None) -> DrawnQuantity:
        """The quantity ``"energy"``, ``"Omega"``, its component ``"Omega1"``, or an expression such as ``"dot(M, M)"``.

        Raises
        ------
        UnknownNameError
            For a name that the run does not hold.
        InputError
            For a component that it has not.
        """
        arguments.validated_instance("a quantity to draw", text, str, expected="its name, such as 'energy' or 'Omega1'")
        run = a_run(run)
        match = re.fullmatch(r"\s*([^\[\]()*/+]+?)\s*\[\s*(\d+)\s*\]\s*", text) if text not in run else None
        name, index = (match[1], int(match[2])) if match and match[1] in run else (text, component)
        if name not in run and index is None:
            name, index = run.component_of(name) or (name, None)
        values = run[name]
        if index is not None:
            if values.ndim == 2:
                raise errors.InputError(f"{name!r} is a scalar", expected="no component", got=repr(index))
            last = values.shape[-1] - 1
            values = values[
                ..., arguments.validated_whole(f"component of {name!r}, a vector", index, least=0, most=last)
            ]
            unit = UnitLabel(run.unit(name)).of_component(index, last + 1)
            return cls(name, unit, index, values, run.stored_names)
        return cls(name, run.unit(name), index, values, run.stored_names)

    @property
    def label(self) -> str:
        """The label of an axis."""
        return axis_label(self.name, self.unit, self.component)

    def scalar(self) -> np.ndarray:
        """Its values (paths, T); an :class:`InputError` for a vector."""
        if self.values.ndim != 2:
            first, *_, last = component_names.component_names(self.name, self.values.shape[-1], self.stored_names)
            if expression_text.is_expression(self.name):
                first, last = f"({self.name})[0]", f"({self.name})[{self.values.shape[-1] - 1}]"
            raise errors.InputError(
                f"{self.name!r} is a vector",
                expected=f"a component of it, from {first!r} to {last!r}",
                got=repr(self.name),
            )
        return self.values

    def parts(self) -> list[tuple[int | None, np.ndarray]]:
        """Its components with their numbers, each (paths, T)."""
        if self.values.ndim == 2:
            return [(self.component, self.values)]
        return [(i, self.values[..., i]) for i in range(self.values.shape[-1])]


def refuse_one_time(run: RunLike) -> None:
    """Raise an :class:`InputError` for a run that saved one time only."""
    run = a_run(run)
    if len(run.times) < 2:
        raise errors.InputError(
            "the run cannot be drawn against time", expected="several times", got=f"{len(run.times)}",
            hint="Run it with save='all'.",
        )  # fmt: skip


@explains_calls
def mean(run: RunLike, quantity: str) -> np.ndarray:
    """Mean of a quantity over the good paths, ``(T, …)``."""
    run = a_run(run)
    values: np.ndarray = run[quantity][run.good]
    if len(values) == 0:
        raise errors.InputError(f"the mean of {quantity!r}", expected="a path that did not fail", got="none")
    return values.mean(axis=0)


def mean_of(values: np.ndarray) -> np.ndarray:
    """Mean over the first axis of the finite values; nan if there are none."""
    finite = np.isfinite(values)
    with np.errstate(over="ignore"):
        if len(values) and finite.all():
            return np.asarray(values.mean(axis=0))
        n = finite.sum(axis=0)
        return np.where(n > 0, np.where(finite, values, 0.0).sum(axis=0) / np.maximum(n, 1), np.nan)


def quantiles_of(values: np.ndarray, levels: Any) -> np.ndarray:
    """Quantiles (levels, …) over the first axis of the finite values; nan if there are none."""
    finite = np.isfinite(values)
    if len(values) and finite.all():
        return np.asarray(np.quantile(values, levels, axis=0))
    out = np.full((len(levels), *values.shape[1:]), np.nan)
    some = finite.any(axis=0)
    out[:, some] = np.nanquantile(np.where(finite, values, np.nan)[:, some], levels, axis=0)
    return out


def drawn_paths(count: int, realisations: int | None) -> int:
    """How many of the paths are drawn one by one."""
    if realisations is None:
        return count if count <= MANY else FEW
    return min(count, arguments.validated_whole("realisations", realisations, least=0))


def thinned(count: int, most: int = POINTS) -> np.ndarray:
    """Every so many places of a number of them, with the first and the last."""
    return np.unique(np.rint(np.linspace(0, count - 1, min(count, most))).astype(int))


def band_places(times: int, paths: int) -> np.ndarray:
    """The places of times at which a band is computed."""
    return thinned(times, max(100, min(POINTS, NUMBERS // max(paths, 1))))


def count_text(run: RunData) -> str:
    """How many paths a mean is over."""
    good = int(np.count_nonzero(run.good))
    return f"{good} path{'s' * (good != 1)}" + f" ({run.paths - good} failed)" * (good < run.paths)


def between_text(low: float, high: float) -> str:
    """The words for a band between two quantiles."""
    return f"{100 * low:.4g} % to {100 * high:.4g} % quantiles"


def validated_band(band: Any) -> tuple[float, float] | None:
    """Two quantiles of a band, or ``None`` for no band."""
    if band is None:
        return None
    try:
        low, high = map(float, band)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not 0 <= low < high <= 1:
        raise errors.InputError("band", expected="two quantiles such as (0.05, 0.95), or None", got=repr(band))
    return low, high


def without_noise(run: RunData) -> bool:
    """Whether a run has no noise."""
    noise: Any = run.config.get("noise", {})
    return noise.get("kind") == "none" or noise.get("W") == 0
