"""The elements of an algebra that displace a body: the group states them, or the units of a class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from semidirect.definition import labels
from semidirect.expressions import Unit, component_names
from semidirect.groups import Cell, LieGroup
from semidirect.model import NumericalSDE

SPEED = Unit.read("m/s")
BASE = frozenset({"kg", "m", "s", "A", "K", "mol", "cd"})
"""Units of which it is known that they are lengths or not; others, such as feet, may be."""


class Displacements(NamedTuple):
    """Rows of algebra vectors ``(n,)``: those that are displacements, and those that may be angles or lengths.

    Positions in Rⁿ, which commute with everything, may be angles unless units of them or of their velocities are stated.
    """

    certain: np.ndarray
    possible: np.ndarray


def displacements(model: NumericalSDE) -> Displacements:
    """The displacements of the group of a system."""
    group, units = model.group, labels.units_of(model.system)
    velocities = _velocities(group, units)
    along, central, by_group = _translations(group), _central(group), labels.displacement_units(group)
    definite, possible = np.zeros((2, group.dimension), dtype=bool)
    for block, part in group.blocks.items():
        for i in (np.flatnonzero(along[part]) + part.start).tolist():
            unit = Unit.read(velocities[i])
            if block in by_group:
                definite[i] = True  # a rotation is not along
            elif unit is not None and BASE.issuperset(name for name, _ in unit.powers):
                definite[i] = SPEED is not None and unit.powers == SPEED.powers
            else:
                definite[i], possible[i] = not central[i], central[i]
    return Displacements(definite, possible)


def _velocities(group: LieGroup, units: dict[str, str]) -> list[str]:
    """The unit of each row of an algebra vector, from that of its block or of its coordinate; empty where none is stated."""
    rows = [""] * group.dimension
    for stem, where in component_names.grouped(group.stored_names).items():
        units_of_cells = _each(units.get(stem, ""), len(where))
        for cell, unit in zip((group.coordinates.items[j] for j in where), units_of_cells, strict=True):
            if isinstance(cell, Cell) and unit:
                for i in np.flatnonzero(group.basis[:, cell.row, cell.column]).tolist():
                    rows[i] = f"{unit}/s"
    for block, part in group.blocks.items():
        several = _each(units.get(block, ""), part.stop - part.start)
        rows[part] = [unit or previous for unit, previous in zip(several, rows[part], strict=True)]
    return rows


def _each(unit: str, count: int) -> list[str]:
    """The units of components, which are stated as one or one after the other."""
    several = unit.split(", ")
    return several if len(several) == count else [unit] * count


def _translations(group: LieGroup) -> np.ndarray:
    """The rows of blocks whose products vanish."""
    rows = np.zeros(group.dimension, dtype=bool)
    for part in group.blocks.values():
        block = group.basis[part]
        rows[part] = not np.any(np.einsum("iab,jbc->ijac", block, block))
    return rows


def _central(group: LieGroup) -> np.ndarray:
    """The rows that commute with all others."""
    products = np.einsum("iab,jbc->ijac", group.basis, group.basis)
    central: np.ndarray = ~np.any(products != np.swapaxes(products, 0, 1), axis=(1, 2, 3))
    return central
