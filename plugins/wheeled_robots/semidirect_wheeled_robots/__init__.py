"""Robots on wheels: the differential drive and the roller racer."""

from semidirect_wheeled_robots.differential_drive import DifferentialDrive
from semidirect_wheeled_robots.roller_racer import RollerRacer

__all__ = ["DifferentialDrive", "RollerRacer"]
