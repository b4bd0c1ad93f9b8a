"""Exact facts of the ball along paths (docs/rolling_ball.md, "Exact facts about the ball")."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from semidirect_rolling_ball import RollingBall

import semidirect as sd

XI = np.array([0.3, -0.2, 0.5])
E3 = np.array([0.0, 0.0, 1.0])
GENERAL = {"inertia": (0.4, 0.5, 0.6), "offset": 0.2, "axis": (0.36, -0.48, 0.8)}
TWO_NOISES = [[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]
models = pytest.mark.parametrize("model", ["variational", "printed"])


def ball(model="variational", **values):
    return sd.load("rolling-ball", coupling=model, **values)


def turned(axis, angles):
    """exp(−ê·angle) e₃ for angles (...), shape (..., 3)."""
    angles = np.asarray(angles)
    rotations = Rotation.from_rotvec(-angles.reshape(-1, 1) * np.asarray(axis))
    return rotations.apply(E3).reshape(*angles.shape, 3)


def brownian(seed, paths, steps, dt):
    """W on the grid, (paths, steps + 1), as a run of this seed meets it."""
    dW = sd.noise.WienerNoise(seed, 1, dt).block(range(paths), 0, steps, dt)[:, 0]
    return np.concatenate([np.zeros((paths, 1)), np.cumsum(dW, axis=0).T], axis=1)


def spread(values):
    return float(np.ptp(values, axis=-1).max())


@models
@pytest.mark.parametrize("method", ["lie-heun(exp)", "lie-midpoint(exp)"])
def test_a_resting_ball_is_carried_by_its_noise(model, method):
    """No gravity, Ω(0) = 0, one ξ: Ω ≡ 0 and Γ(t) = exp(−ξ̂W)Γ₀, step by step; x_gc = W ξ×re₃ as the steps get small."""
    errors = []
    for dt in (0.01, 0.005):
        run = ball(model, gravity=0.0, noise=[XI], **GENERAL).simulate(
            t_end=1,
            dt=dt,
            driver=sd.Wiener(0.005),
            paths=50,
            seed=3,
            method=method,
            state={"Omega": (0, 0, 0), "Gamma": E3},
        )
        W = brownian(3, 50, 200, 0.005)[:, :: round(dt / 0.005)]
        assert not run["Omega"].any()
        assert np.abs(run["Gamma"] - turned(XI, W)).max() < 1e-13  # measured 2e-15
        assert np.abs(run["geometric-centre"][..., 2]).max() < 1e-13  # measured 4e-16
        error = run["geometric-centre"] - W[..., None] * np.cross(XI, E3)
        errors.append(np.sqrt(np.mean(np.sum(error[:, -1] ** 2, axis=-1))))
    assert 1.6 < errors[0] / errors[1] < 2.5  # strong order 1: measured 1.82 in both


@models
def test_a_resting_ball_under_a_smooth_path(model):
    """The same with g₀ = 1 under W = sin 2t, position included: x_gc = W ξ×re₃, g = exp(ξ̂W)."""
    run = ball(model, gravity=0.0, noise=[XI], **GENERAL).simulate(
        t_end=5, dt=0.05, method="dop853", driver="sin(2*t)", state={"Omega": (0, 0, 0), "Gamma": E3}
    )
    W = np.sin(2 * run.times)
    assert not run["Omega"].any()
    assert np.abs(run["Gamma"][0] - turned(XI, W)).max() < 1e-12  # measured 5.9e-14
    assert np.abs(run["geometric-centre"][0] - W[:, None] * np.cross(XI, E3)).max() < 1e-12  # measured 1.4e-13
    g = Rotation.from_rotvec(W[:, None] * XI).as_matrix()
    assert np.abs(run["g"][0].reshape(-1, 3, 3) - g).max() < 1e-12  # measured 1.1e-13


@models
@pytest.mark.parametrize("up", [1, -1])
@pytest.mark.parametrize("method", ["heun", "sdelab(1)", "implicit-midpoint", "lie-heun", "euler-maruyama"])
def test_vertical_spin_is_constant(model, up, method):
    """Γ = ±χ, Ω ∥ χ, ξ ∥ χ, axisymmetric."""
    run = ball(model, noise=[[0, 0, 0.1]]).simulate(
        t_end=2, dt=0.02, paths=3, method=method, state={"Omega": (0, 0, 2.5 * up), "Gamma": (0, 0, up)},
        save=sd.Save(names=["Omega", "Gamma"]),
    )  # fmt: skip
    assert np.abs(run["Omega"] - [0, 0, 2.5 * up]).max() < 1e-13  # measured 1.8e-15 (lie-heun), else 0
    assert np.abs(run["Gamma"] - [0, 0, up]).max() < 1e-13  # measured 0


def test_configuration_along_a_path():
    """|Γ| = 1 and gᵀe₃ = Γ to round-off by the group; x_gc·e₃ constant and x_cm − x_gc = ℓgχ along the flow."""
    system = ball(noise=TWO_NOISES, **GENERAL)
    run = system.simulate(t_end=5, dt=0.01, paths=5, method="lie-heun")
    top = run["g"].reshape(5, -1, 3, 3)[:, :, 2]
    assert np.abs(run["gamma-norm"] - 1).max() < 1e-13  # measured 2.9e-15
    assert np.abs(top - run["Gamma"]).max() < 1e-13  # measured 0
    run = system.simulate(t_end=5, dt=0.1, method="dop853", driver=["sin(3*t)", "cos(2*t)"])
    g = run["g"].reshape(-1, 3, 3)
    assert np.abs(run["gamma-norm"] - 1).max() < 1e-12  # measured 2.7e-14
    assert np.abs(g[:, 2] - run["Gamma"][0]).max() < 1e-12  # measured 0
    assert np.abs(np.swapaxes(g, 1, 2) @ g - np.eye(3)).max() < 1e-12  # measured 2e-13
    assert np.abs(run["geometric-centre"][..., 2]).max() < 1e-14  # measured 3e-16
    apart = run["centre-of-mass"][0] - run["geometric-centre"][0] - 0.2 * g @ GENERAL["axis"]
    assert np.abs(apart).max() < 1e-14  # measured 4.2e-16


REFLECTED = ("energy", "jellett", "routh", "Gamma3", "Omega3", "spin")


def watched(run):
    spin = np.sum(run["Omega"] * run["Gamma"], axis=-1)
    return dict(zip(REFLECTED, (
        run["energy"], run["jellett"], run["routh"], run["Gamma"][..., 2], run["Omega"][..., 2], spin,
    ), strict=True))  # fmt: skip


def test_printed_under_W_is_variational_under_minus_W_on_a_smooth_path():
    """ξ ∥ χ, axisymmetric: E, J, R, Γ₃, Ω₃ and Ω·Γ agree, the other components of Ω do not."""
    variational = ball("variational").simulate(t_end=5, dt=0.1, method="dop853", driver="-sin(t)")
    printed = ball("printed").simulate(t_end=5, dt=0.1, method="dop853", driver="sin(t)")
    one, other = watched(variational), watched(printed)
    for name in REFLECTED:
        assert np.abs(one[name] - other[name]).max() < 1e-10, name  # measured 8e-13, in energy
    assert np.abs(variational["Omega"] - printed["Omega"]).max() > 0.05  # measured 0.097


def test_printed_under_W_is_variational_under_minus_W_on_a_grid(record_property):
    """Along Brownian paths the two differ by the order of Heun's method only: 1, and by no more than this at h = 1/800."""
    errors = {}
    for h in (1 / 400, 1 / 800):
        runs = [
            ball(model, noise=[[0, 0, x]]).simulate(t_end=1, dt=h, driver=sd.Wiener(1 / 800), paths=64, seed=2, method="heun",
                                                    save=sd.Save("every:40",
                                                                 names=["energy", "jellett", "routh", "Omega", "Gamma"]))
            for model, x in (("variational", -0.1), ("printed", 0.1))
        ]  # fmt: skip
        one, other = map(watched, runs)
        errors[h] = {name: np.sqrt(np.mean((one[name] - other[name])[:, -1] ** 2)) for name in REFLECTED}
    record_property("reflection in J by Heun at h = 1/800", f"{errors[1 / 800]['jellett']:.1e}")
    assert max(errors[1 / 800].values()) < 1e-5  # measured 5.3e-6, in J
    for name in REFLECTED:
        assert 1.5 < errors[1 / 400][name] / errors[1 / 800][name] < 2.7, name  # order 1: measured 1.98 to 2.01


