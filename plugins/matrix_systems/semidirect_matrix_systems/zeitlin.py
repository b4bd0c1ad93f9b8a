"""Euler's equations on the sphere, as Zeitlin has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

import semidirect as sd
from semidirect.matrices import DiagonalSolve, trace


def spins(size: int) -> np.ndarray:
    """The Hermitian matrices S₁, S₂, S₃ ``(3, N, N)`` of spin (N − 1)/2, with [S₁, S₂] = iS₃ and S₃ = diag(s, s − 1, … −s)."""
    s = 0.5 * (size - 1)
    m = s - np.arange(size)
    raising = np.diag(np.sqrt(s * (s + 1) - m[1:] * (m[1:] + 1)), 1).astype(complex)
    return np.array([0.5 * (raising + raising.T), -0.5j * (raising - raising.T), np.diag(m).astype(complex)])


def bands(size: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The tridiagonal matrices of −Δ = Σ [S_a, [S_a, ·]] within each diagonal: d_k and e_k, see :class:`DiagonalSolve`."""
    s = 0.5 * (size - 1)
    m = s - np.arange(size)
    raising = np.sqrt(s * (s + 1) - m[1:] * (m[1:] + 1))
    diagonals = [2 * (s * (s + 1) - m[: size - k] * m[k:]) for k in range(size)]
    return diagonals, [-raising[: size - 1 - k] * raising[k:] for k in range(size)]


@lru_cache(maxsize=4)
def laplacian(size: int) -> DiagonalSolve:
    """(−Δ)⁻¹ of Hoppe and Yau, whose eigenvalues are 1/(l(l + 1))."""
    return DiagonalSolve(*bands(size), kernel=True)


class Zeitlin(sd.MatrixLiePoisson):
    """Euler's equations on the sphere in su(N), dW = [W, P] dt + Σ [W, X_k]∘dWᵏ, −ΔP = W, with transport noise.

    W is the vorticity, P the stream matrix, Δ the Laplacian of Hoppe and Yau, whose eigenvalues are −l(l + 1) up to l = N − 1.
    Time is that of the fluid divided by ħ = 2/√(N² − 1). Noise by rotations, X_a = iξ_a S_a, keeps the energy as well; further
    fields are zonal flows i ξ_l T_{l0}, which do not.

    Source: Zeitlin, Self-consistent finite-mode approximations for the hydrodynamics of an incompressible fluid on
    nonrotating and rotating spheres (2004); Modin and Viviani, A Casimir preserving scheme for long-time simulation of
    spherical ideal hydrodynamics (2020).
    """

    algebra = "su"

    modes: sd.Option[int] = sd.option(16, doc="N, number of degrees l of spherical harmonics")
    noise: sd.Parameter = sd.parameter(
        (0.05, 0.05, 0.05),
        symbol="xi",
        shape=(None,),
        doc="amplitudes of three rotations, then of zonal flows l = 2, 3 …",
    )

    @property
    def size(self) -> int:
        """N."""
        return self.modes

    def check(self) -> None:
        """The modes are a whole number, and there is a zonal flow for each amplitude."""
        if isinstance(self.modes, bool) or not isinstance(self.modes, int) or self.modes < 2:
            raise sd.errors.InputError(
                "modes of Zeitlin", expected="a whole number of at least 2", got=repr(self.modes)
            )
        count = sd.by_path(self.noise).shape[1]
        if count > self.modes + 1:
            raise sd.errors.InputError("noise of Zeitlin", expected=f"up to {self.modes + 1} amplitudes: 3 rotations and "
                                       f"{self.modes - 2} zonal flows", got=str(count))  # fmt: skip

    @property
    def initial(self) -> Mapping[str, Any]:  # type: ignore[override]
        """Two vortices on a zonal flow."""
        s1, s2, s3 = spins(self.size) / (0.5 * (self.size - 1))
        W = s3 @ s3 @ s3 - 0.4 * s3 + s1 @ s2 @ s3 + s3 @ s2 @ s1 + 0.5 * (s1 @ s1 - s2 @ s2)
        return {"W": sd.matrices.algebra("su", self.size).project(1j * W)}

    def velocity(self, W: np.ndarray) -> np.ndarray:
        """The stream matrix (−Δ)⁻¹W."""
        return laplacian(self.size)(W, hermitian=-1)

    def hamiltonian(self, W: np.ndarray) -> Any:
        """H = −½ tr(WP)."""
        return 0.5 * np.sum((W * np.conj(self.velocity(W))).real, axis=(-2, -1))

    def fields(self) -> Sequence[np.ndarray]:
        """Rotations, then zonal flows."""
        n, amplitudes = self.size, self.noise
        fields = [1j * x * s for x, s in zip(amplitudes, spins(n))]
        for k, amplitude in enumerate(amplitudes[3:]):
            fields.append(1j * amplitude * np.diag(zonal(n)[k + 2]))
        return fields

    @sd.observable(status="exact")
    def enstrophy(self, state: Any) -> Any:
        """−tr W²."""
        return -trace(state.W @ state.W).real

    @sd.observable()
    def angular_momentum(self, state: Any) -> Any:
        """−i tr(W S_a): constant without noise, turned by rotations."""
        parts = np.einsum("pij,aji->pa", state.W, spins(self.size))
        return parts.imag


@lru_cache(maxsize=4)
def zonal(size: int) -> np.ndarray:
    """The diagonals ``(N, N)`` of the zonal harmonics T_{l0}, of norm 1: the eigenvectors of the Laplacian there, by degree."""
    d, e = (bands(size)[i][0] for i in (0, 1))
    _, vectors = np.linalg.eigh(np.diag(d) + np.diag(e, 1) + np.diag(e, -1))
    columns: np.ndarray = vectors.T
    return columns * np.sign(columns[:, :1])


def vorticity(W: np.ndarray, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    """The vorticity on the sphere that one matrix W stands for, at angles of one shape.

    The matrix harmonic T_lm corresponds to Y_lm, of the same norm: both are eigenvectors of −Δ and of the rotation about the
    third axis. S₁, S₂, S₃ correspond to multiples of x, y, z, and the first row of a matrix to the north pole.
    """
    from scipy.special import sph_harm_y

    n = W.shape[-1]
    out = np.zeros(np.shape(longitude))
    for m in range(n):
        d, e = (bands(n)[i][m] for i in (0, 1))
        _, vectors = np.linalg.eigh(np.diag(d) + np.diag(e, 1) + np.diag(e, -1))
        vectors = vectors * np.sign(vectors[:1])
        for column, vector in enumerate(vectors.T):
            degree = m + column
            coefficient = vector @ np.diagonal(W, m) / 1j
            harmonic = (-1) ** m * sph_harm_y(
                degree, m, np.pi / 2 - latitude, longitude
            )  # positive near the pole, as T_lm
            out += (1 if m == 0 else 2) * (coefficient * harmonic).real
    return out
