"""Equations of a body that rolls on any surface, with its contact vector s and what comes of it as letters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np
import sympy as sp

from semidirect.core.signatures import call
from semidirect.definition.definition import Definition, Forces
from semidirect.equations.principles import PRINCIPLES
from semidirect.pages.contact_letter import ContactLetter

if TYPE_CHECKING:
    from semidirect.equations.principle import Principle
    from semidirect.equations.sde import StratonovichSDE
    from semidirect.representations.representation import Representation


@final
@dataclass(frozen=True, eq=False)
class RollingLetters:
    """A definition in which s(a) is a letter, and so are its change D_k s along each column and the slopes that it brings.

    N_i = (ξ_i, ξ_i × s) depends on a through s: κ has the part (∂s/∂a)ᵀτ_i, τ_i = −(∂N_i/∂s)ᵀp, which is a letter; and so is
    ∂l/∂a. With their values put in, the equations are those of the definition.

    Attributes
    ----------
    sde : StratonovichSDE
        The equations, P form.
    letter : ContactLetter
        s.
    """

    sde: StratonovichSDE
    letter: ContactLetter

    @classmethod
    def of(cls, sde: StratonovichSDE) -> RollingLetters | None:
        """Those of equations in P form of a body that rolls, if s and l are functions of one advected vector and p is not."""
        setting, letter = sde.setting, ContactLetter.of(sde.setting)
        if sde.form != "P" or letter is None or any(p.free_symbols & set(setting.a) for p in setting.momentum):
            return None
        found = cls(sde, letter)
        others = set(setting.a) - set(found._a)
        return None if setting.lagrangian.free_symbols & others else found

    @property
    def lagrangian_slope(self) -> list[sp.Expr]:
        """∂l/∂a."""
        return [sp.diff(self.sde.setting.lagrangian, x) for x in self._a]

    def torque(self, k: int) -> list[sp.Expr]:
        """τ_k = −(∂N_k/∂s)ᵀp."""
        return self.letter.torque(self.equations.setting.fields[k - 1], self.equations.program.outputs["p"])

    def rate(self, k: int) -> list[sp.Expr]:
        """D_k a of the quantity on which s depends."""
        fields = (self.equations.program.outputs["xi"], *self.equations.setting.fields)
        return list(-self._representation.action(np.array(fields[k], dtype=object), self._a))

    @cached_property
    def equations(self) -> StratonovichSDE:
        """The equations with letters, in momenta."""
        return self.derived("momentum")

    def derived(self, variables: Literal["momentum", "velocity"]) -> StratonovichSDE:
        """The equations with letters."""
        return self._principle.derive(self.definition, variables=variables)

    @cached_property
    def definition(self) -> Definition:
        """The definition with letters."""
        d, count = self.sde.definition, self.sde.wieners
        letters = [x for k in range(count + 1) for x in (*self.letter.change(k), *self.letter.slope(k))]
        at_rest = dict.fromkeys(self.sde.setting.xi, sp.Integer(0))
        potential = self.sde.setting.lagrangian.xreplace(at_rest)
        return replace(
            self.letter.put_into(d, count),
            lagrangian=lambda xi, a, t, z: call(d.lagrangian, xi=xi, a=a, t=t, z=z) - potential,
            parameters=(*d.parameters, *letters), forces=self._forces(),
        )  # fmt: skip

    def _forces(self) -> Forces:
        """The forces of the definition and those by the slopes."""

        def column(k: int, a: Any) -> np.ndarray:
            turned = self._representation.diamond(
                self.letter.slope(k), np.array(list(a[self.letter.name]), dtype=object)
            )
            return self.sde.setting.forces[k] + turned

        return Forces(lambda a: column(0, a), lambda a: [column(k, a) for k in range(1, self.sde.wieners + 1)])

    @property
    def _a(self) -> np.ndarray:
        return self.sde.setting.a[self.sde.definition.advected_layout[self.letter.name]]

    @property
    def _representation(self) -> Representation:
        return self.sde.definition.advected[self.letter.name].representation

    @property
    def _principle(self) -> Principle:
        return next(p for p in PRINCIPLES.values() if p.name == self.sde.principle)()
