"""The system of most cells, and what is known of it in closed form."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import semidirect as sd


class Line(sd.System):
    """dq = −a q dt + b dW¹ + c q∘dW²: an Ornstein–Uhlenbeck process, or a geometric Brownian motion."""

    rate: sd.Parameter = sd.parameter(1.0, unit="1/s", doc="a")
    added: sd.Parameter = sd.parameter(1.0, unit="1/√s", doc="b")
    scaled: sd.Parameter = sd.parameter(0.0, unit="1/√s", doc="c")
    group = sd.SO2()

    def constraint(self) -> sd.PrescribedVelocity:
        """The angle stays where it is."""
        return sd.PrescribedVelocity()

    def internal(self) -> list[sd.InternalState]:
        """The process."""
        return [
            sd.InternalState(
                "q", 1.0, drift=lambda z: [-self.rate * z.q], noise=lambda z: [[self.added], [self.scaled * z.q]]
            )
        ]


@cache
def line(rate: float = 1.0, added: float = 1.0, scaled: float = 0.0) -> sd.System:
    """The system with these numbers."""
    return Line(rate=rate, added=added, scaled=scaled)


def euler_moments(rate: float, added: float, t: float, dt: float, start: float = 1.0) -> tuple[float, float]:
    """Mean and variance of q(t) by Euler's steps without multiplicative noise, exactly."""
    factor, steps = 1 - rate * dt, round(t / dt)
    power = factor ** (2 * steps)
    return start * factor**steps, added**2 * dt * (1 - power) / (1 - factor**2) if rate else added**2 * t


def heun_growth(scaled: float, t: float, dt: float, power: int = 1) -> float:
    """E q(t)^power/q(0)^power by Heun's steps with multiplicative noise alone: each has the factor 1 + θ + θ²/2, θ = c ΔW."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    theta = scaled * np.sqrt(dt) * nodes
    one = weights @ (1 + theta + theta**2 / 2) ** power / weights.sum()
    return float(one ** round(t / dt))


def simulated(
    system: sd.System, seed: int, paths: int, *, t: float = 1.0, dt: float = 0.05, method: str, **more: Any
) -> sd.Run:
    """A run that saves q."""
    more = {"save": sd.Save("final", names=["q"])} | more
    return system.simulate(t_end=t, dt=dt, paths=paths, seed=seed, method=method, **more)
