"""The system of most cells, and what is known of it in closed form."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import semidirect as sd

END, STEP = 1.0, 0.05


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


class Pair(sd.System):
    """dq = −q dt + dW¹, and a process w of another noise, which stops paths without regard to q."""

    group = sd.SO2()

    def constraint(self) -> sd.PrescribedVelocity:
        """The angle stays where it is."""
        return sd.PrescribedVelocity()

    def internal(self) -> list[sd.InternalState]:
        """Both."""
        return [
            sd.InternalState("q", 1.0, drift=lambda z: [-z.q], noise=[[1.0], [0.0]]),
            sd.InternalState("w", 0.0, noise=[[0.0], [1.0]]),
        ]


@cache
def pair() -> sd.System:
    """The system."""
    return Pair()


@cache
def passage_survival(level: float, steps: int) -> float:
    """P(q < level after each of the first steps) of Euler's steps of dq = −q dt + dW from 1: densities, by quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    low = -5.0
    x, w = low + (nodes + 1) / 2 * (level - low), weights / 2 * (level - low)
    factor, size = 1 - STEP, np.sqrt(STEP)

    def density(to: np.ndarray, start: np.ndarray | float) -> np.ndarray:
        return np.exp(-(((to - factor * start) / size) ** 2) / 2) / (size * np.sqrt(2 * np.pi))

    found = density(x, 1.0)
    for _ in range(steps - 1):
        found = density(x[:, None], x[None]) @ (w * found)
    return float(w @ found)


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
    system: sd.System, seed: int, paths: int, *, t: float = END, dt: float = STEP, method: str, **more: Any
) -> sd.Run:
    """A run that saves q."""
    more = {"save": sd.Save("final", names=["q"])} | more
    return system.simulate(t_end=t, dt=dt, paths=paths, seed=seed, method=method, **more)
