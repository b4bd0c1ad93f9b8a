"""A velocity with friction and noise, seen with an error: the exact likelihood is Kalman's."""

import numpy as np

import semidirect as sd

ERROR, INTERVAL = 0.1, 0.5


class Braked(sd.System):
    """dv = −a v dt + b dW, v(0) = 1."""

    group = sd.RealSpace(1)
    initial = {"v": 1.0}
    a: sd.Parameter = sd.parameter(0.8, positive=True)
    b: sd.Parameter = sd.parameter(0.7, nonnegative=True)
    mass: sd.Parameter = sd.parameter(1.0, positive=True)

    def lagrangian(self, xi):
        """Kinetic energy."""
        return self.mass * xi.v * xi.v / 2

    def constraint(self):
        """None."""
        return sd.Unconstrained()

    def force(self, xi):
        """Friction."""
        return (-self.a * self.mass * xi.v,)

    def noise_force(self, xi):
        """Random pushes."""
        return [(self.b * self.mass,)]


SEEN = sd.Observation("v", noise=ERROR)


def transition(a, b, steps):
    """Factor and variance of an interval of so many steps by Heun's method; with ``None``, the exact ones."""
    if steps is None:
        return np.exp(-a * INTERVAL), b * b * -np.expm1(-2 * a * INTERVAL) / (2 * a)
    dt = INTERVAL / steps
    factor, variance = 1 - a * dt + (a * dt) ** 2 / 2, b * b * (1 - a * dt / 2) ** 2 * dt
    return factor**steps, variance * sum(factor ** (2 * k) for k in range(steps))


def log_likelihood(a, b, data, steps=None):
    """Of values of v, INTERVAL apart."""
    factor, spread = transition(a, b, steps)
    mean, variance, total = 1.0, 0.0, 0.0
    for y in data:
        mean, variance = factor * mean, factor**2 * variance + spread
        s = variance + ERROR**2
        total -= 0.5 * ((y - mean) ** 2 / s + np.log(2 * np.pi * s))
        mean, variance = mean + variance / s * (y - mean), variance * ERROR**2 / s
    return total


def values(seed, a, b, count):
    """Random data."""
    rng, (factor, spread) = np.random.default_rng(seed), transition(a, b, None)
    v, out = 1.0, []
    for _ in range(count):
        v = factor * v + np.sqrt(spread) * rng.standard_normal()
        out.append(v + ERROR * rng.standard_normal())
    return np.array(out)
