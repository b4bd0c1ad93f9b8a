"""The two problems, as numbers and as array code for those who step them by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

DT = 0.01
AMPLITUDE = 0.1
ELL = 0.3


@dataclass(frozen=True)
class Problem:
    """A system of the registry under a method, and what others need to step the same equations.

    The state is (M, Γ), six numbers; three Wiener processes, ξ_i = 0.1 e_i.
    """

    name: str
    title: str
    system: str
    options: dict[str, Any]
    method: str
    inertia: tuple[float, float, float]
    Omega: tuple[float, float, float]
    Gamma: tuple[float, float, float]
    source: str

    @property
    def start(self) -> np.ndarray:
        """The initial (M, Γ)."""
        return np.array([*self._momentum(np.array(self.Omega)), *self.Gamma])

    @property
    def slope(self) -> np.ndarray:
        """The derivative of the initial (M, Γ) by Ω₁."""
        return np.array([*self._momentum(np.eye(3)[0]), 0.0, 0.0, 0.0])

    def _momentum(self, Omega: np.ndarray) -> np.ndarray:
        M = np.array(self.inertia) * Omega
        if self.source == "rigid_body":
            return M
        s = np.array(self.Gamma) + [0, 0, ELL]
        return M + np.cross(s, np.cross(Omega, s))

    def velocity(self, y: Any) -> tuple[Any, Any, Any]:
        """Ω of a state whose rows are (M, Γ)."""
        M1, M2, M3, G1, G2, G3 = y
        I1, _, I3 = self.inertia
        if self.source == "rigid_body":
            return M1 / I1, M2 / self.inertia[1], M3 / I3
        s3 = G3 + ELL
        across = G1 * G1 + G2 * G2
        squared = across + s3 * s3
        one, three = 1.0 / (I1 + squared), 1.0 / (I3 + squared)
        up = one * (G1 * M1 + G2 * M2) + three * s3 * M3
        sigma = up / (1.0 - one * across - three * s3 * s3)
        return one * (M1 + G1 * sigma), one * (M2 + G2 * sigma), three * (M3 + s3 * sigma)

    def increment(self, y: Any, dt: Any, n: Any) -> tuple[Any, ...]:
        """The increment of (M, Γ) over dt, with n = Σ ξ_i dW^i; linear in (dt, n)."""
        G1, G2, G3 = y[3], y[4], y[5]
        O1, O2, O3 = self.velocity(y)
        n1, n2, n3 = n
        w1, w2, w3 = O1 * dt + n1, O2 * dt + n2, O3 * dt + n3
        turned = (G2 * w3 - G3 * w2, G3 * w1 - G1 * w3, G1 * w2 - G2 * w1)
        if self.source == "rigid_body":
            M1, M2, M3 = y[0], y[1], y[2]
            return (M2 * w3 - M3 * w2, M3 * w1 - M1 * w3, M1 * w2 - M2 * w1, *turned)
        I1, I2, I3 = self.inertia
        s3 = G3 + ELL
        Y1, Y2, Y3 = O2 * s3 - O3 * G2, O3 * G1 - O1 * s3, O1 * G2 - O2 * G1
        q1, q2, q3 = 2 * G1, 2 * G2, 2 * G3 + ELL
        back = n1 * Y1 + n2 * Y2 + n3 * Y3
        along = (O1 * G1 + O2 * G2 + O3 * G3 + ELL * O3) * dt + n1 * q1 + n2 * q2 + n3 * q3
        side, weight = ELL * Y3 * dt, ELL * dt
        return (
            I2 * O2 * w3 - I3 * O3 * w2 + along * Y1 - back * q1 - side * O1 + weight * G2,
            I3 * O3 * w1 - I1 * O1 * w3 + along * Y2 - back * q2 - side * O2 - weight * G1,
            I1 * O1 * w2 - I2 * O2 * w1 + along * Y3 - back * q3 - side * O3,
            *turned,
        )

    def drift(self, y: Any) -> tuple[Any, ...]:
        """The Stratonovich drift."""
        return self.increment(y, 1.0, (0.0, 0.0, 0.0))

    def noises(self, y: Any) -> list[tuple[Any, ...]]:
        """The three noise fields."""
        return [self.increment(y, 0.0, AMPLITUDE * e) for e in np.eye(3)]

    def energy(self, y: Any) -> Any:
        """The energy of (M, Γ)."""
        O1, O2, O3 = self.velocity(y)
        kinetic = (y[0] * O1 + y[1] * O2 + y[2] * O3) / 2
        return kinetic if self.source == "rigid_body" else kinetic + ELL * y[5]


PROBLEMS = {
    p.name: p
    for p in (
        Problem(
            "rigid-body", "Stochastic rigid body with Γ, Heun with the Cayley map", "rigid-body", {"advect_gamma": True},
            "lie-heun", (1.0, 2.0, 3.0), (1.0, 0.5, -0.3), (0.0, 0.6, 0.8), "rigid_body",
        ),
        Problem(
            "routh-ball", "Routh ball under three noises, Heun", "rolling-ball", {"noise": (AMPLITUDE * np.eye(3)).tolist()},
            "heun", (2.0, 2.0, 1.5), (0.4, -0.2, 1.5), (6 / 11, -2 / 11, -9 / 11), "routh_ball",
        ),
    )
}  # fmt: skip
