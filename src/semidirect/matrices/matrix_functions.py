"""The functions of a matrix system with its numbers: velocity, fields, energy."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors, user_code

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra
    from semidirect.matrices.stated import StatedByArrays


@final
class MatrixFunctions:
    """Functions of matrices W ``(paths, N, N)``, of a system whose parameters are numbers.

    Attributes
    ----------
    fields : tuple of array (N, N) or callable
        The noise fields X_k, elements of the algebra or functions of W.
    has_constant_noise : bool
        Whether some are elements.
    """

    def __init__(self, system: StatedByArrays, algebra: MatrixAlgebra):
        self.system, self.algebra, self.name = system, algebra, type(system).__name__
        stated = user_code.listed(system.fields())
        if stated is None:
            raise errors.DefinitionError(
                f"{self.name}.fields", expected=f"a list of elements of {algebra.label} or functions of W",
                got=reprlib.repr(system.fields()),
            )  # fmt: skip
        self.fields = tuple(self._field(k, one) for k, one in enumerate(stated))
        self.has_constant_noise = not all(map(callable, self.fields))

    def _field(self, k: int, field: Any) -> Any:
        if callable(field):
            return field
        what = f"field {k + 1} of {self.name}.fields()"
        return self._element(what, field, self.algebra.size)

    def _element(self, what: str, value: Any, size: int) -> np.ndarray:
        algebra = self.algebra
        try:
            matrix = algebra.flat.shaped(algebra.flat.read(what, value))
        except errors.InputError as error:
            raise errors.DefinitionError(
                what, expected=f"a matrix ({size}, {size}) of {algebra.label}", got=str(error)
            ) from None
        if matrix.ndim != 2:
            raise errors.DefinitionError(what, expected=f"one matrix ({size}, {size})", got=f"shape {matrix.shape}")
        algebra.refuse_outside(matrix, what, errors.DefinitionError)
        matrix.setflags(write=False)
        return matrix

    # -- values ----------------------------------------------------------------------------------------------------

    def velocity(self, W: np.ndarray, t: Any) -> np.ndarray:
        """P(W) ``(paths, N, N)``."""
        return self._called(self.system.velocity, "velocity", W, t)

    def field(self, k: int, W: np.ndarray, t: Any) -> np.ndarray:
        """X_k(W), ``(N, N)`` or ``(paths, N, N)``."""
        field = self.fields[k]
        return self._called(field, f"field {k + 1}", W, t) if callable(field) else field

    def energy(self, W: np.ndarray, t: Any) -> np.ndarray:
        """H(W) ``(paths,)``."""
        value = np.asarray(user_code.call(self.system.hamiltonian, W=W, t=t))
        if value.shape not in (W.shape[:-2], ()) or value.dtype.kind not in "fiu":
            shape = W.shape[:-2]
            raise errors.DefinitionError(f"{self.name}.hamiltonian", expected=f"a real number for each path, shape {shape}",
                                         got=f"{value.dtype} {value.shape}")  # fmt: skip
        return np.broadcast_to(value, W.shape[:-2])

    def generator(
        self, W: np.ndarray, t: Any, dt: Any, dW: np.ndarray, constant: np.ndarray | None = None
    ) -> np.ndarray:
        """P dt + Σ X_k dWᵏ ``(paths, N, N)``; times and increments are numbers, or one for each path.

        ``constant`` is the part of fields that do not depend on W, where it is known.
        """
        out = spread(dt) * self.velocity(W, t)
        for k, field in enumerate(self.fields):
            if constant is None or callable(field):
                out = out + spread(dW[k]) * self.field(k, W, t)
        return out if constant is None else out + constant

    def constant_noise(self, dW: np.ndarray, paths: int) -> np.ndarray:
        """The sum of X_k dWᵏ over the fields that do not depend on W, ``(paths, N, N)``; 0 if all do."""
        parts = [spread(dW[k]) * field for k, field in enumerate(self.fields) if not callable(field)]
        shape = (paths, self.algebra.size, self.algebra.size)
        return np.broadcast_to(sum(parts[1:], parts[0]), shape) if parts else np.zeros(shape)

    def _called(self, function: Callable[..., Any], what: str, W: np.ndarray, t: Any) -> np.ndarray:
        value = np.asarray(user_code.call(function, W=W, t=spread(t)))
        if value.shape not in (W.shape, W.shape[-2:]):
            raise errors.DefinitionError(
                f"{self.name}: {what} of W", expected=f"shape {W.shape}, that of W", got=f"shape {value.shape}",
                hint="W has the paths first and the matrix last: write W.swapaxes(-1, -2), not W.T, and A[:, None, None] for "
                "one number a path.",
            )  # fmt: skip
        if value.dtype.kind == "c" and not self.algebra.complex:
            raise errors.DefinitionError(f"{self.name}: {what} of W", expected=f"real matrices, of {self.algebra.label}",
                                         got="complex ones")  # fmt: skip
        return value


def spread(x: Any) -> Any:
    """A number, or one for each path with axes for its matrix."""
    array = np.asarray(x)
    return array[..., None, None] if array.ndim else x
