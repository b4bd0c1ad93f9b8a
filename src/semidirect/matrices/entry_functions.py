"""The functions of a matrix system at arrays of expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from semidirect.core import errors, user_code
from semidirect.matrices.entry import Entries, Entry
from semidirect.matrices.free_entries import FreeEntries

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra

HINT = (
    "Write it with +, −, *, /, @, np.sum, np.trace, .real, .imag, ops.matmul, ops.bracket and ops.sqrt … of W and of the "
    "parameters, without filling arrays of numbers entry by entry and without np.linalg."
)


class EntryState(NamedTuple):
    """What observables of a matrix system see of expressions: as :class:`~semidirect.matrices.MatrixState`, of one path.

    Attributes
    ----------
    W : array (1, N, N)
    t : expression
    functions : EntryFunctions
    """

    W: Entries
    t: Any
    functions: EntryFunctions

    @property
    def energy(self) -> Any:
        """H(W)."""
        return self.functions.energy(self.W, self.t)

    @property
    def velocity(self) -> Any:
        """P(W)."""
        return self.functions.velocity(self.W, self.t)


@final
class EntryFunctions:
    """The functions of a matrix system with entries for its parameters, at arrays of entries ``(1, N, N)``."""

    def __init__(self, system: Any, algebra: MatrixAlgebra, values: Mapping[str, Any]):
        self.name, self.algebra = type(system).__name__, algebra
        entries = {n: Entries.of(x) if np.ndim(x) else Entry.of(x) for n, x in values.items()}
        self.system = system.workings.with_values(entries)
        self.fields = tuple(_asked(f"{self.name}.fields", lambda: list(self.system.fields())))

    def velocity(self, W: Entries, t: Any) -> Entries:
        """P(W)."""
        return self._matrix("velocity", self.system.velocity, W, t)

    def field(self, k: int, W: Entries, t: Any) -> Entries:
        """X_k."""
        return self._matrix(f"field {k + 1}", self.fields[k], W, t)

    def energy(self, W: Entries, t: Any) -> Entry:
        """H(W)."""
        what = f"{self.name}.hamiltonian"
        return _number(what, _asked(what, lambda: user_code.call(self.system.hamiltonian, W=W, t=Entry.of(t))))

    def observed(self, method: Callable[..., Any], W: Entries, t: Any) -> list[Any]:
        """The rows of an observable."""
        what = f"the observable {method.__name__} of {self.name}"
        value = Entries.of(_asked(what, lambda: method(self.system, EntryState(W, Entry.of(t), self))))
        return [_number(what, x).re for x in value.reshape(-1)]

    def _matrix(self, what: str, function: Any, W: Entries, t: Any) -> Entries:
        what = f"{self.name}: {what}"
        value = Entries.of(
            _asked(what, lambda: user_code.call(function, W=W, t=Entry.of(t)) if callable(function) else function)
        )
        if value.shape not in (W.shape, W.shape[-2:]):
            raise errors.DefinitionError(
                f"{what} of expressions", expected=f"shape {W.shape}", got=f"shape {value.shape}"
            )
        whole: Entries = np.broadcast_to(value, W.shape).view(Entries)
        return whole

    def change(self, W: Entries, generator: Entries) -> list[Any]:
        """The free rows of [W, A]."""
        algebra, count = self.algebra, self.algebra.size**2
        A, B = W[0], generator[0]
        out = []
        for row in FreeEntries.of(algebra).at:
            i, j = divmod(row % count, algebra.size)
            total = Entry(0)
            for k in range(algebra.size):
                total = total + A[i, k] * B[k, j] - B[i, k] * A[k, j]
            out.append(total.re if row < count else total.im)
        return out


def _asked(what: str, function: Callable[[], Any]) -> Any:
    """What a function of a user gives at expressions."""
    try:
        return function()
    except errors.SemidirectError:
        raise
    except Exception as error:
        raise errors.DefinitionError(
            f"{what} cannot be evaluated with expressions", got=f"{type(error).__name__}: {error}", hint=HINT
        ) from error


def _number(what: str, value: Any) -> Entry:
    """A real number for each path, of which there is one."""
    entries = Entries.of(value).reshape(-1)
    if len(entries) != 1 or not (type(entries[0].im) is int and entries[0].im == 0):
        raise errors.DefinitionError(f"{what} of expressions", expected="a real number", got=repr(value))
    entry: Entry = entries[0]
    return entry
