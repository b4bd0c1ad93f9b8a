"""The attributes that files of this package read of a matrix system and of its equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra


class StatedByArrays(Protocol):
    """A system, :class:`~semidirect.matrices.MatrixLiePoisson`."""

    @property
    def values(self) -> Mapping[str, Any]:
        """Values of the parameters."""

    @property
    def velocity(self) -> Callable[..., Any]:
        """P(W)."""

    @property
    def hamiltonian(self) -> Callable[..., Any]:
        """H(W)."""

    def fields(self) -> Sequence[Any]:
        """The noise fields."""

    def lie_algebra(self) -> MatrixAlgebra:
        """The algebra with its size."""


class ArrayModel(Protocol):
    """Its equations, :class:`~semidirect.matrices.matrix_sde.MatrixSDE`."""

    algebra: MatrixAlgebra
    wieners: int

    def known(self, key: Any, make: Callable[[], Any]) -> Any:
        """A result, made at first use."""

    def of_some(self, which: np.ndarray) -> Self:
        """Those of some paths."""

    def generator(
        self, W: np.ndarray, t: Any, dt: Any, dW: np.ndarray, constant: np.ndarray | None = None
    ) -> np.ndarray:
        """P dt + Σ X_k dWᵏ."""

    def constant_noise(self, dW: np.ndarray, paths: int) -> np.ndarray | None:
        """Σ X_k dWᵏ over the fields that are elements of the algebra."""
