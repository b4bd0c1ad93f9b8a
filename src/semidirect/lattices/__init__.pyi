"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .lattice import Lattice as Lattice
from .lattice_state import LatticeState as LatticeState
