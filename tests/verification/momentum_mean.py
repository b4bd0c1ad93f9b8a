"""The mean of the momentum of a free rigid body with transport noise, from the generator on spherical harmonics.

f(M) ↦ E f(M_t) solves ∂f/∂t = Lf with L = −Σ_i (M_i / I_i) R_i + ½ Σ_j (ξ_j · R)², R = M × ∇: dM = M × (Ω dt + Σ ξ_j∘dW^j) says
df = −Σ (Ω_i dt + Σ_j ξ_ji∘dW^j) R_i f. On the sphere |M| = m the R_i act within each degree l, and M_i joins l and l ± 1, so L is
a sparse matrix. Nothing of semidirect is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy.sparse import csr_matrix, lil_matrix
from scipy.sparse.linalg import expm_multiply

DEGREE = 40


def operators(degree: int) -> tuple[list[csr_matrix], list[csr_matrix]]:
    """The matrices of x_i/m and of R_i on the Y_lm with l ≤ degree, which stand at l² + l + m."""
    n = (degree + 1) ** 2
    up, z, plus, turn = (lil_matrix((n, n), dtype=complex) for _ in range(4))
    for l in range(degree + 1):
        for m in range(-l, l + 1):
            here = l * l + l + m
            turn[here, here] = m
            if m < l:
                plus[here + 1, here] = sqrt(l * (l + 1) - m * (m + 1))
            if l < degree:
                higher = (l + 1) * (l + 1) + l + 1 + m
                norm = (2 * l + 1) * (2 * l + 3)
                z[higher, here] = z[here, higher] = sqrt(((l + 1) ** 2 - m * m) / norm)
                up[higher + 1, here] = -sqrt((l + m + 1) * (l + m + 2) / norm)
            if l > 0 and m + 1 <= l - 1:
                norm = (2 * l - 1) * (2 * l + 1)
                up[(l - 1) * l + m + 1, here] = sqrt((l - m - 1) * (l - m) / norm)
    up, z, plus, turn = (a.tocsr() for a in (up, z, plus, turn))
    minus, down = plus.conj().T, up.conj().T  # x − iy is the adjoint of x + iy
    places = [(up + down) / 2, (up - down) / 2j, z]
    return places, [1j * (plus + minus) / 2, 1j * (plus - minus) / 2j, 1j * turn]


def mean_momentum(inertia: Sequence[float], noise: Sequence[Sequence[float]], start: Sequence[float], t: float,
                  degree: int = DEGREE) -> np.ndarray:  # fmt: skip
    """E M(t), (3,)."""
    start = np.asarray(start, dtype=float)
    size = float(np.linalg.norm(start))
    places, _ = operators(degree)
    one = np.zeros((degree + 1) ** 2, dtype=complex)
    one[0] = 1.0  # Y_00, by which all is divided
    return np.array([_mean(x @ one, inertia, noise, start, t, degree) * size for x in places])


def probability_above(height: float, inertia: Sequence[float], noise: Sequence[Sequence[float]], start: Sequence[float],
                      t: float, degree: int = DEGREE) -> float:  # fmt: skip
    """P(M₃(t) > height): ∫ P_l from c to 1 is (P_{l−1}(c) − P_{l+1}(c))/(2l + 1), and Y_l0/Y_00 = √(2l + 1) P_l."""
    from scipy.special import eval_legendre

    c = height / float(np.linalg.norm(start))
    indicator = np.zeros((degree + 1) ** 2, dtype=complex)
    indicator[0] = (1 - c) / 2
    for l in range(1, degree + 1):
        part = (eval_legendre(l - 1, c) - eval_legendre(l + 1, c)) / 2
        indicator[l * l + l] = part / sqrt(2 * l + 1)
    return _mean(indicator, inertia, noise, np.asarray(start, dtype=float), t, degree)


def _mean(function: np.ndarray, inertia: Sequence[float], noise: Sequence[Sequence[float]], start: np.ndarray, t: float,
          degree: int) -> float:  # fmt: skip
    """E f(M(t)/m) of f = Σ f_lm Y_lm/Y_00."""
    size = float(np.linalg.norm(start))
    places, turns = operators(degree)
    generator = -size * sum(x @ r / i for x, r, i in zip(places, turns, inertia, strict=True))
    for xi in noise:
        along = sum(c * r for c, r in zip(xi, turns, strict=True))
        generator = generator + along @ along / 2
    return float((harmonics(start / size, degree) @ expm_multiply(generator * t, function)).real)


def harmonics(point: np.ndarray, degree: int) -> np.ndarray:
    """Y_lm / Y_00 at a point of the unit sphere."""
    from scipy.special import lpmv

    cosine, angle = point[2], np.arctan2(point[1], point[0])
    out = np.zeros((degree + 1) ** 2, dtype=complex)
    for l in range(degree + 1):
        for m in range(l + 1):
            factor = 1.0
            for k in range(l - m + 1, l + m + 1):
                factor /= k
            value = sqrt((2 * l + 1) * factor) * lpmv(m, l, cosine) * np.exp(1j * m * angle)
            out[l * l + l + m] = value
            out[l * l + l - m] = (-1) ** m * np.conj(value)
    return out
