"""The free rigid body."""

from semidirect_rigid_body import RigidBody

from semidirect.testing.system_contract import system_contract

TestRigidBody = system_contract(RigidBody)
TestRigidBodyWithGamma = system_contract(RigidBody, advect_gamma=True)
