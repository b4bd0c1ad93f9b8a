"""The tangent vectors that are carried along with paths, as vectors of the phase space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.model import Differentiable
from semidirect.state import start_slopes

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, sensitivities

__all__ = ["read_tangents", "written_tangents"]


def read_tangents(
    model: NumericalSDE, tangents: sensitivities.Tangents, y: np.ndarray, stored: np.ndarray
) -> np.ndarray:
    """Tangent vectors ``(K, m, paths)`` of states with derivatives: the rows of P, a and z; or P, z and η = s⁻¹ δs."""
    d, n = model.dimension, y.shape[1]
    rows = y[d:].reshape(len(tangents.directions), d + len(stored), n)
    if not model.reconstructs:
        return np.array(rows)
    flow = start_slopes.flow_frames(model.group, stored)
    square = np.einsum("ira,irb->iab", flow, flow)
    product = np.einsum("ira,kri->iak", flow, rows[:, d:])
    eta = np.linalg.solve(square, product)
    parts = rows[:, model.layout["P"]], rows[:, model.layout["z"]], eta.transpose(2, 1, 0)
    return np.concatenate(parts, axis=1)


def written_tangents(model: NumericalSDE, tangents: sensitivities.Tangents, y: np.ndarray, stored: np.ndarray, vectors: np.ndarray
                     ) -> np.ndarray:  # fmt: skip
    """The reverse of :func:`read_tangents`: the states with other tangent vectors.

    Derivatives of advected quantities and of the coordinates of s follow from η, so that no error off the group can grow.
    """
    d, n = model.dimension, y.shape[1]
    if not model.reconstructs:
        return np.concatenate([y[:d], vectors.reshape(-1, n)])
    P, a, z = (model.layout[part] for part in ("P", "a", "z"))
    m, k = P.stop - P.start, z.stop - z.start
    eta = vectors[:, m + k :]
    rows = np.zeros((len(vectors), d + len(stored), n))
    rows[:, P], rows[:, z] = vectors[:, :m], vectors[:, m : m + k]
    rows[:, d:] = np.einsum("ira,kai->kri", start_slopes.flow_frames(model.group, stored), eta)
    if a.stop > a.start:
        lifted = Differentiable(model, tangents, len(model.coordinates), scalars=False)
        for row, generator in zip(rows, eta, strict=True):
            row[a] = start_slopes.advected_slopes(lifted, y[:d][a], generator)
    return np.concatenate([y[:d], rows.reshape(-1, n)])
