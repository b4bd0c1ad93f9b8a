"""The extended Kalman filter is Kalman's in linear systems, agrees with particles elsewhere, and says whether it is invariant."""

import numpy as np
import pytest
from calibration import BALL, DOTS, OPTIONS, start
from test_filter import DISK, OMEGA, data_of, kalman

import semidirect as sd
from semidirect import ops

AT_START = {"state": {"omega": OMEGA[0], "nu": 0.0}, "update": sd.ExtendedKalman({"omega": OMEGA[1]}), "dt": 0.05}


class Particle(sd.System):
    """A free particle on the plane with a force and random steps: linear."""

    group = sd.RealSpace(2)
    initial = {"v": (1.0, 0.0)}

    def lagrangian(self, xi):
        """Kinetic energy."""
        return ops.dot(xi.v, xi.v) / 2

    def constraint(self):
        """Random steps along both axes."""
        return sd.Unconstrained(noise=[(0.3, 0.0), (0.0, 0.2)])


@pytest.mark.parametrize("noise", [0.1, 0.01])
def test_the_linear_limit_is_kalmans_filter(noise):
    """Measured: log L to 8e-15, means and standard deviations to 1e-15."""
    position, data = data_of(noise)
    total, states = kalman(data, noise)
    found = sd.filter(DISK, position, data, quantities=["x", "omega", "x - 2*omega"], **AT_START)
    assert found.log_likelihood == pytest.approx(total, abs=1e-8)
    for name, row in (("x", [1, 0]), ("omega", [0, 1]), ("x - 2*omega", [1, -2])):
        means, spreads = np.array([(row @ m, np.sqrt(row @ P @ row)) for m, P in states]).T
        assert np.allclose(found.data[f"{name}_mean"], means, rtol=0, atol=1e-8)
        assert np.allclose(found.data[f"{name}_sd"], spreads, rtol=0, atol=1e-8)
        assert np.allclose(
            found.data[f"{name}_quantile"][:, 2], means + 1.6448536269514722 * spreads, rtol=0, atol=1e-8
        )


SMALL = 1e-4
"""Of all angles [rad]: terms that are not linear are 1e-8 of the others."""


def hanging(data, dt, steps):
    """Log-likelihood of Γ₁, Γ₂ of a top that hangs, in small angles: γ″ = −γ, with one noise; by Heun's method."""
    A = np.array([[0, 0, 0, 1], [0, 0, -1, 0], [0, 1, 0, 0], [-1, 0, 0, 0.0]])  # of (γ₁, γ₂, Ω₁, Ω₂)
    b = SMALL * np.array([0.5, -1.0, 0, 0])  # ξ = (1, 0.5, 0)
    F, g = np.eye(4) + dt * A + dt**2 * A @ A / 2, (np.eye(4) + dt * A / 2) @ b
    H, m, P, total = np.eye(2, 4), np.zeros(4), np.diag([0, 0, 4, 4]) * SMALL**2, 0.0
    for y in data:
        for _ in range(steps):
            m, P = F @ m, F @ P @ F.T + dt * np.outer(g, g)
        S, r = H @ P @ H.T + SMALL**2 * np.eye(2), y - H @ m
        total -= 0.5 * (r @ np.linalg.solve(S, r) + np.linalg.slogdet(2 * np.pi * S)[1])
        K = P @ H.T @ np.linalg.inv(S)
        m, P = m + K @ r, P - K @ H @ P
    return total


