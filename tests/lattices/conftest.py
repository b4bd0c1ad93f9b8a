"""Lattices of one test serve others."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
