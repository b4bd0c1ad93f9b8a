"""The structure of a matrix Lie algebra: closure, structure constants, dual basis, pattern of the group's matrices."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np

from semidirect.core import arguments, errors, exact

Sparse = dict[tuple[int, int], Any]
TOLERANCE = 1e-12
SIMPLE = 10**6
"""Structure constants with larger denominators come from decimals of irrational numbers and stay floats."""
MOST_FOR_SVD = 256
"""Matrices whose independence and projector are found by singular values."""
ZERO, ONE, FREE = 0, 1, 2


@dataclass(frozen=True)
class Structure:
    """The structure that follows from a basis (n, N, N).

    Attributes
    ----------
    basis : (n, N, N) float array
    terms : the basis as (j, row, column, value)
    dual : exact left inverse as (k, row, column, value): ``vee(A)_k = Σ value A[row, column]``
    projector : (n, N·N) float pseudo-inverse, for round-off and residuals
    brackets : all nonzero (i, j, k, c) of ``[e_i, e_j] = Σ_k c e_k``
    pattern : (N, N) of ZERO, ONE, FREE: entries of the group's matrices that are always 0, always 1, or neither
    algebra_pattern : (N, N) of ZERO, FREE, for matrices of the algebra
    product_pattern : the same for products of matrices of the algebra with others
    """

    basis: np.ndarray
    terms: tuple[tuple[int, int, int, exact.Coefficient], ...]
    dual: tuple[tuple[int, int, int, exact.Coefficient], ...]
    projector: np.ndarray
    brackets: tuple[tuple[int, int, int, exact.Coefficient], ...]
    pattern: np.ndarray
    algebra_pattern: np.ndarray
    product_pattern: np.ndarray

    @cached_property
    def constants(self) -> np.ndarray:
        """The brackets as an (n, n, n) float array, which is made where it is asked for: of so(30) it has 80 million entries."""
        out = np.zeros((len(self.basis),) * 3)
        for i, j, k, c in self.brackets:
            out[i, j, k] = float(c)
        out.flags.writeable = False
        return out


def analyse(basis: Any, name: str) -> Structure:
    """The structure of the span of ``basis``; raises a DefinitionError if it is dependent or not closed under the bracket."""
    try:
        array = np.asarray(basis)
        arguments.numeric(array)
    except (TypeError, ValueError):
        array = np.zeros(0)
    if array.ndim != 3 or array.shape[1] != array.shape[2] or not array.shape[0]:
        raise errors.DefinitionError(f"the basis of {name} is not a list of square matrices", expected="(n, N, N)",
                                     got=str(array.shape))  # fmt: skip
    values = array.astype(float)
    if not np.all(np.isfinite(values)):
        raise errors.DefinitionError(
            f"the basis of {name} is not finite", expected="finite numbers", got="an infinite or undefined entry"
        )
    flat = values.reshape(len(values), -1)
    orthogonal = len(values) > MOST_FOR_SVD and np.all(np.count_nonzero(flat, axis=0) <= 1)  # each entry in one matrix
    singular = np.sort(np.linalg.norm(flat, axis=1))[::-1] if orthogonal else np.linalg.svd(flat, compute_uv=False)
    if len(values) > flat.shape[1] or singular[-1] <= 1e-10 * singular[0]:
        raise errors.DefinitionError(f"the basis of {name} is linearly dependent", expected=f"{len(values)} independent matrices",
                                     got=f"smallest singular value {singular[-1]:.1e}")  # fmt: skip
    sparse = [_sparse(m) for m in array]
    positions, inverse = _left_inverse(sparse)
    projector = flat / singular[:1] ** 2 if orthogonal else np.linalg.pinv(flat).T
    brackets = _brackets(sparse, values, positions, inverse, projector, name)
    present = np.any(values != 0, axis=0)
    reach = present.copy()
    for k in range(len(reach)):
        reach |= np.outer(reach[:, k], reach[k, :])
    pattern = np.where(reach, FREE, np.where(np.eye(len(reach), dtype=bool), ONE, ZERO))
    structure = Structure(
        basis=values,
        terms=tuple((j, a, b, v) for j, m in enumerate(sparse) for (a, b), v in sorted(m.items())),
        dual=tuple((k, *positions[q], inverse[q][k]) for k, q in sorted((k, q) for q, row in enumerate(inverse) for k in row)),
        projector=projector, brackets=brackets, pattern=pattern,
        algebra_pattern=np.where(present, FREE, ZERO),
        product_pattern=np.where(reach, FREE, ZERO),
    )  # fmt: skip
    for value in vars(structure).values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return structure


def odd_powers_close(structure: Structure) -> bool:
    """Whether A in the algebra implies A³ in the algebra, and so every odd power.

    Then ``log cay(A) = 2 artanh(A/2) = A + A³/12 + …`` lies in the algebra and the Cayley map stays on the group. It holds
    for the algebras of quadratic groups (gᵀJg = J), for their affine extensions by the vector representation, and for
    algebras whose matrices satisfy A³ = 0. By polarisation it is enough to check Σ e_σ(i) e_σ(j) e_σ(k).
    """
    basis, projector = structure.basis, structure.projector
    n, size, _ = basis.shape
    for indices in combinations_with_replacement(range(n), 3):
        cube = sum(basis[i] @ basis[j] @ basis[k] for i, j, k in permutations(indices)).reshape(size * size)
        rest = cube - (projector @ cube) @ basis.reshape(n, -1)
        if np.max(np.abs(rest)) > TOLERANCE * max(1.0, np.max(np.abs(cube))):
            return False
    return True


def _sparse(matrix: np.ndarray) -> Sparse:
    return {(i, j): exact.exact_number(matrix[i, j]) for i, j in np.argwhere(matrix != 0).tolist()}


def _commutator(a: Sparse, b: Sparse) -> Sparse:
    out: Sparse = {}
    for left, right, sign in ((a, b, 1), (b, a, -1)):
        for (i, k), x in left.items():
            for (m, j), y in right.items():
                if k == m:
                    out[i, j] = out.get((i, j), 0) + sign * x * y
    return {ij: v for ij, v in out.items() if v}


def _left_inverse(basis: list[Sparse]) -> tuple[list[tuple[int, int]], list[dict[int, Any]]]:
    """Positions p and numbers T with ``vee(A)_k = Σ_q A[p_q] T[q][k]``, by exact Gauss–Jordan elimination; no zeros are in T."""
    n, places = len(basis), sorted(set().union(*basis))
    if sum(map(len, basis)) == len(places) and all(basis):  # each matrix has its own entries, so nothing is eliminated
        own = [max(sorted(m), key=lambda p: (abs(m[p]), m[p])) for m in basis]
        return own, [{i: exact.simplest(1 / Fraction(m[p]))} for i, (m, p) in enumerate(zip(basis, own, strict=True))]
    rows = [[*(m.get(p, 0) for p in places), *(int(i == j) for j in range(n))] for i, m in enumerate(basis)]
    pivots = dict(exact.reduce_rows(rows, range(len(places)), lambda x: x and (abs(x), x), anywhere=True))
    inverse = [{k: exact.simplest(Fraction(v)) for k, v in enumerate(row[len(places) :]) if v} for row in rows]
    return [places[pivots[i]] for i in range(n)], inverse


def _brackets(
    sparse: list[Sparse],
    values: np.ndarray,
    positions: list[tuple[int, int]],
    inverse: list[dict[int, Any]],
    projector: np.ndarray,
    name: str,
) -> tuple[tuple[int, int, int, exact.Coefficient], ...]:
    n = len(sparse)
    brackets: list[tuple[int, int, int, exact.Coefficient]] = []
    rows, columns = ([{p[axis] for p in m} for m in sparse] for axis in (0, 1))
    places = {p: q for q, p in enumerate(positions)}
    in_row, in_column = (_matrices_at(sets) for sets in (rows, columns))
    for i in range(n):
        partners = {j for k in columns[i] for j in in_row.get(k, ())} | {
            j for k in rows[i] for j in in_column.get(k, ())
        }
        for j in sorted(partners):  # others commute
            if j <= i:
                continue
            product = _commutator(sparse[i], sparse[j])
            coefficients: dict[int, Any] = {}
            for q, v in sorted((places[p], v) for p, v in product.items() if p in places):
                for k, x in inverse[q].items():
                    coefficients[k] = coefficients.get(k, 0) + v * x
            rest = dict(product)
            for k, c in coefficients.items():
                if c:
                    for p, v in sparse[k].items():
                        rest[p] = rest.get(p, 0) - c * v
            if any(rest.values()):
                coefficients = dict(enumerate(_numerical_coefficients(values, i, j, projector, name)))
            for k, c in coefficients.items():
                if c and (abs(c) > 1e-14 or Fraction(c).denominator <= SIMPLE):
                    exact_value = not isinstance(c, float) and Fraction(c).denominator <= SIMPLE
                    value: exact.Coefficient = exact.simplest(Fraction(c)) if exact_value else float(c)
                    brackets += [(i, j, k, value), (j, i, k, -value)]
    return tuple(sorted(brackets, key=lambda t: t[:3]))


def _matrices_at(sets: list[set[int]]) -> dict[int, list[int]]:
    """The matrices with an entry in each row, or each column."""
    out: dict[int, list[int]] = {}
    for i, indices in enumerate(sets):
        for k in indices:
            out.setdefault(k, []).append(i)
    return out


def _numerical_coefficients(values: np.ndarray, i: int, j: int, projector: np.ndarray, name: str) -> list[float]:
    product = (values[i] @ values[j] - values[j] @ values[i]).ravel()
    coefficients = projector @ product
    residual = float(np.max(np.abs(product - coefficients @ values.reshape(len(values), -1))))
    scale = max(1.0, float(np.max(np.abs(product))))
    if residual > TOLERANCE * scale:
        raise errors.DefinitionError(
            f"the basis of {name} is not closed under the bracket", expected="[e_i, e_j] in the span of the basis",
            got=f"a residual of {residual:.2e}", where=f"the pair ({i}, {j})", hint="Add the missing directions.",
        )  # fmt: skip
    return [float(c) if abs(c) > 1e-14 * scale else 0.0 for c in coefficients]
