"""The orbit of advected quantities, piece by piece: independent parts of a group with the quantities that they move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors
from semidirect.groups import motions

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition
    from semidirect.groups import Advected, LieGroup

LARGEST_FORM = 16
"""Dimension up to which quadratic invariants are searched among all quantities of a piece, not one by one."""
REMEMBERED = 256
"""Searched elements that a piece remembers."""
MOST_ORBITS = 64
"""Orbits that the systems of a class remember: references may depend on parameters."""


def orbit_of(system: SystemDefinition, definition: Definition) -> tuple[Piece, ...]:
    """The pieces of what is advected in a system, which all systems with the same group and quantities share."""
    cache: dict[Any, tuple[Piece, ...]] = system.workings.shared_results.known(orbit_of, dict)
    key = (definition.group, tuple(definition.advected.items()))
    if key not in cache:
        if len(cache) >= MOST_ORBITS:
            cache.clear()
        cache[key] = pieces(definition.group, definition.advected)
    return cache[key]


def pieces(group: LieGroup, advected: Mapping[str, Advected]) -> tuple[Piece, ...]:
    """The factors of a group, grouped if they move a common quantity, with all quantities that they move.

    Quantities that nothing moves make a piece of no factor.
    """
    effects, first = [], 0
    for quantity in advected.values():
        rho = np.asarray(quantity.representation.generators, dtype=float)
        rows = range(first, first + quantity.dimension)
        effects.append((quantity, rows, {i for i in range(group.dimension) if np.any(rho[i])}))
        first += quantity.dimension
    parts: list[tuple[set[int], list[tuple[Advected, range]]]] = [(set(f), []) for f in _factors(group, 0)]
    for quantity, rows, indices in effects:
        own = [part for part in parts if part[0] & indices] or [(set(), [])]
        parts = [part for part in parts if part not in own]
        members = [*(pair for part in own for pair in part[1]), (quantity, rows)]
        parts.append((set().union(*(part[0] for part in own)), members))
    return tuple(Piece(group, sorted(indices), quantities) for indices, quantities in parts if quantities)


def _factors(group: LieGroup, first: int) -> Iterator[range]:
    """The components of the algebra that belong to each factor of a direct product."""
    if not group.factors:
        yield range(first, first + group.dimension)
    for factor in group.factors:
        yield from _factors(factor, first)
        first += factor.dimension


@final
class Piece:
    """Some components of the algebra of a group, and the quantities that they move and no others do.

    Parameters
    ----------
    group : LieGroup
    indices : sequence of int
        The components of the algebra.
    quantities : sequence of (Advected, range)
        The quantities, and their rows among all that is advected.
    """

    def __init__(self, group: LieGroup, indices: Sequence[int], quantities: Sequence[tuple[Advected, range]]):
        self.group, self.indices, self.quantities = group, list(indices), list(quantities)
        self.rows = [i for _, rows in quantities for i in rows]
        self.reference = np.concatenate([quantity.reference for quantity, _ in quantities])
        self._remembered: dict[bytes, tuple[np.ndarray, float]] = {}

    def nearest(self, a: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
        """Elements ``(paths, N, N)`` whose s⁻¹a₀ are nearest to all that is advected ``(k, paths)``, and how far they are;
        ``None`` instead of identities.
        """
        values = a[self.rows]
        still = np.max(np.abs(values - self.reference[:, None]), axis=0) == 0
        if still.all() or not self.indices:
            return None, np.linalg.norm(values - self.reference[:, None], axis=0)
        if self._turning is not None:
            s = self._turned(values, self._turning)
        else:
            s = np.stack([self._searched(column) for column in values.T])
        s[still] = self.group.identity
        return s, np.linalg.norm(self._at(s) - values, axis=0)

    def distance(self, a: np.ndarray) -> np.ndarray:
        """The distance of values from the orbit ``(paths,)``: from the nearest point of a closed form, else by invariants."""
        if self._turning is not None or not self.indices:
            return self.nearest(a)[1]
        values, reference = a[self.rows], self.reference
        off = [0.0 * values[:1], *((c @ (values - reference[:, None]))[None] for c in self._linear)]
        for rows, form in self._quadratic:
            x, r = values[rows], reference[rows]
            size = 1 + np.sqrt(np.sum(x * x, axis=0))
            off.append(((np.einsum("in,ij,jn->n", x, form, x) - r @ form @ r) / size)[None])
        return np.linalg.norm(np.concatenate(off), axis=0)

    def _at(self, s: np.ndarray) -> np.ndarray:
        """The quantities of elements ``(paths, N, N)``, or of one, below each other."""
        return np.concatenate([np.moveaxis(quantity.at(s), -1, 0) for quantity, _ in self.quantities])

    # -- vectors turned by one SO(3) -------------------------------------------------------------------------------

    @cached_property
    def _turning(self) -> str | None:
        """The block of an SO(3) that alone moves the quantities, which are vectors; ``None`` if there is none."""
        rho = self._generators
        for name, part in self.group.blocks.items():
            try:
                factor = self.group.factor(name)
            except errors.InputError:  # no factor
                continue
            own = set(range(part.start, part.stop))
            if not np.array_equal(factor.basis, motions.SPACE) or not own.issubset(self.indices) or len(self.rows) % 3:
                continue
            vectors = [np.kron(np.eye(len(self.rows) // 3), e) for e in factor.basis]
            rest = [i for i in self.indices if i not in own]
            if np.array_equal(rho[part], vectors) and not np.any(rho[rest]):
                return name
        return None

    @cached_property
    def _generators(self) -> np.ndarray:
        """The generators on all quantities of the piece together ``(n, D, D)``."""
        size = len(self.rows)
        rho, first = np.zeros((self.group.dimension, size, size)), 0
        for quantity, rows in self.quantities:
            part = slice(first, first + len(rows))
            rho[:, part, part] = np.asarray(quantity.representation.generators, dtype=float)
            first += len(rows)
        return rho

    def _turned(self, values: np.ndarray, block: str) -> np.ndarray:
        """The elements that are best rotations of the block ``(paths, N, N)``."""
        turns = motions.best_rotations(self.reference.reshape(-1, 3), values.reshape(-1, 3, values.shape[1]))
        turns = np.moveaxis(turns, -1, 0)
        if self._alone is not None:
            s = np.repeat(self.group.identity[None], len(turns), axis=0)
            s[:, self._alone, self._alone] = turns
            return s
        xi = np.zeros((len(turns), self.group.dimension))
        xi[:, self.group.blocks[block]] = motions.space_logarithm(turns)
        return self.group.exp(xi)

    @cached_property
    def _alone(self) -> slice | None:
        """The rows in which a rotation stands, if that is all that an element has of it; ``None`` if it acts elsewhere too."""
        group, name = self.group, self._turning
        assert name is not None
        row = group.parts.quotient(name, group).row
        rows, own = slice(row, row + 3), group.blocks[name]
        matrix, xi = group.identity.copy(), np.zeros(group.dimension)
        xi[own] = (0.3, -0.5, 0.2)
        matrix[rows, rows] = motions.space_exponential(xi[own])
        return rows if np.allclose(matrix, group.exp(xi), rtol=0, atol=1e-12) else None

    # -- everything else -------------------------------------------------------------------------------------------

    def _searched(self, values: np.ndarray) -> np.ndarray:
        """The nearest element by a search, remembered."""
        key = values.tobytes()
        if key not in self._remembered:
            result = self._search(values)
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = result
        return self._remembered[key][0].copy()

    def _search(self, values: np.ndarray) -> tuple[np.ndarray, float]:
        from scipy.optimize import least_squares

        group, n = self.group, len(self.indices)

        def element(x: np.ndarray) -> np.ndarray:
            xi = np.zeros(group.dimension)
            xi[self.indices] = x
            return group.exp(xi)

        candidates: list[tuple[float, np.ndarray]] = []
        for start in [np.zeros(n), *np.eye(n), *(-np.eye(n)), *(2.0 * np.eye(n))]:
            base = element(start)
            x = least_squares(
                lambda x, base=base: self._at(group.compose(base, element(x))) - values, np.zeros(n),
                xtol=1e-15, ftol=1e-15, gtol=1e-15, method="lm" if len(values) >= n else "trf",
            ).x  # fmt: skip
            s = group.compose(base, element(x))
            candidates.append((float(np.linalg.norm(self._at(s) - values)), s))
            if candidates[-1][0] <= 1e-9 * (1 + np.max(np.abs(values))):
                break
        distance, s = min(candidates, key=lambda pair: pair[0])
        return s, distance

    @cached_property
    def _linear(self) -> np.ndarray:
        """Rows c with c · ρ = 0."""
        return _null_space(np.concatenate([rho.T for rho in self._generators]))

    @cached_property
    def _quadratic(self) -> list[tuple[list[int], np.ndarray]]:
        """Symmetric forms S with ρᵀS + Sρ = 0, and the rows of the quantities of which each is."""
        if len(self.rows) <= LARGEST_FORM:
            return self._forms(list(range(len(self.rows))))
        forms, first = [], 0
        for _, rows in self.quantities:
            forms += self._forms(list(range(first, first + len(rows)))) if len(rows) <= LARGEST_FORM else []
            first += len(rows)
        return forms

    def _forms(self, rows: list[int]) -> list[tuple[list[int], np.ndarray]]:
        size, rho = len(rows), self._generators[np.ix_(range(self.group.dimension), rows, rows)]
        basis = []
        for i in range(size):
            for j in range(i, size):
                form = np.zeros((size, size))
                form[i, j] = form[j, i] = 1.0
                basis.append(form)
        change = np.stack([np.concatenate([(r.T @ s + s @ r).ravel() for r in rho]) for s in basis], axis=1)
        return [(rows, np.tensordot(c, basis, 1)) for c in _null_space(change)]


def _null_space(matrix: np.ndarray) -> np.ndarray:
    """Rows that span the vectors that a matrix takes to 0."""
    _, values, rows = np.linalg.svd(matrix)
    rank = int(np.count_nonzero(values > 1e-10 * max(1.0, np.max(values, initial=0.0))))
    return np.asarray(rows[rank:])
