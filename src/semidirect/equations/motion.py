"""Velocities, momenta, transport and advection as the first stages of the equations, the same for every principle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from semidirect.core import errors, exact, messages, symbols
from semidirect.equations.kinematics import ProgramBuilder, SymbolicDefinition
from semidirect.equations.letters import vanishes
from semidirect.expressions import component_names


@dataclass(frozen=True)
class TransportKinematics:
    """One state and its transport, staged.

    Every array is of symbols (or of expressions in symbols) already defined in ``stages``: velocity ``xi``, momentum
    ``p`` = ∂l/∂ξ, transport ``v`` = (ξ + w) dt + Σ N_i dW^i, advection ``da`` = −ρ(v) a, ``dz``, the combined external force
    ``force`` = F dt + Σ F_i dW^i. ``B`` is the basis of D (``None`` in A form), ``dB`` its change along the motion;
    ``lagrangian_letters`` are the ∂l/∂s and ``changes`` the ds of the letters; ``hamiltonians`` the h_i of those fields that
    are given by one.
    """

    setting: SymbolicDefinition
    stages: ProgramBuilder
    xi: np.ndarray
    p: np.ndarray
    v: np.ndarray
    da: np.ndarray
    dz: np.ndarray
    force: np.ndarray
    lagrangian_a: np.ndarray
    fields: tuple[np.ndarray, ...]
    B: np.ndarray | None
    dB: np.ndarray | None
    lagrangian_letters: tuple[np.ndarray, ...] = ()
    changes: tuple[np.ndarray, ...] = ()
    hamiltonians: tuple[sp.Expr | None, ...] = ()

    def along(self, expressions: np.ndarray) -> np.ndarray:
        """The change D q of functions q(a, t, z) along the motion."""
        s = self.setting
        moving = [*zip((*s.a, *s.z, s.t), (*self.da, *self.dz, s.dt), strict=True)]
        for letter, change in zip(s.letters, self.changes, strict=True):
            moving += zip(letter.symbols, change, strict=True)
        rates = [(x, d) for x, d in moving if d != 0]
        out = np.empty(expressions.shape, dtype=object)
        for index in np.ndindex(expressions.shape):
            entry: sp.Expr = expressions[index]
            free = entry.free_symbols
            out[index] = sp.Add(*(sp.diff(entry, x) * d for x, d in rates if x in free))
        return out

    def kappa(self, along: np.ndarray, lagrangian: Sequence[sp.Expr] | np.ndarray) -> np.ndarray:
        """κ = (∂l/∂a) dt − Σ (∂N_i/∂a)ᵀ p dW^i, one row a symbol: a noise field that depends on a is varied too."""
        rows = []
        for a, force in zip(along, lagrangian, strict=True):
            varied = [
                slope * dW
                for field, h, dW in zip(self.fields, self.hamiltonians, self.setting.dW, strict=True)
                for slope in self._varied(field, h, a)
            ]
            rows.append(force * self.setting.dt - sp.Add(*varied))
        return np.array(rows, dtype=object)

    def _varied(self, field: np.ndarray, hamiltonian: sp.Expr | None, a: sp.Symbol) -> list[sp.Expr]:
        """The terms of ∂h_i/∂a at p, h_i = ⟨p, N_i⟩ where a field is stated."""
        if hamiltonian is not None:
            return [sp.diff(hamiltonian, a)]
        return [sp.diff(entry, a) * p for entry, p in zip(field, self.p, strict=True)]

    def kappa_of_letters(self) -> np.ndarray:
        """The other part of κ: Σ (∂s/∂a)ᵀ κ_s over the letters s, staged."""
        setting, sums = self.setting, dict[sp.Symbol, sp.Expr]()
        for i, letter in reversed([*enumerate(setting.letters)]):
            own, before = self.lagrangian_letters[i], setting.letters[: i + 1]
            pulled = [e for slope in letter.slopes for e in symbols.matvec(slope.entries.T, own)]
            own = 0 * own if vanishes(pulled, before) else own  # of a potential such as s·Γ, s its gradient
            rows = self.kappa(letter.symbols, own) + np.array([sums.get(x, sp.Integer(0)) for x in letter.symbols])
            rows = self.stages.let(symbols.staged(f"kappa_{letter.stem[1:]}", len(rows)), rows)
            for slope in letter.slopes:
                values = symbols.matvec(slope.entries.T, rows)
                if slope.is_symbol:
                    names = symbols.staged(f"pulled{slope.stem[1:]}", len(values))
                    values = self.stages.let(names, values)
                for x, e in zip(slope.along, values, strict=True):
                    sums[x] = sums.get(x, sp.Integer(0)) + e
        return np.array([sums.get(x, sp.Integer(0)) for x in setting.a], dtype=object)


def coordinates(setting: SymbolicDefinition) -> tuple[dict[str, slice], np.ndarray]:
    """Layout and symbols of the coordinates u of D."""
    d = setting.definition
    parts = component_names.layout(d.constraint.coordinates(d.group))
    return parts, symbols.named(parts)


def coordinates_of(setting: SymbolicDefinition, stages: ProgramBuilder) -> dict[str, np.ndarray]:
    """Stage those coordinates u of D that are no blocks of ξ, where ξ is the state: BᵀB u = Bᵀ(ξ − c)."""
    distribution = setting.distribution
    if distribution is None:
        return {}
    parts, _ = coordinates(setting)
    u = symbols.staged_blocks("u_", parts)
    new = {name: u[part] for name, part in parts.items() if name not in setting.definition.group.blocks}
    if new:
        B = distribution.basis
        stages.solve(u, symbols.matmul(B.T, B), symbols.matvec(B.T, setting.xi - distribution.offset), symmetric=True)
    return new


def velocity(setting: SymbolicDefinition, u: np.ndarray, parts: dict[str, slice], stages: ProgramBuilder) -> np.ndarray:
    """Stage ξ = B u + c."""
    d, distribution = setting.definition, setting.distribution
    assert distribution is not None
    if len(u) != distribution.basis.shape[1]:
        raise errors.DefinitionError(
            "the coordinates of a distribution do not match its basis", expected=f"{distribution.basis.shape[1]} components",
            got=f"{len(u)} ({', '.join(parts)})",
        )  # fmt: skip
    values = symbols.matvec(distribution.basis, u) + distribution.offset
    for name in set(parts) & set(d.group.blocks):
        if list(values[d.group.blocks[name]]) != list(u[parts[name]]):
            raise errors.DefinitionError(
                f"the coordinate {name!r} of the distribution is named like a block of the velocity but is not that block",
                hint="Give it another name.",
            )
    return stages.let(setting.xi, values)


def _gradient(setting: SymbolicDefinition) -> list[sp.Expr]:
    """∂l/∂a, or −∂h/∂a; a multiple c s of a letter has its components that are 0 by name, so that it is seen to be one."""
    rows = symbols.gradient(sp.sympify(setting.varied), setting.a)
    for part in setting.definition.advected_layout.values():
        for letter in setting.letters if any(rows[part]) else ():
            nothing = [e == 0 for e in letter.expressions]
            factors = {sp.diff(e, x) for e, x, no in zip(rows[part], letter.symbols, nothing, strict=False) if not no}
            if any(nothing) and len(factors) == 1 and len(letter.symbols) == part.stop - part.start:
                (c,) = factors
                rows[part] = [e + c * x * int(no) for e, x, no in zip(rows[part], letter.symbols, nothing, strict=True)]
    return rows


def _dissipation(
    setting: SymbolicDefinition, stages: ProgramBuilder, xi: np.ndarray, p: np.ndarray, slope: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Stage w = BθBᵀ(ad*_ξ p + ∂l/∂a ◇ a), and k = θ_a ρ(ξ)a."""
    d, distribution = setting.definition, setting.distribution
    assert setting.dissipation is not None
    assert distribution is not None
    theta, weights = setting.dissipation
    f, rates = d.group.cobracket(xi, p), []
    for name, part in d.advected_layout.items():
        f = f + d.advected[name].representation.diamond(slope[part], setting.a[part])
        rates += list(d.advected[name].representation.action(xi, setting.a[part]))
    f = stages.let(symbols.staged_blocks("f_", d.group.blocks), [sp.sympify(e) for e in f])
    B = distribution.basis
    w = stages.let(
        symbols.staged_blocks("w_", d.group.blocks), symbols.matvec(B, symbols.matvec(theta, symbols.matvec(B.T, f)))
    )
    return w, weights * np.array(rates, dtype=object)


