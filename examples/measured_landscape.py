r"""
A potential known at eleven places
==================================

A particle of unit mass moves in a potential given by a table, as a measurement would give it; here it is a double well in units
of $kT$. A bath damps and shakes the particle, $dv = -V'(x)\,dt - \gamma v\,dt + \sqrt{2\gamma}\,dW$. `ops.interpolate` makes a
function of the table, whose derivative stands in the equations. In the end the particles are distributed as $e^{-V}$ (Kramers,
Physica 7, 284, 1940).
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd
from semidirect import ops


class Well(sd.System):
    """A Brownian particle on a line, in a potential given by a table."""

    places: sd.Parameter = sd.table([-2.6, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.6])
    heights: sd.Parameter = sd.table([60.0, 17.8, 2.4, 0.2, 1.1, 2.4, 1.7, 0.9, 4.2, 21.0, 66.0], symbol="V")
    drag: sd.Parameter = sd.parameter(1.0, symbol="gamma", positive=True)
    group = sd.RealSpace(1, coordinates=("x",))
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 1))}

    def lagrangian(self, xi, a):
        return xi.v**2 / 2 - ops.interpolate(-a.b[0], self.places, self.heights)

    def force(self, xi):
        return [-self.drag * xi.v]

    def independent_force(self):
        return [[ops.sqrt(2 * self.drag)]]


well = Well()
print(well.equations())
run = well.simulate(
    t_end=80, dt=0.02, paths=20_000, seed=7, save=sd.Save("every:1000", names=["x", "v"]), method="heun"
)

# %%
# Forty units of time are enough to forget the start, x = 0.

x = run["x"][:, 2:].ravel()
at, places, heights = np.linspace(-2.2, 2.2, 89), well.values["places"], well.values["heights"]
density = np.exp(-ops.interpolate(at, places, heights))
density /= density.sum() * (at[1] - at[0])
print(f"mean of v²/2: {np.mean(run['v'][:, 2:] ** 2) / 2:.3f} kT, in equilibrium 0.500")
left, right = plt.figure(figsize=(7.6, 3.2), layout="constrained").subplots(1, 2)
left.plot(at, ops.interpolate(at, places, heights))
left.plot(places, heights, "ko", markersize=4)
left.set(xlabel="$x$", ylabel="$V/kT$", xlim=(-2.3, 2.3), ylim=(-1, 22))
right.hist(x, bins=at[::2], density=True, color="C7", label="particles")
right.plot(at, density, color="C3", label=r"$e^{-V/kT}$")
right.set(xlabel="$x$", ylabel="density")
right.legend(frameon=False)
plt.show()
