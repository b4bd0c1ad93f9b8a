"""A group element that gives the advected quantities of a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.errors import InputError
from semidirect.core.parameters import numeric

if TYPE_CHECKING:
    from semidirect.core.blocks import Blocks
    from semidirect.groups.lie_group import LieGroup
    from semidirect.representations.advected import Advected


def minimal_rotation(gamma: Any) -> np.ndarray:
    """The smallest rotation g with gᵀe₃ = γ/|γ|, shape (3, 3); for γ = −e₃ the half-turn about e₁."""
    try:
        gamma = numeric(gamma)
    except (TypeError, ValueError):
        gamma = np.zeros(0)
    length = np.linalg.norm(gamma)
    if gamma.shape != (3,):
        raise InputError("a direction", expected="a vector of three numbers", got=f"shape {gamma.shape}")
    if not 0 < length < np.inf:
        raise InputError("a direction", expected="a vector that is not zero", got=str(np.asarray(gamma).tolist()))
    x, y, z = np.asarray(gamma, dtype=float) / length
    if z < 0:
        # (x, y, z) = half-turn of (x, −y, −z): the smallest rotation near the pole, without 1 + z in a denominator
        w = (x * x + y * y) / (1 - z)
        if w == 0:
            return np.diag([1.0, -1.0, -1.0])
    else:
        w = 1 + z
    return np.array([[1 - x * x / w, -x * y / w, -x], [-x * y / w, 1 - y * y / w, -y], [x, y, z]])


def minimal_motion(gamma: Any, b: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    """The motion (g, x) of SE(3), shape (4, 4), by the smallest rotation g with gᵀe₃ = γ/|γ|, and with x = −g b.

    The point b of the body is then where space has its origin.
    """
    s = np.eye(4)
    s[:3, :3] = minimal_rotation(gamma)
    s[:3, 3] = 0.0 - s[:3, :3] @ np.asarray(b, dtype=float)
    return s


def _one_vertical(group: LieGroup, advected: Mapping[str, Advected]) -> bool:
    """Whether all that is advected is Γ = g⁻¹e₃ by SO(3)."""
    from semidirect.groups.so3 import SO3
    from semidirect.representations.vector import VectorRepresentation

    quantity = next(iter(advected.values()))
    vector = isinstance(quantity.representation, VectorRepresentation)
    return isinstance(group, SO3) and len(advected) == 1 and vector and tuple(quantity.reference) == (0, 0, 1)


def find_configuration(group: LieGroup, advected: Mapping[str, Advected], a: Blocks) -> np.ndarray:
    """A group element s (N, N) with s⁻¹a₀ = a for all advected quantities.

    Raises
    ------
    InputError
        If no element gives the values to 1e-9: they are not on the orbit of their references, or not of one s.
    """
    s, error = nearest_configuration(group, advected, a)
    if error > 1e-9 * (1 + max((float(np.max(np.abs(a[name]))) for name in advected), default=0.0)):
        raise InputError(
            "the advected quantities of the state are not those of any configuration",
            expected=f"values s⁻¹a₀ of one element s of {group!r}",
            got=", ".join(f"{name} = {np.asarray(a[name]).tolist()}" for name in advected),
            hint="A quantity with a unit reference, such as Γ, must have length 1.",
        )
    return s


def nearest_configuration(group: LieGroup, advected: Mapping[str, Advected], a: Blocks) -> tuple[np.ndarray, float]:
    """The element s (N, N) whose s⁻¹a₀ are nearest to a, and how far they are.

    The identity if that will do; the smallest rotation for one vertical under SO(3); else the best solution of a nonlinear
    least-squares search from several starts, the first that is exact. All of it is deterministic.
    """
    if not advected:
        return group.identity, 0.0
    wanted = np.concatenate([np.atleast_1d(np.asarray(a[name], dtype=float)) for name in advected])

    def error(s: np.ndarray) -> np.ndarray:
        return np.concatenate([q.at(s) for q in advected.values()]) - wanted

    if np.max(np.abs(error(group.identity))) == 0:
        return group.identity, 0.0
    if _one_vertical(group, advected) and np.any(wanted):
        s = minimal_rotation(wanted)
        return s, float(np.linalg.norm(error(s)))
    from scipy.optimize import least_squares

    n = group.dimension
    found = []
    for start in [np.zeros(n), *np.eye(n), *(-np.eye(n)), *(2.0 * np.eye(n))]:
        base = group.exp(start)
        x = least_squares(lambda x, base=base: error(group.compose(base, group.exp(x))), np.zeros(n),
                          xtol=1e-15, ftol=1e-15, gtol=1e-15, method="lm" if len(wanted) >= n else "trf").x  # fmt: skip
        s = group.compose(base, group.exp(x))
        found.append((float(np.linalg.norm(error(s))), s))
        if found[-1][0] <= 1e-9 * (1 + np.max(np.abs(wanted))):
            break
    distance, s = min(found, key=lambda pair: pair[0])
    return s, distance
