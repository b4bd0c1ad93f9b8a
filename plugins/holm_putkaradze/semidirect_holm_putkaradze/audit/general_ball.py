"""The rolling ball with any quadratic Lagrangian, for statements that hold whatever the Lagrangian is."""

from __future__ import annotations

from typing import Any

import semidirect as sd
from semidirect.core import ops
from semidirect.system import System


class GeneralBall(System):
    """S = SE(3) with Γ advected and Y = Ω × s, s = rΓ + ℓχ; l has every coupling of Ω, Y and Γ.

    l = ½Ω·AΩ + Ω·CY + ½Y·DY + Ω·EΓ + Y·FΓ − ½Γ·GΓ − h·Γ. The balance of momentum is linear in ∂l/∂Ω, ∂l/∂Y and ∂l/∂Γ, which are
    independent vectors here, so a term that a statement lacks shows. With ``volatility`` the amplitude is a state,
    dξ = αt dt + βt∘dW (drift-stoch-decomps-fun).
    """

    A: sd.Parameter = sd.parameter(((5.0, 0.1, 0.2), (0.3, 6.0, 0.4), (0.5, 0.6, 7.0)))
    C: sd.Parameter = sd.parameter(((0.1, 0.2, 0.3), (0.4, 0.5, 0.6), (0.7, 0.8, 0.9)))
    D: sd.Parameter = sd.parameter(((3.0, 0.1, 0.2), (0.3, 2.0, 0.4), (0.5, 0.6, 4.0)))
    E: sd.Parameter = sd.parameter(((1.1, 0.1, 0.2), (0.3, 1.2, 0.4), (0.5, 0.6, 1.3)))
    F: sd.Parameter = sd.parameter(((2.1, 0.1, 0.2), (0.3, 2.2, 0.4), (0.5, 0.6, 2.3)))
    G: sd.Parameter = sd.parameter(((3.1, 0.1, 0.2), (0.3, 3.2, 0.4), (0.5, 0.6, 3.3)))
    h: sd.Parameter = sd.parameter((0.1, 0.2, 0.3))
    radius: sd.Parameter = sd.parameter(1.0, symbol="r")
    offset: sd.Parameter = sd.parameter(0.3, symbol="ell")
    axis: sd.Parameter = sd.unit_vector((0.36, -0.48, 0.8), symbol="chi")
    noise: sd.Parameter = sd.parameter((0.1, 0.2, 0.3), symbol="amplitude")
    alpha: sd.Parameter = sd.parameter((0.4, 0.5, 0.6))
    beta: sd.Parameter = sd.parameter((0.7, 0.8, 0.9))

    volatility: sd.Option[bool] = sd.option(False, doc="whether the amplitude has a dynamics of its own")

    group = sd.SE3()
    advected = {"Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1))}
    initial = {"Omega": (0.4, -0.2, 1.5), "Gamma": (0.0, 0.0, 1.0)}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """l(Ω, Y, Γ)."""

        def form(x: Any, matrix: Any, y: Any) -> Any:
            return ops.dot(x, ops.matvec(ops.array(matrix), y))

        quadratic = form(xi.Omega, self.A, xi.Omega) + form(xi.Y, self.D, xi.Y) - form(a.Gamma, self.G, a.Gamma)
        mixed = form(xi.Omega, self.C, xi.Y) + form(xi.Omega, self.E, a.Gamma) + form(xi.Y, self.F, a.Gamma)
        return quadratic / 2 + mixed - ops.dot(ops.array(self.h), a.Gamma)

    def constraint(self) -> sd.Rolling:
        """(body_constraint)."""
        if not self.volatility:
            noise: Any = [self.noise]
        else:
            rates = [lambda t, x=x: [t * ops.array(x)] for x in (self.alpha, self.beta)]
            noise = sd.noise.VolatilityNoise([(0.1, 0.2, 0.3)], *rates)
        return sd.Rolling(lambda a: self.radius * a.Gamma + self.offset * ops.array(self.axis), noise=noise)
