"""Gibbs' density e^{−βE} where dissipation balances noise: β, and a proof that the density is stationary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from random import Random
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core.arguments import validated_number, validated_whole
from semidirect.core.display import Read
from semidirect.core.errors import InputError
from semidirect.core.exact import exact_number
from semidirect.core.interpolation import Table, unknown
from semidirect.core.parameters import PerPath
from semidirect.equations.derive import derived_sde
from semidirect.equations.divergence import column_divergence
from semidirect.equations.emission import evaluate_exact
from semidirect.equations.program import Program

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE

POINTS = 3


@final
@dataclass(frozen=True, repr=False)
class Gibbs(Read):
    """The result of :func:`gibbs_density`.

    Attributes
    ----------
    beta : Fraction
        The inverse temperature.
    variables : tuple of str
        The coordinates in whose Lebesgue measure e^{−βE} is the density, and so on coadjoint orbits.
    stationary : bool
        Whether the adjoint of the generator gives 0 on e^{−βE}, exactly at random rational states.
    defect : Fraction
        L*e^{−βE}/e^{−βE} at the first state where it is not 0, else 0.
    points : int
        The number of states.
    """

    beta: Fraction
    variables: tuple[str, ...]
    stationary: bool
    defect: Fraction
    points: int

    def __str__(self) -> str:
        density = f"exp(-{float(self.beta):.12g} E) d{' d'.join(self.variables)}"
        if self.stationary:
            return f"{density} is stationary: L* gives 0, exactly at {self.points} random states"
        return f"{density} is not stationary: L* gives {float(self.defect):.6g} times it at a random state"


def gibbs_density(system: SystemDefinition, *, beta: Any = None, seed: int = 0) -> Gibbs:
    """The Gibbs density of a system with double bracket dissipation, and whether it is stationary.

    With X_i the vector fields of constant transports e_i on 𝔰* × V, noise is ½ Σ S_ij X_i X_j with S = Σ N_k N_kᵀ and the
    dissipation −Σ Θ_ij (X_i E) X_j, Θ = BθBᵀ. Where they preserve Lebesgue's measure,

        L*P = Σ X_i(Θ_ij P X_j E + ½ S_ij X_j P)

    vanishes for P = e^{−βE} if Θ = β S/2: dissipation and noise balance at the temperature 1/β.

    L* is not taken from this: −div(Pf) + ½ Σ div(g_k div(P g_k)) is differentiated from the derived equations, and evaluated in
    rational numbers at the parameters of the first path.

    Parameters
    ----------
    beta : number, optional
        The inverse temperature; default that of the balance.
    seed : int
        Of the random states.

    Raises
    ------
    InputError
        If no β balances dissipation and noise and none is given, or if values are not rational.
    """
    seed = validated_whole("seed", seed, least=0)
    sde = derived_sde(system)
    if sde.form != "P":
        raise InputError("Gibbs' density", expected="a state of momenta", got=f"{sde.form} form")
    numbers = _numbers(system)
    if beta is not None and not isinstance(beta, Rational):
        beta = validated_number("beta", beta)
    value = _balance(sde, numbers) if beta is None else Fraction(exact_number(beta))
    program, random, found = _adjoint(sde, value), Random(seed), [Fraction(0)]
    tables = {symbol: Table(name, np.zeros(0)) for name, symbol in system.table_symbols.items()}
    for _ in range(POINTS):
        try:
            (defect,) = evaluate_exact(program, {**_state(sde, random), **numbers, **tables}, OF_TABLES)["defect"]
        except ArithmeticError:
            raise InputError("Gibbs' density", expected="fields and an energy that are rational") from None
        found.append(Fraction(defect))
    worst = next((x for x in found if x), Fraction(0))
    return Gibbs(value, tuple(v.name for v in sde.variables), not worst, worst, POINTS)


OF_TABLES = {"interpolate": unknown}
"""Functions given by tables count as unknown: what is stationary is so for any of them."""


def _numbers(system: SystemDefinition) -> dict[sp.Symbol, Fraction]:
    """The parameters of the first path as fractions."""
    found: dict[sp.Symbol, Fraction] = {}
    for name, symbols in system.parameter_symbols.items():
        value = system.values[name]
        first = np.asarray(value.values[0] if isinstance(value, PerPath) else value)
        found |= {x: Fraction(exact_number(v)) for x, v in zip(symbols.flat, first.flat, strict=True)}
    return found


def _balance(sde: StratonovichSDE, numbers: Mapping[sp.Symbol, Fraction]) -> Fraction:
    """β with BθBᵀ = β/2 Σ N_k N_kᵀ."""
    s = sde.setting
    needs = "constants θ and N_k with BθBᵀ = β/2 Σ N_k N_kᵀ, and θ_a = 0"
    if s.dissipation is None or s.distribution is None:
        raise InputError("the balance of dissipation and noise", expected=needs, got="no dissipation")
    given = {x: sp.Rational(v.numerator, v.denominator) for x, v in numbers.items()}

    def matrix(rows: Any) -> sp.Matrix:
        return sp.Matrix(np.asarray(rows, dtype=object)).xreplace(given)

    B = matrix(s.distribution.basis)
    theta = B * matrix(s.dissipation[0]) * B.T
    noise = sum((N * N.T for N in (matrix(f) for f in s.fields)), sp.zeros(*theta.shape))
    balanced = not any(matrix(s.dissipation[1])) and not (theta.free_symbols | noise.free_symbols) and any(noise)
    beta = 2 * theta.trace() / noise.trace() if balanced else sp.Integer(0)
    if not balanced or any(2 * theta - beta * noise):
        raise InputError("the balance of dissipation and noise", expected=needs, got="others", hint="Give beta=….")
    return Fraction(int(beta.p), int(beta.q))


def _adjoint(sde: StratonovichSDE, beta: Fraction) -> Program:
    """L*P/P for P = e^{−βE}: −div f + βf·E + ½ Σ (c_k² + g_k·c_k) with c_k = div g_k − βg_k·E."""
    b = sp.Rational(beta.numerator, beta.denominator)
    joined, total = sde.program, sp.Integer(0)
    for k in range(sde.wieners + 1):
        rates = dict(zip(sde.state, sde.column(k).outputs["state"], strict=True))
        joined, divergence = column_divergence(sde, k, joined)
        slope = joined.with_outputs(c=[sde.energy]).jvp(rates, f"!{k}")
        joined, c = joined.joined(slope), divergence - b * slope.outputs["c"][0]
        if k == 0:
            total -= c
            continue
        second = joined.with_outputs(c=[c]).jvp(rates, f"?{k}")
        joined, total = joined.joined(second), total + (c**2 + second.outputs["c"][0]) / 2
    return joined.with_outputs(defect=[total])


def _state(sde: StratonovichSDE, random: Random) -> dict[sp.Symbol, Fraction]:
    """A random rational state on the orbit of the advected quantities."""

    def draw() -> Fraction:
        return Fraction(random.randint(-12, 12), random.choice((3, 5, 7)))

    d, given = sde.definition, sde.coordinates.values()
    a = d.random_orbit_point(draw)
    values = {x: draw() for v in sde.variables for x in v.symbols}
    values |= dict(zip((x for v in sde.variables if v.kind == "advected" for x in v.symbols), a, strict=True))
    return {**values, sde.setting.t: draw(), **{x: draw() for x in given}}
