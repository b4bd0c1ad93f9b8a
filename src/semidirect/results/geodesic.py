"""The distance of two configurations: one geodesic distance for each factor of the group, with its unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.core import display
from semidirect.expressions import component_names
from semidirect.groups import Cell

if TYPE_CHECKING:
    from semidirect.groups import LieGroup

__all__ = ["Factor", "configuration", "factors", "geodesic_errors"]

Distance = Callable[[np.ndarray, np.ndarray], np.ndarray]


@final
@dataclass(frozen=True, repr=False)
class Factor(display.Brief):
    """A factor of a configuration group, and the distance d(g, h) = |log(g⁻¹h)| in it.

    Attributes
    ----------
    name : str
        ``angle(g)`` or ``distance(x)``, with the stored coordinates that it concerns.
    unit : str
        ``rad`` for rotations, ``m`` for the positions of SE(2) and SE(3), else nothing.
    distance : callable
        Of points of the whole group, (..., N, N) and (..., N, N), to (...,).
    """

    name: str
    unit: str
    distance: Distance


def factors(group: LieGroup) -> tuple[Factor, ...]:
    """The distances of a group, part by part: rotations and translations apart, since their units cannot be added.

    Positions are measured in space, |x − y|: with the angle they make the product metric, whose geodesics turn and move at the
    same time. A group that is neither gets the Euclidean norm of the logarithm in its basis.
    """
    return tuple(Factor(f"{d.kind}({_stems(group, d.rows, d.columns)})", d.unit, d) for d in group.distances())


def _stems(group: LieGroup, rows: slice, columns: slice) -> str:
    """The names of the stored coordinates in a block, as a user gives them."""
    inside = []
    for name, where in component_names.grouped(group.stored_names).items():
        c = group.coordinates.items[where[0]]
        column = c.column if isinstance(c, Cell) else c.row
        if rows.start <= c.row < rows.stop and columns.start <= column < columns.stop:
            inside.append(name)
    return ",".join(inside)


def configuration(group: LieGroup, values: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """The points (..., N, N) of the stored coordinates of a run, by name; ``None`` if some are missing.

    Parameters
    ----------
    values : dict name → array (...,) or (..., d)
        ``run`` or ``run.final``.
    """
    names = component_names.grouped(group.stored_names)
    if any(name not in values for name in names):
        return None
    rows: list[np.ndarray] = [np.empty(0)] * len(group.stored_names)
    for name, where in names.items():
        value = np.asarray(values[name], dtype=float)
        for k, i in enumerate(where):
            rows[i] = value if len(where) == 1 else value[..., k]
    return np.moveaxis(group.element(np.stack(rows)), (0, 1), (-2, -1))


def geodesic_errors(group: LieGroup, first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]
                    ) -> dict[Factor, np.ndarray]:  # fmt: skip
    """The distances of the configurations of two runs, factor by factor; empty if a run did not save them."""
    g, h = configuration(group, first), configuration(group, second)
    return {} if g is None or h is None else {f: f.distance(g, h) for f in factors(group)}
