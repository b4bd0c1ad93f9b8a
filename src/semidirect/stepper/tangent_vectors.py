"""The tangent vectors that are carried along with paths, as vectors of the phase space, and their orthonormal bases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from semidirect.model import Differentiable
from semidirect.state import start_slopes

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, sensitivities

__all__ = ["Orthonormal", "orthonormal", "phase_dimension", "read_tangents", "written_tangents"]


class Orthonormal(NamedTuple):
    """Vectors V = QR of each path.

    Attributes
    ----------
    vectors : array (K, m, paths)
        Q, orthonormal.
    lengths : array (K, paths)
        The diagonal of R: how long each vector is beside the span of those before it.
    independence : array (K, paths)
        The sines of the angles between each vector and this span.
    """

    vectors: np.ndarray
    lengths: np.ndarray
    independence: np.ndarray


def orthonormal(vectors: np.ndarray) -> Orthonormal:
    """The modified Gram–Schmidt process for vectors ``(K, m, paths)``, path by path in the same operations."""
    q = np.array(vectors)
    lengths, independence = np.empty((2, len(q), q.shape[2]))
    with np.errstate(all="ignore"):
        for k, v in enumerate(q):
            before = np.sqrt(_product(v, v))
            for u in q[:k]:
                v -= _product(u, v) * u
            lengths[k] = np.sqrt(_product(v, v))
            independence[k] = lengths[k] / before
            v /= lengths[k]
    return Orthonormal(q, lengths, independence)


def _product(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    total: np.ndarray = u[0] * v[0]
    for a, b in zip(u[1:], v[1:], strict=True):
        total = total + a * b
    return total


def phase_dimension(model: NumericalSDE) -> int:
    """The components of a tangent vector: those of the state and, where the configuration is reconstructed, of the Lie algebra
    instead of the advected quantities, which follow from the configuration.
    """
    if not model.reconstructs:
        return model.dimension
    a = model.layout["a"]
    return model.dimension - (a.stop - a.start) + model.group.dimension


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
    moved = np.einsum("ira,kri->iak", flow, rows[:, d:])
    eta = np.linalg.solve(square, moved)
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
