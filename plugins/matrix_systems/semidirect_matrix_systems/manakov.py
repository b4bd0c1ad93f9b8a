"""The free rigid body of N dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import semidirect as sd
from semidirect.matrices import trace


class Manakov(sd.MatrixLiePoisson):
    """The free body of N dimensions, dW = [W, P(W)] dt + Σ [W, X_k]∘dWᵏ in so(N), P_ij = W_ij/(J_i + J_j).

    Without noise it is integrable: the traces of powers of W + λJ² are constant for every λ. Noise by fields of so(N) keeps
    the spectrum of W, and the energy where it commutes with the body.

    Source: Manakov, Note on the integration of Euler's equations of the dynamics of an n-dimensional rigid body (1976).
    """

    algebra = "so"

    moments: sd.Parameter = sd.parameter(
        (1.0, 1.5, 2.2, 3.1), unit="kg m²", symbol="J", shape=(None,), positive=True, doc="J_i; planes have J_i + J_j"
    )
    noise: sd.Parameter = sd.parameter(
        (0.1, 0.1),
        unit="rad/√s",
        symbol="xi",
        shape=(None,),
        doc="amplitude ξ_k of the rotation in the plane (k, k + 1)",
    )

    @property
    def size(self) -> int:
        """As many as moments."""
        return len(self.moments)

    def check(self) -> None:
        """There are N − 1 planes of neighbouring axes."""
        moments, noise = sd.by_path(self.moments), sd.by_path(self.noise)
        if noise.shape[1] >= moments.shape[1]:
            raise sd.errors.InputError("noise of Manakov", expected=f"up to {moments.shape[1] - 1} amplitudes, one for each "
                                       "plane of neighbouring axes", got=str(noise.shape[1]))  # fmt: skip

    @property
    def initial(self) -> Mapping[str, Any]:  # type: ignore[override]
        """Rotation in all planes, most of it in the first."""
        i, j = np.meshgrid(np.arange(self.size), np.arange(self.size), indexing="ij")
        return {"W": np.sign(i - j) / (1.0 + i + j)}

    def velocity(self, W: np.ndarray) -> np.ndarray:
        """The angular velocity."""
        return W / (self.moments[:, None] + self.moments[None, :])

    def hamiltonian(self, W: np.ndarray) -> Any:
        """H = ½ Σ_{i<j} W_ij²/(J_i + J_j)."""
        return 0.25 * np.sum(W * self.velocity(W), axis=(-2, -1))

    def fields(self) -> Sequence[np.ndarray]:
        """Rotations in the planes of neighbouring axes."""
        axes = np.eye(self.size)
        planes = (np.outer(axes[k + 1], axes[k]) - np.outer(axes[k], axes[k + 1]) for k in range(len(self.noise)))
        return [amplitude * plane for amplitude, plane in zip(self.noise, planes, strict=True)]

    @sd.observable(unit="kg² m⁴/s²", status="exact")
    def square(self, state: Any) -> Any:
        """−½ tr W², the square of the angular momentum."""
        return -0.5 * trace(state.W @ state.W)
