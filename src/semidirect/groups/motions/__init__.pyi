"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .best import best_rotations as best_rotations
from .minimal import minimal_rotation as minimal_rotation
from .rotations import SPACE as SPACE
from .rotations import space_exponential as space_exponential
from .rotations import space_logarithm as space_logarithm
from .rotations import turned as turned
from .series import cotangent_series as cotangent_series
from .series import without_screw as without_screw
