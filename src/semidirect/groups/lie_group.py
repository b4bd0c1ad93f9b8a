"""The abstract matrix Lie group."""

from __future__ import annotations

import math
import operator
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import arguments, errors, exact, ops, user_code
from semidirect.groups.coordinates import Coordinate, Coordinates, free_cells, renamed
from semidirect.groups.distances import PartialDistance, of_elements
from semidirect.groups.matrices import blocks as arrays
from semidirect.groups.matrices.structure import Structure, analyse
from semidirect.groups.parts import Parts, Quotient

RETRACTIONS = ("exp", "cayley")


class Geometry(Enum):
    """The spaces of matrices that have a canonical metric: of rotations the bi-invariant one, of motions a left-invariant one."""

    ROTATIONS = "SO(n)"
    MOTIONS = "SE(n)"


class LieGroup(user_code.Hooked, ABC):
    """A Lie group of real matrices.

    A point is a plain array ``(..., N, N)``, an algebra vector ξ an array ``(..., n)`` with ``hat(ξ) = Σ ξ_j e_j``, a dual
    vector μ an array ``(..., n)`` with ⟨μ, ξ⟩ = Σ μ_j ξ_j. Everything is left-trivialised: ġ = g hat(ξ).

    Functions named ``*_entries``, and ``bracket``, ``cobracket``, ``store``, ``element``, ``move``, are component-first
    array code: shapes ``(n, ...)`` and ``(N, N, ...)``, entries floats, exact numbers, symbols or tracers, no checks. The
    other functions validate their arguments and have components last.

    A subclass defines the basis and six kernels. It is final.

    Attributes
    ----------
    name : str
    dimension, size : int
        n and N.
    basis : (n, N, N) float array
    brackets : tuple of (i, j, k, value)
        The nonzero structure constants, as integers or fractions if the basis is rational.
    blocks : mapping of names to slices
        The named parts of an algebra vector, in order.
    quadratic : bool
        Whether the Cayley map stays on the group: SO(n) and other groups gᵀJg = J, and matrix groups whose algebra holds
        A³ with A (SE(n), Rⁿ, Heisenberg).
    compact : bool
    circles : tuple of str
        The names of the stored coordinates that are unwrapped angles.
    stored_names : tuple of str
        The coordinates of a point that a run stores: the entries that are not constant, and angles.
    geometry : Geometry or None
        The Riemannian space of matrices that the group is, for means and geodesic distances; ``None`` if it is not a known one.
    rotation_vector : bool
        Whether ξ is a rotation vector, whose length is the angle of exp(ξ).
    """

    geometry: ClassVar[Geometry | None] = None
    rotation_vector: ClassVar[bool] = False

    def __init__(
        self,
        name: str,
        basis: Any,
        *,
        blocks: Mapping[str, int],
        names: Sequence[str] | None = None,
        coordinates: Sequence[Coordinate] | None = None,
        coordinate_names: Sequence[str] | None = None,
        quadratic: bool = False,
        compact: bool = False,
        reach: float = np.inf,
        quotients: Mapping[tuple[str, ...], Quotient] = MappingProxyType({}),
        factors: Sequence[LieGroup] = (),
        definition: tuple[Any, ...] = (),
    ):
        structure = analyse(basis, name)
        items = free_cells(structure.pattern) if coordinates is None else coordinates
        stored = Coordinates(renamed(items, coordinate_names, name), structure)
        parts = Parts.divide(name, len(structure.basis), blocks, quotients, names)
        sizes = tuple((b, s.stop - s.start) for b, s in parts.slices.items())
        vars(self).update(
            name=name,
            dimension=len(structure.basis),
            size=structure.basis.shape[1],
            structure=structure,
            basis=structure.basis,
            brackets=structure.brackets,
            parts=parts,
            blocks=parts.slices,
            coordinates=stored,
            stored_names=stored.names,
            circles=tuple(c.name for c in stored.circles),
            quadratic=quadratic,
            compact=compact,
            reach=reach,
            factors=tuple(factors),
            _key=(type(self), name, structure.basis.shape, structure.basis.tobytes(), sizes, stored.items, *definition),
        )

    name: str
    dimension: int
    size: int
    structure: Structure
    basis: np.ndarray
    brackets: tuple[tuple[int, int, int, exact.Coefficient], ...]
    parts: Parts
    blocks: Mapping[str, slice]
    coordinates: Coordinates
    stored_names: tuple[str, ...]
    circles: tuple[str, ...]
    quadratic: bool
    compact: bool
    reach: float
    factors: tuple[LieGroup, ...]
    _key: tuple[Any, ...]

    @property
    def structure_constants(self) -> np.ndarray:
        """c with ``[e_i, e_j] = Σ_k c[i, j, k] e_k``, an (n, n, n) float array."""
        return self.structure.constants

    # The kernels that a group defines.

    @abstractmethod
    def exp_entries(self, xi: Any) -> np.ndarray:
        """exp(hat ξ), ``(n, ...)`` to ``(N, N, ...)``."""

    @abstractmethod
    def cayley_entries(self, xi: Any) -> np.ndarray:
        """``(1 − A/2)⁻¹ (1 + A/2)`` with A = hat ξ, rational in ξ; raises a MethodError if the group is not quadratic."""

    @abstractmethod
    def inverse_entries(self, g: Any) -> np.ndarray:
        """g⁻¹, ``(N, N, ...)``."""

    @abstractmethod
    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """ξ (m, n) with exp ξ = g for validated floats ``g`` (m, N, N); raises a NoRealLogarithmError if there is none."""

    @abstractmethod
    def residuals(self, g: np.ndarray) -> np.ndarray:
        """The residual (m,) of each finite ``g`` (m, N, N): 0 on the group."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """``count`` random elements (count, N, N); Haar-distributed if the group is compact."""

    # The algebra.

    @final
    def hat(self, xi: Any) -> np.ndarray:
        """The matrices ``Σ_j ξ_j e_j`` (..., N, N) of ``xi`` (..., n)."""
        return np.einsum("...j,jab->...ab", self._vectors(xi), self.basis)

    @final
    def vee(self, matrix: Any) -> np.ndarray:
        """The inverse of :meth:`hat`; raises an InputError if a matrix is not in the algebra."""
        matrix = self._matrices(matrix)
        xi = matrix.reshape(*matrix.shape[:-2], -1) @ self.structure.projector.T
        rest = np.max(np.abs(matrix - self.hat(xi)), axis=(-2, -1))
        bad = ~(rest <= 1e-10 * np.maximum(1.0, np.max(np.abs(matrix), axis=(-2, -1))))
        if np.any(bad):
            where = arrays.first(bad)
            raise errors.InputError(f"a matrix is not in the algebra of {self.name}", expected="a residual of at most 1e-10",
                                    got=f"{rest[where]:.2e}", where=arrays.place(where))  # fmt: skip
        return xi

    @final
    def bracket(self, xi: Any, eta: Any) -> np.ndarray:
        """[ξ, η], component-first (n, ...)."""
        return exact.contract(self.brackets, self.dimension, xi, eta)

    @final
    def cobracket(self, xi: Any, mu: Any) -> np.ndarray:
        """ad*_ξ μ, component-first (n, ...): ⟨ad*_ξ μ, η⟩ = ⟨μ, [ξ, η]⟩; on so(3) it is μ × ξ."""
        return exact.contract([(i, k, j, c) for i, j, k, c in self.brackets], self.dimension, xi, mu)

    @final
    def ad(self, xi: Any, eta: Any) -> np.ndarray:
        """[ξ, η] of arrays (..., n): ``hat(ad(ξ, η)) = hat ξ hat η − hat η hat ξ``."""
        return np.moveaxis(self.bracket(*arrays.paired(self.name, self.dimension, xi, eta)), 0, -1)

    @final
    def ad_star(self, xi: Any, mu: Any) -> np.ndarray:
        """ad*_ξ μ of arrays (..., n): ``⟨ad_star(ξ, μ), η⟩ = ⟨μ, ad(ξ, η)⟩``; on so(3) it is μ × ξ."""
        return np.moveaxis(self.cobracket(*arrays.paired(self.name, self.dimension, xi, mu)), 0, -1)

    @final
    def hat_entries(self, xi: Any) -> np.ndarray:
        """hat ξ, component-first: (n, ...) to (N, N, ...)."""
        xi = ops.array(xi)
        rows: list[list[Any]] = [[0] * self.size for _ in range(self.size)]
        for j, a, b, value in self.structure.terms:
            term = exact.times(value, xi[j])
            rows[a][b] = term if exact.is_zero(rows[a][b]) else rows[a][b] + term
        return ops.matrix(rows)

    @final
    def vee_entries(self, matrix: Any) -> np.ndarray:
        """The vector of a matrix of the algebra, component-first: (N, N, ...) to (n, ...)."""
        matrix = ops.array(matrix)
        rows: list[Any] = [0] * self.dimension
        for k, a, b, value in self.structure.dual:
            term = exact.times(value, matrix[a, b])
            rows[k] = term if exact.is_zero(rows[k]) else rows[k] + term
        return ops.stack(rows)

    # The group.

    @property
    def identity(self) -> np.ndarray:
        """The unit matrix (N, N)."""
        return np.eye(self.size)

    @final
    def compose(self, g: Any, h: Any) -> np.ndarray:
        """The product ``g h`` of arrays (..., N, N)."""
        return self._matrices(g) @ self._matrices(h)

    @final
    def inverse(self, g: Any) -> np.ndarray:
        """g⁻¹: ``compose(g, inverse(g)) = identity``."""
        return arrays.components_last(self.inverse_entries(arrays.components_first(self._matrices(g))))

    @final
    def Ad(self, g: Any, xi: Any) -> np.ndarray:
        """Ad_g ξ (..., n): ``hat(Ad(g, ξ)) = g hat(ξ) g⁻¹``."""
        return np.einsum("...kj,...j->...k", self.Ad_matrix(g), self._vectors(xi))

    @final
    def Ad_star(self, g: Any, mu: Any) -> np.ndarray:
        """Ad*_g μ (..., n): ``⟨Ad_star(g, μ), ξ⟩ = ⟨μ, Ad(g, ξ)⟩``."""
        return np.einsum("...kj,...k->...j", self.Ad_matrix(g), self._vectors(mu))

    @final
    def Ad_matrix(self, g: Any) -> np.ndarray:
        """The matrix of Ad_g (..., n, n)."""
        g = self._matrices(g)
        conjugated = g[..., None, :, :] @ self.basis @ self.inverse(g)[..., None, :, :]
        flat = conjugated.reshape(*conjugated.shape[:-2], -1)
        return np.swapaxes(flat @ self.structure.projector.T, -1, -2)

    @final
    def exp(self, xi: Any) -> np.ndarray:
        """exp(hat ξ) (..., N, N) of ``xi`` (..., n)."""
        xi = self._vectors(xi)
        doublings = 0
        if np.isfinite(self.reach) and xi.size:
            length = float(np.max(np.linalg.norm(np.einsum("...j,jab->...ab", xi, self.basis), ord=1, axis=(-2, -1))))
            doublings = max(0, int(np.ceil(np.log2(length / self.reach)))) if length > 0 else 0
        g = arrays.components_last(self.exp_entries(np.moveaxis(xi * 0.5**doublings, -1, 0)))
        for _ in range(doublings):
            g = g @ g
        return g

    @final
    def log(self, g: Any, tol: float = 1e-6) -> np.ndarray:
        """The principal logarithm (..., n): ``exp(log(g)) = g``.

        Raises NotOnGroupError if a residual exceeds ``tol``, NoRealLogarithmError if there is no real logarithm.
        """
        g = self.validate(g, tol)
        return self.logarithms(g.reshape(-1, self.size, self.size)).reshape(*g.shape[:-2], self.dimension)

    @final
    def cayley(self, xi: Any) -> np.ndarray:
        """``(1 − hat(ξ)/2)⁻¹ (1 + hat(ξ)/2)`` (..., N, N): a second-order retraction, for quadratic groups."""
        return arrays.components_last(self.cayley_entries(np.moveaxis(self._vectors(xi), -1, 0)))

    @final
    def residual(self, g: Any) -> np.ndarray:
        """The residual (...,) of each matrix: 0 on the group, nan if it is not finite."""
        g = self._matrices(g)
        flat = g.reshape(-1, self.size, self.size)
        finite = np.all(np.isfinite(flat), axis=(-2, -1))
        out = np.full(len(flat), np.nan)
        out[finite] = self.residuals(flat[finite])
        return out.reshape(g.shape[:-2])

    @final
    def contains(self, g: Any, tol: float = 1e-9) -> np.ndarray:
        """Whether each matrix is on the group within ``tol`` (...,)."""
        return self.residual(g) <= arguments.validated_number("tol", tol)

    @final
    def validate(self, g: Any, tol: float = 1e-9) -> np.ndarray:
        """``g`` as floats; raises a NotOnGroupError with the residual and the batch index if it is not on the group."""
        g = self._matrices(g)
        residual = self.residual(g)
        bad = ~(residual <= arguments.validated_number("tol", tol))
        if np.any(bad):
            where = arrays.first(bad)
            raise errors.NotOnGroupError(f"a matrix is not on {self.name}", expected=f"a residual below {tol:.1e}",
                                         got=f"{residual[where]:.2e}", where=arrays.place(where))  # fmt: skip
        return g

    @final
    def random(self, rng: Any = None, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Random elements ``size + (N, N)``: Haar-distributed if the group is compact; else see the class.

        ``rng`` is a NumPy Generator or a seed.
        """
        try:
            shape = (size,) if isinstance(size, int) else tuple(size)
            generator, count = np.random.default_rng(rng), math.prod(map(operator.index, shape))
        except (TypeError, ValueError, MemoryError):
            raise errors.InputError("random elements", expected="a seed or generator, and a shape",
                                    got=f"{reprlib.repr(rng)} and {reprlib.repr(size)}") from None  # fmt: skip
        g = self.draw(generator, count)
        return g.reshape(*shape, self.size, self.size)

    @final
    def distance(self, g: Any, h: Any) -> np.ndarray:
        """|log(g⁻¹h)| (...,), the Euclidean norm in the basis: the rotation angle on SO(3)."""
        return np.linalg.norm(self.log(self.compose(self.inverse(g), h)), axis=-1)

    def distances(self) -> tuple[PartialDistance, ...]:
        """The distances of two points, part by part, each with a unit. By default |log(g⁻¹h)| of the whole; a group may divide
        it into parts.
        """
        return (of_elements(self.size, self.distance),)

    # Stored points.

    @final
    def store(self, g: Any, angles: Any = None) -> np.ndarray:
        """The stored coordinates (r, ...) of ``g`` (N, N, ...).

        ``angles``: the unwrapped angles of the circles, in order; by default the principal values.
        """
        return self.coordinates.store(g, angles)

    @final
    def element(self, stored: Any) -> np.ndarray:
        """The matrix (N, N, ...) of stored coordinates (r, ...)."""
        return self.coordinates.element(stored)

    @final
    def retract_entries(self, xi: Any, retraction: str) -> np.ndarray:
        """The element (N, N, ...) by which :meth:`move` multiplies.

        ``exp``, or ``cayley`` except on factors that store an angle: those always move by exp, so that the angle
        adds its component of ξ.
        """
        if retraction not in RETRACTIONS:
            raise errors.UnknownNameError("retraction", retraction, RETRACTIONS)
        xi = ops.array(xi)
        if not self.factors:
            return self.exp_entries(xi) if retraction == "exp" or self.circles else self.cayley_entries(xi)
        parts, start = [], 0
        for f in self.factors:
            parts.append(f.retract_entries(xi[start : start + f.dimension], retraction))
            start += f.dimension
        return arrays.block_diagonal(parts)

    @final
    def move(self, stored: Any, xi: Any, retraction: str = "exp") -> np.ndarray:
        """The stored coordinates of ``g · retract_entries(ξ, retraction)``; angles are not wrapped."""
        return self.coordinates.move(stored, xi, self.retract_entries(xi, retraction))

    @final
    def flow_entries(self, stored: Any, xi: Any) -> np.ndarray:
        """The rate (r, ...) of the stored coordinates for dg = g hat(ξ)."""
        return self.coordinates.flow(stored, xi)

    # Quotients.

    @final
    def factor(self, block: str | Sequence[str]) -> LieGroup:
        """The group of a block, or of several, to which a sub-matrix of this group belongs: SO(3) for the Omega of SE(3)."""
        return self.parts.quotient(block, self).group

    @final
    def factor_entries(self, block: str | Sequence[str], g: Any) -> np.ndarray:
        """The sub-matrix of ``g`` (N, N, ...) that belongs to the factor."""
        quotient = self.parts.quotient(block, self)
        rows = slice(quotient.row, quotient.row + quotient.group.size)
        return ops.array(g)[rows, rows]

    @final
    def factor_slice(self, block: str | Sequence[str]) -> slice:
        """The part of an algebra vector that belongs to the factor."""
        names = self.parts.named(block)
        return slice(self.blocks[names[0]].start, self.blocks[names[-1]].stop)

    def _vectors(self, xi: Any) -> np.ndarray:
        return arrays.vectors(self.name, self.dimension, xi)

    def _matrices(self, g: Any) -> np.ndarray:
        return arrays.matrices(self.name, self.size, g)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LieGroup) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{b}: {s.stop - s.start}' for b, s in self.blocks.items())})"


def no_cayley(group: LieGroup) -> errors.MethodError:
    """The error for a Cayley map that would leave the group."""
    return errors.MethodError(f"the Cayley map leaves {group.name}", hint="Use exp.")
