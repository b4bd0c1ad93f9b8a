"""The nonholonomic momentum equation: dJ of one section, derived from the symmetry alone, without solving for a rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.equations import Evolution
from semidirect.invariants.momenta.material import moved_by
from semidirect.pages import evolution_text

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE, SymbolicDefinition
    from semidirect.invariants.momenta.momentum_sections import MomentumSection


def momentum(sde: StratonovichSDE, section: MomentumSection) -> sp.Expr:
    """J = ⟨∂l/∂ξ, η⟩ in the names of the program: P·w with P = Bᵀp if D has a basis."""
    return sp.Add(*(p * w for p, w in zip(sde.program.outputs["P"], section.coordinates, strict=True)))


def momentum_rate(sde: StratonovichSDE, section: MomentumSection) -> sp.Expr:
    """dJ in the names of the program, linear in dt and dW.

    With η = σ + μ, σ = Ad_{s⁻¹}ζ, μ = Σ c_jχ_j, and ξ̃ = ξ dt + Σ N_i∘dW^i, the momentum balance (EP) along η ∈ D gives

        dJ = ⟨p, Ad_{s⁻¹}dζ + Σ χ_j dc_j⟩ + ⟨F, η⟩ + Σ_i ⟨p, [N_i, μ] + (∂N_i/∂a) ρ(μ)a⟩∘dW^i ,   Ad_{s⁻¹}dζ = dσ + [ξ̃, σ] .

    The first pairing is that of Bloch, Krishnaprasad, Marsden and Murray (1996), where d is now along ξ̃; the last
    one occurs if a noise lacks a symmetry of the body. Reactions that are not ideal add ⟨R, η⟩.
    """
    s, o = sde.setting, {name: np.array(rows, dtype=object) for name, rows in sde.program.outputs.items()}
    sigma, mu, eta = section.spatial, section.material, section.direction
    bracket = s.definition.group.bracket(o["v"], sigma)
    substitution = dict(zip(s.xi, o["xi"], strict=True))  # internal states may see ξ
    rates = [e.xreplace(substitution) for e in along_motion(s, o["v"], eta)]
    terms = [p * (d + x) for p, d, x in zip(o["p"], rates, bracket, strict=True)]
    terms += [f * x for f, x in zip(o["force"], eta, strict=True)]
    for field, dW in zip(s.fields, s.dW, strict=True):
        terms += [p * x * dW for p, x in zip(o["p"], _broken(s, field, mu), strict=True)]
    if not s.ideal:
        terms += [r * x for r, x in zip(o["reaction"], eta, strict=True)]
    return sp.Add(*terms)


def momentum_evolution(
    system: SystemDefinition, sde: StratonovichSDE, sections: Mapping[str, MomentumSection]
) -> Evolution:
    """The momentum equations as laws of motion of named quantities, to print or to evaluate."""
    s = sde.setting
    rates = {name: (momentum_rate(sde, section),) for name, section in sections.items()}
    values = {f"value:{name}": (momentum(sde, section),) for name, section in sections.items()}
    program = sde.program.with_outputs(**values)
    corrections: dict[str, list[sp.Expr]] = {name: [] for name in sections}
    for k in range(sde.wieners + 1):
        at = dict(zip((s.dt, *s.dW), (int(j == k) for j in range(sde.wieners + 1)), strict=True))
        label = f"noise{k}" if k else "drift"
        outputs = {f"{label}:{name}": row for name, row in rates.items()}
        column = sde.program.with_outputs(**outputs).call(at, f"@{k}")
        program = program.joined(column)
        if k:
            column_outputs = sde.column(k).outputs
            tangent = dict(zip(sde.state, column_outputs["state"], strict=True))
            tangent |= dict(zip(sde.coordinates.values(), column_outputs["coordinates"], strict=True))
            second = sde.column(k).with_outputs(**column.outputs).jvp(tangent, f'"{k}')
            program = program.joined(second.with_outputs())
            for name in sections:
                corrections[name] += second.outputs[f"{label}:{name}"]
    final = dict(program.outputs)
    for name, rows in corrections.items():
        final[f"ito:{name}"] = (final[f"drift:{name}"][0] + sp.Add(*rows) / 2,)
    return Evolution(program.with_outputs(**final), tuple(sections), sde, partial(evolution_text, system))


def along_motion(s: SymbolicDefinition, v: np.ndarray, functions: np.ndarray) -> list[sp.Expr]:
    """The change of functions of (a, t, z) along s⁻¹ds = v."""
    rates: dict[sp.Symbol, Any] = {s.t: s.dt}
    for name, action in moved_by(s, v).items():
        rates |= dict(zip(s.a[s.definition.advected_layout[name]], -action, strict=True))
    for j, z in enumerate(s.z):
        rates[z] = sp.Add(*(column[j] * d for column, d in zip(s.internal, (s.dt, *s.dW), strict=True)))
    return [sp.Add(*(sp.diff(f, x) * d for x, d in rates.items() if x in f.free_symbols)) for f in functions]


def _broken(s: SymbolicDefinition, field: np.ndarray, mu: np.ndarray) -> Sequence[sp.Expr]:
    """[N, μ] + (∂N/∂a) ρ(μ)a: the deviation of a field N(a) from the symmetry."""
    change = list(s.definition.group.bracket(field, mu))
    for name, action in moved_by(s, mu).items():
        for a, x in zip(s.a[s.definition.advected_layout[name]], action, strict=True):
            change = [c + sp.diff(n, a) * x for c, n in zip(change, field, strict=True)]
    return change
