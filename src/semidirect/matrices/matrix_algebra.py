"""The abstract Lie algebra of matrices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, final

import numpy as np

from semidirect.core import FlatMatrix, errors, user_code
from semidirect.matrices.products import adjoint

MEMBER = 1e-10
"""Largest distance from the algebra of a matrix in it, relative to its largest entry."""


class MatrixAlgebra(user_code.Hooked, ABC):
    """A Lie algebra of N × N matrices with an invariant pairing ⟨A, B⟩ = c Re tr(AB).

    A final subclass in a file of :mod:`semidirect.matrices.algebras`, or one that the entry point group ``semidirect.algebras``
    declares, is found by its name.

    Attributes
    ----------
    name : str
        Its name, ``so``.
    complex : bool
        Whether its matrices are complex.
    skew : bool
        Whether they are skew-Hermitian, which saves half of the products.
    pairing_factor : float
        c.
    least : int
        The smallest N.
    """

    name: ClassVar[str]
    complex: ClassVar[bool]
    skew: ClassVar[bool]
    pairing_factor: ClassVar[float]
    least: ClassVar[int] = 1

    def __init__(self, size: int):
        self.size = size

    @abstractmethod
    def project(self, W: np.ndarray) -> np.ndarray:
        """The nearest element of the algebra to matrices ``(…, N, N)``; an element stays as it is, to the bit."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """The dimension of the algebra."""

    @property
    @final
    def flat(self) -> FlatMatrix:
        """Its matrices as rows of numbers."""
        return FlatMatrix(self.size, self.complex)

    @property
    @final
    def label_of_state(self) -> str:
        """What a start gives."""
        return f"matrix of {self!r}"

    @property
    @final
    def label(self) -> str:
        """``so(4)``."""
        return f"{self.name}({self.size})"

    @final
    def __repr__(self) -> str:
        return self.label

    @final
    def pairing(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """⟨A, B⟩ of matrices ``(…, N, N)``."""
        return self.pairing_factor * np.sum(A * np.swapaxes(B, -1, -2), axis=(-2, -1)).real

    @final
    def bracket(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """[A, B] = AB − BA of matrices ``(…, N, N)``."""
        if self.skew:  # BA = (AB)*
            product = A @ B
            return product - adjoint(product)
        return A @ B - B @ A

    @final
    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Random elements ``(count, N, N)`` with entries of size 1."""
        shape = (count, self.size, self.size)
        normals = rng.standard_normal(shape)
        return self.project(normals + 1j * rng.standard_normal(shape) if self.complex else normals)

    @final
    def basis(self) -> np.ndarray:
        """A basis ``(dimension, N, N)``."""
        units = np.zeros((self.flat.rows, self.flat.rows))
        np.fill_diagonal(units, 1.0)
        columns = self.flat.flattened(self.project(self.flat.shaped(units)))
        chosen: list[np.ndarray] = []
        for column in columns:  # projections of units, without those that depend on earlier ones
            rest = column.copy()
            for one in chosen:
                rest -= (one @ rest) / (one @ one) * one
            if np.max(np.abs(rest)) > MEMBER:
                chosen.append(rest)
        return self.flat.shaped(np.array(chosen))

    @final
    def distance(self, W: np.ndarray) -> np.ndarray:
        """How far matrices ``(…, N, N)`` are from the algebra, relative to their largest entries; nan if one is not finite."""
        largest = np.max(np.abs(W), axis=(-2, -1))
        off = np.max(np.abs(W - self.project(W)), axis=(-2, -1))
        return np.where(off == 0, 0.0, off / np.where(largest == 0, 1.0, largest))

    @final
    def refuse_outside(self, W: np.ndarray, what: str, error: type[errors.SemidirectError] = errors.InputError) -> None:
        """Raise an error if a matrix of ``(…, N, N)`` is not in the algebra."""
        off = np.atleast_1d(self.distance(W)).reshape(-1)
        bad = np.flatnonzero(~(off <= MEMBER))
        if len(bad):
            raise error(
                f"{what} is not in {self.label}", expected=f"{self.described} matrices",
                got="not finite ones" if np.isnan(off[bad[0]]) else f"one that is {off[bad[0]]:.2g} of its size away",
                where=f"path {bad[0]}" if len(off) > 1 else "",
                hint=f"Project it: sd.matrices.algebra('{self.name}', {self.size}).project(W).",
            )  # fmt: skip

    @property
    @abstractmethod
    def described(self) -> str:
        """The kind of its matrices, such as ``antisymmetric real``."""
