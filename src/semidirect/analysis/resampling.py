"""The bootstrap over paths: errors of ensembles that are drawn again from the paths of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.analysis.method_compatibility import Kind
from semidirect.results import Difference

RESAMPLES = 400
MOST_BATCHES = 1000
"""Up to this number, single paths are resampled; beyond it, as many batches."""


def weights(paths: int, apart: int) -> list[np.ndarray]:
    """Weights (resamples, units) of resampled paths or batches; one for all steps, or one per step with separate noise."""
    units = min(paths, MOST_BATCHES)
    rng = np.random.default_rng(0)
    return [rng.multinomial(units, np.full(units, 1 / units), RESAMPLES) / units for _ in range(apart)]


def resampled(differences: list[Difference], kind: Kind, draws: list[np.ndarray] | None) -> np.ndarray | None:
    """The errors of resampled ensembles, (resamples, K)."""
    if draws is None:
        return None
    columns = []
    for k, d in enumerate(differences):
        shares = draws[k % len(draws)]
        if kind == "weak":
            columns.append(np.linalg.norm(shares @ _batched(d.change), axis=-1))
        else:
            columns.append(np.sqrt(shares @ _batched(d.distances**2)))
    return np.stack(columns, axis=-1)


def effective_paths(differences: list[Difference], kind: Kind) -> float:
    """On how many paths, or batches of them, the errors rest at the step where these are fewest: (Σ x²)²/Σ x⁴ of the distances,
    or of the changes about their mean. Under multiplicative noise a few paths may have most of the error.
    """
    numbers = []
    for d in differences:
        if kind == "weak":
            batches = _batched(d.change)
            squares = np.sum((batches - batches.mean(axis=0)) ** 2, axis=-1)
        else:
            squares = _batched(d.distances**2)
        largest = float(np.max(squares, initial=0.0))
        if largest > 0 and np.isfinite(largest):
            scaled = squares / largest
            numbers.append(float(np.sum(scaled) ** 2 / np.sum(scaled**2)))
    return min(numbers, default=float("inf"))


def _batched(values: Any) -> np.ndarray:
    """Means over batches of consecutive paths, as many batches as are resampled; the last paths may be left out."""
    units = min(len(values), MOST_BATCHES)
    size = len(values) // units
    means: np.ndarray = values[: units * size].reshape(units, size, *values.shape[1:]).mean(axis=1)
    return means
