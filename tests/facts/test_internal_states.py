"""Internal states that see the motion: a PI controller, LuGre friction, a Nosé–Hoover thermostat, an observer."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import semidirect as sd
from semidirect import ops
from semidirect.testing import system_contract


class Body(sd.System):
    """A free rigid body."""

    inertia: sd.Parameter = sd.inertia((1.0, 2.0, 2.5))
    group = sd.SO3()
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.4, 1.0, -0.7)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2


class Controlled(Body):
    """A PI controller of the spin: F = −k_p (Ω − Ω_d) − k_i z, dz = (Ω − Ω_d) dt."""

    def internal(self):
        return [sd.InternalState("z", (0, 0, 0), drift=lambda xi: xi.Omega - self.wanted)]

    wanted: sd.Parameter = sd.parameter((0.0, 0.0, 1.0))
    gains: sd.Parameter = sd.parameter((1.5, 0.8))

    def force(self, xi, z):
        return -self.gains[0] * (xi.Omega - self.wanted) - self.gains[1] * z.z


class Thermostat(Body):
    """Nosé–Hoover: F = −ζM, dζ = (M·Ω − 3T)/Q dt, with noise of ζ in proportion to the kinetic energy."""

    temperature: sd.Parameter = sd.parameter(0.5)
    mass: sd.Parameter = sd.parameter(2.0)
    noise: sd.Parameter = sd.parameter(0.0)

    def heat(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega))

    def internal(self):
        yield sd.InternalState(
            "zeta", 0.1,
            drift=lambda xi: (self.heat(xi) - 3 * self.temperature) / self.mass,
            noise=lambda xi: [self.noise * self.heat(xi)],
        )  # fmt: skip

    def force(self, xi, z):
        return -z.zeta * ops.inertia(self.inertia, xi.Omega)


class Bristle(sd.System):
    """LuGre friction of a rotor (Canudas de Wit, Olsson, Åström, Lischinsky 1995): dz = (ω − σ₀|ω|z/g(ω)) dt."""

    group = sd.SO2()
    initial = {"omega": 1.0}

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def slip(self, w, z):
        limit = 0.3 + 0.2 * ops.exp(-((w / 0.5) ** 2))
        return w - 50 * ops.absolute(w) * z / limit

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda xi, z: self.slip(xi.omega, z.z))]

    def force(self, xi, z, t):
        return [ops.sin(t) - (50 * z.z + 0.5 * self.slip(xi.omega, z.z) + 0.1 * xi.omega)]


class Observer(sd.System):
    """A skate that estimates its heading from its turn rate and from a vector that it sees, with transport noise."""

    group = sd.SE2()
    advected = {"a": sd.Advected(sd.VectorRepresentation(sd.SE2()), reference=(1, 0, 0))}
    initial = {"nu": 0.7, "speed": 1.0, "a": (1, 0, 0)}

    def lagrangian(self, xi, z):
        return (xi.nu**2 + ops.dot(xi.v, xi.v)) / 2 + xi.nu * xi.v[0] / 3 - z.w[0] ** 2

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("nu", "speed"), noise=[[0.2, 0, 0]])

    def internal(self):
        return [sd.InternalState("w", (1.0, 0.0),
                                 drift=lambda xi, a, z: [xi.nu * z.w[1] + a.a[0] - z.w[0], -xi.nu * z.w[0] + a.a[1]],
                                 noise=lambda a: [[a.a[1], 0]])]  # fmt: skip


TestControlled = system_contract(Controlled)
TestObserver = system_contract(Observer)

INERTIA = np.array([1.0, 2.0, 2.5])
START = INERTIA * [0.4, 1.0, -0.7]


def controlled(t, y):
    M, z = y[:3], y[3:]
    w = M / INERTIA
    e = w - [0, 0, 1]
    return [*(np.cross(M, w) - 1.5 * e - 0.8 * z), *e]


def thermostat(t, y):
    M, zeta = y[:3], y[3]
    w = M / INERTIA
    return [*(np.cross(M, w) - zeta * M), (M @ w - 1.5) / 2]


def bristle(t, y):
    w, z = y
    rate = w - 50 * abs(w) * z / (0.3 + 0.2 * np.exp(-((w / 0.5) ** 2)))
    return [np.sin(t) - (50 * z + 0.5 * rate + 0.1 * w), rate]


@pytest.mark.parametrize(
    ("system", "rate", "start", "names"),
    [
        (Controlled(), controlled, [*START, 0, 0, 0], ("M", "z")),
        (Thermostat(), thermostat, [*START, 0.1], ("M", "zeta")),
        (Bristle(), bristle, [1.0, 0.0], ("p_omega", "z")),
    ],
    ids=["PI controller", "Nosé–Hoover", "LuGre"],
)
def test_it_is_the_equation_written_by_hand(system, rate, start, names):
    """Against SciPy's DOP853 at 1e-12: to 1e-9, measured 2e-11 at most."""
    run = system.simulate(t_end=3.0, dt=0.5, method="dop853", driver=0)
    found = np.concatenate([np.reshape(run[name][0, -1], -1) for name in names])
    expected = solve_ivp(rate, (0, 3), start, method="DOP853", rtol=1e-12, atol=1e-13, max_step=0.05).y[:, -1]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_noise_that_sees_the_motion_follows_its_path(engine):
    """Along W = sin t the equations are an ODE, dζ = … dt + 0.3 M·Ω dW; Heun's error falls as h²."""
    run = [
        Thermostat(noise=0.3).simulate(
            t_end=2.0, dt=h, method="heun", driver="sin(t)", execution=sd.Execution(engine=engine)
        )
        for h in (0.02, 0.01)
    ]

    def rate(t, y):
        out = thermostat(t, y)
        return [*out[:3], out[3] + 0.3 * np.cos(t) * (y[:3] @ (y[:3] / INERTIA))]

    exact = solve_ivp(rate, (0, 2), [*START, 0.1], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    one, other = (np.abs(np.append(r["M"][0, -1], r["zeta"][0, -1]) - exact).max() for r in run)
    assert one < 1e-3
    assert 3.4 < one / other < 4.6  # measured 4.0


def test_the_ito_drift_has_the_term_of_the_motion():
    """½ Dβ[g] = ½ (∂β/∂ζ) β vanishes, as β sees M only, which has no noise; with noise of M it does not."""
    found = Thermostat(noise=0.3).evaluate()
    assert found["ito_drift"]["zeta"] == found["drift"]["zeta"]
    shaken = Observer().evaluate({"nu": 0.7, "speed": 1.0, "a": (0.6, 0.8, 0), "w": (1.0, 0.0)})
    # ½ D(a₂)[da], da = −ρ(0.2 e_ν) a = 0.2 (a₂, −a₁)
    np.testing.assert_allclose(shaken["ito_drift"]["w"][0] - shaken["drift"]["w"][0], -0.5 * 0.2 * 0.6, rtol=1e-14)
