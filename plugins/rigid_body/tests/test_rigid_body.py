"""The free rigid body."""

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.special import ellipk
from semidirect_rigid_body import RigidBody

from semidirect.testing import system_contract

TestRigidBody = system_contract(RigidBody)
TestRigidBodyWithGamma = system_contract(RigidBody, advect_gamma=True, inertia=[[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]])


def test_euler_equations():
    """dM = M × (Ω dt + Σ ξ_i∘dW^i)."""
    body = RigidBody(inertia=(1.0, 2.0, 3.0), noise=[[0.1, 0.2, 0.3]])
    Omega, xi = np.array([1.0, 0.5, -0.3]), np.array([0.1, 0.2, 0.3])
    M = np.array([1.0, 2.0, 3.0]) * Omega
    result = body.evaluate({"Omega": Omega})
    np.testing.assert_allclose(result["drift"]["M"], np.cross(M, Omega), rtol=0, atol=1e-16)
    np.testing.assert_allclose(result["noise"][0]["M"], np.cross(M, xi), rtol=0, atol=1e-16)
    energy = result["observables"]["energy"]
    assert energy["drift"] == 0
    np.testing.assert_allclose(energy["noise"][0], Omega @ np.cross(M, xi), rtol=1e-15)


def test_isotropic_noise_damps_the_mean():
    """𝕀 = 1, noises σe_i: in Itô form the drift of Π is −σ²Π, so E Π(t) = e^{−σ²t} Π₀."""
    result = RigidBody(inertia=(1.0, 1.0, 1.0), noise=0.3 * np.eye(3)).evaluate({"Omega": (1.0, 0.5, -0.3)})
    np.testing.assert_allclose(result["ito_drift"]["M"], [-0.09, -0.045, 0.027], rtol=1e-15)
    np.testing.assert_allclose(result["drift"]["M"], 0, atol=0)


def test_the_vertical_is_carried_where_it_is_asked_for():
    assert "Gamma" not in RigidBody().evaluate()["state"]
    body = RigidBody(advect_gamma=True)
    result = body.evaluate()
    np.testing.assert_allclose(
        result["drift"]["Gamma"], np.cross(result["state"]["Gamma"], result["state"]["Omega"]), rtol=0, atol=1e-16
    )
    assert "gamma-norm" in body.observables()
    assert "gamma-norm" not in RigidBody().observables()


def test_geometric_phase():
    """After a period of Π the body is turned about L by Δθ = 2ET/|L| − solid angle (Montgomery 1991)."""
    I = np.array([1.0, 1.7, 2.5])
    Omega = np.array([0.3, 0.4, 1.0])
    L2, E2 = I**2 @ Omega**2, I @ Omega**2
    k2 = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]))
    period = 4 * ellipk(k2) * np.sqrt(np.prod(I) / ((I[2] - I[1]) * (L2 - E2 * I[0])))
    body = RigidBody(inertia=I, noise=())
    run = body.simulate(t_end=period, dt=period / 128, method="dop853", state={"Omega": Omega})
    n = run["M"][0] / np.sqrt(L2)
    rate = np.cross(n, run["Omega"][0])
    # The solid angle ∮(1 − n₃)dφ, by a sum that is exact to round-off for a smooth periodic function.
    whirl = (n[:, 0] * rate[:, 1] - n[:, 1] * rate[:, 0]) / (n[:, 0] ** 2 + n[:, 1] ** 2)
    angle = np.sum(((1 - n[:, 2]) * whirl)[:-1]) * period / 128
    rotation = Rotation.from_matrix(run["g"][0, -1].reshape(3, 3)).as_rotvec()
    np.testing.assert_allclose(np.cross(rotation, n[0]), 0, atol=1e-13)  # about L: measured 8e-16
    rest = rotation @ n[0] - (E2 * period / np.sqrt(L2) - angle)
    assert abs(rest - 2 * np.pi * round(rest / (2 * np.pi))) < 5e-12  # measured 6.9e-14
    assert angle > 0.1  # measured 0.197
