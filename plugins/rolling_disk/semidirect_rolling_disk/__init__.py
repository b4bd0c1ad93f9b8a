"""A vertical disk that rolls on a plane, with noise in its spin and in its turn."""

from semidirect_rolling_disk.exact_fit import ExactFit, exact_fit
from semidirect_rolling_disk.rolling_disk import RollingDisk

__all__ = ["ExactFit", "RollingDisk", "exact_fit"]
