"""A rigid body in an ideal fluid with transport noise, and Clebsch's integrable case."""

from semidirect_kirchhoff_body.kirchhoff_body import KirchhoffBody
from semidirect_kirchhoff_body.presets import clebsch_body

__all__ = ["KirchhoffBody", "clebsch_body"]
