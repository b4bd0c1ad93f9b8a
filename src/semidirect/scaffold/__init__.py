"""Templates of plugin packages, written by ``semidirect new``."""

from semidirect.scaffold.choices import ADVECTED, CONSTRAINTS, GROUPS, NOISES, Choices
from semidirect.scaffold.package import package, write

__all__ = ["ADVECTED", "CONSTRAINTS", "GROUPS", "NOISES", "Choices", "package", "write"]
