"""Frames that move with the flow, and derivatives of what is advected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from semidirect.core import dual, exact
from semidirect.model import Differentiable

if TYPE_CHECKING:
    from semidirect.groups import LieGroup
    from semidirect.model import NumericalSDE


def advected_slopes(lifted: Differentiable[NumericalSDE], a: np.ndarray, generator: np.ndarray) -> np.ndarray:
    """The rate of what is advected, where s moves by s exp(ε e_i)."""
    model = lifted.model
    back = exact.objects([dual.Dual(lifted.directions, 0.0 * x, {0: -x}) for x in generator])
    image = model.act(model.group.retract_entries(back, "exp"), lifted.constants(a))
    return np.array([np.broadcast_to(x.slopes.get(0, 0.0), a.shape[1:]) for x in image]).reshape(a.shape)


def _advected_along(
    lifted: Differentiable[NumericalSDE], values: Mapping[str, np.ndarray], stored: np.ndarray
) -> np.ndarray:
    """The derivatives ``(K, d, paths)`` of what is advected from those of the coordinates of s, ``(K, r, paths)``."""
    group, paths = lifted.model.group, stored.shape[-1]
    generators = np.linalg.pinv(flow_frames(group, values["stored"])) @ stored.transpose(2, 1, 0)  # (paths, n, K)
    rates = np.stack([advected_slopes(lifted, values["a"], e) for e in generators_of(group, paths)])
    return np.einsum("pnk,ndp->kdp", generators, rates)


def flow_frames(group: LieGroup, stored: np.ndarray) -> np.ndarray:
    """The derivatives ``(paths, r, n)`` of the coordinates of s along s exp(ε e_i)."""
    flows = [np.asarray(group.flow_entries(stored, e), dtype=float) for e in generators_of(group, stored.shape[1])]
    return np.stack(flows, axis=-1).transpose(1, 0, 2)


def generators_of(group: LieGroup, paths: int) -> np.ndarray:
    """The basis e_i of the Lie algebra, one for each path: ``(n, n, paths)``."""
    return np.broadcast_to(np.eye(group.dimension)[:, :, None], (group.dimension, group.dimension, paths))
