"""Double bracket dissipation with isotropic noise; ``python tests/facts/dissipative.py`` compares 10⁶ paths with Gibbs' law."""

from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops

INERTIA, THETA, SIGMA = (1.0, 1.6, 2.2), 0.4, 0.5
END = 16.0
"""Of modes with the symmetry of the equations, turns by π about the axes, the slowest falls as e^{−3σ²t}."""


class Body(sd.System):
    """A free rigid body, dM = M × (Ω + w) dt + Σ M × σe_i∘dW^i with w = θ M × Ω (Arnaudon, De Castro, Holm 2018)."""

    inertia: sd.Parameter = sd.inertia(INERTIA)
    theta: sd.Parameter = sd.parameter(THETA, nonnegative=True)
    sigma: sd.Parameter = sd.parameter(SIGMA)
    group = sd.SO3()
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.4, 1.0, -0.7)}

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy."""
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self) -> sd.Unconstrained:
        """Isotropic noise."""
        return sd.Unconstrained(noise=self.sigma * ops.identity(3))

    def dissipation(self) -> sd.DoubleBracket:
        """θ."""
        return sd.DoubleBracket(self.theta)

    @sd.observable(status="exact", needs=lambda self: not self.advected)
    def momentum_squared(self, state: Any) -> Any:
        """|M|²."""
        return ops.dot(state.M, state.M)


class Top(Body):
    """A heavy top that dissipates by both parts, w = θ(M × Ω + Γ × ∂l/∂Γ …) and k = θ_a Ω × Γ."""

    weight: sd.Parameter = sd.parameter(1.2)
    damping: sd.Parameter = sd.parameter(0.1)
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), reference=(0, 0, 1))}
    initial = {"Omega": (0.4, 1.0, -0.7), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic less potential energy."""
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 - self.weight * a.Gamma[2]

    def dissipation(self) -> sd.DoubleBracket:
        """θ and θ_a."""
        return sd.DoubleBracket(self.theta, advected={"Gamma": self.damping})

    @sd.observable(status="exact")
    def gamma_squared(self, state: Any) -> Any:
        """|Γ|²."""
        return ops.dot(state.Gamma, state.Gamma)

    @sd.observable(status="exact")
    def vertical_momentum(self, state: Any) -> Any:
        """M·Γ."""
        return ops.dot(state.M, state.Gamma)


def sphere(points=64):
    """Nodes and weights on the unit sphere: Gauss–Legendre in cos θ, uniform in the angle."""
    c, w = np.polynomial.legendre.leggauss(points)
    phi = 2 * np.pi * np.arange(2 * points) / (2 * points)
    c, phi = np.meshgrid(c, phi, indexing="ij")
    s = np.sqrt(1 - c**2)
    return np.stack([s * np.cos(phi), s * np.sin(phi), c]), np.repeat(w[:, None], 2 * points, 1) / (4 * points)


def gibbs_energy():
    """The mean of E under e^{−βE} on |M| = 1, β = 2θ/σ², by quadrature."""
    M, weights = sphere()
    E = np.einsum("iab,i->ab", M**2, 1 / (2 * np.array(INERTIA)))
    density = weights * np.exp(-2 * THETA / SIGMA**2 * E)
    return np.sum(density * E) / density.sum()


def energies(paths, dt, seed=3, end=END):
    """Mean energy at the end, its standard error, and the momenta."""
    M = np.random.default_rng(seed).standard_normal((paths, 3))
    start = {"M": M / np.linalg.norm(M, axis=1, keepdims=True)}
    run = Body().simulate(
        t_end=end, dt=dt, paths=paths, seed=seed, state=start, save=sd.Save("final", names=["energy", "M"])
    )
    E = run["energy"][:, -1]
    return E.mean(), E.std() / np.sqrt(paths), run["M"][:, -1]


def chi_square(M, cells=(8, 12)):
    """χ² and its degrees of freedom for momenta on the sphere, cells of equal area, against Gibbs' law."""
    inside, (rows, columns) = 40, cells
    c = np.linspace(-1, 1, 2 * rows * inside + 1)[1::2, None]  # midpoints, as many in each cell
    phi = np.linspace(-np.pi, np.pi, 2 * columns * inside + 1)[None, 1::2]
    squares = [(1 - c**2) * np.cos(phi) ** 2, (1 - c**2) * np.sin(phi) ** 2, c**2 + 0 * phi]
    E = sum(x / (2 * moment) for x, moment in zip(squares, INERTIA, strict=True))
    density = np.exp(-2 * THETA / SIGMA**2 * E)
    expected = density.reshape(rows, inside, columns, inside).sum(axis=(1, 3))
    expected *= len(M) / expected.sum()
    edges = (np.linspace(-1, 1, rows + 1), np.linspace(-np.pi, np.pi, columns + 1))
    found = np.histogram2d(np.clip(M[:, 2], -1, 1), np.arctan2(M[:, 1], M[:, 0]), bins=edges)[0]
    return np.sum((found - expected) ** 2 / expected), found.size - 1


if __name__ == "__main__":
    for dt in (0.2, 0.1, 0.05):
        mean, error, M = energies(1_000_000, dt)
        print(f"Δt = {dt}: (mean E − Gibbs)/standard error = {(mean - gibbs_energy()) / error:.2f}, "
              f"mean E − Gibbs = {mean - gibbs_energy():.2e}, χ² = {chi_square(M)}")  # fmt: skip
