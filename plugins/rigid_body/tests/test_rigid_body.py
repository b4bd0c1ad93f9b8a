"""The free rigid body."""

import numpy as np
from semidirect_rigid_body import RigidBody

from semidirect.testing import system_contract

TestRigidBody = system_contract(RigidBody)
TestRigidBodyWithGamma = system_contract(RigidBody, advect_gamma=True, inertia=[[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]])


def test_euler_equations():
    """dM = M × (Ω dt + Σ ξ_i∘dW^i)."""
    body = RigidBody(inertia=(1.0, 2.0, 3.0), noise=[[0.1, 0.2, 0.3]])
    Omega, xi = np.array([1.0, 0.5, -0.3]), np.array([0.1, 0.2, 0.3])
    M = np.array([1.0, 2.0, 3.0]) * Omega
    found = body.evaluate({"Omega": Omega})
    np.testing.assert_allclose(found["drift"]["M"], np.cross(M, Omega), rtol=0, atol=1e-16)
    np.testing.assert_allclose(found["noise"][0]["M"], np.cross(M, xi), rtol=0, atol=1e-16)
    energy = found["observables"]["energy"]
    assert energy["drift"] == 0
    np.testing.assert_allclose(energy["noise"][0], Omega @ np.cross(M, xi), rtol=1e-15)


def test_the_vertical_is_carried_where_it_is_asked_for():
    assert "Gamma" not in RigidBody().evaluate()["state"]
    body = RigidBody(advect_gamma=True)
    found = body.evaluate()
    np.testing.assert_allclose(
        found["drift"]["Gamma"], np.cross(found["state"]["Gamma"], found["state"]["Omega"]), rtol=0, atol=1e-16
    )
    assert "gamma-norm" in body.observables()
    assert "gamma-norm" not in RigidBody().observables()
