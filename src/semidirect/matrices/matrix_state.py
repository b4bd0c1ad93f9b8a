"""The state that an observable of a matrix system receives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import display

if TYPE_CHECKING:
    from semidirect.matrices.matrix_functions import MatrixFunctions


@final
@dataclass(frozen=True, eq=False, repr=False)
class MatrixState(display.Brief):
    """The matrices W ``(paths, N, N)`` of some paths, and quantities derived from them.

    Attributes
    ----------
    W : array (paths, N, N)
    t : float
        Time [s].
    """

    W: np.ndarray
    t: Any
    _functions: MatrixFunctions

    @property
    def energy(self) -> Any:
        """H(W), ``(paths,)``."""
        return self._functions.energy(self.W, self.t)

    @property
    def velocity(self) -> Any:
        """P(W), ``(paths, N, N)``."""
        return self._functions.velocity(self.W, self.t)
