"""The free rigid body with transport noise."""

from semidirect_rigid_body.rigid_body import RigidBody

__all__ = ["RigidBody"]
