"""Brownian motion on SO(3) and on its sphere; ``python tests/facts/brownian.py`` measures it at 10⁶ paths."""

from typing import Any

import numpy as np
from scipy.special import roots_genlaguerre

import semidirect as sd
from semidirect import ops

SIGMA, END, STEPS = 0.8, 1.0, 20


class Brownian(sd.System):
    """Brownian motion on SO(3), dg = g Σ σ e_i∘dW^i, and Γ = g⁻¹e₃ on the sphere."""

    sigma: sd.Parameter = sd.parameter(SIGMA, unit="1/√s", doc="standard deviation of a rotation in a unit of time")
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1), unit="1")}
    initial = {"Gamma": (0, 0, 1)}

    def constraint(self) -> sd.PrescribedVelocity:
        """No drift."""
        return sd.PrescribedVelocity(noise=self.sigma * ops.identity(3))

    @sd.observable()
    def characters(self, state: Any) -> Any:
        """χ₁, χ₂, χ₃ of s times its start, by χ₁² = 1 + χ₁ + χ₂ and χ₁χ₂ = χ₁ + χ₂ + χ₃."""
        one = state.s[0, 0] + state.s[1, 1] + state.s[2, 2]
        two = one**2 - one - 1
        return ops.stack([one, two, one * two - one - two])

    @sd.observable()
    def legendre(self, state: Any) -> Any:
        """P₁ and P₂ of Γ₃ = Γ·Γ(0)."""
        return ops.stack([state.Gamma[2], (3 * state.Gamma[2] ** 2 - 1) / 2])

    @sd.observable(status="exact")
    def gamma_squared(self, state: Any) -> Any:
        """|Γ|²."""
        return ops.dot(state.Gamma, state.Gamma)


def character(order, angle):
    """χ_l of a rotation by an angle, 1 + 2 Σ cos kθ."""
    return 1 + 2 * sum(np.cos(k * angle) for k in range(1, order + 1))


def of_cayley_steps(order, steps, sigma=SIGMA, end=END):
    """E χ_l(g)/(2l + 1) after steps cay(σ ΔW), exactly: their law is invariant by conjugation, so E ρ_l is a multiple of 1."""
    radius, weights = roots_genlaguerre(120, 0.5)  # |v|²/2h of a normal vector v of R³ has the density of Γ(3/2)
    angle = 2 * np.arctan(sigma * np.sqrt(2 * end / steps * radius) / 2)
    return (weights @ character(order, angle) / weights.sum() / (2 * order + 1)) ** steps


def deviations(paths, steps=STEPS, seed=1):
    """(mean − its exact value with these steps)/standard error, of the characters and of the functions of Γ, at the end."""
    run = Brownian().simulate(t_end=END, dt=END / steps, paths=paths, seed=seed, reduce="moments",
                              save=sd.Save("final", names=["characters", "legendre"]))  # fmt: skip
    moments = run.reductions["moments"]
    found = {}
    for name, orders, sizes in (("characters", (1, 2, 3), (3, 5, 7)), ("legendre", (1, 2), (1, 1))):
        mean, variance = moments.mean[name][-1], moments.variance[name][-1]
        exact = [size * of_cayley_steps(order, steps) for order, size in zip(orders, sizes, strict=True)]
        found[name] = (mean - exact) / np.sqrt(variance / paths)
    return found


if __name__ == "__main__":
    print(deviations(1_000_000))
