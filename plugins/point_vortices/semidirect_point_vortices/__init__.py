"""Point vortices on the sphere."""

from semidirect_point_vortices.point_vortices import PointVortices

__all__ = ["PointVortices"]
