"""Kinematics alone: Brownian motion on SO(3) and S² against the heat kernel, and motions by given velocities."""

import pickle

import numpy as np
import pytest
from brownian import END, SIGMA, Brownian, deviations, of_cayley_steps
from scipy.spatial.transform import Rotation

import semidirect as sd
from semidirect import ops
from semidirect.testing import system_contract

TestBrownian = system_contract(Brownian)


def test_characters_and_the_mean_on_the_sphere_follow_the_exact_law_of_the_steps():
    """Of 10⁶ paths, `python tests/facts/brownian.py`: within 1.1 standard errors."""
    found = deviations(20_000)
    assert np.max(np.abs(np.concatenate([*found.values()]))) < 4


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_steps_tend_to_the_heat_kernel_with_the_declared_weak_order(order):
    """E χ_l/(2l + 1) → exp(−l(l + 1)σ²t/2), the bias as Δt: the weak order of lie-heun is 1."""
    heat = np.exp(-order * (order + 1) * SIGMA**2 * END / 2)
    bias = np.array([of_cayley_steps(order, n) - heat for n in (32, 64, 128)])
    np.testing.assert_allclose(np.log2(bias[:-1] / bias[1:]), 1, atol=0.1)  # measured 0.98 to 1.03


def test_the_generator_on_the_sphere_is_half_the_laplacian():
    """The Itô drift of Γ is −σ²Γ, so E Γ(t) = e^{−σ²t} Γ₀; |Γ|² is proved conserved."""
    found = Brownian().evaluate({"Gamma": (0.6, 0.0, 0.8)})
    np.testing.assert_allclose(found["ito_drift"]["Gamma"], [-0.6 * SIGMA**2, 0, -0.8 * SIGMA**2], atol=1e-15)
    assert Brownian().is_conserved("gamma_squared")


def motion(**more):
    up = sd.Advected(sd.VectorRepresentation(sd.SO3()), reference=(0, 0, 1))
    return sd.Kinematics(sd.SO3(), advected={"Gamma": up}, **more)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_a_given_velocity_moves_the_group(engine):
    """ξ(t) = (0, 0, cos t): g = exp(sin t ê₃), Γ = g⁻¹e₃; a constant one by exp(t ξ̂)."""
    run = motion(velocity=lambda t: (0, 0, ops.cos(t))).simulate(
        t_end=2.0, dt=0.02, method="rkmk4", execution=sd.Execution(engine=engine)
    )
    np.testing.assert_allclose(Rotation.from_matrix(run["g"][0, -1].reshape(3, 3)).as_rotvec(),
                               [0, 0, np.sin(2.0)], atol=1e-9)  # measured 3e-11  # fmt: skip
    xi = np.array([0.3, -0.5, 0.7])
    run = motion(velocity=xi).simulate(t_end=1.0, dt=0.5, method="lie-heun(exp)", execution=sd.Execution(engine=engine))
    g = Rotation.from_rotvec(xi).as_matrix()
    np.testing.assert_allclose(run["g"][0, -1].reshape(3, 3), g, atol=1e-15)
    np.testing.assert_allclose(run["Gamma"][0, -1], g.T @ [0, 0, 1], atol=1e-15)


def test_one_noise_is_a_rotation_about_its_axis_by_its_path():
    """dg = g σ̂∘dW with one σ: g = exp(W σ̂), whatever the step."""
    sigma = np.array([0.2, 0.9, -0.4])
    run = motion(noise=[sigma]).simulate(t_end=1.0, dt=0.25, driver="sin(3*t)", method="lie-heun(exp)")
    expected = Rotation.from_rotvec(np.sin(3.0) * sigma).as_matrix()
    np.testing.assert_allclose(run["g"][0, -1].reshape(3, 3), expected, atol=1e-14)


def test_engines_give_the_same_bits_where_nothing_but_the_configuration_moves():
    walk = sd.Kinematics(sd.SE2(), velocity=np.ones(3), noise=0.3 * np.eye(3))
    for method in ("lie-heun", "implicit-midpoint"):  # explicit in the moving frame, implicit without a state
        one, other = (
            walk.simulate(t_end=1.0, dt=0.1, paths=5, method=method, execution=sd.Execution(engine=engine))
            for engine in ("numpy", "compiled")
        )
        for name in ("angle", "x"):
            np.testing.assert_array_equal(one[name], other[name])


