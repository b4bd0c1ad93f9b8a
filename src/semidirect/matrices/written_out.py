"""A matrix system of few dimensions as one system whose equations are written out in scalars."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from semidirect.core import PerPath, errors, user_code
from semidirect.definition import InternalState, Observable, PrescribedVelocity, observable
from semidirect.groups import RealSpace
from semidirect.matrices.entry import Entries, Entry
from semidirect.matrices.free_entries import FreeEntries
from semidirect.matrices.matrix_functions import MatrixFunctions
from semidirect.matrices.matrix_state import MatrixState
from semidirect.system import System

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra

LARGEST = 256
"""Dimensions of an algebra whose system is written out: those of so(23) and su(16) fit."""
SAME = 1e-11
"""Relative difference of a function of expressions, at numbers, and of the same function of arrays; measured are up to 1e-14."""
SEED, TIME = 17, 0.43
HINT = (
    "Write it with +, −, *, /, @, np.sum, np.trace, .real, .imag, ops.matmul, ops.bracket and ops.sqrt … of W and of the "
    "parameters, without filling arrays of numbers entry by entry and without np.linalg."
)


def written_out(system: Any) -> System:
    """One system whose state is the free entries of W, under the names that they have in the matrix system.

    Raises
    ------
    DefinitionError
        For more than :data:`LARGEST` dimensions, and for functions that cannot be evaluated with expressions.
    """
    plan = Plan(system)
    own: dict[str, Any] = {
        **plan.parameters, **plan.observables(), "group": RealSpace(1, ("no_velocity",), ("no_configuration",)),
        "initial": property(_initial), "constraint": _constraint, "internal": _internal, "_plan": plan,
        "_has_configuration": False, "__doc__": system.__doc__, "__module__": type(system).__module__,
        "__qualname__": f"<locals>.{type(system).__qualname__}", "__reduce__": _reduced,
    }  # fmt: skip
    made_of: Any = type(System)
    kind: Any = made_of(type(system).__name__, (System,), own, has_energy=False)
    return kind(**system.values)


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


@final
class Plan:
    """What is written out: the matrix system, its algebra, and which entries are free.

    Attributes
    ----------
    system : MatrixLiePoisson
    free : FreeEntries
    names : tuple of str
        Names of all rows.
    """

    def __init__(self, system: Any):
        self.system, self.algebra = system, system.lie_algebra()
        what = f"{type(system).__name__} written out"
        if self.algebra.dimension > LARGEST:
            raise errors.DefinitionError(
                what, expected=f"an algebra of at most {LARGEST} dimensions, such as so(23) and su(16)",
                got=f"{self.algebra.label} of {self.algebra.dimension}",
                hint="Take a smaller size; a system of any size runs, with particles and ensembles where it is filtered.",
            )  # fmt: skip
        if system.workings.table_names:
            raise errors.DefinitionError(
                what,
                expected="parameters that are numbers",
                got="a table",
                hint="Write a formula in place of the table.",
            )
        self.free = FreeEntries.of(self.algebra)
        self.names = self.algebra.flat.component_names("W")
        self.has_energy: bool = system._has_energy
        one = system.workings.of_one_path
        self._check(one, MatrixFunctions(one, self.algebra))

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the free entries."""
        return tuple(self.names[i] for i in self.free.at)

    @property
    def parameters(self) -> dict[str, Any]:
        """As declared."""
        declared = type(self.system).workings.parameters()
        symbols = {name: self.system.workings.symbol_stem(name) for name in declared}
        out = {name: copy.copy(one) for name, one in declared.items()}
        for name, one in out.items():
            one.symbol = symbols[name]
        return out

    def initial(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The start of the matrix system with these parameters."""
        answers = self.system.workings.with_values(values).workings.decide_by_path(lambda one: one.initial)
        starts = [self.start(one) for one in answers]
        if len(starts) == 1:
            return starts[0]
        return {name: PerPath([start[name] for start in starts]) for name in starts[0]}

    def start(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """A start of the matrix system by the names of the free entries."""
        out = dict[str, Any]()
        for name, value in state.items():
            if name != "W":
                raise errors.UnknownNameError(f"state variable of {type(self.system).__name__}", name, ("W",))
            rows = self.algebra.flat.read("state variable 'W'", value)
            self.algebra.refuse_outside(self.algebra.flat.shaped(rows), "state variable 'W'")
            for label, row in zip(self.labels, self.free.at, strict=True):
                out[label] = PerPath(rows[:, row]) if rows.ndim == 2 else float(rows[row])
        return out

    def matrix(self, free: Sequence[Any]) -> Entries:
        """W ``(1, N, N)`` of the free entries."""
        n = self.algebra.size
        W = np.empty(n * n, dtype=object)
        W[:] = self.free.entries(free, n)
        return W.reshape(1, n, n).view(Entries)

    def observables(self) -> dict[str, Observable]:
        """Those of the matrix system, the energy, and the entries of W that are not free."""
        out = {name: self._row(name, i) for i, name in enumerate(self.names) if i not in self.free.at}
        out["W"] = observable()(self._whole())
        for name, one in self.readable.items():
            out[name] = self._observable(name, one)
        return out

    def _whole(self) -> Callable[..., Any]:
        def W(system: Any, state: Any) -> Any:
            rows = self.free.rows([getattr(state, label) for label in self.labels])
            return np.array(rows, dtype=object)

        W.__qualname__ = "W"
        return W

    def _row(self, name: str, row: int) -> Observable:
        terms = self.free.sums[row]

        def entry(system: Any, state: Any) -> Any:
            total: Any = 0
            for k, factor in terms:
                total = total + factor * getattr(state, self.labels[k])
            return total

        entry.__name__ = entry.__qualname__ = name
        return observable()(entry)

    def _observable(self, name: str, one: Observable) -> Observable:
        method = one.method

        def value(system: Any, state: Any) -> Any:
            scalars = EntryFunctions(self.system, self.algebra, system.values)
            rows = scalars.observed(method, self.matrix([getattr(state, label) for label in self.labels]), state.t)
            return rows[0] if len(rows) == 1 else np.array(rows, dtype=object)

        value.__name__ = value.__qualname__ = name
        value.__doc__ = method.__doc__
        return replace(one, method=value, needs=None)

    # -- checks ----------------------------------------------------------------------------------------------------

    def _check(self, system: Any, functions: MatrixFunctions) -> None:
        """Compare the functions of entries with those of arrays at a random element; leave out observables that have none."""
        W = self.algebra.draw(np.random.default_rng(SEED), 1)
        entries, scalars = Entries.of(W), EntryFunctions(system, self.algebra, system.values)
        if len(scalars.fields) != len(functions.fields):
            raise errors.DefinitionError(f"{scalars.name}.fields of expressions", expected=f"{len(functions.fields)} fields",
                                         got=str(len(scalars.fields)))  # fmt: skip
        with np.errstate(all="ignore"):
            self._same(f"{scalars.name}.velocity", scalars.velocity(entries, TIME), functions.velocity(W, TIME))
            for k in range(len(functions.fields)):
                what = f"field {k + 1} of {scalars.name}.fields()"
                self._same(what, scalars.field(k, entries, TIME), functions.field(k, W, TIME))
            if self.has_energy:
                self._same(f"{scalars.name}.hamiltonian", [scalars.energy(entries, TIME)], functions.energy(W, TIME))
            self.readable = dict[str, Observable]()
            for name, one in {**system.workings.quantities(derived=True), **system.observables()}.items():
                what = f"the observable {name!r} of {scalars.name}"
                try:
                    rows = scalars.observed(one.method, entries, TIME)
                    self._same(what, rows, one.method(system, MatrixState(W, TIME, functions)))
                except errors.DefinitionError:  # it is read in runs of the matrix system alone
                    continue
                self.readable[one.method.__name__] = one

    @staticmethod
    def _same(what: str, mine: Any, expected: Any) -> None:
        numbers = np.array([complex(x.re, x.im) for x in Entries.of(mine).reshape(-1)])
        truth = np.broadcast_to(expected, np.shape(expected)).reshape(-1)
        truth = np.resize(truth, numbers.shape)
        size = max(float(np.max(np.abs(truth), initial=0.0)), 1e-300)
        off = float(np.max(np.abs(numbers - truth), initial=0.0)) / size
        if not off <= SAME:
            raise errors.DefinitionError(
                f"{what} of expressions", expected="the value that it has at arrays of numbers",
                got=f"a difference of {off:.2g} of its size", hint=HINT,
            )  # fmt: skip


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


def _reduced(self: Any) -> tuple[Any, ...]:
    return _again, (self._plan.system, dict(self.values))


def _again(system: Any, values: Mapping[str, Any]) -> System:
    return written_out(system).workings.with_values(dict(values))


# -- the functions of the system, which has a _plan ----------------------------------------------------------------


def _initial(self: Any) -> dict[str, Any]:
    return dict(self._plan.initial(dict(self.values)))


def _constraint(self: Any) -> PrescribedVelocity:
    return PrescribedVelocity()


def _internal(self: Any) -> list[InternalState]:
    """The free entries, whose columns are written once for all of them."""
    columns = _Columns(self)
    return [
        InternalState(label, 0.0, drift=_Row(columns, i, drift=True), noise=_Row(columns, i, drift=False))
        for i, label in enumerate(self._plan.labels)
    ]


@final
class _Columns:
    """The free rows of [W, P] and [W, X_k] at a state, as they were asked for last."""

    def __init__(self, system: Any):
        self.system = system
        self.last: tuple[Any, Any, list[list[Any]]] | None = None

    def at(self, z: Any, t: Any) -> list[list[Any]]:
        if self.last is None or self.last[0] is not z or self.last[1] is not t:
            plan: Plan = self.system._plan
            scalars = EntryFunctions(plan.system, plan.algebra, self.system.values)
            W = plan.matrix([z[label] for label in plan.labels])
            fields = (scalars.field(k, W, t) for k in range(len(scalars.fields)))
            self.last = z, t, [scalars.change(W, x) for x in (scalars.velocity(W, t), *fields)]
        return self.last[2]


@final
class _Row:
    """A row of these columns."""

    def __init__(self, columns: _Columns, row: int, *, drift: bool):
        self.columns, self.row, self.drift = columns, row, drift

    def __call__(self, z: Any, t: Any) -> Any:
        drift, *noises = (column[self.row] for column in self.columns.at(z, t))
        return drift if self.drift else noises