def test_small_angles_are_the_linear_limit():
    """Of a top that hangs. Δ log L measured: 1e-8 of the extended filter, 0.02 of 10,000 particles."""
    top = sd.load("heavy-top", noise=[[SMALL, 0.5 * SMALL, 0]])
    seen = sd.Observation(["Gamma1", "Gamma2"], noise=SMALL)
    down = {"Omega": (0.0, 0.0, 0.0), "Gamma": (0.0, 0.0, -1.0)}
    run = top.simulate(t_end=1.5, dt=0.05, save="every:5", seed=3, state=down, method="heun")
    data = seen.of(run, seed=1).isel(time=slice(1, None))
    total = hanging(data.values[:, 0], 0.05, 5)
    update = sd.ExtendedKalman({"Omega": [2 * SMALL, 2 * SMALL, 0]})
    found = sd.filter(top, seen, data, dt=0.05, state=down, update=update, method="heun")
    print(f"Δ log L = {found.log_likelihood - total:.2g}")
    assert found.log_likelihood == pytest.approx(total, abs=1e-6)

    def drawn(rng, count):
        return {**down, "Omega": 2 * SMALL * rng.standard_normal((count, 3)) * [1, 1, 0]}

    particles = sd.filter(top, seen, data, dt=0.05, state=drawn, particles=10_000, method="heun")
    print(f"Δ log L of particles = {particles.log_likelihood - total:.3f}")
    assert particles.log_likelihood == pytest.approx(total, abs=0.1)


def test_on_a_group_it_agrees_with_particles():
    """A ball seen by a camera, with what remains of the nonlinearity: means within 0.25 standard deviations, measured 0.15."""
    camera = sd.inference.camera(DOTS, noise=0.05)
    truth = BALL.simulate(
        t_end=0.6, state=start(np.random.default_rng(1), 1), seed=10**6 + 1, save="every:10", **OPTIONS
    )
    data = camera.of(truth, seed=1).isel(time=slice(1, None))
    found = sd.filter(
        BALL, camera, data, state={"Omega": (0.3, 1.0, 2.0)}, update=sd.ExtendedKalman({"Omega": 0.1}), **OPTIONS
    )
    drawn = sd.filter(BALL, camera, data, state=start, update="extended-kalman", **OPTIONS)
    particles = sd.filter(
        BALL, camera, data, state=start, seed=1, update=sd.inference.ParticleUpdate(reach=20), **OPTIONS
    )
    for other in (particles, drawn):
        off = np.abs(found.data["Omega_mean"] - other.data["Omega_mean"]) / found.data["Omega_sd"]
        print(f"means off by {float(off.max()):.2f} standard deviations")
        assert off.max() < 0.25
        assert np.allclose(found.data["Omega_sd"], other.data["Omega_sd"], rtol=0.15)
        assert found.log_likelihood == pytest.approx(other.log_likelihood, abs=0.5)
    mean = found.data["element_mean"].values[:, :3, :3]
    assert np.allclose(np.swapaxes(mean, 1, 2) @ mean, np.eye(3), atol=1e-12)
    away = np.linalg.norm(found.data["element_mean"].values - particles.data["element_mean"].values, axis=(1, 2))
    assert away.max() < 0.03


def filtered(system, observation, size, **options):
    return sd.filter(
        system, observation, ([0.1], np.zeros((1, size))), dt=0.1, update="extended-kalman", **options
    ).invariance


def test_invariance_is_computed():
    linear = filtered(Particle(), sd.Observation(["x1", "x2"], noise=0.1), 2)
    assert linear.left
    assert linear.right
    assert str(linear) == "\n".join(
        f"{k}-invariant errors: no Jacobian depends on the estimate" for k in ("left", "right")
    )
    curved = filtered(Particle(), sd.Observation("x1**2 + x2", noise=0.1), 1)
    assert not curved.left
    assert curved.steps == pytest.approx((0, 0), abs=1e-12)
    assert curved.innovations[0] > 0.01
    # a direction of the body seen in space, and one of space seen in the body
    top = sd.load("heavy-top")
    in_space = filtered(top, sd.Observation(lambda state: state.s[:3, 2], noise=10), 3)
    in_body = filtered(top, sd.Observation("Gamma", noise=10), 3)
    for invariance, mine, other in ((in_space, 0, 1), (in_body, 1, 0)):
        assert invariance.innovations[mine] < 1e-12
        assert invariance.innovations[other] > 0.1
        assert not invariance.left  # the step depends on Ω
        assert not invariance.right
        assert "that of a step by" in str(invariance)
    assert (
        sd.filter(DISK, sd.inference.position(["x"], noise=1), ([0.1], [0.0]), dt=0.1, particles=50).invariance is None
    )


