"""A ball driven by three rotors inside it."""

from semidirect_spherical_robot.presets import line_follower
from semidirect_spherical_robot.spherical_robot import SphericalRobot

__all__ = ["SphericalRobot", "line_follower"]
