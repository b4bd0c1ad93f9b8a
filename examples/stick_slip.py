r"""
Friction with a memory
======================

A rotor is dragged over by a spring whose end turns at a constant rate. Friction has bristles that bend and break loose, an
internal state $\mathrm dz = (\omega - \sigma_0|\omega|z/g(\omega))\,\mathrm dt$ that sees the motion (Canudas de Wit, Olsson,
Åström and Lischinsky 1995), and noise bends them as well. The rotor sticks until the spring is strong enough, slips, and
sticks again. With noise it breaks loose at other times, and some paths end in steady sliding, which is stable too.
"""

import matplotlib.pyplot as plt

import semidirect as sd
from semidirect import ops


class Rotor(sd.System):
    """A rotor with a spring of torque τ, dτ = k (V − ω) dt, and LuGre friction."""

    inertia: sd.Parameter = sd.parameter(1.0, unit="kg m²", positive=True)
    stiffness: sd.Parameter = sd.parameter(2.0, unit="N m/rad", symbol="k", doc="of the spring")
    rate: sd.Parameter = sd.parameter(0.1, unit="rad/s", symbol="V", doc="of the end of the spring")
    bristles: sd.Parameter = sd.parameter(1e3, unit="N m/rad", symbol="sigma_0", doc="stiffness of the bristles")
    damping: sd.Parameter = sd.parameter(30.0, unit="N m s/rad", symbol="sigma_1", doc="of the bristles")
    viscosity: sd.Parameter = sd.parameter(0.4, unit="N m s/rad", symbol="sigma_2")
    noise: sd.Parameter = sd.parameter(2e-4, unit="rad/√s", symbol="beta", doc="of the bristles")
    group = sd.SO2()
    initial = {"omega": 0.0}

    def lagrangian(self, xi):
        return self.inertia * xi.omega**2 / 2

    def bending(self, xi, z):
        limit = 1.0 + 0.5 * ops.exp(-((xi.omega / 0.01) ** 2))
        return xi.omega - self.bristles * ops.absolute(xi.omega) * z.z / limit

    def internal(self):
        yield sd.InternalState("z", 0.0, drift=self.bending, noise=[self.noise], unit="rad")
        yield sd.InternalState("tau", 0.0, drift=lambda xi: self.stiffness * (self.rate - xi.omega), unit="N m")

    def force(self, xi, z):
        friction = self.bristles * z.z + self.damping * self.bending(xi, z) + self.viscosity * xi.omega
        return [z.tau - friction]

    def constraint(self):
        return sd.Unconstrained(noise=[[0.0]])  # a Wiener process that moves the bristles only


names = ["omega", "tau"]
still = Rotor(noise=0.0).simulate(t_end=60, dt=0.01, driver=0, method="dop853", save=sd.Save("every:5", names=names))
noisy = Rotor().simulate(t_end=60, dt=2e-4, paths=4, seed=1, method="heun", save=sd.Save("every:250", names=names))
print(f"the spring reaches {still['tau'][0].max():.2f} N m before the rotor slips")

ax = plt.figure(figsize=(7, 3.4), layout="constrained").subplots()
first, *_ = ax.plot(noisy.times, noisy["tau"].T, color="0.6", linewidth=0.7)
first.set_label("noise")
ax.plot(still.times, still["tau"][0], color="tab:red", label="no noise")
ax.set(xlabel="$t$ [s]", ylabel="torque of the spring [N m]")
ax.legend(frameon=False)
plt.show()
