"""The direction of a vector of R³ as a curve on the unit sphere, seen from afar; the far side is faint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.drawn_paths import DrawnPaths
from semidirect.analysis.pictures.drawn_quantity import DrawnQuantity, mean_of, refuse_one_time, thinned
from semidirect.analysis.pictures.labels import symbol
from semidirect.core import errors, explains_calls
from semidirect.results import RunData, RunLike, a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SphereView", "directions_of", "plot_sphere"]

POINTS = 4000
"""Points of a line, for vectors that rotate many times."""


@final
@dataclass(frozen=True)
class SphereView:
    """An orthographic projection, from an azimuth about the third axis and an elevation [degrees]."""

    azimuth: float = 35.0
    elevation: float = 25.0

    def __call__(self, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places to the right and upwards of vectors (…, 3), and how far they are towards the eye."""
        a, e = np.deg2rad([self.azimuth, self.elevation])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        up = np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)])
        return vectors @ right, vectors @ up, vectors @ np.cross(right, up)

    @classmethod
    def of(cls, value: Any) -> SphereView:
        """The view from a pair of angles."""
        try:
            azimuth, elevation = map(float, value)
        except (TypeError, ValueError):
            azimuth = elevation = np.nan
        if not (np.isfinite(azimuth) and abs(elevation) <= 90):
            raise errors.InputError(
                "view of a sphere", expected="azimuth and elevation in degrees, such as (35, 25)", got=repr(value)
            )
        return cls(azimuth, elevation)


@explains_calls
def plot_sphere(
    run: RunLike, quantity: str = "Gamma", *, view: tuple[float, float] = (35.0, 25.0), realisations: int | None = None,
    deterministic: RunLike | None = None, label: str | None = None, color: str | None = None, ax: Axes | None = None,
) -> Axes:  # fmt: skip
    """Draw the direction of a vector of R³ on the unit sphere: ``run.plot.sphere("Gamma")``.

    One path is a line. Up to 30 are all drawn, with the direction of their mean; of more, five, and a dot where each ends. What
    is on the far side is faint. The axes are flat: distances on them are those of an orthographic projection.

    Parameters
    ----------
    quantity : str
        A vector of three components, such as ``Gamma`` or ``M``; if its size is not 1, its direction is drawn.
    view : (float, float)
        Azimuth about the third axis and elevation of the eye, in degrees.
    realisations, deterministic, label, color, ax
        As in :func:`~semidirect.analysis.pictures.curves.plot_plane`.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownNameError
        For a quantity that the run does not hold.
    InputError
        If it is not a vector of R³ or vanishes, or if the run saved one time only.
    """
    run, deterministic = a_run(run), None if deterministic is None else a_run(deterministic)
    refuse_one_time(run)
    eye = SphereView.of(view)
    directions = directions_of(run, quantity)
    exact = None if deterministic is None else directions_of(deterministic, quantity)
    paths = DrawnPaths.of(run, realisations, label)
    color = style.validated_colour(color)
    target = style.axes_or_new(ax, (4.5, 4.5))
    with style.styled(target):
        _globe(target, eye, quantity)
        colour = paths.colour(target, color)
        # more points than pixels would only make the file large
        at = thinned(len(run.times), POINTS)
        for i, path in enumerate(paths.singles):
            _curve(target, eye, directions[path, at], style.REALISATION, paths.words if i == 0 else "")
        # ends behind the sphere are pale, as its far side is
        if len(paths.ends):
            u, w, depth = eye(directions[paths.ends, -1])
            front = depth >= 0
            target.plot(u[front], w[front], label=paths.words_of_ends, **style.dots(colour))
            target.plot(u[~front], w[~front], **{**style.dots(colour), "alpha": 0.12})
        # the mean is projected to the sphere; where directions cancel it has none
        if len(paths.good):
            means = mean_of(directions[paths.good][:, at])
            size = np.linalg.norm(means, axis=-1, keepdims=True)
            line = np.divide(means, size, out=np.full_like(means, np.nan), where=size > 0)
            _curve(
                target,
                eye,
                line,
                {**style.MEAN, "color": colour, "linewidth": 1.3},
                paths.words_of_mean("mean direction"),
            )
        if exact is not None:
            places = thinned(exact.shape[1], POINTS)
            _curve(target, eye, exact[0, places], {**style.DETERMINISTIC, "linewidth": 1.3}, "without noise")
        u, w, depth = eye(directions[0, 0])
        target.plot(u, w, **{**style.START, "fillstyle": "full" if depth >= 0 else "none"})
        style.legend(target, loc="upper center", bbox_to_anchor=(0.5, 0.04))
        return target


