"""All derivations of one definition, held against each other and against the theorem in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from semidirect.definition import Definition
from semidirect.equations import HamiltonPontryagin, LagrangeDAlembert, Principle, StratonovichSDE
from semidirect.testing.definition_strategies import ExactState
from semidirect.testing.derived_columns import DerivedColumns
from semidirect.testing.exact_numbers import Number, derivatives, plain, plain_array, same
from semidirect.testing.theorem import Column, Point, Theorem, Vector

PRINCIPLES: tuple[Principle, ...] = (HamiltonPontryagin(), LagrangeDAlembert())
_FORMS: dict[str, dict[str, Any]] = {"P": {"variables": "momentum"}, "B": {"variables": "velocity"}, "A": {"form": "A"}}


@dataclass(frozen=True)
class Difference:
    """A place where two sides that should be equal are not."""

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
        What is derived; may have symbols for parameters.
    numbers : Definition, optional
        The same with exact numbers for parameters; default ``definition``.
    parameters : dict Symbol → exact number
        Their values.
    principles : sequence of Principle
        Who derives; each is held against the theorem, and against the first.
    """

    def __init__(self, definition: Definition, numbers: Definition | None = None,
                 parameters: Mapping[sp.Symbol, Any] | None = None, principles: Sequence[Principle] = PRINCIPLES):  # fmt: skip
        self.definition, self.theorem = definition, Theorem(numbers or definition)
        self.parameters = dict(parameters or {})
        self.derived: dict[tuple[str, str], DerivedColumns] = {}
        for principle in principles:
            for form, choice in _FORMS.items():
                if form not in self.forms:
                    continue
                sde = principle.derive(definition, **choice)
                if sde.form == form:
                    self.derived[principle.name, form] = DerivedColumns(sde, {"P": sde.program.outputs["P"]})

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Forms to ask for: P and B where there is a basis, A where there are covectors."""
        d = self.theorem.definition
        state = Point(*([Number(0)] * k for k in self._sizes[1:]), Number(0))
        found = (("P", "B") if self.theorem.distribution(state) is not None else ())
        return (*found, "A") if self.theorem.annihilator(state) is not None else found if d else found

    @cached_property
    def _sizes(self) -> tuple[int, int, int, int]:
        d = self.theorem.definition
        velocities = sum(d.constraint.coordinates(d.group).values()) or d.group.dimension
        a, z = (sum(p.stop - p.start for p in parts.values()) for parts in (d.advected_layout, d.internal_layout))
        return velocities, d.group.dimension, a, z

    # -- one state -------------------------------------------------------------------------------------------------

    def point(self, state: ExactState) -> Point:
        """The state with its velocity ξ."""
        xi: Sequence[Any] = state.u
        if "B" in self.forms:
            xi = list(plain_array(self.theorem.velocity(state.u, state.a, state.z, state.t)))
        return Point(xi, state.a, state.z, state.t)

    def inputs(self, sde: StratonovichSDE, state: ExactState) -> dict[sp.Symbol, Any]:
        """Values of a program's inputs."""
        point = self.point(state)
        first: Sequence[Any] = state.u
        if sde.form == "A":
            first = point.xi
        if sde.form == "P":
            first = list(plain_array(self.momentum(state)))
        values = dict(zip(sde.state, (*first, *state.a, *state.z), strict=True))
        return {**self.parameters, **values, sde.setting.t: state.t}

    def momentum(self, state: ExactState) -> Vector:
        """P = Bᵀp."""
        return self._momentum(state.u, state.a, state.z, state.t)

    def _momentum(self, u: Any, a: Any, z: Any, t: Any) -> Vector:
        point = Point(self.theorem.velocity(u, a, z, t), a, z, t)
        found = self.theorem.distribution(point)
        assert found is not None
        return found[0].T @ self.theorem.momentum(point)

    # -- comparisons -----------------------------------------------------------------------------------------------

    def differences(self, state: ExactState) -> list[Difference]:
        """Where the principles, the forms and the theorem differ, exactly; none if all is well."""
        return list(self._differences(state))

    def _differences(self, state: ExactState) -> Iterator[Difference]:
        point = self.point(state)
        expected = {form: self.theorem.columns(point, form=form, u=state.u) for form in self.forms if form != "P"}
        for (principle, form), columns in self.derived.items():
            found = columns(self.inputs(columns.sde, state))
            reference = expected["B" if form == "P" else form]
            if len(found) != len(reference):
                yield Difference(f"{principle} {form} columns", len(found), len(reference))
            for k, (column, truth) in enumerate(zip(found, reference, strict=False)):
                wanted = self._wanted(form, state, truth, k)
                for name, right in wanted.items():
                    left = column.get(name)
                    if left is None and name in ("reaction", "multiplier"):
                        continue
                    yield from _unequal(f"{principle} {form} column {k} {name}", left, right)
            first = next(c for (_, f), c in self.derived.items() if f == form)
            if first is columns:
                continue
            for k, (column, other) in enumerate(zip(found, first(self.inputs(first.sde, state)), strict=True)):
                for name in column.keys() & other.keys():
                    yield from _unequal(f"principles {form} column {k} {name}", column[name], other[name])

    def _wanted(self, form: str, state: ExactState, truth: Column, k: int) -> dict[str, Any]:
        rates = truth.rates
        if form == "P":
            u, a, m = len(state.u), len(state.a), [*state.u, *state.a, *state.z, state.t]
            _, jacobian = derivatives(lambda q: self._momentum(q[:u], q[u : u + a], q[u + a : -1], q[-1]), m)
            rates = jacobian @ np.array([*truth.rates, *truth.da, *truth.dz, int(k == 0)], dtype=object)
        wanted = {"state": [*rates, *truth.da, *truth.dz], "v": truth.v, "f": truth.f, "force": truth.force,
                  "reaction": truth.reaction, "d_p": truth.f + truth.reaction}  # fmt: skip
        return wanted | ({"multiplier": truth.multiplier} if form == "A" else {})

    def energy_differences(self, state: ExactState) -> list[Difference]:
        """Where dE along a column, differentiated from the equations, is not what the energy law says."""
        out = []
        point = self.point(state)
        for (principle, form), columns in self.derived.items():
            truth = self.theorem.columns(point, form="A" if form == "A" else "B", u=state.u)
            found = columns(self.inputs(columns.sde, state))
            reactions = [c["reaction"] if "reaction" in c else c["d_p"] - t.f for c, t in zip(found, truth, strict=True)]
            rates = self.theorem.energy_rates(point, truth, reactions)
            for k, (column, rate) in enumerate(zip(found, rates, strict=True)):
                out += _unequal(f"{principle} {form} column {k} dE", column["d_E"], [rate])
        return out

    def power_differences(self, state: ExactState) -> list[Difference]:
        """Where the reaction works on admissible velocities: ⟨R_k, Bw⟩ for ideal constraints, ⟨R_k, B_V w⟩ for others."""
        out = []
        found = self.theorem.distribution(self.point(state))
        if found is None:
            return out
        for (principle, form), columns in self.derived.items():
            if form == "A":
                continue
            truth = self.theorem.columns(self.point(state), u=state.u)
            for k, (column, t) in enumerate(zip(columns(self.inputs(columns.sde, state)), truth, strict=True)):
                work = found[2].T @ (column["d_p"] - t.f)
                out += _unequal(f"{principle} {form} column {k} power", work, [0] * len(work))
        return out


def _unequal(where: str, left: Any, right: Any) -> list[Difference]:
    left, right = plain_array(left), plain_array(right)
    if left.shape != right.shape:
        return [Difference(where, left.shape, right.shape)]
    return [Difference(f"{where}[{i}]", a, b) for i, (a, b) in enumerate(zip(left, right, strict=True)) if not same(a, b)]


def exact(value: Any) -> Any:
    """A number without derivatives."""
    return plain(value)