def _replaced(expressions: Sequence[sp.Expr] | np.ndarray, rules: dict[sp.Symbol, sp.Expr]) -> np.ndarray:
    return exact.objects([sp.sympify(e).xreplace(rules) for e in expressions])


def motion(
    setting: SymbolicDefinition, stages: ProgramBuilder, xi: np.ndarray, p: np.ndarray | None = None
) -> TransportKinematics:
    """Stage everything from the velocity on. ``p`` is given where the momentum is the state itself."""
    messages.stage("transport and advection")
    d = setting.definition
    substitution = {name: value for name, value in zip(setting.xi, xi, strict=True) if name != value}
    # the momentum is staged before what depends on it, so that each statement uses names only
    if p is None:
        p = stages.let(symbols.staged_blocks("p_", d.group.blocks), _replaced(setting.momentum, substitution))
    substitution |= {name: value for name, value in zip(setting.p, p, strict=False) if name != value}

    def at(expressions: Sequence[sp.Expr] | np.ndarray) -> np.ndarray:
        return _replaced(expressions, substitution)

    fields = tuple(f if h is None else at(f) for f, h in zip(setting.fields, setting.noise_hamiltonians, strict=True))
    hamiltonians = tuple(None if h is None else at([h])[0] for h in setting.noise_hamiltonians)
    stages.define(setting.formal[0], at(setting.formal[1]))
    # dt and dW are symbols: one program holds the drift and all noises
    rates = (setting.dt, *setting.dW)
    n = d.group.dimension
    columns = (xi, *fields)
    slope = at(_gradient(setting))
    # a double bracket adds to the velocity and to the slope of the Lagrangian
    if setting.dissipation is not None:
        decay, damping = _dissipation(setting, stages, xi, p, slope)
        columns, slope = (xi + decay, *fields), slope + damping
    transport = [sp.Add(*(c[j] * r for c, r in zip(columns, rates, strict=True))) for j in range(n)]
    v = stages.let(symbols.staged_blocks("v_", d.group.blocks), transport)
    advected = []
    for name, part in d.advected_layout.items():
        advected += list(-d.advected[name].representation.action(v, setting.a[part]))
    da = stages.let(symbols.staged_blocks("d", d.advected_layout), [sp.sympify(e) for e in advected])
    dz = at([sp.Add(*(c[j] * r for c, r in zip(setting.internal, rates, strict=True))) for j in range(len(setting.z))])
    force = [sp.Add(*(c[j] * r for c, r in zip(setting.forces, rates, strict=True))) for j in range(n)]
    # letters follow the state, and later letters those before them
    moving = dict(zip((*setting.a, *setting.z, setting.t), (*da, *dz, setting.dt), strict=True))
    changes = []
    for letter in setting.letters:
        changes.append(stages.let(symbols.staged(f"change_{letter.name}", len(letter.symbols)), letter.change(moving)))
        moving |= dict(zip(letter.symbols, changes[-1], strict=True))
    B = None if setting.distribution is None else setting.distribution.basis
    result = TransportKinematics(
        setting, stages, xi, p, v, da, dz, at(force),
        slope, fields, B, None,
        tuple(at([sp.diff(setting.varied, x) for x in letter.symbols]) for letter in setting.letters), tuple(changes),
        hamiltonians,
    )  # fmt: skip
    # dB needs the motion that is complete by now
    if B is None:
        return result
    return TransportKinematics(**{**result.__dict__, "dB": result.along(B)})
