"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .algebra_names import algebra as algebra
from .diagonal_solve import DiagonalSolve as DiagonalSolve
from .matrix_algebra import MatrixAlgebra as MatrixAlgebra
from .matrix_lie_poisson import MatrixLiePoisson as MatrixLiePoisson
from .matrix_state import MatrixState as MatrixState
from .products import adjoint as adjoint
from .products import bracket as bracket
from .products import matmul as matmul
from .traces import trace as trace
