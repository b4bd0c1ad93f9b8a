"""The four figures of the paper, each with one column a method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis import Quantity, drift, pictures, plain_ticks, short, style
from semidirect.integrators import integrator
from semidirect_holm_putkaradze.experiment import Ensemble

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from semidirect.run import Run

__all__ = ["FIGURES", "PaperFigure"]

_LABELS = {
    "energy": r"$E$ [J]",
    "jellett": r"$J$ [kg m$^3$/s]",
    "routh": r"$R$ [kg m$^2$/s]",
    "gamma-norm": r"$|\Gamma|$",
    "momentum-gamma": r"$M\cdot\Gamma$ [kg m$^2$/s]",
}
#: drawn on one scale by all methods
_CONSERVED = ("gamma-norm", "momentum-gamma")
_PAPER_METHOD = "sdelab(1)"
_BAND: dict[str, Any] = {"facecolor": "#efe4c2", "alpha": 0.7, "linewidth": 0, "zorder": 0}


@final
@dataclass(frozen=True)
class PaperFigure:
    """A figure of the paper.

    Attributes
    ----------
    name : str
        Name of its files.
    source : str
        Label in the paper.
    system : str
        The system it shows.
    panels : sequence of str
        Quantities against time; none for trajectories in the plane.
    position : str or None
        Name of the position, for trajectories in the plane.
    title : callable(values) → str
        Title, from the parameters of the system.
    """

    name: str
    source: str
    system: str
    panels: Sequence[str]
    position: str | None
    title: Callable[[Mapping[str, Any]], str]

    def draw(self, ensemble: Ensemble, title: str, caption: str) -> Figure:
        """Draw it."""
        with style.styled():
            return (
                _plane(ensemble, self.position, title, caption)
                if not self.panels
                else _times(ensemble, self.panels, title, caption)
            )

    def curves(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        """The drawn data, to be saved: times ``(T,)`` and, by method and quantity, the lines.

        ``METHOD/QUANTITY/realisations`` is ``(paths, T)``, ``mean`` and ``no-noise`` are ``(T,)``, and
        ``deterministic/QUANTITY`` is the red line; a position has a last axis (x, y).
        """
        quantities: Sequence[str] = self.panels or ("position",)
        lines = {"times": ensemble.reference.times}
        for quantity in quantities:
            lines[f"deterministic/{quantity}"] = self._values(ensemble.reference, quantity)[0]
            for method, run in ensemble.realisations.items():
                values = self._values(run, quantity)
                lines[f"{method}/{quantity}/realisations"] = values
                lines[f"{method}/{quantity}/mean"] = values[run.good].mean(axis=0)
                lines[f"{method}/{quantity}/no-noise"] = self._values(ensemble.without_noise[method], quantity)[0]
        return lines

    def _values(self, run: Run, quantity: str) -> np.ndarray:
        if quantity != "position":
            return run[quantity]
        position = pictures.plane_position(run, self.position)
        return run[quantity] if position is None else position


def _times(ensemble: Ensemble, panels: Sequence[str], title: str, caption: str) -> Figure:
    methods = list(ensemble.realisations)
    figure = style.new_figure(max(7.6, 1.0 + 3.3 * len(methods)), 2.0 + 1.75 * len(panels))
    axes = figure.subplots(len(panels), len(methods), sharex=True, squeeze=False)
    banded = False
    for row, quantity in zip(axes, panels, strict=True):
        for ax, method in zip(row, methods, strict=True):
            run, own = ensemble.realisations[method], ensemble.without_noise[method]
            pictures.plot(run, quantity, deterministic=ensemble.reference, realisations=run.paths, ax=ax)
            plain_ticks(ax.yaxis)
            ax.legend([]).remove()
            ax.plot(own.times, own[quantity][0], **style.OWN_DETERMINISTIC)
            ax.margins(x=0)
            ax.set_xlabel("")
            changes = (drift(r, Quantity(quantity, quantity)) for r in (run, own))
            style.note(ax, "largest change {} with noise, {} without".format(*map(short, changes)))
        row[0].set_ylabel(_LABELS[quantity])
        if quantity in _CONSERVED:
            _same_scale(row)
        else:
            banded |= _neighbours(row)
    for ax in axes[-1]:
        ax.set_xlabel(r"$t$ [s]")
    figure.align_ylabels(axes[:, 0])
    _frame(figure, axes[0], ensemble, title, caption, banded=banded, pad=18)
    return figure


def _plane(ensemble: Ensemble, position: str | None, title: str, caption: str) -> Figure:
    methods = list(ensemble.realisations)
    figure = style.new_figure(max(7.6, 1.0 + 3.3 * len(methods)), 5.2)
    axes = figure.subplots(1, len(methods), squeeze=False)[0]
    for ax, method in zip(axes, methods, strict=True):
        run = ensemble.realisations[method]
        pictures.plot_plane(run, position, deterministic=ensemble.reference, realisations=run.paths, ax=ax)
        ax.legend([]).remove()
        own = pictures.plane_position(ensemble.without_noise[method], position)
        if own is not None:
            ax.plot(*own[0].T, **{**style.OWN_DETERMINISTIC, "zorder": 3.5})
    _one_square(axes)
    for ax in axes[1:]:
        ax.set_ylabel("")
    _frame(figure, axes, ensemble, title, caption, banded=False, pad=10)
    return figure


def _same_scale(row: Sequence[Axes]) -> None:
    limits = [ax.get_ylim() for ax in row]
    for ax in row:
        ax.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))


def _one_square(axes: Sequence[Axes]) -> None:
    """The same square in all panels, around everything drawn."""
    boxes = np.array([[*ax.get_xlim(), *ax.get_ylim()] for ax in axes])
    low, high = boxes[:, ::2].min(axis=0), boxes[:, 1::2].max(axis=0)
    centre, half = (low + high) / 2, max(high - low) / 2
    for ax in axes:
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_box_aspect(1)
        ax.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half))


def _neighbours(row: Sequence[Axes]) -> bool:
    """Show in the widest panel of a row which part of it the narrowest shows, if they differ much."""
    spans = [high - low for low, high in (ax.get_ylim() for ax in row)]
    wide, narrow = row[int(np.argmax(spans))], row[int(np.argmin(spans))]
    if max(spans) <= 1.5 * min(spans):
        return False
    limits = wide.get_ylim()
    wide.axhspan(*narrow.get_ylim(), **_BAND)
    wide.set_ylim(limits)
    return True


def _frame(figure: Figure, top: Sequence[Axes], ensemble: Ensemble, title: str, caption: str, *, banded: bool, pad: float
           ) -> None:  # fmt: skip
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    for ax, method in zip(top, ensemble.realisations, strict=True):
        kind = "the paper's method" if method == _PAPER_METHOD else "geometric" if integrator(method).geometric else ""
        ax.set_title(f"{method}, {kind}" if kind else method, fontsize=11.5, color=style.BLACK, pad=pad)
    figure.supxlabel(caption, fontsize=8.5, color=style.GREY, linespacing=1.4)
    lines = {
        "realisations": style.REALISATION, "their mean": style.MEAN,
        f"no noise, {ensemble.reference.config['method']}": style.DETERMINISTIC,
        "no noise, this method": style.OWN_DETERMINISTIC,
    }  # fmt: skip
    handles: list[Any] = [Line2D([], [], label=name, **{**look, "zorder": 1}) for name, look in lines.items()]
    if banded:
        handles.append(Patch(label="range of the panel beside", **_BAND))
    legend = figure.legend(
        handles=handles, loc="outside upper center", ncols=5, frameon=False, fontsize=9, handlelength=2.4,
        columnspacing=1.4, title=title, title_fontsize=13.5,
    )  # fmt: skip
    legend.set_zorder(0)


def _amplitudes(values: Mapping[str, Any]) -> str:
    """The amplitudes ξ_i of a ball as mathematics, those along χ or Γ as multiples of them."""
    terms = []
    for row in values["noise"]:
        size = float(np.dot(row, values["axis"]))
        along = np.allclose(row, size * values["axis"], rtol=0, atol=1e-12 * np.linalg.norm(row))
        terms.append(rf"{size:g}\,\chi" if along else f"({', '.join(f'{x:g}' for x in row)})")
    terms += [rf"{c:g}\,\Gamma" for c in values["vertical_noise"]]
    if not terms:
        return "no noise"
    names = [r"\xi"] if len(terms) == 1 else [rf"\xi_{{{i}}}" for i in range(1, len(terms) + 1)]
    return ", ".join(f"${n} = {w}$" for n, w in zip(names, terms, strict=True))


FIGURES = (
    PaperFigure(
        "disk", "fig:Sim_Results_Disk", "rolling-disk", (), None,
        lambda c: rf"Vertical disk: path of the centre, $\xi_1 = {c['noise'][0]:g}$, $\xi_2 = {c['noise'][1]:g}$",
    ),
    PaperFigure(
        "routh-sphere", "fig:Sim_Results", "routh-sphere", ("energy", "jellett", "routh", "gamma-norm"), None,
        lambda c: f"Routh sphere, {_amplitudes(c)}",
    ),
    PaperFigure(
        "routh-sphere-centre", "fig:Sim_Results_CG", "routh-sphere", (), "geometric-centre",
        lambda c: f"Routh sphere: path of the geometric centre, {_amplitudes(c)}",
    ),
    PaperFigure(
        "chaplygin-ball", "fig:Sim_Results_Chaplygin", "chaplygin-ball", ("energy", "momentum-gamma"), None,
        lambda c: f"Chaplygin ball, {_amplitudes(c)}",
    ),
)  # fmt: skip