def test_routh_follows_jellett_along_a_path():
    """ξ ∥ χ: R − ∫h(Γ₃)∘dJ is constant, h = m s₃/√Q, by the trapezoidal sum over the steps of a path."""
    system = ball("printed", noise=[[0, 0, 0.5]])
    run = system.simulate(
        t_end=2, dt=0.001, paths=4, seed=5, method="heun", save=sd.Save(names=["jellett", "routh", "Q", "s"])
    )
    h = system.mass * run["s"][..., 2] / np.sqrt(run["Q"])
    integral = np.cumsum(0.5 * (h[:, 1:] + h[:, :-1]) * np.diff(run["jellett"]), axis=1)
    change = run["routh"][:, 1:] - run["routh"][:, :1]
    assert np.abs(change).max() > 0.02  # measured 0.039
    assert np.abs(change - integral).max() < 1e-4  # order 1: measured 4.2e-5


@models
def test_constant_without_offset(model):
    """ξ ∥ χ, ℓ = 0: C = E − J²/(2I₁r²) + (I₃ − I₁)R²/(2I₁mr²), while E moves."""
    m, r, one, three = 1.3, 0.7, 0.5, 0.3
    system = ball(model, offset=0.0, noise=[[0, 0, 0.3]], inertia=(one, one, three), mass=m, radius=r)
    run = system.simulate(t_end=10, dt=0.1, method="dop853", driver="sin(3*t)")
    scale = 2 * one * r**2
    C = run["energy"] - run["jellett"] ** 2 / scale + (three - one) * run["routh"] ** 2 / (scale * m)
    assert spread(C) < 1e-11  # of 0.54; measured 5.3e-13
    assert spread(run["energy"]) > 0.1  # measured 0.14


