"""The factors of a configuration group that have a space in geomstats: rotations, and positions in Euclidean space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core import errors
from semidirect.expressions import component_names
from semidirect.groups import ElementLayout, Geometry, LieGroup, PartialDistance, RealSpace, group_of


@final
@dataclass(frozen=True, eq=False)
class ConfigurationFactor:
    """A block of the matrices of a group in which configurations have a distance of their own.

    Attributes
    ----------
    name : str
        The stored coordinates in it, such as ``g`` or ``x,y``.
    unit : str
        ``rad`` of rotations, ``m`` of the positions of SE(2) and SE(3), else nothing.
    group : LieGroup
        SO(n), whose points are matrices, or Rⁿ, whose points are here vectors (n,).
    rows, columns : slice
        Where its points are in the matrices of the whole group.
    """

    name: str
    unit: str
    group: LieGroup
    rows: slice
    columns: slice

    @property
    def rotates(self) -> bool:
        """Whether its points are rotations."""
        return not isinstance(self.group, RealSpace)

    def points(self, element: np.ndarray) -> np.ndarray:
        """The matrices (paths, n, n), or the positions (paths, n), in elements (paths, N, N)."""
        block = element[:, self.rows, self.columns]
        return block if self.rotates else block[..., 0]


def configuration_factors(group: LieGroup) -> tuple[ConfigurationFactor, ...]:
    """The factors of a group: each rotation and each position, apart, since radians and metres cannot be added.

    Raises
    ------
    DefinitionError
        For a group that has another part, in which geomstats has no distance of ours.
    """
    layout = ElementLayout.of(group)
    factors: list[ConfigurationFactor] = []
    for part in group.distances():
        inside = _rotations(layout, part) if part.kind == "angle" else _position(layout, part)
        if not inside:
            raise errors.DefinitionError(
                f"statistics of configurations in {group.name}",
                expected="products of SO(n), SE(2), SE(3), tori and Rⁿ, whose distances geomstats knows",
                got=f"a group with one distance for its matrices of size {group.size}",
                hint="Take statistics of its coordinates, with run.statistics() or sd.Moments.",
            )
        factors += inside
    return tuple(factors)


def _rotations(layout: ElementLayout, part: PartialDistance) -> list[ConfigurationFactor]:
    """The rotations that fill a block; none if something else is in it."""
    factors = []
    row = part.block.start
    for name, (start, size) in sorted(layout.rotations.items(), key=lambda item: item[1]):
        if start == row and start + size <= part.block.stop:
            place, rotations = slice(start, start + size), group_of(Geometry.ROTATIONS, size)
            assert rotations is not None
            factors.append(ConfigurationFactor(name, "rad", rotations, place, place))
            row += size
    return factors if row == part.block.stop else []


def _position(layout: ElementLayout, part: PartialDistance) -> list[ConfigurationFactor]:
    """The position in a column beside the rotation of its block; none if the distance is of another kind."""
    rows, columns = part.rows, part.columns
    if columns.stop - columns.start != 1 or columns.start != rows.stop:
        return []
    places = {place: name for name, place in layout.cells.items()}
    column = [(row, columns.start) for row in range(rows.start, rows.stop)]
    if any(place not in places for place in column):
        return []
    cells = {places[place] for place in column}
    stems = [
        stem
        for stem, where in component_names.grouped(layout.names).items()
        if any(layout.names[i] in cells for i in where)
    ]
    return [ConfigurationFactor(",".join(stems), part.unit, RealSpace(len(column)), rows, columns)]
