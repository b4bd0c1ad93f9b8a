"""Matrices as rows of real numbers: how states, runs and names of components see a matrix."""

from __future__ import annotations

import reprlib
from typing import Any, NamedTuple

import numpy as np

from semidirect.core.arguments.numbers import numeric
from semidirect.core.errors import InputError
from semidirect.core.per_path import PerPath


class FlatMatrix(NamedTuple):
    """An N × N matrix as N² real numbers, row by row, or as 2 N²: the real part, then the imaginary part.

    Attributes
    ----------
    size : int
        N.
    complex : bool
        Whether it has an imaginary part.
    """

    size: int
    complex: bool

    @property
    def kind(self) -> str:
        """The kind of the rows."""
        return "matrices"

    @property
    def rows(self) -> int:
        """The number of rows of a state that it takes."""
        return self.size * self.size * (2 if self.complex else 1)

    def flattened(self, matrices: np.ndarray) -> np.ndarray:
        """Matrices ``(…, N, N)`` as numbers ``(…, rows)``."""
        flat = matrices.reshape(*matrices.shape[:-2], -1)
        return np.concatenate([flat.real, flat.imag], axis=-1) if self.complex else flat

    def shaped(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers ``(…, rows)`` as matrices ``(…, N, N)``."""
        n, count = self.size, self.size * self.size
        if not self.complex:
            return numbers.reshape(*numbers.shape[:-1], n, n)
        out = np.empty(numbers.shape[:-1] + (count,), dtype=complex)
        out.real, out.imag = numbers[..., :count], numbers[..., count:]
        return out.reshape(*numbers.shape[:-1], n, n)

    def described(self) -> list[Any]:
        """The record of it, which :func:`flat_array` reads."""
        return [self.size, self.complex]

    def component_names(self, name: str) -> tuple[str, ...]:
        """``W12`` is the entry in row 1 and column 2; rows after the N-th are those of the imaginary part. From ten rows on
        ``W1_2``.
        """
        count = self.size * (2 if self.complex else 1)
        between = "_" if count > 9 else ""
        return tuple(f"{name}{i + 1}{between}{j + 1}" for i in range(count) for j in range(self.size))

    def read(self, what: str, value: Any) -> np.ndarray:
        """The value that a user gives, as numbers ``(rows,)`` or ``(paths, rows)``.

        Raises
        ------
        InputError
            For anything else, and for an imaginary part that the matrices do not have.
        """
        content = value.values if isinstance(value, PerPath) else value
        try:
            array = np.asarray(content)
            imaginary = numeric(array.imag) if array.dtype.kind == "c" else None
            real = numeric(array.real if array.dtype.kind == "c" else content)
        except (TypeError, ValueError):
            raise InputError(what, expected="numbers", got=reprlib.repr(value)) from None
        if real.shape[-2:] != (self.size, self.size) or real.ndim > 3:
            if imaginary is None and real.ndim in (1, 2) and real.shape[-1] == self.rows:
                return real
            raise InputError(
                what, expected=f"a matrix ({self.size}, {self.size}), or one per path", got=f"shape {real.shape}",
            )  # fmt: skip
        if imaginary is not None and not self.complex and np.any(imaginary != 0):
            raise InputError(what, expected="a real matrix", got="one with an imaginary part")
        return self.flattened(real if imaginary is None else real + 1j * imaginary)
