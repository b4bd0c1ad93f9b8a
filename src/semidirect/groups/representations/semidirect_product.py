"""Semidirect products of a group with a space that it acts on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors, ops
from semidirect.groups import matrices
from semidirect.groups.arguments import a_group
from semidirect.groups.coordinates import Cell, Coordinate
from semidirect.groups.distances import PartialDistance, of_positions
from semidirect.groups.lie_group import LieGroup, no_cayley
from semidirect.groups.parts import Quotient

if TYPE_CHECKING:
    from semidirect.groups.representations.representation import Representation


@final
class SemidirectProduct(LieGroup):
    """G ⋉ V: pairs (g, v) with ``(g, v)(h, w) = (gh, v + g·w)``, algebra ξ = (ω; y) with ω in the algebra of G and y in V.

    ``[(ω, y), (η, z)] = ([ω, η], ρ(ω) z − ρ(η) y)``. Points are ``[[g, v], [0, 1]]`` if V is the space of the matrices of
    G (so SE(3) is SO(3) ⋉ R³), else block-diagonal ``(g, [[ρ(g), v], [0, 1]])``. Stored: the coordinates of G, in the second
    case the entries ``rho11`` … of ρ(g) that are not constant, and v as ``x1`` …

    Parameters
    ----------
    group : LieGroup
    representation : Representation
        Its representation on V.
    blocks : names of the algebra's parts, by default those of G and ``"V"``
    coordinates : names of the stored coordinates
    """

    def __init__(self, group: LieGroup, representation: Representation, blocks: Sequence[str] | None = None,
                 coordinates: Sequence[str] | None = None):  # fmt: skip
        a_group(group, "the group of a semidirect product")
        from semidirect.groups.representations.representation import a_representation

        a_representation(representation, "the representation of a semidirect product")
        name = f"{group.name} |x V{representation.dimension}"
        if representation.group != group:
            raise errors.DefinitionError(f"the representation of {name} belongs to another group", expected=repr(group),
                                         got=repr(representation.group))  # fmt: skip
        if "V" in group.blocks:
            raise errors.DefinitionError(f"{name} has two blocks named 'V'", hint="Rename the block of the group.")
        n, d = group.dimension, representation.dimension
        rho = representation.generators.astype(float)
        own = rho.shape == group.basis.shape and np.array_equal(rho, group.basis)
        start = 0 if own else group.size
        size = start + d + 1
        basis = np.zeros((n + d, size, size))
        basis[:n, : group.size, : group.size] = group.basis
        basis[:n, start : start + d, start : start + d] = rho
        for i in range(d):
            basis[n + i, start + i, size - 1] = 1
        algebra = matrices.analyse(basis, name)
        items: list[Coordinate] = list(group.coordinates.items)
        if not own:
            inner = algebra.pattern[start : start + d, start : start + d]
            items += [
                Cell(f"rho{i + 1}{j + 1}", start + i, start + j)
                for i, j in np.argwhere(inner == matrices.FREE).tolist()
            ]
        items += [Cell(f"x{i + 1}", start + i, size - 1) for i in range(d)]
        sizes = {b: s.stop - s.start for b, s in group.blocks.items()}
        quotients = {**group.parts.quotients, tuple(group.blocks): Quotient(group, 0)}
        super().__init__(
            name, basis, blocks={**sizes, "V": d}, names=blocks, quotients=quotients, definition=(representation,),
            coordinates=items, coordinate_names=coordinates, quadratic=group.quadratic and matrices.odd_powers_close(algebra),
            reach=matrices.REACH,
        )  # fmt: skip
        vars(self).update(group=group, representation=representation, start=start)

    group: LieGroup
    representation: Representation
    start: int

    def exp_entries(self, xi: Any) -> np.ndarray:
        """A fixed Taylor polynomial with fixed squarings."""
        return matrices.taylor_exponential(self.structure, self.hat_entries(xi))

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """By elimination, if odd powers stay in the algebra."""
        if not self.quadratic:
            raise no_cayley(self)
        return matrices.cayley_transform(self.structure.algebra_pattern, self.hat_entries(xi))

    def inverse_entries(self, g: Any) -> np.ndarray:
        """(g⁻¹, −g⁻¹·v)."""
        g = ops.array(g)
        back = self.group.inverse_entries(g[: self.group.size, : self.group.size])
        v = -self.representation.act_entries(back, g[self.start : -1, -1])
        if not self.start:
            return matrices.affine_entries(back, v)
        return matrices.block_diagonal([back, matrices.affine_entries(self.representation.matrix_entries(back), v)])

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """(ω, φ⁻¹ v) with ω = log g and ``φ = Σ ρ(ω)^k/(k+1)!``; no logarithm if φ is singular."""
        from scipy.linalg import expm

        d = self.representation.dimension
        omega = self.group.logarithms(g[:, : self.group.size, : self.group.size])
        rho = np.einsum("mj,jab->mab", omega, self.representation.generators.astype(float))
        augmented = np.zeros((len(g), 2 * d, 2 * d))
        augmented[:, :d, :d], augmented[:, :d, d:] = rho, np.eye(d)
        phi = expm(augmented)[:, :d, d:]
        condition = np.linalg.cond(phi)
        if not np.all(condition < 1e12):
            where = int(np.argmax(~(condition < 1e12)))
            raise errors.NoRealLogarithmError(
                f"an element of {self.name} has no logarithm", where=f"element {where}",
                expected="a condition number below 1e12", got=f"{condition[where]:.1e}",
            )  # fmt: skip
        y = np.linalg.solve(phi, g[:, self.start : -1, -1:])[..., 0]
        return np.concatenate([omega, y], axis=-1)

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """The residuals of g, of the constant entries, and of ρ(g)."""
        first = g[:, : self.group.size, : self.group.size]
        expected = self._matrix(first, g[:, self.start : -1, -1])
        expected[:, : self.group.size, : self.group.size] = first
        return np.maximum(self.group.residuals(first), np.max(np.abs(g - expected), axis=(-2, -1)))

    def distances(self) -> tuple[PartialDistance, ...]:
        """The angle and the distance in space if rotations act on the space of their matrices; else one distance of the whole."""
        turning = self.group.distances()
        if self.start or any(d.kind != "angle" for d in turning):
            return super().distances()
        return *turning, of_positions(self.size, "")

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """A random element of G and a standard normal v."""
        return self._matrix(self.group.draw(rng, count), rng.standard_normal((count, self.representation.dimension)))

    def _matrix(self, g: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The points (m, N, N) of ``g`` and ``v`` (m, d)."""
        out = np.zeros((len(g), self.size, self.size))
        out[:, : self.group.size, : self.group.size] = g
        if self.start:
            rho = self.representation.matrix_entries(np.moveaxis(g, 0, -1))
            out[:, self.start : -1, self.start : -1] = np.moveaxis(
                np.broadcast_to(rho, (*rho.shape[:2], len(g))), -1, 0
            )
        out[:, self.start : -1, -1], out[:, -1, -1] = v, 1.0
        return out
