"""Algebras of matrices by name."""

from __future__ import annotations

from semidirect.core import arguments, errors, explains_calls, registry
from semidirect.matrices import algebras
from semidirect.matrices.matrix_algebra import MatrixAlgebra

ALGEBRAS: registry.Registry[MatrixAlgebra] = registry.Registry(
    "algebra",
    MatrixAlgebra,  # type: ignore[type-abstract]
    algebras.__name__,
    "semidirect.algebras",
)
"""All algebras: those of :mod:`semidirect.matrices.algebras`, and those that packages declare as ``semidirect.algebras``."""


@explains_calls
def algebra(name: str, size: int) -> MatrixAlgebra:
    """The algebra of N × N matrices of this name: ``algebra("so", 4)``.

    Raises
    ------
    UnknownNameError
        If there is none of this name.
    InputError
        For a size for which it has no elements but 0.
    """
    kind = ALGEBRAS[arguments.validated_name("algebra", name, tuple(ALGEBRAS))]
    count = arguments.validated_whole("the size of matrices", size, least=1)
    if count < kind.least:
        raise errors.InputError(f"the size of matrices of {name}", expected=f"at least {kind.least}", got=str(count))
    return kind(count)
