"""The properties of the kernel of a lattice besides the equations of its sites and its method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from semidirect.compile.variant import WIDEST
from semidirect.random import DrivingProcess, KernelDraw

__all__ = ["LatticeVariant", "draw_of"]

VECTOR = 8
"""Paths that are stepped at once, if there are so many: a vector of the widest processors."""
VECTORS_OF_MANY = (500, 4), (5000, 2)
"""From so many sites on a vector has fewer paths, so that the sites of a block of paths stay in the cache of a processor."""
FEW_LANES, LANES = 16, 64
"""Lanes of sites and paths in a tile, if there are few of them, and else."""


@dataclass(frozen=True)
class LatticeVariant:
    """The properties of the kernel of a lattice besides the equations of its sites and its method.

    Attributes
    ----------
    draws, weak, own : bool
        Whether it draws its noise; whether that are three-point variables; whether each site has its own.
    stages : int
        Increments of a step for each noise.
    paths, lanes : int
        Paths that are stepped at once, and how many lanes of sites and paths are in a tile: powers of two.
    varied : tuple of int
        The parameters of the site that differ from site to site or from path to path.
    edges : str
        Whether parameters of edges are the same for all, differ from edge to edge, or from path to path.
    width : int
        Bits of the vectors that the compiler should prefer.
    few : tuple of (int, tuple of int)
        Kinds of sites of which there are fewer than cells, each with its rows of a state.
    """

    draws: bool
    weak: bool
    own: bool
    stages: int
    paths: int
    lanes: int
    varied: tuple[int, ...]
    edges: Literal["same", "edge", "path"]
    width: int = WIDEST
    few: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @classmethod
    def of(cls, whole: Any, driver: DrivingProcess | None, dt: float, paths: int) -> LatticeVariant:
        """The kernel for a number of paths of a run on the equations of a whole lattice."""
        draw = draw_of(driver, dt)
        vector = min([VECTOR, *(fewer for sites, fewer in VECTORS_OF_MANY if whole.sites >= sites)])
        beside = 1 if paths < vector else vector
        lanes = FEW_LANES if whole.sites * beside <= FEW_LANES else LANES
        stages = 1 if driver is None or draw is not None else driver.rates_per_step
        return cls(draw is not None, draw is not None and draw.weak, whole.own_noise, stages, beside, lanes,
                   *_varied(whole.stepped), few=_few(whole))  # fmt: skip


def draw_of(driver: DrivingProcess | None, dt: float) -> KernelDraw | None:
    """With what a kernel draws the noise itself; it does not mix the noises of a lattice."""
    draw = None if driver is None else driver.kernel_draw(dt)
    return None if draw is None or draw.lower is not None else draw


def _few(whole: Any) -> tuple[tuple[int, tuple[int, ...]], ...]:
    counts, rows = whole.kinds.counts, whole.site_rows.of_rows
    return tuple(
        (kind, tuple(row for row, of in enumerate(rows) if of == kind))
        for kind, count in enumerate(counts) if count < whole.kinds.cells
    )  # fmt: skip


def _varied(lanes: Any) -> tuple[tuple[int, ...], Literal["same", "edge", "path"]]:
    """The parameters of the site that differ, and those of the edges."""
    own = tuple(i for i, p in enumerate(lanes.parameters) if np.ndim(p) and i not in lanes.of_edges)
    shapes = [np.shape(p) for p in lanes.forces.parameters if np.ndim(p)]
    return own, "same" if not shapes else "path" if any(shape[1] > 1 for shape in shapes) else "edge"
