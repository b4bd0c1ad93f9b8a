"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .iteration import CONTRACTING as CONTRACTING
from .iteration import CONVERGED as CONVERGED
from .iteration import fixed_point as fixed_point
from .linear import solve_pivoted as solve_pivoted
from .linear import solve_symmetric as solve_symmetric
