"""The paths of a run that a curve of two quantities shows, and their text in the legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.drawn_quantity import MANY, count_text, drawn_paths, without_noise
from semidirect.core import arguments
from semidirect.results import RunData

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOTS = 2000
"""The largest number of ends of paths that are drawn."""


@final
@dataclass(frozen=True)
class DrawnPaths:
    """The paths of a run in a picture without a time axis; a ``label`` takes the place of all words but its own.

    Attributes
    ----------
    good : int array
        The paths that did not fail; their mean is drawn.
    singles : int array
        The paths that are drawn one by one.
    ends : int array
        The paths whose end is a dot: none, unless there are too many to draw.
    """

    run: RunData
    label: str | None
    good: np.ndarray
    singles: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, run: RunData, realisations: int | None, label: str | None) -> DrawnPaths:
        """The paths of a run, of which so many are drawn one by one; an InputError for a label that is no text."""
        validated_label(label)
        good = np.flatnonzero(run.good)
        path_numbers = good[: 0 if run.paths == 1 else drawn_paths(len(good), realisations)]
        crowded = len(path_numbers) < len(good) and len(good) > MANY
        return cls(run, label, good, path_numbers, good[: DOTS if crowded else 0])

    @property
    def quiet(self) -> bool:
        """Whether this is one path without noise."""
        return self.run.paths == 1 and without_noise(self.run)

    def colour(self, ax: Axes, color: str | None) -> str:
        """The given colour, or that of a run without noise, or the next one of the axes."""
        return color or (style.RED if self.quiet else style.next_colour(ax))

    @property
    def words(self) -> str:
        """The text of the legend for the paths that are drawn one by one."""
        return "" if self.label else f"{len(self.singles)} path{'s' * (len(self.singles) > 1)}"

    @property
    def words_of_ends(self) -> str:
        """The text for the dots."""
        return "" if self.label else "ends of paths" + f" (first {DOTS})" * (len(self.good) > DOTS)

    def words_of_mean(self, mean: str) -> str:
        """The text for the mean, or for the only path."""
        single = "without noise" if self.quiet else "path"
        return self.label or (single if self.run.paths == 1 else f"{mean} of {count_text(self.run)}")


def validated_label(label: Any) -> str | None:
    """The words of a legend, or ``None``."""
    return None if label is None else arguments.validated_instance("label", label, str, expected="text")
