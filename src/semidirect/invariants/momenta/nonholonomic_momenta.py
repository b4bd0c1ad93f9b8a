"""The nonholonomic momenta of a system and their momentum equation, derived and proved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.equations import derived_sde
from semidirect.invariants.fields import Fields
from semidirect.invariants.momenta.linear_momenta import LinearMomenta, linear_momenta
from semidirect.invariants.momenta.momentum_equation import momentum, momentum_evolution, momentum_rate
from semidirect.invariants.momenta.momentum_kinds import momentum_kinds
from semidirect.invariants.momenta.momentum_page import described, momentum_page
from semidirect.invariants.momenta.momentum_sections import momentum_sections
from semidirect.invariants.momenta.nonholonomic_momentum import NonholonomicMomentum
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.proofs import proved

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import Evolution


@final
@dataclass(frozen=True, eq=False, repr=False)
class NonholonomicMomenta(display.Brief):
    """The result of :func:`nonholonomic_momenta`. ``print`` shows it; :meth:`latex` writes the equations.

    Attributes
    ----------
    system : System
    momenta : tuple of NonholonomicMomentum
        One for each direction of D along which symmetries of space and body act together.
    """

    system: SystemDefinition
    momenta: tuple[NonholonomicMomentum, ...]

    @cached_property
    def evolution(self) -> Evolution:
        """The momentum equations in the reduced variables: value, drift, one coefficient for each noise, Itô drift."""
        sections = {j.name: j.section for j in self.momenta}
        return momentum_evolution(self.system, derived_sde(self.system), sections)

    @cached_property
    def linear_system(self) -> LinearMomenta:
        """dJ/dt = Σ ν_α A_α J with its matrices, if the momenta obey such a system; else raises an :class:`.InputError`."""
        return linear_momenta(self.system, self.momenta)

    def latex(self) -> str:
        """The equations in LaTeX."""
        return momentum_page(self.system, self.momenta, self.evolution, latex=True)

    def _repr_latex_(self) -> str:
        return display.formulas(self.latex())

    def described(self) -> list[dict[str, Any]]:
        """The same in JSON's types; expressions as text."""
        return described(self.system, self.momenta, self.evolution)

    def __str__(self) -> str:
        return momentum_page(self.system, self.momenta, self.evolution, latex=False)


@explains_calls
def nonholonomic_momenta(
    system: SystemDefinition, *, parameters: Parameters = "given", symbolic: bool = False, seed: int | None = None
) -> NonholonomicMomenta:
    """The momenta along D of the symmetries of space and body, and dJ of each, derived and proved.

    Space is moved by the ζ with ρ(ζ)a₀ = 0, the body by the χ along which l does not change. At each a the directions
    Ad_{s⁻¹}ζ + χ that lie in D are spanned by sections η(a), found exactly. The momentum J = ⟨∂l/∂ξ, η⟩ of each obeys

        dJ = ⟨p, Ad_{s⁻¹}dζ + dχ⟩ + ⟨F, η⟩ + Σ_i ⟨p, [N_i, χ] + (∂N_i/∂a) ρ(χ)a⟩∘dW^i

    with ζ and χ functions of a: the momentum equation of Bloch, Krishnaprasad, Marsden and Murray, Nonholonomic mechanical
    systems with symmetry (1996), along the stochastic motion; see :func:`.momentum_rate`. Its right-hand side does not use
    the equations of motion; :func:`.prove` decides whether dJ along them is the same. Ideal reactions drop out, others
    are part of it.

    Parameters
    ----------
    system : System
    parameters : {"given", "generic", "free"}
        The parameters for which sections are found and equations proved, see :class:`.ParameterSet`.
    symbolic : bool
        Whether to try symbolic proofs too.
    seed : int
        Of the random points.

    Raises
    ------
    InputError
        If an advected quantity has no rational points, or the constraint or l is piecewise.
    SemidirectError
        If an equation does not hold, which is a fault of this package.
    """
    arguments.validated_flag("symbolic", symbolic)
    sde, values = derived_sde(system, variables="velocity"), ParameterSet(system, parameters)
    sections = momentum_sections(sde.setting, values, covectors=sde.form == "A", seed=seed)
    J, rates = [momentum(sde, x) for x in sections], [momentum_rate(sde, x) for x in sections]
    kinds = momentum_kinds(Fields(sde, {"J": J}, {"J": rates}), sections, values, seed) if sections else None
    momenta = []
    for i, section in enumerate(sections):
        name = f"J{i + 1}"
        equation = proved(Fields(sde, {"Q": [J[i]]}, {"Q": [rates[i]]}), name, values, symbolic=symbolic, seed=seed)
        # each equation is proved against the derived ones, so an error here is one of this package
        if any(v.holds is False for v in equation.verdicts):
            raise errors.SemidirectError(f"the momentum equation of {name} does not hold", got=str(equation),
                                         hint="Please report this.")  # fmt: skip
        proof = proved(Fields(sde, {"Q": [J[i]]}), name, values, symbolic=symbolic, seed=seed)
        momenta.append(NonholonomicMomentum(name, section, J[i], kinds[i] if kinds else None, equation, proof))
    return NonholonomicMomenta(system, tuple(momenta))
