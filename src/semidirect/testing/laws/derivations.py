"""All derivations of one definition, compared with each other and with the theorem in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from semidirect.core import interpolation
from semidirect.definition import Definition, SystemDefinition
from semidirect.equations import PRINCIPLES, Principle, StratonovichSDE, SymbolicDefinition
from semidirect.testing.laws.derived_columns import DerivedColumns
from semidirect.testing.laws.exact_points.numbers import Entries, constants, derivatives, plain_array, same, solve
from semidirect.testing.laws.exact_points.states import ExactState
from semidirect.testing.laws.theorem import Column, Point, Theorem, Vector

BOTH: tuple[Principle, ...] = tuple(kind() for kind in PRINCIPLES.values())
_FORMS: dict[str, dict[str, Any]] = {"P": {"variables": "momentum"}, "B": {"variables": "velocity"}, "A": {"form": "A"}}


@dataclass(frozen=True)
class Difference:
    """A difference between two sides that should be equal."""

    where: str
    left: Any
    right: Any

    def __str__(self) -> str:
        return f"{self.where}: {self.left} is not {self.right}"


class Derivations:
    """The equations of a definition by both principles in every form it has, and its theorem in numbers.

    Parameters
    ----------
    definition : Definition
        The definition to derive; may have symbols for parameters.
    numbers : Definition, optional
        The same with exact numbers for parameters; default ``definition``.
    parameters : dict Symbol → exact number
        Their values.
    principles : sequence of Principle
        Which derive; each is compared with the theorem and with the first one.
    """

    def __init__(self, definition: Definition, numbers: Definition | None = None,
                 parameters: Mapping[sp.Symbol, Any] | None = None, principles: Sequence[Principle] = BOTH):  # fmt: skip
        self.definition, self.theorem, self.principles = definition, Theorem(numbers or definition), tuple(principles)
        self.parameters = dict(parameters or {})
        self._known: tuple[ExactState, dict[str, list[Column]]] | None = None
        self.derived: dict[tuple[str, str], DerivedColumns] = {}
        for principle in principles:
            for form in self.forms:
                sde = principle.derive(definition, **_FORMS[form])
                if sde.form == form:
                    self.derived[principle.name, form] = DerivedColumns(sde, {"P": sde.program.outputs["P"]})

    def __reduce__(self) -> tuple[Any, ...]:
        return Derivations, (self.definition, self.theorem.definition, self.parameters, self.principles)

    @classmethod
    def of(cls, system: SystemDefinition, principles: Sequence[Principle] = BOTH) -> Derivations:
        """The derivations of a system, with symbols for its parameters, at exact values of them."""
        return cls(
            system.workings.symbolic_definition(), exact_definition(system), exact_parameters(system), principles
        )

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The forms of the constraint: P and B if there is a basis, A if there are covectors."""
        d = self.definition
        s = SymbolicDefinition.of(d)
        if d.by_hamiltonian:
            return ("P",)
        return (*(("P", "B") if s.distribution is not None else ()), *(("A",) if s.annihilator is not None else ()))

    # -- one state -------------------------------------------------------------------------------------------------

    def point(self, state: ExactState) -> Point:
        """The state with its velocity ξ."""
        return self.theorem.point(state.u, state.a, state.z, state.t)

    def admissible(self, state: ExactState) -> ExactState:
        """The state, its velocity moved into D where that is known by covectors only: ξ + Aᵀ(AAᵀ)⁻¹(b − Aξ)."""
        if "B" in self.forms:
            return state
        annihilator = self.theorem.annihilator(self.point(state))
        assert annihilator is not None
        A, b, _ = annihilator
        xi = np.array(state.u, dtype=object)
        velocity = xi + A.T @ np.array(solve(A @ A.T, b - A @ xi), dtype=object)
        return replace(state, u=tuple(plain_array(velocity)))

    def truth(self, state: ExactState) -> dict[str, list[Column]]:
        """The columns of the theorem in numbers for each form; those of P are those of B."""
        if self._known is None or self._known[0] != state:
            point = self.point(state)
            forms = [f for f in self.forms if f != "P" or self.forms == ("P",)]
            columns = {f: self.theorem.columns(point, form=f, u=state.u) for f in forms}
            self._known = state, {"P": columns["B"], **columns} if "B" in columns else columns
        return self._known[1]

    def inputs(self, sde: StratonovichSDE, state: ExactState) -> dict[sp.Symbol, Any]:
        """Values of a program's inputs."""
        point = self.point(state)
        first: Entries = state.u
        if sde.form == "A":
            first = point.xi
        if sde.form == "P":
            first = list(plain_array(self._momentum(state.u, state.a, state.z, state.t)))
        values = dict(zip(sde.state, (*first, *state.a, *state.z), strict=True))
        values |= dict(zip(sde.coordinates.values(), state.stored, strict=bool(state.stored)))
        return {**self.parameters, **values, sde.setting.t: state.t}

    def _momentum(self, u: Any, a: Any, z: Any, t: Any) -> Vector:
        """P = Bᵀp, or p where equations come from h."""
        if self.definition.by_hamiltonian:
            return np.asarray(u, dtype=object)
        point = Point(self.theorem.velocity(u, a, z, t), a, z, t)
        distribution = self.theorem.distribution(point)
        assert distribution is not None
        return distribution[0].T @ self.theorem.momentum(point)

    # -- comparisons -----------------------------------------------------------------------------------------------

    def differences(self, state: ExactState) -> list[Difference]:
        """Where the principles, the forms and the theorem differ, exactly; none if all is well."""
        return list(self._differences(state))

    def _differences(self, state: ExactState) -> Iterator[Difference]:
        expected = self.truth(state)
        for (principle, form), columns in self.derived.items():
            values = columns(self.inputs(columns.sde, state))
            reference = expected[form]
            if len(values) != len(reference):
                yield Difference(f"{principle} {form} columns", len(values), len(reference))
            for k, (column, truth) in enumerate(zip(values, reference, strict=False)):
                target = self._wanted(form, state, truth, k)
                for name, right in target.items():
                    left = column.get(name)
                    if left is None and name in ("reaction", "multiplier"):
                        continue
                    yield from _unequal(f"{principle} {form} column {k} {name}", left, right)
            first = next(c for (_, f), c in self.derived.items() if f == form)
            if first is columns:
                continue
            for k, (column, other) in enumerate(zip(values, first(self.inputs(first.sde, state)), strict=True)):
                for name in column.keys() & other.keys():
                    yield from _unequal(f"principles {form} column {k} {name}", column[name], other[name])

    def _wanted(self, form: str, state: ExactState, truth: Column, k: int) -> dict[str, Any]:
        rates = truth.rates
        if form == "P":
            u, a = len(state.u), len(state.a)
            rates = self._along(lambda q: self._momentum(q[:u], q[u : u + a], q[u + a : -1], q[-1]), state, truth, k)
        expected = {"state": [*rates, *truth.da, *truth.dz], "v": truth.v, "f": truth.f, "force": truth.force,
                  "reaction": truth.reaction, "d_p": truth.f + truth.reaction}  # fmt: skip
        return expected | ({"multiplier": truth.multiplier} if form == "A" else {})

    def energy_differences(self, state: ExactState) -> list[Difference]:
        """The places where dE along a column, differentiated from the equations, violates the energy law."""
        out = []
        point, truth = self.point(state), self.truth(state)
        xi = np.array(point.xi, dtype=object)
        rates = {form: self.theorem.energy_rates(point, columns) for form, columns in truth.items()}
        for (principle, form), columns in self.derived.items():
            values = columns(self.inputs(columns.sde, state))
            for k, (column, true, rate) in enumerate(zip(values, truth[form], rates[form], strict=True)):
                reaction = column["reaction"] if "reaction" in column else column["d_p"] - true.f
                out += _unequal(f"{principle} {form} column {k} dE", column["d_E"], [rate + reaction @ xi])
        return out

    def power_differences(self, state: ExactState) -> list[Difference]:
        """Where the reaction works on admissible velocities: ⟨R_k, Bw⟩ for ideal constraints, ⟨R_k, B_V w⟩ for others."""
        out: list[Difference] = []
        distribution = self.theorem.distribution(self.point(state))
        if distribution is None:
            return out
        truth = self.truth(state)["P"]
        for (principle, form), columns in self.derived.items():
            if form == "A":
                continue
            for k, (column, t) in enumerate(zip(columns(self.inputs(columns.sde, state)), truth, strict=True)):
                work = distribution[2].T @ (column["d_p"] - t.f)
                out += _unequal(f"{principle} {form} column {k} power", work, [0] * len(work))
        return out

    def residual_rates(self, state: ExactState) -> dict[str, list[np.ndarray]]:
        """A dξ + (DA)ξ − Db along each column, for each form, at an admissible state."""
        point, (n, k) = self.point(state), (self.theorem.n, len(state.a))

        def residual(q: Any) -> Any:
            annihilator = self.theorem.annihilator(Point(q[:n], q[n : n + k], q[n + k : -1], q[-1]))
            assert annihilator is not None
            return annihilator[0] @ np.array(q[:n], dtype=object) - annihilator[1]

        _, jacobian = derivatives(residual, [*point.xi, *point.a, *point.z, point.t])
        return {
            form: [jacobian @ np.array([*self._dxi(form, state, c, i), *c.da, *c.dz, int(i == 0)], dtype=object)
                   for i, c in enumerate(columns)]
            for form, columns in self.truth(state).items() if form != "P"
        }  # fmt: skip

    def _dxi(self, form: str, state: ExactState, column: Column, k: int) -> Vector:
        """dξ: the rates as they are in A form, those of ξ = Bu + c in B form."""
        if form == "A":
            return column.rates
        u, a = len(state.u), len(state.a)
        return self._along(lambda q: self.theorem.velocity(q[:u], q[u : u + a], q[u + a : -1], q[-1]), state, column, k)

    @staticmethod
    def _along(function: Any, state: ExactState, column: Column, k: int) -> Vector:
        """The derivative of a function of (u, a, z, t) along a column."""
        _, jacobian = derivatives(function, [*state.u, *state.a, *state.z, state.t])
        rates: Vector = jacobian @ np.array([*column.rates, *column.da, *column.dz, int(k == 0)], dtype=object)
        return rates


def _unequal(where: str, left: Any, right: Any) -> list[Difference]:
    left, right = plain_array(left), plain_array(right)
    if left.shape != right.shape:
        return [Difference(where, left.shape, right.shape)]
    return [
        Difference(f"{where}[{i}]", a, b) for i, (a, b) in enumerate(zip(left, right, strict=True)) if not same(a, b)
    ]


def exact_definition(system: SystemDefinition) -> Definition:
    """The definition of a system with exact numbers for its parameters, that absorb the floats they meet."""
    tables = system.workings.table_names
    values = {name: value if name in tables else constants(value) for name, value in system.values.items()}
    return system.workings.with_values(values).workings.define_with(())


def exact_parameters(system: SystemDefinition) -> dict[sp.Symbol, Any]:
    """Parameter symbols and their values as fractions, tables among them."""
    numbers: dict[sp.Symbol, Any] = {}
    for name, symbols in system.workings.parameter_symbols.items():
        numbers |= dict(zip(symbols.flat, plain_array(system.values[name]).flat, strict=True))
    return numbers | {
        symbol: interpolation.Table(name, system.values[name]) for name, symbol in system.workings.table_symbols.items()
    }
