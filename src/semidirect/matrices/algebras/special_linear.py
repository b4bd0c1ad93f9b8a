"""The real matrices without a trace."""

from __future__ import annotations

from typing import final

import numpy as np

from semidirect.matrices.matrix_algebra import MatrixAlgebra
from semidirect.matrices.traces import without_trace


@final
class SpecialLinearAlgebra(MatrixAlgebra):
    """sl(N): real matrices with tr W = 0, with ⟨A, B⟩ = tr(AB)."""

    name = "sl"
    complex = False
    skew = False
    pairing_factor = 1.0
    least = 2
    described = "real traceless"

    @property
    def dimension(self) -> int:
        """N² − 1."""
        return self.size**2 - 1

    def project(self, W: np.ndarray) -> np.ndarray:
        """The real part without its trace."""
        return without_trace(np.array(W.real))
