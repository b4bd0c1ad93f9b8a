"""What the discrete Lagrange–d'Alembert method keeps, by measurement, on four nonholonomic systems."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops


class Suslov(sd.System):
    """A rigid body with Ω₃ = 0, its axes not principal (Suslov 1902)."""

    group = sd.SO3()
    momentum_names = {"w1": "P1", "w2": "P2"}
    initial = {"w1": 0.8, "w2": 0.3}

    def lagrangian(self, xi):
        o = xi.Omega
        return ops.dot(o, ops.inertia((1.3, 0.9, 1.7), o)) / 2 + 0.4 * o[0] * o[2] - 0.2 * o[1] * o[2]

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("w1", "w2"), noise=[[0.1, -0.2, 0.0]])

    @sd.observable()
    def energy(self, state):
        return (1.3 * state.w1**2 + 0.9 * state.w2**2) / 2


class Sleigh(sd.System):
    """Chaplygin's sleigh, I = 1, m = 1.5, a = 0.6: no side slip of the blade, the centre of mass before it."""

    group = sd.SE2()
    initial = {"nu": 0.8, "u": 0.5}

    def lagrangian(self, xi):
        x, y = xi.v
        return (xi.nu**2 + 1.5 * (x**2 + (y + 0.6 * xi.nu) ** 2)) / 2

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("nu", "u"), noise=[[0.2, 0.1, 0.0]])

    @sd.observable()
    def energy(self, state):
        return (state.nu**2 + 1.5 * (state.u**2 + 0.36 * state.nu**2)) / 2


CHAPLYGIN = sd.load("chaplygin-ball", noise=())
ROUTH = sd.load("routh-sphere", noise=())
SPUN = {"Omega": (1.0, 0.7, -0.4), "Gamma": (0.36, -0.48, 0.8)}
PAIR = ["nonholonomic", "nonholonomic(exp)"]


def end(system, method, h, names, **options):
    run = system.simulate(
        t_end=2, dt=h, method=method, save="final", driver=0, execution=sd.Execution(engine="numpy"), **options
    )
    assert run.good.all()
    return np.concatenate([run[n].ravel() for n in names])


@pytest.mark.parametrize("method", PAIR)
@pytest.mark.parametrize(
    ("system", "names"),
    [(Suslov(), ["P1", "P2", "g"]), (Sleigh(), ["nu", "u", "x", "y", "angle"])],
    ids=["Suslov", "sleigh"],
)
def test_order(system, names, method, record_property):
    exact = end(system, "dop853", 2.0, names)
    errors = [np.abs(end(system, method, 2.0**-k, names) - exact).max() for k in (3, 5)]
    order = float(np.log2(errors[0] / errors[1]) / 2)
    record_property(f"order of {method}, {type(system).__name__}", f"{order:.2f}")
    assert abs(order - 2) < 0.1  # measured within 0.007


def relative(values):
    """Largest change over a run, relative to the start."""
    values = np.asarray(values)
    return float(np.abs(values / values[0] - 1).max())


def energy_of(system, method, t_end, dt, **options):
    """Amplitude of the relative energy error, and its slope times the length of the run."""
    run = system.simulate(
        t_end=t_end,
        dt=dt,
        method=method,
        save="every:20",
        execution=sd.Execution(engine="compiled"),
        driver=0,
        **options,
    )
    assert run.good.all()
    e = run["energy"].ravel() / run["energy"].ravel()[0] - 1
    return run, float(np.ptp(e)), float(abs(np.polyfit(run.times, e, 1)[0]) * t_end)


@pytest.mark.parametrize("method", PAIR)
def test_chaplygin_ball(method, record_property):
    """h = 0.05, T = 200: |Γ|, |M|², M·Γ and the spatial momentum gM to round-off; energy without a slope."""
    run, amplitude, drift = energy_of(CHAPLYGIN, method, 200, 0.05, state=SPUN)
    M, Gamma, g = run["M"][0], run["Gamma"][0], run["g"][0].reshape(-1, 3, 3)
    length, spatial = np.linalg.norm(M[0]), np.einsum("tij,tj->ti", g, M)
    found = {
        "|Γ|²": relative(np.sum(Gamma**2, axis=1)),
        "|M|²": relative(np.sum(M * M, axis=1)),
        "M·Γ/|M|": np.abs(np.sum(M * Gamma, axis=1) - M[0] @ Gamma[0]).max() / length,
        "gM/|M|": np.abs(spatial - spatial[0]).max() / length,
    }
    for name, value in found.items():
        record_property(f"change of {name}, Chaplygin ball, {method}", f"{value:.1e}")
    assert max(found.values()) < 1e-13  # measured 1.5e-14
    record_property(f"energy of Chaplygin's ball by {method}: amplitude, drift", f"{amplitude:.1e}, {drift:.1e}")
    assert amplitude < 1e-4  # measured 4.8e-5
    assert drift < 1e-6  # measured 2.0e-7


