"""Symbols of a derivation, and numbers made exact."""

from semidirect.core.symbols.exact import exact, exact_array, exact_floats, exact_rows
from semidirect.core.symbols.interpolated import Interpolated, TableSymbol, interpolated, table_symbol
from semidirect.core.symbols.names import distinct, named, read_only, real, staged, staged_blocks, vector
from semidirect.core.symbols.products import gradient, matmul, matvec

__all__ = [
    "Interpolated",
    "TableSymbol",
    "distinct",
    "exact",
    "exact_array",
    "exact_floats",
    "exact_rows",
    "gradient",
    "interpolated",
    "matmul",
    "matvec",
    "named",
    "read_only",
    "real",
    "staged",
    "staged_blocks",
    "table_symbol",
    "vector",
]
