"""The rotations of Rⁿ."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import errors, ops
from semidirect.groups.arguments import a_count
from semidirect.groups.distances import PartialDistance, of_rotations
from semidirect.groups.lie_group import Geometry, LieGroup
from semidirect.groups.matrices.functions import REACH, cayley_transform, taylor_exponential
from semidirect.groups.motions.rotations import SPACE, haar_rotations, orthogonality

LARGEST = 128
"""Its basis, n(n − 1)/2 matrices, fills 1 GB."""


@final
class SpecialOrthogonal(LieGroup):
    """SO(n), points (..., n, n). Stored: all entries ``g11`` …

    The basis is that of SO2 and SO3 for n = 2, 3, else ``E_ji − E_ij`` for i < j, by rows.

    Parameters
    ----------
    n : int, at least 2
    blocks : names of the algebra's parts, ``("Omega",)``
    coordinates : names of the stored coordinates
    """

    geometry: ClassVar[Geometry | None] = Geometry.ROTATIONS

    def __init__(self, n: int, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        n = a_count(n, "n of SO(n)", 2, sys.maxsize)
        if n > LARGEST:
            raise errors.DefinitionError(
                f"SO({n}) is too large to be written in components", expected=f"n of at most {LARGEST}",
                got=f"{n * (n - 1) // 2} components, whose basis fills {n**3 * (n - 1) / 2.5e8:.1f} GB",
                hint='State a Lie–Poisson system of matrices, sd.MatrixLiePoisson with algebra = "so".',
            )  # fmt: skip
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
        basis = np.zeros((len(pairs), n, n), dtype=int)
        for k, (i, j) in enumerate(pairs):
            basis[k, j, i], basis[k, i, j] = 1, -1
        super().__init__(f"SO({n})", SPACE if n == 3 else basis, blocks={"Omega": len(pairs)}, names=blocks,
                         coordinate_names=coordinates, quadratic=True, compact=True, reach=REACH)  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """A fixed Taylor polynomial with fixed squarings."""
        return taylor_exponential(self.structure, self.hat_entries(xi))

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """By elimination; the pivots are at least 1."""
        return cayley_transform(self.structure.algebra_pattern, self.hat_entries(xi))

    def inverse_entries(self, g: Any) -> np.ndarray:
        """The transpose."""
        return ops.transpose(g)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """The principal logarithm by the real Schur form, real also at half-turns."""
        return np.array([self.vee(_rotation_logarithm(r)) for r in g]).reshape(len(g), self.dimension)

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """max |gᵀg − 1|, and the sign of the determinant."""
        return orthogonality(g)

    def distances(self) -> tuple[PartialDistance, ...]:
        """The angle."""
        return (of_rotations(self.size, self.distance),)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Haar, by QR with the sign fix."""
        return haar_rotations(rng, count, self.size)


def _rotation_logarithm(rotation: np.ndarray) -> np.ndarray:
    from scipy.linalg import schur

    t, q = schur(rotation, output="real")
    n = len(t)
    log = np.zeros((n, n))
    waiting: list[int] = []
    i = 0
    while i < n:
        # LAPACK leaves a 2 × 2 block where the eigenvalues are complex, and exact zeros below the diagonal elsewhere.
        if i + 1 < n and t[i + 1, i] != 0:
            angle = np.arctan2(t[i + 1, i] - t[i, i + 1], t[i, i] + t[i + 1, i + 1])
            log[i + 1, i], log[i, i + 1] = angle, -angle
            i += 2
            continue
        if t[i, i] < 0:
            waiting.append(i)
        i += 1
    for a, b in zip(waiting[::2], waiting[1::2], strict=True):
        log[b, a], log[a, b] = np.pi, -np.pi
    full = q @ log @ q.T
    return 0.5 * (full - full.T)


SO = SpecialOrthogonal