@pytest.mark.parametrize("method", PAIR)
def test_routh_sphere(method, record_property):
    """Jellett's integral, which is linear in M, to round-off; energy and Routh's integral oscillate."""
    run, amplitude, drift = energy_of(ROUTH, method, 500, 0.05)
    jellett = relative(run["jellett"].ravel())
    routh = run["routh"].ravel() / run["routh"].ravel()[0] - 1
    slope = float(abs(np.polyfit(run.times, routh, 1)[0]) * 500)
    record_property(f"Routh sphere by {method}: Jellett, energy amplitude and drift, Routh drift",
                    f"{jellett:.1e}, {amplitude:.1e}, {drift:.1e}, {slope:.1e}")  # fmt: skip
    assert jellett < 1e-12  # measured 1.2e-13
    assert amplitude < 1e-3  # measured 3.1e-4
    assert drift < 0.02 * amplitude
    assert slope < 0.02 * np.ptp(routh)


def test_another_method_keeps_less_of_jellett():
    assert relative(energy_of(ROUTH, "lie-heun", 500, 0.05)[0]["jellett"].ravel()) > 1e-5  # measured 4.6e-4


def test_energy_where_no_symmetry_helps(record_property):
    """A ball without symmetry has no invariant measure in general; the slope is stated, not bounded by a theorem."""
    ball = sd.load("rolling-ball", inertia=(2.0, 1.4, 1.1), offset=0.3, axis=(0.36, -0.48, 0.8), noise=())
    for method, most in (("nonholonomic", 1e-3), ("lie-heun", 3e-2)):
        _, amplitude, drift = energy_of(ball, method, 1000, 0.05, state=SPUN)
        record_property(
            f"energy of a ball without symmetry by {method}: amplitude, drift", f"{amplitude:.1e}, {drift:.1e}"
        )
        assert drift < most
    assert drift > 3e-3  # lie-heun


@pytest.mark.parametrize("system", [Suslov(), Sleigh()], ids=["Suslov", "sleigh"])
def test_energy_of_motions_that_end_on_an_equilibrium(system, record_property):
    """The error goes from that of one end of the motion to that of the other, in h², and stays."""
    amplitudes = []
    for dt in (0.1, 0.05):
        run, amplitude, _ = energy_of(system, "nonholonomic", 200, dt)
        rest = run["energy"].ravel()[len(run.times) // 2 :]
        assert relative(rest) < 1e-13  # measured 0
        amplitudes.append(amplitude)
    record_property(f"energy of {type(system).__name__} by nonholonomic, h = 0.1, 0.05: amplitude",
                    ", ".join(f"{a:.1e}" for a in amplitudes))  # fmt: skip
    assert abs(np.log2(amplitudes[0] / amplitudes[1]) - 2) < 0.1


def step(system, y, h, dW):
    from semidirect.integrators import integrator

    out = integrator("nonholonomic").step(system.workings.model(), y, 0.0, h, dW)
    assert np.all(out.converged)
    return out


@pytest.mark.parametrize("name", ["Suslov", "sleigh", "ball"])
def test_steps_back_undo_steps_under_noise(name):
    system = {"Suslov": Suslov(), "sleigh": Sleigh(), "ball": ROUTH.replace(noise=[[0.3, -0.2, 0.5]])}[name]
    y = {"ball": [0.5, 0.2, -0.4, 0.36, -0.48, 0.8]}.get(name, [0.5, -0.2])
    y, dW = np.array(y)[:, None], np.array([[0.2]])
    there = step(system, y, 0.1, dW).y
    assert np.abs(step(system, there, -0.1, -dW).y - y).max() < 1e-14  # measured 1.1e-16


def test_the_discrete_velocity_obeys_the_constraint_in_the_middle():
    """v = B(ã)(…) at ã = ½(a + a⁺), noise along D among it; at either end it does not."""
    ball = ROUTH.replace(noise=[[0.3, -0.2, 0.5]])
    y = np.array([[0.5], [0.2], [-0.4], [0.36], [-0.48], [0.8]])
    out = step(ball, y, 0.1, np.array([[0.2]]))
    Omega, Y = out.v[:3, 0], out.v[3:, 0]

    def slip(Gamma):
        return np.abs(Y - np.cross(Omega, 1.0 * Gamma + 0.3 * np.array([0.0, 0.0, 1.0]))).max()

    assert slip((y[3:, 0] + out.y[3:, 0]) / 2) < 1e-15
    assert slip(y[3:, 0]) > 1e-4
    assert slip(out.y[3:, 0]) > 1e-4
