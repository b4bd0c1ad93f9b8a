"""The skew-Hermitian matrices without a trace."""

from __future__ import annotations

from typing import final

import numpy as np

from semidirect.matrices.matrix_algebra import MatrixAlgebra
from semidirect.matrices.products import adjoint
from semidirect.matrices.traces import without_trace


@final
class SpecialUnitaryAlgebra(MatrixAlgebra):
    """su(N): W* = −W and tr W = 0, with ⟨A, B⟩ = −tr(AB)."""

    name = "su"
    complex = True
    skew = True
    pairing_factor = -1.0
    least = 2
    described = "skew-Hermitian traceless"

    @property
    def dimension(self) -> int:
        """N² − 1."""
        return self.size**2 - 1

    def project(self, W: np.ndarray) -> np.ndarray:
        """½(W − W*) without its trace."""
        return without_trace(0.5 * (W - adjoint(W)) + 0j)
