"""A disk that rolls along a line under noise, filmed with an error: the exact likelihood is Kalman's."""

import numpy as np

import semidirect as sd

R, SPIN, OMEGA, ERROR = 0.7, 0.4, 1.2, 0.1
DISK = sd.load("rolling-disk", radius=R, noise=(SPIN, 0.0), variant="rolling-noise")
"""Without turn it rolls along a line: dx = R (ω dt + ξ dW), ω constant."""
TRACK = sd.inference.position(["x"], noise=ERROR)
START = {"omega": OMEGA, "nu": 0.0}


def kalman(spin, data):
    """The log-likelihood of positions 0.2 s apart, for a known ω."""
    mean, variance, total = 0.0, 0.0, 0.0
    for y in data.values.ravel():
        mean, variance = mean + 0.2 * R * OMEGA, variance + 0.2 * (R * spin) ** 2
        s = variance + ERROR**2
        total -= 0.5 * ((y - mean) ** 2 / s + np.log(2 * np.pi * s))
        mean, variance = mean + variance / s * (y - mean), variance * (1 - variance / s)
    return total
