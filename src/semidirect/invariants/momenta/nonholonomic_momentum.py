"""One nonholonomic momentum: its section, its momentum equation and its proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from semidirect.core import display
from semidirect.invariants.momenta.momentum_kinds import MIXED
from semidirect.invariants.momenta.momentum_sections import MomentumSection
from semidirect.invariants.proofs import Proof

if TYPE_CHECKING:
    import sympy as sp


@final
@dataclass(frozen=True, eq=False, repr=False)
class NonholonomicMomentum(display.Brief):
    """One component J = ⟨∂l/∂ξ, η⟩ of the nonholonomic momentum map.

    Attributes
    ----------
    name : str
        ``J1``, ``J2``, …
    section : MomentumSection
        η, a direction in D along which a symmetry acts.
    momentum : Expr
        J in the symbols of ``system.sde(variables="velocity")``.
    kinds : tuple of str, or None
        The kinds of terms of dJ/dt: ``"JJ"``, ``"Jr'"``, ``"r'r'"``, see :func:`.momentum_kinds`.
    equation : Proof
        Whether dJ along the equations of motion agrees with the momentum equation, column by column.
    conservation : Proof
        Whether J is conserved, column by column.
    """

    name: str
    section: MomentumSection
    momentum: sp.Expr
    kinds: tuple[str, ...] | None
    equation: Proof
    conservation: Proof

    @property
    def linear(self) -> bool:
        """Whether dJ/dt is linear in the momenta, with coefficients that are shape velocities."""
        return self.kinds == (MIXED,)
