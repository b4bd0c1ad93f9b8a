"""A disc that rolls and falls on a plane with transport noise, and Euler's disc."""

from semidirect_falling_disc.falling_disc import FallingDisc
from semidirect_falling_disc.presets import euler_disc

__all__ = ["FallingDisc", "euler_disc"]
