"""Direct products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import errors, ops
from semidirect.groups.arguments import a_group, names_of
from semidirect.groups.coordinates import Cell, Circle, Coordinate, require_unique
from semidirect.groups.distances import PartialDistance
from semidirect.groups.lie_group import LieGroup, no_cayley
from semidirect.groups.matrices.blocks import block_diagonal
from semidirect.groups.parts import Quotient
from semidirect.groups.so3 import SO3


@final
class DirectProduct(LieGroup):
    """G₁ × G₂ × …, points (..., N, N) block-diagonal, algebra vectors and stored coordinates concatenated.

    Parameters
    ----------
    *groups : LieGroup
    names : one prefix for each factor, optional
        With it a block ``Omega`` of the factor named ``a`` is called ``a_Omega``, and so are its coordinates.
    numbered : bool
        Whether names of blocks end with the number of their factor, as at the sites of a lattice: the components of the block
        ``Omega1_`` are ``Omega1_1`` …, and a single component is ``omega1``.
    kinds : one name for each factor, optional
        With it names of blocks end with the kind of their factor, ``Omega_a``, of which each is counted, ``Omega_a1_``,
        ``Omega_a2_``, ``Omega_b1_``, if they are numbered.
    """

    def __init__(self, *groups: LieGroup, names: Sequence[str] | None = None, numbered: bool = False,
                 kinds: Sequence[str] = ()):  # fmt: skip
        if not groups:
            raise errors.DefinitionError("a product of no groups", expected="at least one")
        for factor in groups:
            a_group(factor, "a factor of a product")
        if names is not None and len(names_of(names, "prefixes of a product")) != len(groups):
            raise errors.DefinitionError("wrong number of prefixes", expected=str(len(groups)), got=repr(names))
        ends = [f"_{kind}" for kind in kinds] or [""] * len(groups)
        numbers = [str(ends[: i + 1].count(end)) if numbered else "" for i, end in enumerate(ends)]
        if names is None and (numbered or kinds):
            names = [f"{end[1:] or 'site'}{number}" for end, number in zip(ends, numbers, strict=True)]
        prefixes = [""] * len(groups) if names is None else [f"{n}_" for n in names]

        def named(i: int, block: str) -> str:
            if not numbered and not kinds:
                return prefixes[i] + block
            part = groups[i].blocks[block]
            return f"{block}{ends[i]}{numbers[i]}{'_' if numbered and part.stop - part.start > 1 else ''}"

        name = " x ".join(g.name for g in groups)
        sizes, quotients, coordinates = {}, {}, []
        require_unique([named(i, b) for i, g in enumerate(groups) for b in g.blocks], "block", name)
        basis = np.zeros((sum(g.dimension for g in groups), *2 * (sum(g.size for g in groups),)))
        index = row = 0
        for i, (prefix, g) in enumerate(zip(prefixes, groups, strict=True)):
            basis[index : index + g.dimension, row : row + g.size, row : row + g.size] = g.basis
            sizes.update({named(i, b): s.stop - s.start for b, s in g.blocks.items()})
            for key, q in {**g.parts.quotients, tuple(g.blocks): Quotient(g, 0)}.items():
                quotients[tuple(named(i, b) for b in key)] = Quotient(q.group, row + q.row)
            coordinates += [_shifted(c, prefix, row, index) for c in g.coordinates.items]
            index, row = index + g.dimension, row + g.size
        super().__init__(
            name, basis, blocks=sizes, coordinates=coordinates, quadratic=all(g.quadratic for g in groups),
            compact=all(g.compact for g in groups), reach=min(g.reach for g in groups), quotients=quotients,
            factors=groups, definition=groups,
        )  # fmt: skip

    @classmethod
    def of_rotations(cls, labels: Sequence[str]) -> DirectProduct:
        """SO(3) once for each label, such as those of ``"abc"``: velocities ``wa``, ``wb``, …, stored ``ga11`` … ``ga33``."""
        numbers = [f"{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
        return cls(*(SO3((f"w{label}",), [f"g{label}{ij}" for ij in numbers]) for label in labels))

    def exp_entries(self, xi: Any) -> np.ndarray:
        """Factor by factor."""
        return block_diagonal([g.exp_entries(x) for g, x in self._split(xi)])

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """Factor by factor."""
        if not self.quadratic:
            raise no_cayley(self)
        return block_diagonal([g.cayley_entries(x) for g, x in self._split(xi)])

    def inverse_entries(self, g: Any) -> np.ndarray:
        """Factor by factor."""
        g = ops.array(g)
        return block_diagonal([f.inverse_entries(g[r, r]) for f, r in self._rows()])

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """Factor by factor."""
        return np.concatenate([f.logarithms(g[:, r, r]) for f, r in self._rows()], axis=-1)

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """The largest of the factors' residuals and of the entries outside the blocks."""
        outside = g.copy()
        for _, r in self._rows():
            outside[:, r, r] = 0.0
        return np.max(
            [np.max(np.abs(outside), axis=(-2, -1)), *(f.residuals(g[:, r, r]) for f, r in self._rows())], axis=0
        )

    def distances(self) -> tuple[PartialDistance, ...]:
        """Factor by factor."""
        return tuple(d.shifted(rows.start) for g, rows in self._rows() for d in g.distances())

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Factor by factor."""
        return np.moveaxis(block_diagonal([np.moveaxis(f.draw(rng, count), 0, -1) for f in self.factors]), -1, 0)

    def _split(self, xi: Any) -> list[tuple[LieGroup, np.ndarray]]:
        xi, parts, start = ops.array(xi), [], 0
        for g in self.factors:
            parts.append((g, xi[start : start + g.dimension]))
            start += g.dimension
        return parts

    def _rows(self) -> list[tuple[LieGroup, slice]]:
        parts, start = [], 0
        for g in self.factors:
            parts.append((g, slice(start, start + g.size)))
            start += g.size
        return parts


def _shifted(c: Coordinate, prefix: str, row: int, index: int) -> Coordinate:
    if isinstance(c, Circle):
        return Circle(prefix + c.name, c.row + row, c.index + index)
    return Cell(prefix + c.name, c.row + row, c.column + row)
