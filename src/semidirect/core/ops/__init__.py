"""Array code that runs on symbols, on numbers and on batches of paths.

Arrays have their components first. A vector of one point has shape ``(n,)``, a matrix ``(n, m)``; a batch of paths adds
trailing axes, ``(n, paths)``. The entries may be floats, SymPy expressions, exact fractions or tracer scalars (dtype
``object``). Sums run in a fixed order and nothing calls BLAS, so a result never depends on the batch that it was computed in.

Users write Lagrangians, contact vectors and noise with these functions on one point, never on a batch.
"""

from semidirect.core.ops.arrays import (
    array,
    cross,
    dot,
    hat,
    identity,
    inertia,
    matmul,
    matrix,
    matvec,
    outer,
    stack,
    transpose,
    zeros,
)
from semidirect.core.ops.functions import Scalar as Scalar
from semidirect.core.ops.functions import absolute, cos, exp, log, maximum, norm, sin, sqrt, tan, where
from semidirect.core.ops.functions import elementwise as elementwise
from semidirect.core.ops.tables import interpolate

__all__ = [
    "array", "stack", "matrix", "zeros", "identity", "dot", "cross", "outer", "transpose", "matvec", "matmul", "norm", "hat",
    "sqrt", "sin", "cos", "tan", "exp", "log", "absolute", "where", "maximum", "inertia", "interpolate",
]  # fmt: skip
