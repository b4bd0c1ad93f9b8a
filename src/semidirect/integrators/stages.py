"""Stages of methods that add drift and each noise separately, including the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

import numpy as np

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
class StageEvaluator:
    """The equations of X = [y⁺ − y; v] about a state y at a time t, s⁺ = s exp(v); X = ``None`` is the start, X = 0.

    A transport w, s⁻¹ds = w, moves v by dexp⁻¹ w = w + ½[v, w] + (1/12)[v, [v, w]] + O(v⁴), here without the rest, which
    is of the order h^(5/2) in a step: enough for methods up to strong order 1.5 or weak order 2.
    """

    def __init__(self, model: NumericalSDE, y: np.ndarray, t: Any, dt: Any):
        self.model, self.y, self.t, self.dt = model, y, t, dt
        self._known: dict[tuple[int, float], np.ndarray] = {}

    def state(self, X: np.ndarray | None) -> np.ndarray:
        """y + dy."""
        return self.y if X is None else self.y + X[: self.model.dimension]

    def field(self, k: int, X: np.ndarray | None, c: float) -> np.ndarray:
        """a (k = 0) or b^k at a stage, v pulled back."""
        if X is None and (k, c) in self._known:
            return self._known[k, c]
        model, d = self.model, self.model.dimension
        t = self.t if c == 0 else self.t + c * self.dt
        column = model.flat_column(k, self.state(X), t)
        if X is None:
            self._known[k, c] = column
            return column
        v, w, bracket = X[d:], column[d:], model.group.bracket
        first = bracket(v, w)
        return np.concatenate([column[:d], w + 0.5 * first + (1 / 12) * bracket(v, first)])
