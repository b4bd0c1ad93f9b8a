"""Gibbs' density e^{−βE} where dissipation balances noise: β, and a proof that the density is stationary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import arguments, display, errors, exact, explains_calls
from semidirect.definition import in_scalars
from semidirect.equations import derived_sde, quantity_expressions
from semidirect.invariants.parameters import ParameterSet

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE

OTHER_STATES: Mapping[str, tuple[str, str]] = {
    "A": ("A form", "State the constraint by directions, sd.DistributionConstraint(…), and a Lagrangian quadratic in ξ."),
    "B": ("B form", "Its state is of momenta if the Lagrangian is quadratic in ξ; find_measure(system) takes velocities."),
    "P": ("a velocity that is given", "It does not fluctuate; find_measure(system) asks for densities of the rest."),
}  # fmt: skip
"""Forms without momenta: what the state is, and what to do."""


@final
@dataclass(frozen=True, repr=False)
class Gibbs(display.Read):
    """The result of :func:`gibbs_density`.

    Attributes
    ----------
    beta : Fraction
        The inverse temperature.
    variables : tuple of str
        The coordinates in whose Lebesgue measure e^{−βE} is the density, and so on coadjoint orbits.
    stationary : bool or None
        Whether e^{−βE} is stationary: E does not change with time, but by a constant, and the adjoint of the generator gives 0 on
        it. ``None`` if neither was proved.
    defect : Fraction
        (L* − ∂/∂t)e^{−βE}/e^{−βE} at the first real state where it is not 0, else 0, also where E steps in time.
    points : int
        The number of random points over prime fields at which it was 0, on each piece.
    pieces : int
        The number of pieces, where fields or energy are given by cases; 1 where they are not.
    reason : str
        Why it is not stationary, or undecided.
    """

    beta: Fraction
    variables: tuple[str, ...]
    stationary: bool | None
    defect: Fraction
    points: int
    pieces: int = 1
    reason: str = ""

    def __str__(self) -> str:
        density = f"exp({_decimal(-self.beta, 12)} E) d{' d'.join(self.variables)}"
        if self.stationary:
            on = "" if self.pieces == 1 else f" on each of {self.pieces} pieces"
            return f"{density} is stationary: L* gives 0, exactly at {self.points} random points{on}"
        if self.stationary is None:
            return f"{density}: undecided, {self.reason}"
        by = f"L* gives {_decimal(self.defect, 6)} times it at a random state" if self.defect else ""
        return f"{density} is not stationary: {': '.join(filter(None, (by, self.reason)))}"


def _decimal(x: Fraction, digits: int) -> str:
    """A fraction of any size with some digits."""
    try:
        return f"{float(x):.{digits}g}"
    except OverflowError:
        return str(sp.N(sp.Rational(x.numerator, x.denominator), digits))


@explains_calls
def gibbs_density(system: SystemDefinition, *, beta: Any = None, seed: int = 0) -> Gibbs:
    """The Gibbs density of a system with double bracket dissipation, and whether it is stationary.

    With X_i the vector fields of constant transports e_i on 𝔰* × V, noise is ½ Σ S_ij X_i X_j with S = Σ N_k N_kᵀ and the
    dissipation −Σ Θ_ij (X_i E) X_j, Θ = BθBᵀ. Where they preserve Lebesgue's measure,

        L*P = Σ X_i(Θ_ij P X_j E + ½ S_ij X_j P)

    vanishes for P = e^{−βE} if Θ = β S/2: dissipation and noise balance at the temperature 1/β.

    L* is not taken from this: −div(Pf) + ½ Σ div(g_k div(P g_k)) is differentiated from the derived equations. That it vanishes
    is proved as :func:`.prove` proves it, at random points over prime fields; that it does not is shown by a real state. Where
    fields or energy are given by cases, ``where``, ``maximum`` or ``absolute``, it is proved on each piece, and real states are
    looked for on each, of all sizes and at the boundaries. There what flows across has to be the same on both sides; in
    time E may step, by the same at all states.

    Parameters
    ----------
    beta : number, optional
        The inverse temperature; default that of the balance.
    seed : int
        Of the random states.

    Raises
    ------
    InputError
        If no β balances dissipation and noise and none is given, for parameters per path, and for a motion that is given.
    """
    from semidirect.invariants.adjoint import Adjoint  # only here: others need no pieces
    from semidirect.invariants.stationarity import Stationarity

    seed = arguments.validated_whole("seed", seed, least=0)
    system = in_scalars(system)
    sde = derived_sde(system)
    stated = None if system._has_configuration else system.observables().get("energy")
    if stated is None and not system.workings.symbolic_definition().has_energy:
        raise errors.InputError(
            "Gibbs' density", expected="a system with an energy", got=f"{type(system).__name__}, a given motion",
            hint="find_measure(system) asks for densities that a given motion keeps.",
        )  # fmt: skip
    if stated is None and (sde.form != "P" or not any(v.kind == "momentum" for v in sde.variables)):
        got, hint = OTHER_STATES[sde.form]
        raise errors.InputError("Gibbs' density", expected="a state of momenta", got=got, hint=hint)
    if system.workings.paths is not None:
        raise errors.InputError(
            "Gibbs' density works at one set of parameters", got=f"parameters of {system.workings.paths} paths",
            hint="Give gibbs_density(system.at_path(0)), for each path.",
        )  # fmt: skip
    parameters = ParameterSet(system)
    if beta is not None and not isinstance(beta, Rational):
        beta = arguments.validated_number("beta", beta)
    value = _balance(sde, parameters.expressions()) if beta is None else Fraction(exact.exact_number(beta))
    variables = tuple(v.name for v in sde.variables)
    try:
        energy = sde.energy if stated is None else quantity_expressions.component_expressions(system, stated, sde)[0]
        adjoint = Adjoint(sde, value, energy)
    except errors.DefinitionError as error:  # a table of lines has no second derivative
        return Gibbs(value, variables, None, Fraction(0), 0, reason=str(error).split("\n")[0])
    return Gibbs(value, variables, *Stationarity(adjoint, parameters, seed).decided())


def _balance(sde: StratonovichSDE, numbers: Mapping[sp.Symbol, sp.Expr]) -> Fraction:
    """β with BθBᵀ = β/2 Σ N_k N_kᵀ."""
    s = sde.setting
    needs = "constants θ and N_k with BθBᵀ = β/2 Σ N_k N_kᵀ, and θ_a = 0"
    if s.dissipation is None or s.distribution is None:
        raise errors.InputError("the balance of dissipation and noise", expected=needs, got="no dissipation")

    def matrix(rows: Any) -> sp.Matrix:
        return sp.Matrix(np.asarray(rows, dtype=object)).xreplace(dict(numbers))

    B = matrix(s.distribution.basis)
    theta = B * matrix(s.dissipation[0]) * B.T
    noise = sum((N * N.T for N in (matrix(f) for f in s.fields)), sp.zeros(*theta.shape))
    balanced = not any(matrix(s.dissipation[1])) and not (theta.free_symbols | noise.free_symbols) and any(noise)
    beta = sp.nsimplify(2 * theta.trace() / noise.trace()) if balanced else sp.Integer(0)
    if not balanced or not beta.is_Rational or any((2 * theta - beta * noise).applyfunc(sp.simplify)):
        raise errors.InputError(
            "the balance of dissipation and noise", expected=needs, got="others", hint="Give beta=…."
        )
    return Fraction(int(beta.p), int(beta.q))
