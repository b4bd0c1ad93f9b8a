"""The equations of a matrix system as array functions, for integrators."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import errors
from semidirect.integrators import Integrator
from semidirect.machine import one_blas_thread
from semidirect.matrices.free_entries import FreeEntries
from semidirect.matrices.isospectral_step import isospectral_step
from semidirect.matrices.matrix_functions import MatrixFunctions
from semidirect.matrices.matrix_state import MatrixState
from semidirect.matrices.noise_of_matrices import noise_of_matrices
from semidirect.model import ArraySDE, NoiseClass, NumericalSDE

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.matrices.matrix_algebra import MatrixAlgebra

SEED = 28
NOISE_ORDER = ("none", "additive", "single", "commutative", "general")


@final
class MatrixSDE(ArraySDE):
    """dW = [W, P(W)] dt + Σ [W, X_k(W)]∘dWᵏ on states ``(d, paths)``: the entries of W, of complex ones real, then imaginary.

    Products of matrices are those of BLAS with one thread, matrix by matrix, so that the numbers of a path do not depend on the
    paths beside it.

    Attributes
    ----------
    algebra : MatrixAlgebra
        Where W is.
    functions : tuple of MatrixFunctions
        Those of the system, or of each path, if its parameters differ.
    chosen : array or None
        Which paths these are, if they are not all.
    """

    chosen: np.ndarray | None = None

    def __init__(self, system: SystemDefinition):
        self._states(system)
        self.algebra: MatrixAlgebra = system.lie_algebra()  # type: ignore[attr-defined]
        self.functions = tuple(MatrixFunctions(one, self.algebra) for one in system.workings.of_each_path)
        counts = {len(one.fields) for one in self.functions}
        if len(counts) > 1:
            raise errors.DefinitionError(
                f"{type(system).__name__}.fields", expected="as many on each path", got=str(sorted(counts))
            )
        components = self.algebra.flat.component_names("W")
        self._structured("lie-poisson", "matrices", {"W": components}, counts.pop(), {"W": self.algebra})

    def computing(self) -> AbstractContextManager[None]:
        """BLAS with one thread: how a product is divided among threads may change its last bits."""
        return one_blas_thread()

    def check_method(self, method: Integrator) -> None:
        """Raise an error for a method that moves a configuration."""
        if method.geometric:
            raise errors.MethodError(
                f"{method.label} moves a configuration by the group, and a matrix system has none",
                hint="Use isospectral-midpoint, which moves W by the group, or heun.",
            )

    # -- matrices and rows -----------------------------------------------------------------------------------------

    def matrices(self, y: np.ndarray) -> np.ndarray:
        """W ``(paths, N, N)`` of a state ``(d, paths)``."""
        return self.algebra.flat.shaped(np.ascontiguousarray(y.T))

    def rows_of(self, W: np.ndarray) -> np.ndarray:
        """The rows ``(d, paths)`` of matrices ``(paths, N, N)``."""
        return np.ascontiguousarray(self.algebra.flat.flattened(W).T)

    def generator(
        self, W: np.ndarray, t: Any, dt: Any, dW: np.ndarray, constant: np.ndarray | None = None
    ) -> np.ndarray:
        """P dt + Σ X_k dWᵏ ``(paths, N, N)``; ``constant`` is the part of :meth:`constant_noise`, where it is known."""

        def of(one: MatrixFunctions, part: slice) -> np.ndarray:
            time, step = (x[part] if np.ndim(x) else x for x in (t, dt))
            rest = None if constant is None else constant[part]
            return one.generator(W[part], time, step, self._increments(dW, part), rest)

        return self.by_path(of, len(W))

    def constant_noise(self, dW: np.ndarray, paths: int) -> np.ndarray | None:
        """The sum of X_k dWᵏ over the fields that are elements of the algebra, ``(paths, N, N)``; none if all depend on W."""
        if not any(one.has_constant_noise for one in self.functions):
            return None

        def of(one: MatrixFunctions, part: slice) -> np.ndarray:
            return one.constant_noise(self._increments(dW, part), len(range(paths)[part]))

        return self.by_path(of, paths)

    @staticmethod
    def _increments(dW: np.ndarray, part: slice) -> Any:
        return [x[part] if np.ndim(x) else x for x in dW]

    # -- functions -------------------------------------------------------------------------------------------------

    def field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """The increment of the rows, and 0 for the configuration, shape ``(d + 1, paths)``."""
        if y.ndim == 1:
            return self.field(y[:, None], t, dt, np.asarray(dW)[:, None])[:, 0]
        with one_blas_thread(), np.errstate(all="ignore"):
            W = self.matrices(y)
            rows = self.rows_of(self.algebra.bracket(W, self.generator(W, t, dt, dW)))
        return np.concatenate([rows, np.zeros((1, rows.shape[1]))])

    def isospectral(
        self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray, tolerance: float, iterations: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The rows after a step of the isospectral midpoint rule, and how its iteration ended on each path."""
        with one_blas_thread(), np.errstate(all="ignore"):
            W, outcome = isospectral_step(self, self.matrices(y), t, dt, dW, tolerance, iterations)
            return self.rows_of(W), outcome

    # -- derivatives of the fields, of a system that is written out ------------------------------------------------

    def ito_field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """As :meth:`field` with the Itô correction in the drift."""
        return self._by_scalars(y, lambda scalars, free: scalars.ito_field(free, t, dt, dW))

    def taylor(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray, areas: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`field` with the stochastic Taylor terms of order 1."""
        return self._by_scalars(y, lambda scalars, free: scalars.taylor(free, t, dt, dW, areas))

    def _by_scalars(self, y: np.ndarray, function: Callable[[NumericalSDE, np.ndarray], np.ndarray]) -> np.ndarray:
        """An increment of all rows from that of the free ones."""
        entries = FreeEntries.of(self.algebra)
        rows = function(self.scalars, y[list(entries.at)])[: len(entries.at)]
        return np.stack(
            [*(np.broadcast_to(x, rows.shape[1:]) for x in entries.rows(list(rows))), np.zeros(rows.shape[1:])]
        )

    @property
    def scalars(self) -> NumericalSDE:
        """The equations of the free entries, of the same paths."""

        def made() -> NumericalSDE:
            whole = NumericalSDE.of(self.system.written_out())  # type: ignore[attr-defined]
            return whole if self.chosen is None else whole.of_some(self.chosen)

        return self.known("scalars", made)

    def _part(self, which: int | slice | np.ndarray) -> Self:
        part = super()._part(which)
        if part is not self:
            paths = np.arange(len(self.functions)) if self.chosen is None else self.chosen
            part.chosen = np.atleast_1d(paths[which])
        return part

    # -- noise -----------------------------------------------------------------------------------------------------

    def noise_class(self) -> NoiseClass:
        """The most general class of the noise on some of the paths."""
        some = {0, len(self.functions) // 2, len(self.functions) - 1}
        classes = [noise_of_matrices(self.functions[i], self.algebra) for i in sorted(some)]
        return max(classes, key=lambda one: NOISE_ORDER.index(one.name))

    # -- states ----------------------------------------------------------------------------------------------------

    def seen(self, y: np.ndarray, t: Any, one: MatrixFunctions) -> MatrixState:
        """Matrices."""
        return MatrixState(self.matrices(y), t, one)

    def drawn(self) -> np.ndarray:
        """A random element."""
        return self.rows_of(self.algebra.draw(np.random.default_rng(SEED), 1))
