"""The page of a run: one HTML file, without network."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Self, final

import numpy as np

from semidirect.core import arguments, errors, explains_calls
from semidirect.definition import SystemDefinition, a_system
from semidirect.ensemble import write_whole
from semidirect.results import RunData, RunLike, a_run
from semidirect.view.estimate import motion_of_estimate
from semidirect.view.motion import Motion
from semidirect.view.motion_of_run import motion_of_run
from semidirect.view.scene import scene

HEIGHT = 620
"""Of the frame in a notebook [px]."""

PATHS, FRAMES = 20, 1000
"""The default limits of the number of paths, times and values shown."""


@explains_calls
@final
@dataclass(frozen=True, repr=False, eq=False)
class View:
    """A page that shows a run: in a notebook it is the value of a cell, elsewhere :meth:`save` writes it.

    Attributes
    ----------
    scene : dict
        The shown data, in JSON's types.
    """

    scene: dict[str, Any]

    @classmethod
    def of(cls, motion: Motion) -> Self:
        """The page of a motion."""
        return cls(scene(motion))

    @classmethod
    def of_estimate(
        cls, system: SystemDefinition, times: np.ndarray, mean: np.ndarray, covariance: np.ndarray,
        quantities: Mapping[str, tuple[np.ndarray, np.ndarray]], truth: RunData | None, frames: int,
    ) -> Self:  # fmt: skip
        """The page of what a filter knows of a system; arguments are those of :func:`.motion_of_estimate`."""
        return cls.of(motion_of_estimate(system, times, mean, covariance, quantities, truth, frames))

    def __repr__(self) -> str:
        return f"View({self.scene['title']}, {len(self.scene['labels'])} paths); .save('view.html') writes the page"

    @cached_property
    def html(self) -> str:
        """The page: everything that it needs is in it."""

        def source(name: str) -> str:
            return files("semidirect.view").joinpath("viewer", name).read_text(encoding="utf-8")

        data = json.dumps(self.scene, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
        parts = {
            "title": html.escape(self.scene["title"] or "run"),
            "style": source("page.css"),
            "data": data,
            "script": source("bundle.js"),
        }
        places = re.compile("{(title|style|data|script)}")  # filled at once: what one is filled with has no places
        return places.sub(lambda m: parts[m[1]], source("page.html"))

    def _repr_html_(self) -> str:
        """The page in a separate frame, which cannot access the notebook."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" title="{html.escape(self.scene["title"])}" '
            f'style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
        )

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Write the page.

        Raises
        ------
        StoreError
            If there is something already, unless ``force`` is set, or it cannot be written.
        """
        place = arguments.validated_place("a page", path)
        if not force and (place.exists() or place.is_symlink()):
            raise errors.StoreError(
                f"{place} exists already", hint="Choose another name, or replace it with force=True."
            )
        try:
            write_whole(place, self.html.encode())
        except OSError as error:
            raise errors.cannot_write(place, error) from error
        return place

    def animate(self, path: str | Path, **how: Any) -> Path:
        """Write one path as a GIF or an MP4: see :func:`semidirect.view.animation.animate`."""
        from semidirect.view.animation import animate

        return animate(self.scene, path, **how)


@explains_calls
def view(run: RunLike, system: SystemDefinition | None = None, *, paths: int = PATHS, frames: int = FRAMES) -> View:
    """The page of a run, in which its body moves.

    Parameters
    ----------
    run : Run
        It must have saved the pose of the body, as runs do by default.
    system : System, optional
        Whose :meth:`~semidirect.definition.system_definition.SystemDefinition.shape` is drawn, where it is not one of an
        installed plugin or a class that was imported. Of a system that states no shape, the ellipsoid with its mass and moments
        of inertia is drawn, and its axes.
    paths, frames : int
        How many paths are shown, the first of the run, and at most how many times, evenly chosen.

    Returns
    -------
    View
        The value of a cell in a notebook; ``.save("view.html")`` writes it.

    Raises
    ------
    InputError
        If the run saved one time only, or not the pose of the body.
    """
    if system is not None:
        a_system(system)
    paths, most = (
        arguments.validated_whole("paths", paths, least=1),
        arguments.validated_whole("frames", frames, least=2),
    )
    return View.of(motion_of_run(a_run(run), system, paths, most))
