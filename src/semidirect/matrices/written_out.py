"""A matrix system of few dimensions as one system whose equations are written out in scalars."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from semidirect.core import PerPath, errors
from semidirect.definition import InternalState, Observable, PrescribedVelocity, observable
from semidirect.groups import RealSpace
from semidirect.matrices.entry import Entries
from semidirect.matrices.entry_functions import HINT, EntryFunctions
from semidirect.matrices.free_entries import FreeEntries
from semidirect.matrices.matrix_functions import MatrixFunctions
from semidirect.matrices.matrix_state import MatrixState
from semidirect.matrices.term_count import TermCount
from semidirect.system import System

LARGEST = 256
"""Dimensions of an algebra whose system is written out: those of so(23) and su(16) fit."""
MOST_TERMS = 10_000_000
"""Of all equations, each symbol as often as it occurs: Zeitlin's in su(10) have 3 million, and derive and run in 10 s."""
SAME = 1e-11
"""Relative difference of a function of expressions, at numbers, and of the same function of arrays; measured are up to 1e-14."""
SEED, TIME = 17, 0.43


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
        terms = self._terms(one)
        if terms > MOST_TERMS:
            raise errors.DefinitionError(
                what, expected=f"equations of at most {MOST_TERMS:,} terms", got=f"{terms:,} of {self.algebra.label}",
                hint="Take a smaller size; a system of any size runs, with particles and ensembles where it is filtered.",
            )  # fmt: skip

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

    def columns(self, functions: EntryFunctions, free: Sequence[Any], t: Any) -> list[list[Any]]:
        """The free rows of [W, P] and of each [W, X_k]."""
        W = self.matrix(free)
        fields = (functions.field(k, W, t) for k in range(len(functions.fields)))
        return [functions.change(W, x) for x in (functions.velocity(W, t), *fields)]

    def _terms(self, system: Any) -> int:
        """How many symbols and operations all equations have."""
        symbols = {n: np.full(np.shape(x), TermCount(), dtype=object)[()] for n, x in system.values.items()}
        functions = EntryFunctions(system, self.algebra, symbols)
        columns = self.columns(functions, [TermCount() for _ in self.free.at], TermCount())
        return sum(x.count for column in columns for x in column if isinstance(x, TermCount))

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
            functions = EntryFunctions(plan.system, plan.algebra, self.system.values)
            self.last = z, t, plan.columns(functions, [z[label] for label in plan.labels], t)
        return self.last[2]


@final
class _Row:
    """A row of these columns."""

    def __init__(self, columns: _Columns, row: int, *, drift: bool):
        self.columns, self.row, self.drift = columns, row, drift

    def __call__(self, z: Any, t: Any) -> Any:
        drift, *noises = (column[self.row] for column in self.columns.at(z, t))
        return drift if self.drift else noises
