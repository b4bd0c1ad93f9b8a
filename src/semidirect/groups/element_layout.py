"""The places of the stored coordinates of a group in its matrices, in JSON's types, and the parts that are rotations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from semidirect.expressions import component_names
from semidirect.groups.coordinates import Cell
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.matrices.structure import FREE, ONE


@final
@dataclass(frozen=True)
class ElementLayout:
    """Makes matrices of the coordinates that a run stored, even if the group itself is not installed.

    Attributes
    ----------
    names : tuple of str
        The coordinates, in the order in which they are stored.
    size : int
        N of the matrices (N, N) of the group.
    ones : tuple of (row, column)
        The entries that are always 1.
    cells : dict name → (row, column)
        The coordinates that are entries.
    angles : dict name → row
        The coordinates that are angles, of the rotation of this row and the next.
    matrices : dict name → (row, column, rows, columns)
        The matrices that the coordinates of one stem fill, by rows.
    rotations : dict name → (row, size)
        The names, of matrices and angles, whose values are rotations.
    """

    names: tuple[str, ...]
    size: int
    ones: tuple[tuple[int, int], ...]
    cells: Mapping[str, tuple[int, int]]
    angles: Mapping[str, int]
    matrices: Mapping[str, tuple[int, int, int, int]]
    rotations: Mapping[str, tuple[int, int]]

    @classmethod
    def of(cls, group: LieGroup) -> Self:
        """That of a group."""
        items, pattern = group.coordinates.items, group.structure.pattern
        cells = {c.name: (c.row, c.column) for c in items if isinstance(c, Cell)}
        angles = {c.name: c.row for c in items if not isinstance(c, Cell)}
        matrices: dict[str, tuple[int, int, int, int]] = {}
        for stem, where in component_names.grouped(group.stored_names).items():
            places = [cells.get(items[i].name, (-1, -1)) for i in where]
            (row, column), (last_row, last_column) = places[0], places[-1]
            rows, columns = last_row - row + 1, last_column - column + 1
            whole = [(row + i, column + j) for i in range(rows) for j in range(columns)]
            if row >= 0 and rows > 1 and columns > 1 and places == whole:
                matrices[stem] = (row, column, rows, columns)
        rotations = {name: (row, 2) for name, row in angles.items()}
        rotations |= {
            name: (row, rows)
            for name, (row, column, rows, columns) in matrices.items()
            if row == column and rows == columns and _rotates(group, slice(row, row + rows))
        }
        ones = tuple((int(i), int(j)) for i, j in np.argwhere(pattern == ONE))
        return cls(group.stored_names, group.size, ones, cells, angles, matrices, rotations)

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {
            "names": list(self.names), "size": self.size, "ones": [list(x) for x in self.ones],
            "cells": {k: list(v) for k, v in self.cells.items()}, "angles": dict(self.angles),
            "matrices": {k: list(v) for k, v in self.matrices.items()},
            "rotations": {k: list(v) for k, v in self.rotations.items()},
        }  # fmt: skip

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Self:
        """The reverse."""

        def pairs(name: str) -> dict[str, Any]:
            return {str(k): tuple(map(int, v)) for k, v in description[name].items()}

        ones = tuple((int(i), int(j)) for i, j in description["ones"])
        angles = {str(k): int(v) for k, v in description["angles"].items()}
        return cls(
            tuple(map(str, description["names"])),
            int(description["size"]),
            ones,
            pairs("cells"),
            angles,
            pairs("matrices"),
            pairs("rotations"),
        )

    def by_name(self, data: Mapping[str, np.ndarray]) -> dict[str, np.ndarray] | None:
        """The coordinates one by one, ``(paths, T)`` each, of those that a run saved by stem; ``None`` if some were not saved."""
        out: dict[str, np.ndarray] = {}
        for stem, where in component_names.grouped(self.names).items():
            if stem not in data:
                return None
            values = data[stem]
            out |= {self.names[i]: values[..., k] if values.ndim == 3 else values for k, i in enumerate(where)}
        return out

    def element(self, values: Mapping[str, np.ndarray]) -> np.ndarray:
        """The matrices ``(..., N, N)`` of coordinates by name."""
        shape = np.shape(next(iter(values.values())))
        out = np.zeros((*shape, self.size, self.size))
        for i, j in self.ones:
            out[..., i, j] = 1.0
        for name, (i, j) in self.cells.items():
            out[..., i, j] = values[name]
        for name, i in self.angles.items():
            out[..., i : i + 2, i : i + 2] = plane(values[name])
        return out

    def pose(self, values: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, bool]:
        """Of a body: its rotation (..., 3, 3), the position of its origin (..., 3), and whether that is one of the coordinates.

        The rotation is one of space if there is one, else of the plane, else the identity. The position is the column next to
        it, if that consists of coordinates; else the coordinates x, y, z; else 0.
        """
        element, rotations = self.element(values), sorted(p for p in self.rotations.values() if p[1] in (2, 3))
        row, n = min(rotations, key=lambda x: (-x[1], x[0]), default=(0, 0))
        rotation, position = np.zeros((*element.shape[:-2], 3, 3)), np.zeros((*element.shape[:-2], 3))
        rotation[..., range(3), range(3)] = 1.0
        rotation[..., :n, :n] = element[..., row : row + n, row : row + n]
        last = row + n
        if n and all((row + i, last) in self.cells.values() for i in range(n)):
            position[..., :n] = element[..., row:last, last]
            return rotation, position, True
        axes = [(i, x) for i, x in enumerate(("x", "y", "z")) if x in values]
        axes = axes or list(enumerate(x for x in ("x1", "x2", "x3") if x in values))
        for i, x in axes:
            position[..., i] = values[x]
        return rotation, position, bool(axes)


def plane(angle: np.ndarray) -> np.ndarray:
    """The rotations ``(..., 2, 2)`` of the plane."""
    with np.errstate(invalid="ignore"):  # of infinite angles, after a failure
        c, s = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)


def _rotates(group: LieGroup, part: slice) -> bool:
    """Whether a block of the matrices is itself a rotation: its algebra is skew, and products involve only this block."""
    inner = group.basis[:, part, part]
    if np.any(inner + np.swapaxes(inner, -1, -2)):
        return False
    pattern = group.structure.pattern == FREE
    outside = np.ones(len(pattern), dtype=bool)
    outside[part] = False
    away, back = pattern[part][:, outside].any(axis=0), pattern[outside][:, part].any(axis=1)
    return not np.any(away & back)
