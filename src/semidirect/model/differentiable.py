"""Equations on numbers with derivatives, and rows of states that hold values and derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar, final

import numpy as np

from semidirect.core import dual, exact, interpolation
from semidirect.model.emitted_fields import EmittedFields
from semidirect.model.sensitivities.tangents import Tangents

M = TypeVar("M", bound=EmittedFields)


@final
class Differentiable(Generic[M]):
    """A model on numbers with derivatives.

    Attributes
    ----------
    model : EmittedFields
        The model, with such numbers as parameters.
    """

    def __init__(self, model: M, tangents: Tangents, coordinates: int, *, scalars: bool):
        """``coordinates``: how many of s are carried along; ``scalars``: whether rows of states are tracer scalars or exact
        numbers, and no arrays over paths.
        """
        count = len(tangents.directions)
        self.scalars, self.count, self.size = scalars, count, model.dimension + coordinates
        self.directions = dual.Directions(range(count) if scalars else (0,))
        slopes: list[dict[int, Any]] = [{} for _ in model.parameters]
        for k, index in enumerate(tangents.parameters):
            if index is not None and scalars:
                slopes[index][k] = 1.0
            elif index is not None:
                slopes[index].setdefault(0, np.zeros((count, 1)))[k] = 1.0
        pairs = zip(model.parameters, slopes, strict=True)
        self.model = model.with_parameters(
            p if isinstance(p, interpolation.AnyTable) else dual.Dual(self.directions, p, s) for p, s in pairs
        )
        self.model.tangents = None

    def constants(self, values: Sequence[Any] | np.ndarray) -> np.ndarray:
        """Numbers without derivatives."""
        return exact.objects([dual.Dual(self.directions, x) for x in values])

    def state(self, y: np.ndarray, stored: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """State and coordinates of s with their derivatives, from the rows ``y`` and ``stored``."""
        d = self.model.dimension
        values = [*y[:d], *stored]
        tangent = y[d:].reshape(self.count, self.size, *y.shape[1:])
        lifted = [
            dual.Dual(
                self.directions,
                x,
                {k: tangent[k, i] for k in range(self.count)} if self.scalars else {0: tangent[:, i]},
            )
            for i, x in enumerate(values)
        ]
        return exact.objects(lifted[:d]), exact.objects(lifted[d:])

    def rows(self, y: np.ndarray, stored: np.ndarray, *like: int) -> tuple[np.ndarray, np.ndarray]:
        """The reverse of :meth:`state`, for so many paths."""
        both = [*y, *stored]
        if self.scalars:
            slopes = [dual.slope(x, k) for k in range(self.count) for x in both]
            return dual.rows([dual.value(x) for x in y] + slopes), dual.rows([dual.value(x) for x in stored])
        tangent = np.empty((self.count, self.size, *like))
        for i, x in enumerate(both):
            tangent[:, i] = dual.slope(x, 0)
        values = np.empty((self.size, *like))
        for i, x in enumerate(both):
            values[i] = dual.value(x)
        d = self.model.dimension
        return np.concatenate([values[:d], tangent.reshape(-1, *like)]), values[d:]
