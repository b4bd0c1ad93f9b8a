"""Equations as array functions, of a system that is stated by functions of whole arrays."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from semidirect.core import PerPath, errors, user_code
from semidirect.expressions import component_names, expression_text
from semidirect.model.array_equations import ArrayEquations, numbers_of
from semidirect.model.derived_equations import Part, Row, Shape
from semidirect.model.numerical_model import NumericalSDE

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

SEED = 28
DIFFERENCE = 1e-6
"""Of a derivative along a noise, relative to the entries of a state."""


class ArraySDE(NumericalSDE):
    """Equations on states ``(d, paths)`` whose quantities are functions of arrays with the paths first.

    Attributes
    ----------
    functions : tuple
        What gives values at the parameters of the system, or of each path if they differ; each has the ``system``.
    """

    compiles = False
    functions: tuple[Any, ...]
    at_sites: tuple[str, ...] = ()
    """Quantities that are the values at all sites of a lattice."""

    def _states(self, system: SystemDefinition) -> None:
        """What equations without a configuration have."""
        self.system, self.group = system, system.group
        self.reconstructs, self.tangents, self.parameters = False, None, []
        self._known: dict[Any, Any] = {}

    def _structured(
        self, principle: str, form: str, variables: Mapping[str, tuple[str, ...]], wieners: int, named: Mapping[str, Any]
    ) -> None:  # fmt: skip
        """State names and sizes: of the variables with their components, and of all that observables see.

        ``named`` says in which space each is, which has a ``flat`` with its ``rows``.
        """
        rows = sum(map(len, variables.values()))
        self.dimension, self.wieners = rows, wieners
        self.layout = {name: slice(0, 0) for name in ("P", "a", "kappa", "tau")} | {
            "v": slice(0, 1), "z": slice(0, rows), "dz": slice(1, None),
        }  # fmt: skip
        parts = tuple(Part(name, "internal", components) for name, components in variables.items())
        sizes = {name: space.flat.rows for name, space in named.items()}
        shape = Shape(principle, form, parts, wieners, sizes, residual=0, contact={}, absent={}, matrices=named)
        self.structure = ArrayEquations(self.system, self, shape)

    # -- of a kind of arrays ---------------------------------------------------------------------------------------

    @abstractmethod
    def seen(self, y: np.ndarray, t: Any, one: Any) -> Any:
        """The quantities that observables may use of states ``(d, paths)``, by the functions of these paths."""

    @abstractmethod
    def drawn(self) -> np.ndarray:
        """A random state ``(d, 1)``."""

    def named_rows(self, name: str, y: np.ndarray, t: Any) -> np.ndarray:
        """The rows ``(k, paths)`` of what observables see besides the state."""
        raise errors.UnknownNameError("quantity", name, self.structure.shape.named)

    def not_compiled(self, method: Any) -> str | None:
        """Functions of whole arrays are not."""
        name = type(self.system).__name__
        return f"the equations of {name} are functions of whole arrays, which are not compiled"

    # -- what there is not -----------------------------------------------------------------------------------------

    def differentiated(self, tangents: Any) -> NoReturn:
        """There are no derivatives."""
        raise self.system.workings.not_written_out("a derivative")

    @property
    def moving_frame(self) -> NoReturn:
        """There is no configuration."""
        raise self.system.workings.not_written_out("a motion by the group")

    def _part(self, which: int | slice | np.ndarray) -> Self:
        if len(self.functions) == 1 and self.system.workings.paths is None:
            return self
        part = self.with_parameters(())
        chosen = np.arange(len(self.functions))[which]
        part.functions = tuple(self.functions[i] for i in np.atleast_1d(chosen))
        return part

    def by_path(self, function: Callable[[Any, slice], np.ndarray], paths: int) -> np.ndarray:
        """The values of a function for all paths: at once, or path by path where parameters differ."""
        if len(self.functions) == 1:
            return function(self.functions[0], slice(None))
        if paths not in (1, len(self.functions)):
            raise errors.InputError("states", expected=f"{len(self.functions)}, as many as parameters", got=str(paths))
        values = [function(one, slice(p, p + 1) if paths > 1 else slice(None)) for p, one in enumerate(self.functions)]
        return np.concatenate(values)

    # -- values ----------------------------------------------------------------------------------------------------

    def flat_column(self, k: int, y: np.ndarray, t: Any) -> np.ndarray:
        """[f; 0] for ``k = 0``, [g_i; 0] for ``k = i``."""
        paths = y.shape[1:]
        dW = np.broadcast_to(np.eye(self.wieners + 1)[k, 1:].reshape(-1, *(1 for _ in paths)), (self.wieners, *paths))
        return self.field(y, t, float(k == 0), dW)

    def variables(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The rows of each variable of states ``(d, paths)``."""
        out, start = {}, 0
        for part in self.structure.shape.variables:
            out[part.name] = y[start : start + part.dimension]
            start += part.dimension
        return out

    def reader(self, quantities: Mapping[str, Sequence[Any]]) -> Callable[..., Any]:
        """The function that gives all rows of named quantities."""
        return lambda y, stored, t: self.read_rows(y, stored, t, quantities)

    def read_rows(
        self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Any]]
    ) -> np.ndarray:
        """All rows of named quantities, one after another."""
        if y.ndim == 1:
            return self.read_rows(y[:, None], stored, t, quantities)[:, 0]
        values: dict[tuple[str, Any], np.ndarray] = {("state", name): part for name, part in self.variables(y).items()}
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
        if kind == "named":
            return self.named_rows(name, y, t)
        quantities = self.system.workings.quantities(derived=kind == "derived")
        method = name if kind == "function" else quantities[name].method
        what = "the quantity" if kind == "function" else f"the observable {name!r}"

        def of(one: Any, part: slice) -> np.ndarray:
            def at(columns: slice) -> Any:
                state = self.seen(y[:, part][:, columns], t[part][columns] if np.ndim(t) else t, one)
                return user_code.apply(method, state, what) if kind == "function" else method(one.system, state)

            value, paths = at(slice(None)), y[:, part].shape[1]
            number = np.ndim(value) == 0 and np.asarray(value).dtype.kind in "fiu"
            if number and paths > 1 and not np.array_equal(value, at(slice(1)), equal_nan=True):
                raise errors.DefinitionError(
                    f"{what} depends on the paths beside a path", expected="a number for each path", got=repr(value),
                    hint="Arrays of the state have the paths first: give numpy an axis, such as state.W.mean(axis=(1, 2)).",
                )  # fmt: skip
            return numbers_of(value, paths, what).T

        with self.computing(), np.errstate(all="ignore"):
            return self.by_path(of, y.shape[1]).T

    def _expression(self, text: str, y: np.ndarray, t: Any) -> np.ndarray:
        """An expression of components, observables, parameters and t."""
        paths = y.shape[1]
        names: dict[str, Any] = {"t": np.broadcast_to(t, (paths,)), **self.variables(y)}
        names |= {label: y[i] for i, label in enumerate(self.structure.state)}
        for name in self.structure.shape.named.keys() - names.keys():
            names[name] = lambda name=name: _scalar(self.named_rows(name, y, t))
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
        names |= {name: partial(expression_text.refuse_sites, name) for name in self.at_sites}
        value = expression_text.evaluate_arrays(text, names, batch=1)
        rows = np.atleast_1d(value) if value.ndim < 2 else value
        rows = rows[None] if rows.ndim < 2 else rows
        return np.broadcast_to(rows, (len(rows), paths))

    def noise_of_row(self, row: Any, y: np.ndarray, stored: np.ndarray, t: Any) -> np.ndarray:
        """The derivatives of a quantity along the noise fields ``(wieners, paths)``: of entries of the state exact, of others by
        central differences.
        """
        out = np.empty((self.wieners, y.shape[1]))
        for k in range(self.wieners):
            column = self.flat_column(k + 1, y, t)[: self.dimension]
            if isinstance(row, Row) and row.kind == "state":
                out[k] = self.variables(column)[row.name][row.at]
                continue
            size = np.max(np.abs(column), axis=0)
            step = DIFFERENCE * np.max(np.abs(y), axis=0) / np.where(size == 0, 1.0, size)
            ahead, behind = (self.read_rows(y + sign * step * column, stored, t, {"q": [row]})[0] for sign in (1, -1))
            out[k] = (ahead - behind) / (2 * step)
        return out

    def refuse_unknown(self, text: str) -> None:
        """Raise an error for a text that is neither a quantity nor an expression of some."""
        if not expression_text.is_expression(text):
            self.system.workings.refuse_absent(text)
            names = [name for part in self.structure.quantities(self.system).values() for name in part]
            raise errors.unknown_quantity("quantity", text, names, {})

    def sample(self, kind: str, name: Any) -> np.ndarray:
        """The rows of a quantity at a random state."""
        return self._part(slice(0, 1))._quantity(kind, name, self.drawn(), 0.0)


def _scalar(rows: np.ndarray) -> np.ndarray:
    return rows[0] if len(rows) == 1 else rows
