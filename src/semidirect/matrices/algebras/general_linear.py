"""All real matrices."""

from __future__ import annotations

from typing import final

import numpy as np

from semidirect.matrices.matrix_algebra import MatrixAlgebra


@final
class GeneralLinearAlgebra(MatrixAlgebra):
    """gl(N), real matrices, with ⟨A, B⟩ = tr(AB)."""

    name = "gl"
    complex = False
    skew = False
    pairing_factor = 1.0
    described = "real"

    @property
    def dimension(self) -> int:
        """N²."""
        return self.size**2

    def project(self, W: np.ndarray) -> np.ndarray:
        """The real part."""
        return np.array(W.real)
