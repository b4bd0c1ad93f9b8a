"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .exact_field import EXACT as EXACT
from .from_text import build as build
from .numpy_source import numpy_source as numpy_source