def test_missing_marks_and_times_without_data_count_as_unseen():
    """Where all marks are missing the prediction remains; one that is seen alone is used, with the chance of that."""
    two = sd.Observation(lambda state: [[state.s[0, 0]], [state.s[1, 0]]], noise=0.1, lost=0.2)
    one = sd.Observation(lambda state: [[state.s[1, 0]]], noise=0.1)
    options = {
        "dt": 0.05,
        "state": {"omega": 1.0, "nu": 0.5},
        "update": sd.ExtendedKalman({"nu": 0.3, "configuration": 0.1}),
    }
    lost = sd.filter(DISK, two, ([0.1, 0.2], [[[np.nan], [0.1]], [[np.nan], [np.nan]]]), **options)
    alone = sd.filter(DISK, one, ([0.1], [[[0.1]]]), **options)
    chance = np.log(0.2) + np.log(0.8)  # of one mark that is lost and one that is not
    assert lost.log_likelihood == pytest.approx(alone.log_likelihood + chance, rel=1e-12)
    assert np.allclose(lost.data["nu_sd"][0], alone.data["nu_sd"][0], rtol=1e-12)
    assert np.isnan(lost.data["surprise"][1])
    assert lost.data["nu_sd"][1] == pytest.approx(float(lost.data["nu_sd"][0]))


@pytest.mark.parametrize(("options", "words"), [
    ({"lag": 2}, "smoothing"),
    ({"update": sd.ExtendedKalman({"speed": 1})}, "omega"),
    ({"update": sd.ExtendedKalman({"omega": [1, 2]})}, "one number"),
    ({"state": lambda rng, n: {"radius": 1 + 0.1 * rng.random(n)}}, "path to path"),
])  # fmt: skip
def test_unusable_observations_raise_errors(options, words):
    position, data = data_of(0.1, 2)
    with pytest.raises((sd.errors.MethodError, sd.errors.InputError, sd.errors.UnknownNameError), match=words):
        sd.filter(DISK, position, data, **{**AT_START, **options})


def test_bad_data_and_bad_spreads():
    position, data = data_of(0.1, 2)
    for wrong in (data.where(data < -99), data.values, (data["time"].values * 1000, data.values[:, :, [0, 0]]),
                  (data["time"].values - 9, data.values)):  # fmt: skip
        with pytest.raises(sd.errors.InputError):
            sd.filter(DISK, position, wrong, **AT_START)
    with pytest.warns(sd.errors.FilterWarning, match="far from their prediction"):
        sd.filter(DISK, position, data + 100, **AT_START)
    given = sd.Observation("x", noise=lambda data, predicted: -np.abs(predicted[..., 0] - data[:, 0]))
    with pytest.raises(sd.errors.MethodError, match="log-density"):
        sd.filter(DISK, given, data, **AT_START)
    for spread in ({"omega": -1}, {"omega": np.nan}, {"omega": [[1.0]]}, 0.1):
        with pytest.raises(sd.errors.InputError):
            sd.ExtendedKalman(spread)


@pytest.mark.parametrize("method", ["heun", "rk4", "euler-maruyama", "implicit-midpoint"])
def test_methods_that_leave_the_orbit(method):
    """|Γ| drifts by the error of the method, and the mean path continues with its own Γ: near the filter on the group."""
    import xarray

    top = sd.load("heavy-top", noise=[[0.1, 0.0, 0.1]])
    data = xarray.DataArray([[0.9], [0.8], [0.7]], {"time": [0.1, 0.2, 0.3]}, ["time", "component"])
    call = {
        "dt": 0.02,
        "state": {"Omega": (0.1, 0.2, 1.0), "Gamma": (0.6, 0.0, 0.8)},
        "update": sd.ExtendedKalman({"Omega": 0.1}),
    }
    found = [
        sd.filter(top, sd.Observation("Gamma3", noise=0.1), data, method=m, **call).log_likelihood
        for m in (method, "lie-heun")
    ]
    assert abs(found[0] - found[1]) < (0.1 if method == "euler-maruyama" else 0.01)