def directions_of(run: RunData, quantity: str) -> np.ndarray:
    """Unit vectors ``(paths, T, 3)`` of a vector of R³ that does not vanish on the paths that did not fail."""
    values = DrawnQuantity.of(run, quantity).values
    if values.ndim != 3 or values.shape[-1] != 3:
        raise errors.InputError(
            f"{quantity!r} on a sphere", expected="a vector of R³",
            got="a scalar" if values.ndim == 2 else f"{values.shape[-1]} components",
        )  # fmt: skip
    size = np.linalg.norm(values, axis=-1, keepdims=True)
    if np.any(size[run.good] == 0):
        raise errors.InputError(f"{quantity!r} on a sphere", expected="a direction", got="a vector that is 0")
    with np.errstate(invalid="ignore"):
        return np.where(size > 0, values / np.where(size > 0, size, 1.0), np.nan)


def _curve(ax: Axes, eye: SphereView, points: np.ndarray, look: dict[str, Any], label: str) -> None:
    u, w, depth = eye(points)
    for front in (True, False):
        visible = (depth >= 0) == front
        visible = (
            visible | np.roll(visible, 1) & (np.arange(len(visible)) > 0) if front else visible
        )  # no gap at the edge
        faint = {} if front else {"alpha": 0.3 * look.get("alpha", 1.0), "zorder": 1.2}
        ax.plot(
            np.where(visible, u, np.nan),
            np.where(visible, w, np.nan),
            label=label if front else "",
            **{**look, **faint},
        )


def _globe(ax: Axes, eye: SphereView, name: str) -> None:
    """The sphere with circles of latitude and meridians each 30°, and the three axes, once on the same axes."""
    if any(line.get_gid() == _GLOBE for line in ax.lines):
        return
    angle = np.linspace(0, 2 * np.pi, 181)
    ax.plot(np.cos(angle), np.sin(angle), color=style.GREY, linewidth=1.0, zorder=1, gid=_GLOBE)
    look = {"color": "#c4c4c4", "linewidth": 0.6, "zorder": 0.9}
    for height in np.deg2rad([-60, -30, 0, 30, 60]):
        c, s = np.cos(height), np.sin(height)
        _curve(ax, eye, np.stack([c * np.cos(angle), c * np.sin(angle), np.full_like(angle, s)], axis=-1), look, "")
    half = np.linspace(-np.pi / 2, np.pi / 2, 91)
    for around in np.deg2rad(np.arange(0, 360, 30)):
        c = np.cos(half)
        _curve(ax, eye, np.stack([c * np.cos(around), c * np.sin(around), np.sin(half)], axis=-1), look, "")
    for i, axis in enumerate(np.eye(3)):
        (u, w, depth), (end_u, end_w, _) = eye(axis), eye(1.22 * axis)
        if depth >= 0:
            ax.annotate(
                "", (end_u, end_w), (u, w), arrowprops={"arrowstyle": "-|>", "color": style.GREY, "linewidth": 0.9}
            )
            x, y = (float(1.3 * u), float(1.3 * w)) if np.hypot(u, w) > 1e-3 else (0.0, 0.12)
            ax.text(x, y, symbol(name, i), ha="center", va="center", color=style.GREY)
    ax.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal")
    ax.set_axis_off()


_GLOBE = "semidirect-globe"
