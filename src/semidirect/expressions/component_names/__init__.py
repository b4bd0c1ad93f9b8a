"""Names of quantities and of their components, the same in equations, proofs, runs, pictures and on the command line.

The components of ``Omega`` are ``Omega1``, ``Omega2``, ``Omega3``; coordinates of the configuration have the names of the group,
``x1`` or, for the entry of a matrix in row 1 and column 2, ``g12`` (``g1_12`` from ten rows on).
"""

from semidirect.expressions.component_names.components import component_names, component_of, grouped
from semidirect.expressions.component_names.identifiers import hyphenated, identifier
from semidirect.expressions.component_names.layouts import layout

__all__ = ["component_names", "component_of", "grouped", "hyphenated", "identifier", "layout"]
