"""The structure of the equations of a system that is stated by functions of arrays: names and sizes, without expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, final

import numpy as np

from semidirect.core import errors
from semidirect.definition import Observable
from semidirect.model.derived_equations import DerivedEquations, Row, Shape

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


@final
class ArrayEquations(DerivedEquations):
    """Rows of quantities that array code reads.

    Attributes
    ----------
    labels : tuple of str
        Names of the components of the state.
    """

    def __init__(self, system: SystemDefinition, model: Any, shape: Shape):
        self._system, self._model, self.shape = system, model, shape
        self.labels = tuple(x for part in shape.variables for x in part.components)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._system,)

    @property
    def sde(self) -> NoReturn:
        """There are no expressions."""
        self._refuse()

    @contextmanager
    def written_once(self) -> Iterator[None]:
        """Nothing is cached on disk."""
        yield

    def keeps(self, rows: Sequence[Any]) -> bool:
        """Nothing is cached on disk."""
        return False

    def knows(self, label: str) -> bool:
        """Nothing is cached on disk."""
        return False

    def function(self, label: str, text: Callable[[], str], *, keep: bool = True) -> NoReturn:
        """There are no expressions."""
        self._refuse()

    def text(self, label: str, write: Callable[[], str]) -> NoReturn:
        """There are no expressions."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise self._system.workings.not_written_out()

    # -- quantities ------------------------------------------------------------------------------------------------

    def quantities(self, system: SystemDefinition) -> dict[str, dict[str, list[Any]]]:
        """The state, what observables see besides it, and the observables."""
        own = {
            kind: {name: self._rows(kind, name) for name in system.workings.quantities(derived=kind == "derived")}
            for kind in ("derived", "observable")
        }
        state = [part.name for part in self.shape.variables]
        more = {name: self.named(name) for name in self.shape.named if name not in state}
        return {"state": {name: self.named(name) for name in state}, "derived": {**more, **own["derived"]},
                "observables": own["observable"]}  # fmt: skip

    def named(self, name: str) -> list[Any]:
        """The rows of what observables see under a name."""
        kind = "state" if any(part.name == name for part in self.shape.variables) else "named"
        return [Row(kind, name, i) for i in range(self.shape.named[name])]

    def needs_configuration(self, name: str, rows: Sequence[Any]) -> bool:
        """There is no configuration."""
        return False

    def components(self, system: SystemDefinition, quantity: str | Observable | Callable[..., Any]) -> list[Any]:
        """The rows of a name, an expression, an observable or a function of the state."""
        if isinstance(quantity, str):
            named = {name: rows for part in self.quantities(system).values() for name, rows in part.items()}
            if quantity in named:
                return named[quantity]
            for part in self.shape.variables:
                if quantity in part.components:
                    return [Row("state", part.name, part.components.index(quantity))]
            self._model.refuse_unknown(quantity)
            return self._rows("expression", quantity)
        return self._rows("function", quantity)  # type: ignore[arg-type]

    def expressions(self, rows: Sequence[Any]) -> Iterator[Any]:
        """Rows stay rows."""
        yield from rows

    def _rows(self, kind: str, name: str) -> list[Any]:
        """The rows of a quantity, counted at a random element."""
        count = self._model.known(("rows", kind, name), lambda: len(self._model.sample(kind, name)))
        return [Row(kind, name, i) for i in range(count)]


def numbers_of(value: Any, paths: int, what: str) -> np.ndarray:
    """The values of a function of the state, a number or a vector for each path, as ``(rows, paths)``."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub" or array.ndim > 2 or array.shape[:1] not in ((), (paths,)):
        raise errors.DefinitionError(
            what, expected=f"a real number for each path, shape ({paths},), or a vector, ({paths}, d)",
            got=f"{array.dtype} {array.shape}", hint="Arrays of the state have the paths first: reduce their other axes.",
        )  # fmt: skip
    array = array.astype(float)
    if array.ndim == 0:
        return np.full((1, paths), array)
    return array[None] if array.ndim == 1 else np.ascontiguousarray(array.T)


def _again(system: SystemDefinition) -> Any:
    from semidirect.model.numerical_model import NumericalSDE

    return NumericalSDE.of(system).structure
