"""The rate of one state, compiled after enough evaluations to repay the compilation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.core import interpolation

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE

WORTH_COMPILING, WORTH_LOADING = 6000, 1000
"""Evaluations by array code that take as long as compilation, and as loading compiled code."""


@final
class ChosenRate:
    """Rates of the paths of a run; array code and compiled code give the same bits.

    Parameters
    ----------
    compiled : bool or None
        Whether to compile from the start or never; ``None``: once it is worth it.
    """

    def __init__(self, compiled: bool | None = None):
        self.compiled = compiled
        self.count = 0

    def of(self, model: NumericalSDE) -> Callable[[float, np.ndarray, np.ndarray], np.ndarray]:
        """The rate of one path."""
        from semidirect.compile.rate import compiled_rate, known, loaded

        if not model.compiles:
            return model.flat_rate
        p = np.array([0.0 if isinstance(q, interpolation.AnyTable) else float(q) for q in model.parameters])
        now = self.compiled or (self.compiled is None and loaded(model))
        function: Callable[..., None] | None = compiled_rate(model) if now else None

        def rate(t: float, x: np.ndarray, dW: np.ndarray) -> np.ndarray:
            nonlocal function
            if function is not None:
                out = np.empty(len(x))
                function(t, x, p, dW, out)
                return out
            self.count += 1
            if self.compiled is None and (
                self.count >= WORTH_COMPILING or (self.count == WORTH_LOADING and known(model))
            ):
                function = compiled_rate(model)
            return model.flat_rate(t, x, dW)

        return rate
