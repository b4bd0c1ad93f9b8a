"""Inverse tangents of the retractions, which map a velocity of the group to a velocity of its canonical coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups import LieGroup, matrices, motions

BERNOULLI = (
    1.0,
    1 / 2,
    1 / 12,
    0.0,
    -1 / 720,
    0.0,
    1 / 30240,
    0.0,
    -1 / 1209600,
    0.0,
    1 / 47900160,
    0.0,
    -691 / 1307674368000,
)
"""Coefficients of x/(1 − e⁻ˣ)."""
ALL_TERMS = len(BERNOULLI) - 1
"""Terms after which the series is below round-off for |ad_v| ≤ ½: the next one is 2 (|ad_v|/2π)¹⁴."""


def inverse_tangent(group: LieGroup, v: Any, w: Any, retraction: Literal["exp", "cayley"], terms: int) -> np.ndarray:
    """v̇ (n, ...) where s = τ(v) moves with s⁻¹ṡ = w: ``v̇ = (dτ_v)⁻¹ w``, left-trivialised. Component-first, unchecked.

    The Cayley map has ``V̇ = (1 + V/2) W (1 − V/2)``, exactly. The exponential has ``w + ½[v, w] + (1/12)[v, [v, w]] − …``
    (Magnus), cut after ``ad_v`` to the power ``terms``; a method of order p needs p − 2 of them (Munthe-Kaas, Applied
    Numerical Mathematics 29, 1999). With −v it is the right-trivialised one: ``v̇ = (dτ_{−v})⁻¹ w`` for ṡs⁻¹ = w.
    """
    return _split(group, v, w, retraction, terms, LieGroup.bracket, _sandwich)


def inverse_cotangent(group: LieGroup, v: Any, p: Any, retraction: Literal["exp", "cayley"], terms: int) -> np.ndarray:
    """The dual of :func:`inverse_tangent`: ⟨inverse_cotangent(v, p), w⟩ = ⟨p, inverse_tangent(v, w)⟩.

    ``Ad*_{τ(v)} inverse_cotangent(−v, p) = inverse_cotangent(v, p)``.
    """
    return _split(group, v, p, retraction, terms, LieGroup.cobracket, _cosandwich)


def _split(group: LieGroup, v: Any, x: Any, retraction: str, terms: int, bracket: Callable[..., Any],
           sandwich: Callable[..., Any]) -> np.ndarray:  # fmt: skip
    """Factor by factor, as :meth:`LieGroup.retract_entries` goes; factors that store an angle move by the exponential."""
    if group.factors:
        parts, start = [], 0
        for f in group.factors:
            part = slice(start, start := start + f.dimension)
            parts.append(_split(f, v[part], x[part], retraction, terms, bracket, sandwich))
        return np.concatenate(parts)
    if retraction == "exp" or group.circles:
        return _series(group, v, x, terms, bracket) if group.brackets else x
    return x + 0.5 * bracket(group, v, x) - 0.25 * sandwich(group, v, x)


def _series(group: LieGroup, v: Any, x: Any, terms: int, bracket: Callable[..., Any]) -> np.ndarray:
    total, power = x, x
    for k in range(1, terms + 1):
        power = bracket(group, v, power)
        if BERNOULLI[k]:
            total = total + BERNOULLI[k] * power
    return total


def _sandwich(group: LieGroup, v: Any, w: Any) -> np.ndarray:
    """vee(V W V); it is in the algebra if the Cayley map stays on the group."""
    if np.array_equal(group.basis, motions.SPACE):
        return -ops.dot(v, w) * v
    inside = group.structure.algebra_pattern
    V, W = group.hat_entries(v), group.hat_entries(w)
    once = matrices.pattern_product(inside, V, inside, W)
    both = group.vee_entries(matrices.pattern_product(_product(inside, inside), once, inside, V))
    return exact.assemble(list(both), ops.array(v), ops.array(w))  # of translations it is 0, for every path


def _cosandwich(group: LieGroup, v: Any, p: Any) -> np.ndarray:
    """The dual of :func:`_sandwich`: ``tr(Cᵀ V e_j V) = Σ (Vᵀ C Vᵀ)_ab (e_j)_ab`` with ⟨p, vee A⟩ = Σ C_ab A_ab."""
    if np.array_equal(group.basis, motions.SPACE):
        return -ops.dot(v, p) * v
    n, structure = group.size, group.structure
    rows: list[list[Any]] = [[0] * n for _ in range(n)]
    support = np.zeros((n, n), dtype=int)
    for k, a, b, value in structure.dual:
        term = exact.times(value, p[k])
        rows[a][b] = term if exact.is_zero(rows[a][b]) else rows[a][b] + term
        support[a, b] = 2
    inside = structure.algebra_pattern.T
    V = ops.transpose(group.hat_entries(v))
    left = matrices.pattern_product(inside, V, support, ops.matrix(rows))
    both = matrices.pattern_product(_product(inside, support), left, inside, V)
    out: list[Any] = [0 * p[0]] * group.dimension
    for j, a, b, value in structure.terms:
        out[j] = out[j] + exact.times(value, both[a, b])
    return ops.stack(out)


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return 2 * ((a != 0).astype(int) @ (b != 0).astype(int) != 0)
