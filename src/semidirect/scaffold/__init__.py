"""A ready plugin package for a system of one's own: what ``semidirect new`` writes."""

from semidirect.scaffold.choices import ADVECTED, CONSTRAINTS, GROUPS, NOISES, Choices
from semidirect.scaffold.package import package, write

__all__ = ["ADVECTED", "CONSTRAINTS", "GROUPS", "NOISES", "Choices", "package", "write"]
