"""The equations of a matrix system as array functions, which integrators step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NoReturn, Self, final

import numpy as np

from semidirect.core import PerPath, errors, user_code
from semidirect.equations import not_written_out
from semidirect.expressions import component_names, expression_text
from semidirect.integrators import Integrator
from semidirect.machine import one_blas_thread
from semidirect.matrices.isospectral_step import isospectral_step
from semidirect.matrices.matrix_equations import MatrixEquations, numbers_of
from semidirect.matrices.matrix_functions import MatrixFunctions
from semidirect.matrices.matrix_state import MatrixState
from semidirect.matrices.noise_of_matrices import noise_of_matrices
from semidirect.model import NoiseClass, NumericalSDE, Row

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.matrices.matrix_algebra import MatrixAlgebra

SEED = 28
DIFFERENCE = 1e-6
"""Of a derivative along a noise, relative to the entries of W."""
NOISE_ORDER = ("none", "additive", "single", "commutative", "general")


@final
class MatrixSDE(NumericalSDE):
    """dW = [W, P(W)] dt + Σ [W, X_k(W)]∘dWᵏ on states ``(d, paths)``: the entries of W, of complex ones real, then imaginary.

    Products of matrices are those of BLAS with one thread, matrix by matrix, so that the numbers of a path do not depend on the
    paths beside it.

    Attributes
    ----------
    algebra : MatrixAlgebra
        Where W is.
    functions : tuple of MatrixFunctions
        Those of the system, or of each path, if its parameters differ.
    """

    compiles = False

    def __init__(self, system: SystemDefinition):
        self.system, self.group = system, system.group
        self.algebra: MatrixAlgebra = system.lie_algebra()  # type: ignore[attr-defined]
        several: list[Any] = [system] if system.paths is None else [system.at_path(i) for i in range(system.paths)]
        self.functions = tuple(MatrixFunctions(one, self.algebra) for one in several)
        self.reconstructs, self.tangents, self.parameters = False, None, []
        self._known: dict[Any, Any] = {}
        counts = {len(one.fields) for one in self.functions}
        if len(counts) > 1:
            raise errors.DefinitionError(
                f"{type(system).__name__}.fields", expected="as many on each path", got=str(sorted(counts))
            )
        self.dimension, self.wieners = self.algebra.flat.rows, counts.pop()
        self.structure = MatrixEquations(system, self)
        self.layout = {name: slice(0, 0) for name in ("P", "a", "kappa", "tau")} | {
            "v": slice(0, 1), "z": slice(0, self.dimension), "dz": slice(1, None),
        }  # fmt: skip

    def differentiated(self, tangents: Any) -> NoReturn:
        """There are no derivatives."""
        raise not_written_out(self.system, "a derivative")

    @property
    def moving_frame(self) -> NoReturn:
        """There is no configuration."""
        raise not_written_out(self.system, "a motion by the group")

    def computing(self) -> AbstractContextManager[None]:
        """BLAS with one thread: how a product is divided among threads may change its last bits."""
        return one_blas_thread()

    def check_method(self, method: Integrator) -> None:
        """Raise an error for a method that moves a configuration, or reads derivatives of the fields."""
        if method.geometric:
            raise errors.MethodError(
                f"{method.label} moves a configuration by the group, and a matrix system has none",
                hint="Use isospectral-midpoint, which moves W by the group, or heun.",
            )
        if method.calculus == "ito" or method.integrals is not None or method.name in ("milstein", "sra1"):
            raise errors.MethodError(
                f"{method.label} reads derivatives of the fields, and those of a matrix system are not written out",
                hint="Use isospectral-midpoint or heun.",
            )

    def _part(self, which: int | slice | np.ndarray) -> Self:
        if len(self.functions) == 1 and self.system.paths is None:
            return self
        part = self.with_parameters(())
        chosen = np.arange(len(self.functions))[which]
        part.functions = tuple(self.functions[i] for i in np.atleast_1d(chosen))
        return part

    # -- matrices and rows -----------------------------------------------------------------------------------------

    def matrices(self, y: np.ndarray) -> np.ndarray:
        """W ``(paths, N, N)`` of a state ``(d, paths)``."""
        return self.algebra.flat.matrices(np.ascontiguousarray(y.T))

    def rows_of(self, W: np.ndarray) -> np.ndarray:
        """The rows ``(d, paths)`` of matrices ``(paths, N, N)``."""
        return np.ascontiguousarray(self.algebra.flat.flattened(W).T)

    def by_path(self, function: Callable[[MatrixFunctions, slice], np.ndarray], paths: int) -> np.ndarray:
        """The values of a function for all paths: at once, or path by path where parameters differ."""
        if len(self.functions) == 1:
            return function(self.functions[0], slice(None))
        if paths not in (1, len(self.functions)):
            raise errors.InputError("states", expected=f"{len(self.functions)}, as many as parameters", got=str(paths))
        values = [function(one, slice(p, p + 1) if paths > 1 else slice(None)) for p, one in enumerate(self.functions)]
        return np.concatenate(values)

    def generator(self, W: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """P dt + Σ X_k dWᵏ ``(paths, N, N)``."""

        def of(one: MatrixFunctions, part: slice) -> np.ndarray:
            time, step = (x[part] if np.ndim(x) else x for x in (t, dt))
            return one.generator(W[part], time, step, [x[part] if np.ndim(x) else x for x in dW])  # type: ignore[arg-type]

        return self.by_path(of, len(W))

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

    def flat_column(self, k: int, y: np.ndarray, t: Any) -> np.ndarray:
        """[f; 0] for ``k = 0``, [g_i; 0] for ``k = i``."""
        paths = y.shape[1:]
        dW = np.broadcast_to(np.eye(self.wieners + 1)[k, 1:].reshape(-1, *(1 for _ in paths)), (self.wieners, *paths))
        return self.field(y, t, float(k == 0), dW)

    def reader(self, quantities: Mapping[str, Sequence[Any]]) -> Callable[..., Any]:
        """The function that gives all rows of named quantities."""
        return lambda y, stored, t: self.read_rows(y, stored, t, quantities)

    def read_rows(
        self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Any]]
    ) -> np.ndarray:
        """All rows of named quantities, one after another."""
        if y.ndim == 1:
            return self.read_rows(y[:, None], stored, t, quantities)[:, 0]
        values: dict[tuple[str, Any], np.ndarray] = {("state", "W"): y}
        rows = [row for several in quantities.values() for row in several]
        out = np.empty((len(rows), y.shape[1]))
        for i, row in enumerate(rows):
            key = row.kind, row.name
            if key not in values:
                values[key] = self._quantity(*key, y, t)
            out[i] = values[key][row.at]
        return out

    def _quantity(self, kind: str, name: Any, y: np.ndarray, t: Any) -> np.ndarray:
        """The rows ``(k, paths)`` of a quantity."""
        if kind == "expression":
            return self._expression(name, y, t)
        quantities = self.system.workings.quantities(derived=kind == "derived")
        method = name if kind == "function" else quantities[name].method
        what = "the quantity" if kind == "function" else f"the observable {name!r}"

        def of(one: MatrixFunctions, part: slice) -> np.ndarray:
            state = MatrixState(self.matrices(y[:, part]), t[part] if np.ndim(t) else t, one)
            value = user_code.apply(method, state, what) if kind == "function" else method(one.system, state)
            return numbers_of(value, len(state.W), what).T

        with one_blas_thread(), np.errstate(all="ignore"):
            return self.by_path(of, y.shape[1]).T

    def _expression(self, text: str, y: np.ndarray, t: Any) -> np.ndarray:
        """An expression of components, observables, parameters and t."""
        paths = y.shape[1]
        names: dict[str, Any] = {"W": y, "t": np.broadcast_to(t, (paths,))}
        names |= {label: y[i] for i, label in enumerate(self.structure.state)}
        for derived in (True, False):
            for name in self.system.workings.quantities(derived=derived):
                names[component_names.identifier(name)] = lambda name=name, derived=derived: _scalar(
                    self._quantity("derived" if derived else "observable", name, y, t)
                )
        for name, value in self.system.values.items():
            several = isinstance(value, PerPath)
            numbers = (
                np.array([one.system.values[name] for one in self.functions]) if several else np.asarray(value)[None]
            )
            names[name] = np.moveaxis(numbers, 0, -1)
        value = expression_text.evaluate_arrays(text, names, batch=1)
        rows = np.atleast_1d(value) if value.ndim < 2 else value
        rows = rows[None] if rows.ndim < 2 else rows
        return np.broadcast_to(rows, (len(rows), paths))

    # -- noise -----------------------------------------------------------------------------------------------------

    def noise_class(self) -> NoiseClass:
        """The most general class of the noise on some of the paths."""
        some = {0, len(self.functions) // 2, len(self.functions) - 1}
        classes = [noise_of_matrices(self.functions[i], self.algebra) for i in sorted(some)]
        return max(classes, key=lambda one: NOISE_ORDER.index(one.name))

    def noise_of_row(self, row: Any, y: np.ndarray, stored: np.ndarray, t: Any) -> np.ndarray:
        """The derivatives of a quantity along the noise fields ``(wieners, paths)``: of entries of W exact, of others by central
        differences.
        """
        out = np.empty((self.wieners, y.shape[1]))
        for k in range(self.wieners):
            column = self.flat_column(k + 1, y, t)[: self.dimension]
            if isinstance(row, Row) and row.kind == "state":
                out[k] = column[row.at]
                continue
            size = np.max(np.abs(column), axis=0)
            step = DIFFERENCE * np.max(np.abs(y), axis=0) / np.where(size == 0, 1.0, size)
            ahead, behind = (self.read_rows(y + sign * step * column, stored, t, {"q": [row]})[0] for sign in (1, -1))
            out[k] = (ahead - behind) / (2 * step)
        return out

    # -- samples ---------------------------------------------------------------------------------------------------

    def sample(self, kind: str, name: Any) -> np.ndarray:
        """The rows of a quantity at a random element."""
        W = self.algebra.draw(np.random.default_rng(SEED), 1)
        return self._part(slice(0, 1))._quantity(kind, name, self.rows_of(W), 0.0)

    def refuse_unknown(self, text: str) -> None:
        """Raise an error for a text that is neither a quantity nor an expression of some."""
        if not expression_text.is_expression(text):
            self.system.workings.refuse_absent(text)
            names = [name for part in self.structure.quantities(self.system).values() for name in part]
            raise errors.unknown_quantity("quantity", text, names, {})


def _scalar(rows: np.ndarray) -> np.ndarray:
    return rows[0] if len(rows) == 1 else rows
