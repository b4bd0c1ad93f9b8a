"""The figures of the paper, by the paper's method and by a geometric one, with their data and a table of conservation errors."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis import ConservationTable, Quantity, style, symbol
from semidirect_holm_putkaradze.output_folder import OutputFolder
from semidirect_holm_putkaradze.paper_config import PaperConfig
from semidirect_holm_putkaradze.paper_figures import FIGURES, PaperFigure
from semidirect_holm_putkaradze.reproduction_notes import notes

if TYPE_CHECKING:
    from semidirect.run import Run
    from semidirect_holm_putkaradze.experiment import Ensemble

__all__ = ["Reproduction", "reproduce"]

_log = logging.getLogger(f"semidirect.{__name__}")  # which the command line shows

_MODEL = ("coupling", "variant")
_WATCHED = {
    "rolling-disk": (Quantity("omega", "omega [rad/s]"), Quantity("nu", "nu [rad/s]"), Quantity("energy", "energy [J]")),
    "routh-sphere": (
        Quantity("energy", "energy E [J]"), Quantity("jellett", "Jellett J [kg m³/s]"),
        Quantity("routh", "Routh R [kg m²/s]"), Quantity("gamma-norm", "|Gamma|"),
        Quantity("geometric-centre", "height of the centre [m]", 2),
    ),
    "chaplygin-ball": (
        Quantity("energy", "energy E [J]"), Quantity("momentum-gamma", "M·Gamma [kg m²/s]"),
        Quantity("momentum-squared", "|M|² [kg² m⁴/s²]"), Quantity("gamma-norm", "|Gamma|"),
        Quantity("geometric-centre", "height of the centre [m]", 2),
    ),
}  # fmt: skip


@final
@dataclass(frozen=True)
class Reproduction:
    """The result of :func:`reproduce`.

    Attributes
    ----------
    directory : Path
        Where it is.
    figures : dict name → tuple of Path
        PNG and PDF of each figure.
    data : dict name → Path
        The lines of each figure (NumPy ``.npz``).
    runs : dict name → Path
        The runs, to be read by ``Run.load``.
    tables : tuple of ConservationTable
        One a system.
    config : PaperConfig
        The resolved configuration.
    failures : int
        How many paths failed, over all runs; each is logged.
    """

    directory: Path
    figures: Mapping[str, tuple[Path, ...]]
    data: Mapping[str, Path]
    runs: Mapping[str, Path]
    tables: tuple[ConservationTable, ...]
    config: PaperConfig
    failures: int

    def table(self) -> str:
        """The table of conservation errors, and the places of all files."""
        heading = "Largest change |Q(t) - Q(0)| over the run and over all realisations"
        return "\n\n".join([heading, *(t.text() for t in self.tables), f"Figures, data and notes: {self.directory}"])


def reproduce(directory: str | Path, config: str | Path | None = None, *, force: bool = False) -> Reproduction:
    """Draw the four figures of the paper, with data and a table of what is conserved.

    The red lines come from the reference method (``dop853``), so they are exact; what the method of a column does without
    noise is dotted. All methods see the same noise.

    Parameters
    ----------
    directory : path
        Where to write: the figures as PNG and PDF, ``data/`` (the lines of each figure as ``.npz``; the runs in ``data/runs``),
        ``table.md`` and ``table.txt``, ``README.md``, and ``parameters.toml``, the resolved configuration.
    config : path, optional
        A TOML file with changes to ``paper.toml``, which lies beside this module.
    force : bool
        Whether files and runs that have these names already are replaced; nothing else there is touched in any case.

    Returns
    -------
    Reproduction

    Raises
    ------
    InputError
        For a configuration that cannot be used, before anything is written.
    StoreError
        If the directory cannot be written, or holds something of these names that is not to be replaced, before anything is
        computed.
    """
    settings = PaperConfig.read(None if config is None else Path(config))
    folder = OutputFolder(Path(directory), force)
    folder.claim(_names(settings))
    folder.write(
        "parameters.toml", "# What `semidirect reproduce` ran; give it back by --config.\n\n" + settings.text()
    )
    figures: dict[str, tuple[Path, ...]] = {}
    data: dict[str, Path] = {}
    runs: dict[str, Path] = {}
    tables = []
    failures = 0
    for name, experiment in settings.experiments.items():
        seed, count = settings.values["seed"], settings.values["realisations"]
        ensemble = experiment.run(settings.methods, settings.reference, seed=seed, realisations=count)
        for label, run in _labelled(name, ensemble).items():
            runs[label] = run.save(folder.place(f"data/runs/{label}.zarr"))
            failures += len(run.failures())
            for failure in run.failures():
                _log.warning("%s: %s", label, failure)
        for figure in FIGURES:
            if figure.system == name:
                _log.info("drawing %s", figure.name)
                data[figure.name] = _save_curves(folder, figure, ensemble)
                figures[figure.name] = _save_figure(folder, figure, ensemble, settings)
        tables.append(ConservationTable.of(_heading(settings, name), ensemble.runs(), _WATCHED[name]))
    result = Reproduction(folder.path, figures, data, runs, tuple(tables), settings, failures)
    folder.write("table.txt", result.table() + "\n")
    folder.write("table.md", "\n\n".join(t.markdown() for t in tables) + "\n")
    folder.write("README.md", notes(settings, tables))
    return result


def _names(config: PaperConfig) -> list[str]:
    """Everything that is going to be written."""
    names = ["parameters.toml", "table.txt", "table.md", "README.md"]
    for figure in FIGURES:
        names += [f"{figure.name}.png", f"{figure.name}.pdf", f"data/{figure.name}.npz"]
    for name in config.experiments:
        for method in config.methods:
            names += [f"data/runs/{name}_{_slug(method)}_{kind}.zarr" for kind in ("realisations", "no-noise")]
        names.append(f"data/runs/{name}_{_slug(config.reference)}_reference.zarr")
    return names


def _labelled(name: str, ensemble: Ensemble) -> dict[str, Run]:
    runs = {f"{name}_{_slug(m)}_realisations": run for m, run in ensemble.realisations.items()}
    runs |= {f"{name}_{_slug(m)}_no-noise": run for m, run in ensemble.without_noise.items()}
    return runs | {f"{name}_{_slug(ensemble.reference.config['method'])}_reference": ensemble.reference}


def _slug(method: str) -> str:
    """A method's name in a file's: ``sdelab(1)`` → ``sdelab-1``."""
    return method.replace("(", "-").replace(")", "").replace(" ", "")


def _heading(config: PaperConfig, name: str) -> str:
    experiment, count = config.experiments[name], config.values["realisations"]
    model = ", ".join(f"{k} {v}" for k, v in experiment.system.workings.choices.items() if k in _MODEL)
    return f"{name} ({model}), dt = {experiment.dt:g} s, t = {experiment.t_end:g} s, {count} realisations"


def _caption(config: PaperConfig, name: str) -> str:
    """The description of the run, in three lines."""
    experiment = config.experiments[name]
    system = experiment.system
    model = ", ".join(f"{k} {v}" for k, v in system.workings.choices.items() if k in _MODEL)
    count, seed = config.values["realisations"], config.values["seed"]
    first = (
        rf"{model}; $\Delta t$ = {experiment.dt:g} s to $t$ = {experiment.t_end:g} s, {count} realisations, seed {seed}"
    )
    parameters = [
        f"{symbol(p.symbol or k)} = {_numbers(system.values[k])} {p.unit}".rstrip()
        for k, p in system.workings.parameters().items()
        if k not in experiment.amplitudes and np.size(system.values[k])
    ]
    state = [f"{symbol(k)} = {_numbers(v)}" for k, v in experiment.state.items()]
    return "\n".join([first, ", ".join(parameters), f"at $t$ = 0: {', '.join(state)}"])


def _numbers(value: Any) -> str:
    values = [f"{x:g}".replace("-", "−") for x in np.ravel(value)]
    return f"({', '.join(values)})" if len(values) > 1 else values[0]


def _save_curves(folder: OutputFolder, figure: PaperFigure, ensemble: Ensemble) -> Path:
    target = folder.place(f"data/{figure.name}.npz")
    lines: dict[str, Any] = figure.curves(ensemble)
    with folder.writing(target):
        np.savez_compressed(target, **lines)
    return target


def _save_figure(
    folder: OutputFolder, figure: PaperFigure, ensemble: Ensemble, config: PaperConfig
) -> tuple[Path, ...]:
    experiment = config.experiments[figure.system]
    picture = figure.draw(ensemble, figure.title(experiment.system.values), _caption(config, figure.system))
    paths = []
    for kind, metadata in (("png", {}), ("pdf", {"CreationDate": None})):
        target = folder.place(f"{figure.name}.{kind}")
        with folder.writing(target), style.styled():
            picture.savefig(target, metadata=metadata)
        picture.set_layout_engine("none")  # the places of the first
        paths.append(target)
    return tuple(paths)
