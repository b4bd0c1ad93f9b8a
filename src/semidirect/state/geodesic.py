"""How far two configurations are apart: one geodesic distance for each factor of the group, each with its unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.core.component_names import grouped
from semidirect.groups import SE2, SE3, SO2, SO3, DirectProduct, RealSpace, SpecialOrthogonal, Torus
from semidirect.groups.coordinates import Cell
from semidirect.groups.rotations import space_logarithm
from semidirect.representations import SemidirectProduct

if TYPE_CHECKING:
    from semidirect.groups.lie_group import LieGroup

__all__ = ["Factor", "configuration", "factors", "geodesic_errors", "rotation_angle"]

Distance = Callable[[np.ndarray, np.ndarray], np.ndarray]


@final
@dataclass(frozen=True)
class Factor:
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


def rotation_angle(g: np.ndarray, h: np.ndarray) -> np.ndarray:
    """The angle in [0, π] of g⁻¹h, (...,) of rotations (..., 2, 2) or (..., 3, 3).

    Below a sixth of a turn it is 2 asin(|g − h|/√8) with the Frobenius norm, which keeps relative accuracy at 0, as the trace
    does not; above, that of the logarithm by the largest pivot, which loses nothing at π, as the arc sine does.
    """
    g, h = np.broadcast_arrays(np.asarray(g, dtype=float), np.asarray(h, dtype=float))
    half_sine = np.linalg.norm(g - h, axis=(-2, -1)) / np.sqrt(8)
    small = half_sine < 0.5
    angle = np.asarray(2 * np.arcsin(np.where(small, half_sine, 0.0)))
    if np.all(small):
        return angle
    relative = np.swapaxes(g[~small], -1, -2) @ h[~small]
    if g.shape[-1] == 2:
        angle[~small] = np.abs(np.arctan2(relative[:, 1, 0] - relative[:, 0, 1], relative[:, 0, 0] + relative[:, 1, 1]))
    else:
        angle[~small] = np.linalg.norm(space_logarithm(relative), axis=-1)
    return angle


def factors(group: LieGroup) -> tuple[Factor, ...]:
    """The factors of a group: rotations and translations apart, since their units cannot be added.

    Positions are measured in space, |x − y|: with the angle they make the product metric, whose geodesics turn and move at the
    same time. A group that is neither gets the Euclidean norm of the logarithm in its basis.
    """
    found: list[Factor] = []
    for part, row in _parts(group, 0):
        found += _factors_of(group, part, row)
    return tuple(found)


def _parts(group: LieGroup, row: int) -> list[tuple[LieGroup, int]]:
    """The factors of a direct product, and of products in it, with their first rows."""
    if not isinstance(group, DirectProduct):
        return [(group, row)]
    found = []
    for part in group.factors:
        found += _parts(part, row)
        row += part.size
    return found


def _factors_of(whole: LieGroup, part: LieGroup, row: int) -> list[Factor]:
    rows = slice(row, row + part.size)
    if isinstance(part, SemidirectProduct) and not part.start and _turns(part.group):
        turning, unit = part.group, ""
    elif isinstance(part, (SE2, SE3)):
        turning, unit = part.factor(next(iter(part.blocks))), "m"
    elif isinstance(part, RealSpace):
        return [_translation(whole, rows, "")]
    else:
        kind = "angle" if _turns(part) else "distance"
        return [
            Factor(f"{kind}({_stems(whole, rows, rows)})", "rad" if _turns(part) else "", _within(rows, _metric(part)))
        ]
    inner = slice(row, row + turning.size)
    angle = Factor(f"angle({_stems(whole, inner, inner)})", "rad", _within(inner, _metric(turning)))
    return [angle, _translation(whole, rows, unit)]


def _turns(group: LieGroup) -> bool:
    return isinstance(group, (SO2, SO3, SpecialOrthogonal, Torus))


def _metric(group: LieGroup) -> Distance:
    simple = group.size in (2, 3) and _turns(group)
    return rotation_angle if simple else group.distance


def _within(rows: slice, distance: Distance) -> Distance:
    return lambda g, h: distance(g[..., rows, rows], h[..., rows, rows])


def _translation(whole: LieGroup, rows: slice, unit: str) -> Factor:
    moving, last = slice(rows.start, rows.stop - 1), rows.stop - 1

    def distance(g: np.ndarray, h: np.ndarray) -> np.ndarray:
        length: np.ndarray = np.linalg.norm(g[..., moving, last] - h[..., moving, last], axis=-1)
        return length

    return Factor(f"distance({_stems(whole, moving, slice(last, last + 1))})", unit, distance)


def _stems(group: LieGroup, rows: slice, columns: slice) -> str:
    """The names of the stored coordinates in a block, as a user gives them."""
    inside = []
    for name, where in grouped(group.stored_names).items():
        c = group.coordinates.items[where[0]]
        column = c.column if isinstance(c, Cell) else c.row
        if rows.start <= c.row < rows.stop and columns.start <= column < columns.stop:
            inside.append(name)
    return ",".join(inside)


def configuration(group: LieGroup, values: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """The points (..., N, N) of the stored coordinates of a run, by the names it gives them; ``None`` where some are missing.

    Parameters
    ----------
    values : dict name → array (...,) or (..., d)
        ``run`` or ``run.final``.
    """
    names = grouped(group.stored_names)
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
    """The distances of the configurations of two runs, factor by factor; nothing where a run did not keep them."""
    g, h = configuration(group, first), configuration(group, second)
    return {} if g is None or h is None else {f: f.distance(g, h) for f in factors(group)}
