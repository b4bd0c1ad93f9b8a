"""Systems whose invariants are known from the literature."""

import semidirect as sd
from semidirect import ops

NO_NOISE = {"noise": []}
TWO_NOISES = ((0.3, -0.2, 0.5), (0.1, 0.4, -0.3))


def routh(**choices):
    return sd.load("routh-sphere", **choices)


def chaplygin(**choices):
    return sd.load("chaplygin-ball", **choices)


def homogeneous(**choices):
    return sd.load("rolling-ball", offset=0.0, inertia=(0.4, 0.4, 0.4), noise=TWO_NOISES, **choices)


def kovalevskaya(third=1.0):
    """A heavy top with I = (2, 2, 1) and its centre of mass in the equatorial plane."""
    return sd.load("heavy-top", inertia=(2.0, 2.0, third), axis=(1, 0, 0), noise=[])


class Kirchhoff(sd.System):
    """A body in an ideal fluid, E = ½Σ(a_i M_i² + c_i P_i²); Clebsch's case is c_i a_i = const."""

    a = sd.parameter((1.0, 2.0, 3.0))
    c = sd.parameter((6.0, 3.0, 2.0))
    group = sd.SE3()

    def lagrangian(self, xi):
        turning = ops.dot(xi.Omega, xi.Omega / ops.array(self.a))
        return (turning + ops.dot(xi.Y, xi.Y / ops.array(self.c))) / 2


class Suslov(sd.System):
    """A body with Ω₃ = 0 and inertia [[1, 0, I₁₃], [0, 2, I₂₃], [I₁₃, I₂₃, 3]]."""

    first = sd.parameter(0.3)
    second = sd.parameter(0.4)
    group = sd.SO3()

    def lagrangian(self, xi):
        x, y, z = xi.Omega
        return (x**2 + 2 * y**2 + 3 * z**2) / 2 + self.first * x * z + self.second * y * z

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], {"w": 2})
