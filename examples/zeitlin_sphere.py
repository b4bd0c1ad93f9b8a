r"""
Vortices on the sphere with transport noise
===========================================

Zeitlin's equations are Euler's on the sphere with $N$ degrees of spherical harmonics: the vorticity is a matrix $W$ of
$\mathfrak{su}(N)$,

$$\mathrm dW = [W, P]\,\mathrm dt + \sum_k[W, X_k]\circ\mathrm dW^k,\quad -\Delta P = W.$$

The isospectral midpoint rule keeps the spectrum of $W$, and with it all Casimirs, also under noise. Here noise stirs by rotations
and by zonal flows.
"""

import matplotlib.pyplot as plt
import numpy as np
from semidirect_matrix_systems import Zeitlin
from semidirect_matrix_systems.zeitlin import vorticity

import semidirect as sd

fluid = Zeitlin(modes=24, noise=[0.05, 0.05, 0.05, 0.3, 0.3])
run = fluid.simulate(t_end=24, dt=0.2, paths=8, seed=3, save=sd.Save("every:30", names=["W", "energy", "enstrophy"]))

# %%
# The vorticity of one path, and how energy and spectrum change. The fields are zonal flows too, which do not keep the energy.

figure = plt.figure(figsize=(7.6, 4.4), layout="constrained")
top, bottom = figure.subfigures(2, 1, height_ratios=(3, 2))
longitude, latitude = np.meshgrid(np.linspace(-np.pi, np.pi, 121), np.linspace(-np.pi / 2, np.pi / 2, 61))
for place, time in enumerate((0, len(run.times) // 2, len(run.times) - 1)):
    ax = top.add_subplot(1, 3, place + 1, projection="mollweide")
    values = vorticity(run["W"][0, time], longitude, latitude)
    ax.pcolormesh(longitude, latitude, values, cmap="RdBu_r", shading="gouraud", rasterized=True)
    ax.set(xticks=[], yticks=[], title=f"$t = {run.times[time]:g}$")
left, right = bottom.subplots(1, 2)
spectra = np.linalg.eigvalsh(-1j * run["W"])
left.plot(run.times, run["energy"].T / run["energy"][:, 0], linewidth=1)
left.set(xlabel="$t$", ylabel="$H(t)/H(0)$")
right.plot(run.times, spectra[0], linewidth=0.8, color="C0")
right.set(xlabel="$t$", ylabel="spectrum of $-iW$")
plt.show()
print(f"largest change of the spectrum: {np.abs(spectra - spectra[:, :1]).max():.0e}")
print(f"energy changes by up to {np.abs(run['energy'] / run['energy'][:, :1] - 1).max():.0%}")