def test_noise_and_velocity_are_parameters():
    """They may differ from path to path, and new values need no new derivation."""
    walk = sd.Kinematics(sd.SO3(), noise=0.3 * np.eye(3))
    scaled = walk.replace(noise=sd.PerPath(np.array([1.0, 0.0])[:, None, None] * np.eye(3)))
    run = scaled.simulate(t_end=1.0, dt=0.1)
    np.testing.assert_array_equal(run["g"][1, -1], np.eye(3).ravel())
    assert np.linalg.norm(run["g"][0, -1] - np.eye(3).ravel()) > 0.1
    assert scaled.sde() is walk.sde()
    again = pickle.loads(pickle.dumps(walk))
    np.testing.assert_array_equal(again.simulate(t_end=1, dt=0.1)["g"], walk.simulate(t_end=1, dt=0.1)["g"])
    assert str(again.equations()).startswith("Kinematics: S = SO3; velocity Ω; kinematics alone, ds = s Ω̃\n")


def test_internal_states_and_state_noise_belong_to_a_motion_too():
    """dz = −z dt, ξ = z e₁: g = exp((1 − e^{−t}) ê₁)."""
    found = sd.Kinematics(
        sd.SO3(),
        velocity=lambda z: (z.z, 0, 0),
        internal=[sd.InternalState("z", 1.0, drift=lambda z: [-z.z])],
    ).simulate(t_end=1.0, dt=0.02, method="rkmk4")
    turned = Rotation.from_matrix(found["g"][0, -1].reshape(3, 3)).as_rotvec()
    np.testing.assert_allclose(turned, [1 - np.exp(-1.0), 0, 0], atol=1e-8)


class Driven(sd.System):
    """A rigid body that is turned about an axis fixed in it: the reaction is the torque that this takes."""

    inertia: sd.Parameter = sd.inertia((1.0, 2.0, 3.0))
    rate: sd.Parameter = sd.parameter((0.3, -0.4, 0.5))
    group = sd.SO3()

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.PrescribedVelocity(lambda t: [ops.cos(t) * x for x in self.rate])


TestDriven = system_contract(Driven)


def test_the_torque_of_a_prescribed_motion_is_that_of_euler():
    """R = 𝕀Ω̇ + Ω × 𝕀Ω."""
    system, t = Driven(), 0.4
    found = system.evaluate(t=t)["derived"]["reaction"]
    I, w = np.array([1.0, 2.0, 3.0]), np.array([0.3, -0.4, 0.5])
    expected = -np.sin(t) * I * w + np.cos(t) ** 2 * np.cross(w, I * w)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sd.Kinematics("SO3"), "a Lie group"),
        (lambda: motion(velocity=(1, 2)).equations().latex(), "wrong shape"),
        (lambda: motion(noise=[(1, 2)]).equations().latex(), "wrong shape"),
        (lambda: motion().simulate(t_end=1, dt=0.1, method="variational"), "its velocity is given"),
        (lambda: motion().simulate(t_end=1, dt=0.1, state={"Omega": (1, 2, 3)}), "Omega"),
        (lambda: motion().evolution("energy"), "energy"),
    ],
)
def test_quantities_that_motions_lack_raise_errors(make, message):
    with pytest.raises(sd.SemidirectError, match=message):
        make()


@pytest.mark.parametrize("group", [sd.SO3(), sd.SE2(), sd.SE3()], ids=lambda g: g.name)
@pytest.mark.parametrize("off", [-1, 1])
def test_numbers_of_the_wrong_dimension_raise_errors(group, off):
    n = group.dimension
    for data in (
        {"velocity": np.zeros(n + off)},
        {"noise": np.ones((2, n + off))},
        {"velocity": sd.PerPath(np.zeros((4, n + off)))},
    ):
        with pytest.raises(
            sd.errors.DefinitionError, match=rf"{next(iter(data))} of a motion on {group.name} has the wrong shape"
        ):
            sd.Kinematics(group, **data)
    sd.Kinematics(group, velocity=np.zeros(n), noise=np.ones((2, n)))
