"""The stored coordinates of a group element: the entries that are not constant, and unwrapped angles of circles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from semidirect.core import errors, exact, ops
from semidirect.groups.matrices.functions import entries_of, product_entry
from semidirect.groups.matrices.structure import FREE, ONE, ZERO, Structure


@dataclass(frozen=True)
class Cell:
    """One stored matrix entry."""

    name: str
    row: int
    column: int


@dataclass(frozen=True)
class Circle:
    """One stored angle: it fills the rotation block of ``row`` and ``row + 1`` and moves by the component ``index`` of ξ."""

    name: str
    row: int
    index: int


Coordinate = Cell | Circle


@dataclass(frozen=True)
class Coordinates:
    """The stored coordinates of a group, in order; all functions are component-first array code."""

    items: tuple[Coordinate, ...]
    structure: Structure

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(c.name for c in self.items)

    @property
    def circles(self) -> tuple[Circle, ...]:
        """The coordinates that are angles."""
        return tuple(c for c in self.items if isinstance(c, Circle))

    def store(self, g: Any, angles: Any) -> np.ndarray:
        """Read the coordinates off ``g`` (N, N, ...); principal angles if none are given."""
        g = ops.array(g)
        circles = self.circles
        if angles is not None and len(angles) != len(circles):
            raise errors.InputError("wrong number of angles", expected=str(len(circles)), got=str(len(angles)))
        angle_of = None if angles is None else dict(zip(circles, angles, strict=True))
        out = []
        for c in self.items:
            if isinstance(c, Cell):
                out.append(g[c.row, c.column])
            elif angle_of is None:
                out.append(_principal_angle(g[c.row, c.row], g[c.row + 1, c.row]))
            else:
                out.append(_checked_angle(angle_of[c], g[c.row, c.row], g[c.row + 1, c.row]))
        return ops.stack(out)

    def element(self, stored: Any) -> np.ndarray:
        """The matrix (N, N, ...) with these coordinates."""
        return ops.matrix(self._entries(ops.array(stored)))

    def _entries(self, stored: np.ndarray) -> list[list[Any]]:
        """The entries of the matrix in lists; the constant ones are integers."""
        entries: list[list[Any]] = [[int(kind == ONE) for kind in row] for row in self.structure.pattern.tolist()]
        for value, c in zip(stored, self.items, strict=True):
            if isinstance(c, Cell):
                entries[c.row][c.column] = value
            else:
                cosine, sine, r = ops.cos(value), ops.sin(value), c.row
                entries[r][r], entries[r][r + 1] = cosine, -sine
                entries[r + 1][r], entries[r + 1][r + 1] = sine, cosine
        return entries

    def move(self, stored: Any, xi: Any, increment: Any) -> np.ndarray:
        """The coordinates of ``element(stored) · increment``; angles add their component of ``xi``."""
        stored, xi, pattern = ops.array(stored), ops.array(xi), self.structure.pattern.tolist()
        g, increment = self._entries(stored), entries_of(increment)
        return exact.assemble([
            product_entry(pattern, g, pattern, increment, c.row, c.column) if isinstance(c, Cell) else value + xi[c.index]
            for value, c in zip(stored, self.items, strict=True)
        ], stored, xi)  # fmt: skip

    def flow(self, stored: Any, xi: Any) -> np.ndarray:
        """The rate of the coordinates for ``dg = g hat(xi)``."""
        stored, xi, pattern = ops.array(stored), ops.array(xi), self.structure.pattern.tolist()
        g = self._entries(stored)
        rows: list[Any] = [xi[c.index] if isinstance(c, Circle) else 0 for c in self.items]
        cells: dict[int, list[tuple[int, int]]] = {}  # column → places of its cells, and their rows
        for place, c in enumerate(self.items):
            if isinstance(c, Cell):
                cells.setdefault(c.column, []).append((place, c.row))
        for j, k, column, value in self.structure.terms:
            x = xi[j]
            if exact.is_zero(x):
                continue
            for place, row in cells.get(column, ()):
                kind = pattern[row][k]
                if kind == ZERO:
                    continue
                term = exact.times(value, x if kind == ONE else g[row][k] * x)
                rows[place] = term if exact.is_zero(rows[place]) else rows[place] + term
        return exact.assemble(rows, stored, xi)


def free_cells(pattern: np.ndarray) -> tuple[Cell, ...]:
    """All entries that are not constant, by rows, named g11, g12, …; g1_1, g1_2, … from ten rows on."""
    between = "" if len(pattern) < 10 else "_"
    return tuple(Cell(f"g{i + 1}{between}{j + 1}", i, j) for i, j in np.argwhere(pattern == FREE).tolist())


def renamed(items: Sequence[Coordinate], names: Sequence[str] | None, owner: str) -> tuple[Coordinate, ...]:
    """The same coordinates under other names."""
    if names is not None:
        if (
            isinstance(names, str)
            or not isinstance(names, Sequence)
            or len(names) != len(items)
            or not all(isinstance(n, str) for n in names)
        ):
            raise errors.DefinitionError(f"{owner} cannot take these coordinate names", expected=f"{len(items)} of them",
                                         got=repr(names))  # fmt: skip
        items = [Cell(n, c.row, c.column) if isinstance(c, Cell) else Circle(n, c.row, c.index)
                 for n, c in zip(names, items, strict=True)]  # fmt: skip
    require_unique([c.name for c in items], "coordinate", owner)
    return tuple(items)


def require_unique(names: Sequence[str], kind: str, owner: str) -> None:
    """Raise a DefinitionError if a name appears twice; the message says how to rename it."""
    repeated = sorted({n for n in names if list(names).count(n) > 1})
    if repeated:
        argument = "blocks" if kind == "block" else "coordinates"
        raise errors.DefinitionError(
            f"{owner} has two {kind}s with the same name", expected="unique names", got=", ".join(map(repr, repeated)),
            hint=f"Rename in one factor with {argument}=, e.g. SO2({argument}=('turn',)), or give "
                 "DirectProduct(…, names=('a', 'b')), which puts the prefixes a_ and b_ before all names.",
        )  # fmt: skip


def _principal_angle(cosine: Any, sine: Any) -> Any:
    if np.asarray(cosine).dtype == object:
        raise errors.InputError("the angle of a symbolic rotation is not defined", hint="Give angles=.")
    return np.arctan2(sine, cosine)


def _checked_angle(angle: Any, cosine: Any, sine: Any) -> Any:
    if np.asarray(cosine).dtype != object and np.asarray(angle).dtype != object:
        error = np.max(np.hypot(np.cos(angle) - cosine, np.sin(angle) - sine))
        if not error <= 1e-8:
            raise errors.InputError("an angle does not belong to its matrix", expected="the angle up to full turns",
                                    got=f"a difference of {error:.1e}")  # fmt: skip
    return angle
