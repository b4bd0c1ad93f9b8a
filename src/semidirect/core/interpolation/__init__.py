"""Functions given by tables: piecewise linear functions and cubic splines of one variable, with their derivatives.

A table is a parameter, nodes or values. An interpolant is an elementary function that is given by two tables: where a function
of the definition is called with symbols it stays one function, on numbers it is looked up.
"""

from semidirect.core.interpolation.interpolant import (
    ENDS,
    KINDS,
    LAST_ORDER,
    AnyTable,
    Interpolant,
    Spline,
    Table,
    of_paths,
    polynomial,
    spline,
    unknown,
)
from semidirect.core.interpolation.outside import extended_tables, note_outside, reads_outside

__all__ = [
    "AnyTable",
    "ENDS",
    "Interpolant",
    "KINDS",
    "LAST_ORDER",
    "Spline",
    "Table",
    "extended_tables",
    "note_outside",
    "of_paths",
    "polynomial",
    "reads_outside",
    "spline",
    "unknown",
]
