"""
A snakeboard
============

A rider turns a rotor on a board and steers both axles, and the board moves though nothing pushes it. The system is not
one of the package: a group with two joints, and a constraint that depends on the angle of the axles. With noise in the
steering every board takes another way.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd
from semidirect import ops


class Snakeboard(sd.System):
    """SE(2) × SO(2) × SO(2): the board, the rotor ψ, and the axles, which turn by φ in front and −φ behind."""

    mass: sd.Parameter = sd.parameter(6.0, unit="kg", symbol="m", positive=True)
    length: sd.Parameter = sd.parameter(0.2, unit="m", symbol="r", positive=True, doc="from the centre to an axle")
    board_inertia: sd.Parameter = sd.parameter(0.2, unit="kg m²", symbol="J", positive=True)
    rotor_inertia: sd.Parameter = sd.parameter(0.05, unit="kg m²", symbol="J_r", positive=True)
    axle_inertia: sd.Parameter = sd.parameter(0.001, unit="kg m²", symbol="J_a", positive=True, doc="of both")
    frequency: sd.Parameter = sd.parameter(3.0, unit="rad/s", symbol="f", doc="of the gait")
    noise: sd.Parameter = sd.parameter(0.02, unit="rad/√s", symbol="sigma", doc="in the steering")

    joints = sd.DirectProduct(
        sd.SO2(blocks=("rotor",), coordinates=("psi",)), sd.SO2(blocks=("steer",), coordinates=("phi",))
    )
    group = sd.DirectProduct(sd.SE2(), joints)
    turned = sd.Pullback(sd.VectorRepresentation(sd.SO2()), group, "steer")
    advected = {"axle": sd.Advected(turned, reference=(1, 0))}  # (cos φ, −sin φ)
    initial = {"steer": 1.5, "rotor": 3.0}

    def lagrangian(self, xi):
        moving = self.mass * ops.dot(xi.v, xi.v) + self.board_inertia * xi.nu**2
        return (moving + self.rotor_inertia * (xi.nu + xi.rotor) ** 2 + self.axle_inertia * xi.steer**2) / 2

    def force(self, t):
        """Torques on the rotor and on the axles, in step."""
        beat = -ops.sin(self.frequency * t) * self.frequency
        return [0, 0, 0, self.rotor_inertia * 3.0 * beat, self.axle_inertia * 1.5 * beat]

    def constraint(self):
        def basis(a):
            cosine, sine = a.axle[0], -a.axle[1]
            return [[sine, 0, 0], [self.length * cosine, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]]

        noise = [[0, 0, 0, 0, self.noise]]
        return sd.DistributionConstraint(basis, names=("drive", "rotor", "steer"), noise=noise)


still = Snakeboard(noise=0.0).simulate(t_end=30, dt=0.01, driver=0, method="dop853", save=sd.Save(names=["x", "y"]))
noisy = Snakeboard().simulate(
    t_end=30, dt=0.01, paths=30, seed=4, method="lie-heun", save=sd.Save("every:5", names=["x", "y"])
)
print(f"without noise it gets {np.hypot(still['x'][0, -1], still['y'][0, -1]):.2f} m away in 30 s")

ax = plt.figure(figsize=(7, 3.4), layout="constrained").subplots()
ax.plot(noisy["x"].T, noisy["y"].T, color="0.3", linewidth=0.4)
ax.plot(still["x"][0], still["y"][0], color="tab:red", linewidth=1.8, label="no noise")
ax.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]")
ax.legend(frameon=False)
plt.show()
