"""The stochastic differential equation that a principle yields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import sympy as sp

from semidirect.core import Blocks, block, display
from semidirect.equations.evolution import Evolution, Shorten, evolve
from semidirect.equations.program import Program
from semidirect.equations.replacement import replaced
from semidirect.equations.stage_text import latex, text
from semidirect.expressions import component_names

if TYPE_CHECKING:
    from semidirect.definition import Definition
    from semidirect.equations.kinematics import SymbolicDefinition

Kind = Literal["momentum", "velocity", "advected", "internal"]


@dataclass(frozen=True)
class Variable:
    """A named part of the state, with its symbols."""

    name: str
    kind: Kind
    symbols: tuple[sp.Symbol, ...]

    @property
    def dimension(self) -> int:
        """Number of components."""
        return len(self.symbols)


@dataclass(frozen=True, eq=False, repr=False)
class StratonovichSDE(display.Read):
    """dy = f dt + Σ g_i∘dW^i as a staged program, y = (momentum or velocity, a, z).

    Attributes
    ----------
    principle : str
        The principle it was derived from.
    form : {"P", "B", "A"}
        P, B or A form as in docs/theory.md, "Equations to run".
    variables : tuple of Variable
        The state.
    program : Program
        Inputs: state, group coordinates, t, parameters, dt, dW^i. Outputs, linear in (dt, dW): ``state`` (the increment),
        ``coordinates`` (of s), ``v`` (transport), ``f``, ``kappa``, ``reaction``; and ``xi``, ``u``, ``p``, ``P``.
    coordinates : dict name → Symbol
        Stored coordinates of s.
    named : dict name → array
        Everything an observable may use, as expressions of the program: ``reaction`` is that of the drift.
    contact : dict name → array
        Force and point of the contact, if the constraint is one, see :data:`.contact.UNITS`.
    """

    definition: Definition
    principle: str
    form: Literal["P", "B", "A"]
    variables: tuple[Variable, ...]
    program: Program
    setting: SymbolicDefinition
    coordinates: Mapping[str, sp.Symbol]
    named: Mapping[str, np.ndarray]
    contact: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def state(self) -> tuple[sp.Symbol, ...]:
        """All state symbols, variable after variable."""
        return tuple(x for v in self.variables for x in v.symbols)

    @property
    def wieners(self) -> int:
        """Number of Wiener processes."""
        return self.setting.wieners

    def replaced(self, rules: Mapping[sp.Symbol, sp.Expr]) -> StratonovichSDE:
        """The same equations with some symbols replaced by values or by other symbols; the state keeps its own."""
        if not rules:
            return self
        named, contact = replaced(dict(self.named), rules), replaced(dict(self.contact), rules)
        return replace(
            self,
            program=self.program.replaced(rules),
            setting=self.setting.replaced(rules),
            named=named,
            contact=contact,
        )

    def column(self, k: int) -> Program:
        """The program at one column of (dt, dW): ``k = 0`` the drift, ``k = i`` the i-th noise."""
        s = self.setting
        values = dict(zip((s.dt, *s.dW), (int(j == k) for j in range(self.wieners + 1)), strict=True))
        return self.program.call(values, f"@{k}")

    @cached_property
    def scope(self) -> Blocks:
        """The attributes of ``state`` in an observable: energy, all named blocks, coordinates of s, its matrix ``s``, ``t``."""
        coordinates = dict(self.coordinates)
        element = self.definition.group.element(np.array(list(coordinates.values()), dtype=object))
        named = {component_names.identifier(name): block(np.asarray(rows)) for name, rows in self.contact.items()}
        named |= {name: block(np.asarray(rows)) for name, rows in self.named.items()}
        return Blocks(
            {"energy": self.energy, **coordinates, **named, "s": element, "t": self.setting.t}, "state variable"
        )

    @cached_property
    def energy(self) -> sp.Expr:
        """E = ⟨∂l/∂ξ, ξ⟩ − l."""
        substitution = dict(zip(self.setting.xi, self.program.outputs["xi"], strict=True))
        return self.setting.energy.xreplace({a: b for a, b in substitution.items() if a != b})

    def evolution(
        self, quantities: Mapping[str, Sequence[sp.Expr]], shorten: Shorten | None = None, *, ito: bool = True
    ) -> Evolution:
        """The evolution of expressions of :attr:`scope`: value, drift, one coefficient for each noise, and the Itô drift, unless
        second derivatives are to be left out.
        """
        return evolve(self, quantities, shorten, ito=ito)

    def ito(self) -> Program:
        """The drift of the Itô form, f + ½ Σ (Dg_i)[g_i] over the whole state, and the noise fields, as one program."""
        return self.evolution({v.name: v.symbols for v in self.variables}).program

    def latex(self) -> str:
        """The equations in LaTeX."""
        return latex(self.program, self.state)

    def __str__(self) -> str:
        head = f"{self.principle}, {self.form} form; state {', '.join(v.name for v in self.variables)}"
        return f"{head}\n{text(self.program, self.state)}"

    def column_divergence(self, k: int, program: Program) -> tuple[Program, sp.Expr]:
        """Σ ∂g_i/∂y_i of the drift (k = 0) or of the k-th noise in the coordinates of the state, and the program joined with what
        it needs.
        """
        column, terms = self.column(k), list[sp.Expr]()
        program = program.joined(column)
        for i, x in enumerate(self.state):
            part = column.with_outputs(c=[column.outputs["state"][i]]).jvp({x: sp.Integer(1)}, f"/{x.name}@{k}")
            program, terms = program.joined(part), [*terms, part.outputs["c"][0]]
        return program, sp.Add(*terms)

    def mean_divergence(self) -> tuple[Program, sp.Expr]:
        """D = div f + ½ Σ g_k·∇(div g_k), the expected rate of the logarithm of a volume that moves with the flow.

        The logarithm moves by div f dt + Σ div g_k ∘ dW^k; in Itô's form the drift is D, and the rest is a martingale.
        """
        program, total = self.column_divergence(0, self.program)
        for k in range(1, self.wieners + 1):
            program, c = self.column_divergence(k, program)
            rates = dict(zip(self.state, self.column(k).outputs["state"], strict=True))
            second = program.with_outputs(c=[c]).jvp(rates, f"?{k}")
            program, total = program.joined(second), total + second.outputs["c"][0] / 2
        return program, total
