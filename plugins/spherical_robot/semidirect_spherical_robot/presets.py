"""Manoeuvres of the robot."""

import semidirect as sd
from semidirect_spherical_robot.spherical_robot import SphericalRobot

line_follower = sd.definition.Preset(
    SphericalRobot,
    {"control": "line"},
    """Spherical robot whose rotors hold it on the line x₂ = 0 under transport noise, by feedback of velocity and position.

    Gains and noise are chosen: the velocity settles in about a quarter of a second, the position in a second.
    """,
)
