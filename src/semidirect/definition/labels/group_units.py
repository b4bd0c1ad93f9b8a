"""Units of the coordinates of a group and of its algebra, from the distances that the group declares."""

from __future__ import annotations

import numpy as np

from semidirect.expressions import component_names
from semidirect.groups import Cell, LieGroup, PartialDistance


def coordinate_units(group: LieGroup) -> dict[str, str]:
    """Units of the stored coordinates, by stem, where they are known: ``rad`` of angles, ``1`` of entries of rotations."""
    unit_of = {}
    for stem, where in component_names.grouped(group.stored_names).items():
        items = [group.coordinates.items[i] for i in where]
        units = {_entry(_part(group, c.row, c.column)) if isinstance(c, Cell) else "rad" for c in items}
        if len(units) == 1:
            unit_of[stem] = units.pop()
    return {stem: unit for stem, unit in unit_of.items() if unit}


def displacement_units(group: LieGroup) -> dict[str, str]:
    """Units of the blocks of an algebra vector that displaces a point, where they are known: ``rad``, ``m``."""
    unit_of = {}
    for block, where in group.blocks.items():
        entries = np.argwhere(np.any(group.basis[where] != 0, axis=0)).tolist()
        units = {_part(group, row, column) for row, column in entries}
        if len({part.unit for part in units if part is not None}) == 1 and None not in units:
            unit_of[block] = next(part.unit for part in units if part is not None)
    return {block: unit for block, unit in unit_of.items() if unit}


def _part(group: LieGroup, row: int, column: int) -> PartialDistance | None:
    """What compares an entry of the matrices."""
    for part in group.distances():
        if part.rows.start <= row < part.rows.stop and part.columns.start <= column < part.columns.stop:
            return part
    return None


def _entry(part: PartialDistance | None) -> str:
    """The unit of a matrix entry."""
    return "" if part is None else "1" if part.kind == "angle" else part.unit
