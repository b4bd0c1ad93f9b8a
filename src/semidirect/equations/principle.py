"""A variational principle, and how its momentum balance becomes a stochastic differential equation under the constraint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Literal, final

import numpy as np
import sympy as sp

from semidirect.core import errors, symbols
from semidirect.definition import Definition, MovingPart, compare_forms
from semidirect.equations.kinematics import ProgramBuilder, SymbolicDefinition
from semidirect.equations.motion import TransportKinematics, coordinates, coordinates_of, motion, velocity
from semidirect.equations.program import Program
from semidirect.equations.reaction import with_reaction
from semidirect.equations.sde import StratonovichSDE, Variable
from semidirect.expressions import component_names

Form = Literal["P", "B", "A"]


@dataclass(frozen=True)
class Balance:
    """The result of a principle: ⟨dp − f, η⟩ = 0 for all admissible η, and d(Bᵀp) = projected.

    Attributes
    ----------
    f : array (n,)
        ad*_ξ̃ p + κ ◇ a + F, linear in dt and dW.
    projected : array (m,) or None
        Bᵀf + (dB)ᵀp, where D has a basis B.
    named : dict name → array
        Other quantities that the principle names (κ).
    """

    f: np.ndarray
    projected: np.ndarray | None
    named: dict[str, np.ndarray] = field(default_factory=dict)


class Principle(ABC):
    """Builds the equations of a definition. Subclasses give the momentum balance only."""

    name: ClassVar[str]

    @abstractmethod
    def balance(self, motion: TransportKinematics) -> Balance:
        """The momentum balance of one motion, linear in dt and dW."""

    @final
    def derive(
        self,
        definition: Definition,
        *,
        variables: Literal["momentum", "velocity"] = "momentum",
        form: Literal["A", "B"] | None = None,
    ) -> StratonovichSDE:
        """Derive the equations.

        Parameters
        ----------
        definition : Definition
            The data.
        variables : {"momentum", "velocity"}
            State (P, a, z) with P = Bᵀp, or (u, a, z); A form always has (ξ, a, z). Momenta need a Lagrangian quadratic in
            ξ and ideal reactions; elsewhere the velocity is taken.
        form : {"A", "B"}, optional
            The form of the constraint, if it has both (default B).

        Raises
        ------
        DefinitionError
            If the constraint has neither form, or not the requested one, or if its two forms describe two constraints.
        """
        s = SymbolicDefinition.of(definition)
        if not definition.parameters:  # the forms of a system are compared with its numbers at construction
            compare_forms(lambda: definition)
        return self.equations(s, variables=variables, form=form)

    @final
    def equations(
        self,
        s: SymbolicDefinition,
        *,
        variables: Literal["momentum", "velocity"] = "momentum",
        form: Literal["A", "B"] | None = None,
    ) -> StratonovichSDE:
        """As :meth:`derive`, for a definition that was called with symbols."""
        if variables not in ("momentum", "velocity"):
            raise errors.UnknownNameError("state variables", variables, ("momentum", "velocity"))
        if form not in (None, "A", "B"):
            raise errors.UnknownNameError("form of the constraint", str(form), ("A", "B"))
        return with_reaction(self._derived(s, variables, form))

    def _derived(self, s: SymbolicDefinition, variables: str, form: str | None) -> StratonovichSDE:
        """The equations in the requested form, or in the form that applies."""
        if s.hamiltonian is not None and form in (None, "B"):
            return self._hamiltonian_form(s)
        form = form or ("B" if s.distribution is not None else "A")
        if form == "A":
            return self._covector_form(s)
        if s.distribution is None:
            raise errors.DefinitionError("the constraint has no basis of its distribution", hint="Use form='A'.")
        if variables == "momentum" and s.quadratic and s.distribution.test is None:
            return self._momentum_form(s)
        return self._velocity_form(s)

    def _momentum_form(self, s: SymbolicDefinition) -> StratonovichSDE:
        """P = Bᵀp, dP = Bᵀf + (dB)ᵀp, u from P by the locked inertia BᵀHB."""
        assert s.distribution is not None
        stages, d = ProgramBuilder(s.letters), s.definition
        parts, u = coordinates(s)
        momenta = {d.momentum_name(k): part for k, part in parts.items()}
        P = symbols.named(momenta)
        B, c = s.distribution.basis, s.distribution.offset
        at_rest = [sp.expand(e.xreplace(dict.fromkeys(s.xi, sp.Integer(0)))) for e in s.momentum]
        m, HB = len(u), symbols.matmul(s.hessian, B)
        locked = symbols.matmul(B.T, HB)
        upper = [(i, j) for i in range(m) for j in range(i, m)]
        names = np.array([f"~L{i + 1}_{j + 1}" for i, j in upper], dtype=object)
        values = stages.let(names, [sp.sympify(locked[k]) for k in upper])
        matrix = np.empty((m, m), dtype=object)
        for (i, j), value in zip(upper, values, strict=True):
            matrix[i, j] = matrix[j, i] = value
        shift = symbols.matvec(B.T, symbols.matvec(s.hessian, c) + np.array(at_rest, dtype=object))
        u = stages.solve(u, matrix, P - shift, symmetric=True, written_out=locked)
        xi = velocity(s, u, parts, stages)
        free = d.constraint.moving_block(d.group) is MovingPart.WHOLE
        transport = motion(s, stages, xi, P if free else None)
        balance = self.balance(transport)
        assert balance.projected is not None
        variables = [Variable(name, "momentum", tuple(P[part])) for name, part in momenta.items()]
        return self._assemble(transport, balance, variables, balance.projected, "P", {}, parts, u, P)

    def _hamiltonian_form(self, s: SymbolicDefinition) -> StratonovichSDE:
        """dp = ad*_ξ̃ p + κ ◇ a + F with ξ = ∂h/∂p: the momentum is the state, and nothing is solved."""
        stages, momenta = ProgramBuilder(s.letters), s.definition.momenta
        xi = stages.let(s.xi, [sp.sympify(e) for e in s.velocity])  # type: ignore[union-attr]
        moved = motion(s, stages, xi, s.p)
        balance = self.balance(moved)
        variables = [Variable(name, "momentum", tuple(s.p[part])) for name, part in momenta.items()]
        parts = coordinates(s)[0]
        return self._assemble(moved, balance, variables, balance.f, "P", {}, parts, xi, s.p)

    def _velocity_form(self, s: SymbolicDefinition) -> StratonovichSDE:
        """(B_Vᵀ H B) du = B_Vᵀ(f − D[p(Bu + c, a, t, z)]|_u)."""
        assert s.distribution is not None
        stages = ProgramBuilder(s.letters)
        parts, u = coordinates(s)
        xi = velocity(s, u, parts, stages)
        transport = motion(s, stages, xi)
        balance = self.balance(transport)
        B, c, test = s.distribution.basis, s.distribution.offset, s.distribution.test
        substitution = dict(zip(s.xi, xi, strict=True))
        H = _at(s.hessian, substitution)
        assert transport.dB is not None
        drag = symbols.matvec(transport.dB, u) + transport.along(c)
        names = symbols.staged_blocks("dp_", s.definition.group.blocks)
        fixed = stages.let(names, symbols.matvec(H, drag) + _at(transport.along(s.momentum), substitution))
        V = B if test is None else test
        du = np.array([sp.Symbol(f"~d{x.name}", real=True) for x in u], dtype=object)
        matrix, rhs = symbols.matmul(V.T, symbols.matmul(H, B)), symbols.matvec(V.T, balance.f - fixed)
        du = stages.solve(du, matrix, rhs, symmetric=test is None)
        dxi = symbols.matvec(B, du) + drag
        reaction = symbols.matvec(H, dxi) + _at(transport.along(s.momentum), substitution) - balance.f
        variables = [Variable(name, "velocity", tuple(u[part])) for name, part in parts.items()]
        P = symbols.matvec(B.T, transport.p)
        return self._assemble(transport, balance, variables, du, "B", {"reaction": reaction}, parts, u, P)

    def _covector_form(self, s: SymbolicDefinition) -> StratonovichSDE:
        """[H −C; A 0][dξ; dλ] = [f − (D p)|_ξ; D b − (D A) ξ]."""
        if s.annihilator is None:
            raise errors.DefinitionError("the constraint gives no covectors", hint="Use form='B'.")
        stages, group = ProgramBuilder(s.letters), s.definition.group
        of_distribution = coordinates_of(s, stages)
        transport = motion(s, stages, s.xi)
        balance = self.balance(transport)
        A, b, C = s.annihilator.covectors, s.annihilator.values, s.annihilator.directions
        n, k = len(s.xi), len(A)
        zero = np.full((k, k), sp.Integer(0), dtype=object)
        matrix = np.block([[s.hessian, -C], [A, zero]])
        rhs = np.concatenate(
            [balance.f - transport.along(s.momentum), transport.along(b) - symbols.matvec(transport.along(A), s.xi)]
        )
        names = [sp.Symbol(f"~d{x.name}", real=True) for x in s.xi]
        names += list(symbols.staged("dlambda", k))
        solution = stages.solve(np.array(names, dtype=object), matrix, rhs, symmetric=False)
        extra = {
            "reaction": symbols.matvec(C, solution[n:]),
            "multiplier": solution[n:],
            "residual": symbols.matvec(A, s.xi) - b,
        }
        variables = [Variable(name, "velocity", tuple(s.xi[part])) for name, part in group.blocks.items()]
        return self._assemble(transport, balance, variables, solution[:n], "A", extra, dict(group.blocks), s.xi, transport.p,
                              of_distribution)  # fmt: skip

    def _assemble(
        self,
        transport: TransportKinematics,
        balance: Balance,
        variables: list[Variable],
        rates: np.ndarray,
        form: Form,
        extra: dict[str, np.ndarray],
        parts: dict[str, slice],
        u: np.ndarray,
        P: np.ndarray,
        of_distribution: Mapping[str, np.ndarray] = MappingProxyType({}),
    ) -> StratonovichSDE:
        s, d = transport.setting, transport.setting.definition
        variables += [Variable(k, "advected", tuple(s.a[part])) for k, part in d.advected_layout.items()]
        variables += [Variable(k, "internal", tuple(s.z[part])) for k, part in d.internal_layout.items()]
        stored = symbols.named(component_names.layout(dict.fromkeys(d.group.stored_names, 1)))
        state = tuple(x for v in variables for x in v.symbols)
        inputs = (*state, *stored, s.t, *d.parameters, s.dt, *s.dW)
        moving = {x for v in variables if v.kind in ("momentum", "velocity") for x in v.symbols}
        chosen_names = () if s.hamiltonian is not None else u  # ξ = ∂h/∂p may be what is advected, or a parameter
        # two things of one name would silently be one symbol
        block_symbols = [x for x in dict.fromkeys((*s.xi, *chosen_names, *P)) if x.is_Symbol and x not in moving]
        names = [x.name for x in (*block_symbols, *inputs)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise errors.DefinitionError(
                f"one symbol stands for two things: {', '.join(twice)}",
                hint="Rename a block, a coordinate or an advected quantity, or give a parameter another symbol=.",
            )
        momenta = {d.momentum_name(k) if form != "A" else f"p_{k}": P[part] for k, part in parts.items()}
        # momenta of D exist in A form too, where a basis is stated beside the covectors
        if form == "A" and s.distribution is not None:
            locked = symbols.matvec(s.distribution.basis.T, transport.p)
            momenta |= {d.momentum_name(k): locked[part] for k, part in coordinates(s)[0].items()}
        outputs = {
            "state": (*rates, *transport.da, *transport.dz), "coordinates": d.group.flow_entries(stored, transport.v),
            "xi": transport.xi, "u": u, "P": P, "p": transport.p, "v": transport.v, "force": transport.force, "f": balance.f,
            "letters": [e for rows in transport.changes for e in rows], **balance.named, **extra,
        }  # fmt: skip
        program = Program(inputs, tuple(transport.stages.statements), {k: _exprs(v) for k, v in outputs.items()})
        # later entries win: a variable of the state is its symbol, not the expression of it
        velocities = {k: transport.xi[part] for k, part in d.group.blocks.items()}
        scope = {**velocities, **{k: u[part] for k, part in parts.items()}, **of_distribution, **momenta}
        scope |= {v.name: np.array(v.symbols, dtype=object) for v in variables}
        return StratonovichSDE(
            definition=d, principle=self.name, form=form, variables=tuple(variables), program=program, setting=s,
            coordinates=dict(zip(d.group.stored_names, stored, strict=True)), named=scope,
        )  # fmt: skip


def _at(array: np.ndarray, substitution: dict[sp.Symbol, sp.Expr]) -> np.ndarray:
    out = np.empty(array.shape, dtype=object)
    for index, entry in np.ndenumerate(array):
        out[index] = entry.xreplace(substitution)
    return out


def _exprs(values: object) -> tuple[sp.Expr, ...]:
    return tuple(sp.sympify(e) for e in values)  # type: ignore[attr-defined]