def test_deterministic_axisymmetric_ball():
    run = ball(noise=()).simulate(t_end=20, dt=0.5, method="dop853")
    for name in ("energy", "jellett", "routh"):
        assert spread(run[name]) < 1e-11, name  # measured 4e-13


def test_deterministic_chaplygin_ball():
    """Any 𝕀: |Γ|², M·Γ, |M|² and E; the group keeps the first three at any step."""
    inertia = ((2.0, 0.1, 0.05), (0.1, 1.4, -0.1), (0.05, -0.1, 1.1))
    system = ball(offset=0.0, inertia=inertia, noise=())
    run = system.simulate(t_end=20, dt=0.5, method="dop853")
    for name in ("energy", "momentum-squared", "momentum-gamma", "gamma-norm"):
        assert spread(run[name]) < 1e-11, name  # measured 1.6e-12
    run = system.simulate(t_end=50, dt=0.05, method="lie-heun", save="every:20")
    for name in ("momentum-squared", "momentum-gamma", "gamma-norm"):
        assert spread(run[name]) < 5e-13, name  # |M|² is 8; measured 6e-14
    assert spread(run["energy"]) < 2e-3  # measured 5e-4


@models
def test_homogeneous_ball(model):
    """𝕀 = I₀·1, ℓ = 0, any ξ_i: |Ω|² − (Ω·Γ)², while E moves."""
    system = ball(model, offset=0.0, inertia=(0.4, 0.4, 0.4), noise=TWO_NOISES)
    run = system.simulate(t_end=10, dt=0.1, method="dop853", driver=["sin(3*t)", "cos(2*t)"])
    level = np.sum(run["Omega"] ** 2, axis=-1) - np.sum(run["Omega"] * run["Gamma"], axis=-1) ** 2
    assert spread(level) < 1e-11  # of 0.9; measured 2.6e-12
    assert spread(run["energy"]) > 0.1  # measured 6.1 and 7.8


class VolatileBall(RollingBall):
    """A ball whose noise has a fixed direction e and an amplitude with a life of its own: ξ = z e, dz = β∘dW."""

    direction = sd.unit_vector((2 / 3, -1 / 3, 2 / 3))
    start = sd.parameter(0.4)
    beta = sd.parameter(0.7)

    def internal(self):
        return [sd.InternalState("z", self.start, noise=[[self.beta]])]

    def amplitudes(self, a, z):
        return [z.z * self.direction]

    def transport_noise(self):
        return sd.StateNoise(self.amplitudes)


@pytest.mark.parametrize("method", ["lie-heun(exp)", "lie-midpoint(exp)"])
def test_volatility_law(method):
    """No gravity, Ω(0) = 0: Γ(T) = exp(−ê(z₀W + ½βW²))Γ₀, path by path; the steps sum ½(z_n + z_{n+1})ΔW exactly."""
    system = VolatileBall(gravity=0.0)
    run = system.simulate(t_end=1, dt=0.02, paths=20, seed=4, method=method, state={"Omega": (0, 0, 0), "Gamma": E3})
    W = brownian(4, 20, 50, 0.02)
    assert not run["Omega"].any()
    assert np.abs(run["z"] - (0.4 + 0.7 * W)).max() < 1e-13  # measured 7e-16
    expected = turned(system.direction, 0.4 * W + 0.5 * 0.7 * W**2)
    assert np.abs(run["Gamma"] - expected).max() < 1e-13  # measured 1.1e-15


def test_volatility_as_a_vector_of_the_state():
    """The same law by VolatilityNoise, whose states are the vectors ξ_i."""

    class VectorBall(VolatileBall):
        def internal(self):
            return ()

        def transport_noise(self):
            e = self.direction
            return sd.noise.VolatilityNoise([self.start * e], diffusion=[self.beta * e])

    run = VectorBall(gravity=0.0).simulate(
        t_end=3, dt=0.1, method="dop853", driver="sin(2*t)", state={"Omega": (0, 0, 0), "Gamma": E3}
    )
    W = np.sin(2 * run.times)
    direction = VectorBall().direction
    assert np.abs(run["xi1"][0] - (0.4 + 0.7 * W)[:, None] * direction).max() < 1e-14  # measured 4e-16
    assert np.abs(run["Gamma"][0] - turned(direction, 0.4 * W + 0.35 * W**2)).max() < 1e-12  # measured 4.4e-14
