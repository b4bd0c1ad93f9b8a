r"""
Spin waves in a chain of 128 spins
==================================

A ring of classical spins along $e_3$ with exchange $J$, easy axis $D$ and field $B$ carries waves with the frequencies
$\omega(k) = 2J(1 - \cos k) + 2D + B$. Noise at each site excites all of them, and the spectrum of a run shows the curve.
The chain is a lattice: equations of one spin, derived once, and the energy of an edge.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

import semidirect as sd
from semidirect import ops
from semidirect.lattices import Lattice


class Spin(sd.System):
    """A spin with an easy axis in a field, which is noisy."""

    group = sd.SO3()
    momentum_names = {"Omega": "S"}
    easy: sd.Parameter = sd.parameter(0.1, symbol="D")
    field: sd.Parameter = sd.parameter(0.2, symbol="B")
    noise: sd.Parameter = sd.parameter(0.02, symbol="b")

    def hamiltonian(self, p):
        return self.field * p.Omega[2] + self.easy * p.Omega[2] ** 2

    def noise_hamiltonian(self, p):
        return [self.noise * p.Omega[0], self.noise * p.Omega[1]]


class Chain(Lattice):
    """A ring of spins with exchange."""

    sites, edges = 128, "ring"
    exchange: sd.Parameter = sd.parameter(1.0, symbol="J")

    def site(self):
        return Spin()

    def coupling(self, left, right):
        return self.exchange * ops.dot(left.S, right.S)


run = Chain().simulate(
    t_end=160, dt=0.05, seed=1, method="lie-heun", state={"S": (0, 0, 1)}, save=sd.Save("every:10", names=["S"])
)
wave = (run["S"][0, :, :, 0] + 1j * run["S"][0, :, :, 1]) * np.hanning(len(run.times))[:, None]
power = np.abs(np.fft.fftshift(np.fft.fft2(wave))) ** 2
k = np.fft.fftshift(2 * np.pi * np.fft.fftfreq(128))
omega = np.fft.fftshift(2 * np.pi * np.fft.fftfreq(len(run.times), 0.5))  # the sign of exp(−iωt)

# %%
# The power of each wave number and frequency, with the curve of the linear theory, and the waves in motion.

figure, axes = plt.subplots(1, 2, figsize=(6.6, 3.0), layout="constrained")
spin = axes[0].plot(np.arange(1, 129), run["S"][0, -1, :, 0], lw=1)[0]
axes[0].set(xlabel="spin", title="$S_1$", ylim=(-0.8, 0.8))
axes[1].pcolormesh(k, -omega, np.log10(power + 1e-12), cmap="magma", vmin=0, vmax=5, shading="nearest", rasterized=True)
exact = 2 * (1 - np.cos(k)) + 0.2 + 0.2
axes[1].plot(k, exact, "c--", linewidth=0.8)
axes[1].set(xlabel="$k$", ylabel=r"$\omega$", ylim=(-1, 6), title="spectrum")


def draw(frame):
    spin.set_ydata(run["S"][0, -48 + frame if len(run.times) > 48 else -1, :, 0])


moving = FuncAnimation(figure, draw, frames=48, interval=100)
plt.show()
found = -omega[np.argmax(power, axis=0)]
print(
    f"largest power within {np.median(np.abs(found - exact)):.2f} of the curve, at a resolution of {omega[1] - omega[0]:.2f}"
)
print(f"lengths of spins change by {np.abs(np.linalg.norm(run['S'], axis=-1) - 1).max():.0e}")
