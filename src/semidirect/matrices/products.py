"""Products of matrices that fill the last two axes, ``(…, N, N)``: what velocities and fields are written with."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core import errors


def matmul(A: Any, B: Any) -> np.ndarray:
    """AB over the last two axes, the axes before broadcast."""
    a, b = np.asanyarray(A), np.asanyarray(B)
    if a.ndim < 2 or b.ndim < 2 or a.shape[-1] != b.shape[-2]:
        raise errors.InputError("a product of matrices", expected="as many columns as rows, in the last two axes",
                                got=f"shapes {a.shape} and {b.shape}")  # fmt: skip
    return a @ b


def bracket(A: Any, B: Any) -> np.ndarray:
    """[A, B] = AB − BA over the last two axes."""
    return matmul(A, B) - matmul(B, A)


def adjoint(A: Any) -> np.ndarray:
    """A*, the conjugate transpose of the last two axes."""
    return np.conj(np.swapaxes(np.asanyarray(A), -1, -2))
