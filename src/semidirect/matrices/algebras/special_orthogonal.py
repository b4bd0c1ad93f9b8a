"""The antisymmetric real matrices."""

from __future__ import annotations

from typing import final

import numpy as np

from semidirect.matrices.matrix_algebra import MatrixAlgebra


@final
class SpecialOrthogonalAlgebra(MatrixAlgebra):
    """so(N): Wᵀ = −W, with ⟨A, B⟩ = −½ tr(AB); for N = 3 this is the scalar product of vectors, W = hat(M)."""

    name = "so"
    complex = False
    skew = True
    pairing_factor = -0.5
    least = 2
    described = "antisymmetric real"

    @property
    def dimension(self) -> int:
        """N(N − 1)/2."""
        return self.size * (self.size - 1) // 2

    def project(self, W: np.ndarray) -> np.ndarray:
        """½(W − Wᵀ), of the real part."""
        return 0.5 * (W.real - np.swapaxes(W.real, -1, -2))
