"""The skew-Hermitian matrices."""

from __future__ import annotations

from typing import final

import numpy as np

from semidirect.matrices.matrix_algebra import MatrixAlgebra
from semidirect.matrices.products import adjoint


@final
class UnitaryAlgebra(MatrixAlgebra):
    """u(N): W* = −W, with ⟨A, B⟩ = −tr(AB)."""

    name = "u"
    complex = True
    skew = True
    pairing_factor = -1.0
    described = "skew-Hermitian"

    @property
    def dimension(self) -> int:
        """N²."""
        return self.size**2

    def project(self, W: np.ndarray) -> np.ndarray:
        """½(W − W*)."""
        return 0.5 * (W - adjoint(W)) + 0j
