"""Equations of a body that rolls on any surface, with its contact vector s and what comes of it as letters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np
import sympy as sp

from semidirect.blocks import Blocks
from semidirect.calling import call
from semidirect.constraints.rolling import Rolling
from semidirect.definition import Definition, Forces
from semidirect.equations import symbols
from semidirect.equations.balance_rows import without_transport
from semidirect.equations.principles import PRINCIPLES
from semidirect.equations.tracing import tracing
from semidirect.noise.transport_noise import InternalState

if TYPE_CHECKING:
    from semidirect.equations.kinematics import Setting
    from semidirect.equations.principle import Principle
    from semidirect.equations.sde import StratonovichSDE

S = "rolledcontact"
"""The internal state that stands for s while the equations are derived."""


@final
@dataclass(frozen=True, eq=False)
class RollingLetters:
    """A definition in which s(a) is a letter, and so are its change D_k s along each column and the slopes λ that it brings.

    N_i = (ξ_i, ξ_i × s) depends on a through s: κ has the part (∂s/∂a)ᵀτ_i, τ_i = −(∂N_i/∂s)ᵀp, which is a letter; and so is
    ∂l/∂a. With their values put in, the equations are those of the definition.

    Attributes
    ----------
    sde : StratonovichSDE
        The equations, P form.
    name : str
        The advected quantity on which s depends.
    contact : array (3,)
        s as a function of it.
    """

    sde: StratonovichSDE
    name: str
    contact: np.ndarray

    @classmethod
    def of(cls, sde: StratonovichSDE) -> RollingLetters | None:
        """Those of equations in P form of a body that rolls, if s and l are functions of one advected vector and p is not."""
        setting, known = sde.setting, contact_vector(sde.setting)
        if sde.form != "P" or known is None or any(p.free_symbols & set(setting.a) for p in setting.momentum):
            return None
        found = cls(sde, *known)
        others = set(setting.a) - set(found._a)
        return None if setting.lagrangian.free_symbols & others else found

    # -- letters ---------------------------------------------------------------------------------------------------

    @property
    def s(self) -> np.ndarray:
        """s."""
        return symbols.vector(S, 3)

    def change(self, k: int) -> np.ndarray:
        """D_k s, the change of s along the column k."""
        return symbols.vector(f"rolledchange{k}_", 3)

    def slope(self, k: int) -> np.ndarray:
        """∂l/∂a for k = 0, else (∂s/∂a)ᵀτ_k."""
        return symbols.vector(f"rolledslope{k}_", 3)

    @property
    def lagrangian_slope(self) -> list[sp.Expr]:
        """∂l/∂a."""
        return [sp.diff(self.sde.setting.lagrangian, x) for x in self._a]

    def torque(self, k: int) -> list[sp.Expr]:
        """τ_k = −(∂N_k/∂s)ᵀp."""
        field, p = self.equations.setting.fields[k - 1], self.equations.program.outputs["p"]
        return [-sp.Add(*(sp.diff(e, x) * m for e, m in zip(field, p, strict=True))) for x in self.s]

    def rate(self, k: int) -> list[sp.Expr]:
        """D_k a of the quantity on which s depends."""
        program = without_transport(self.equations.column(k))
        start = 0
        for v in self.equations.variables:
            if v.name == self.name:
                return list(program.outputs["state"][start : start + v.dimension])
            start += v.dimension
        raise KeyError(self.name)

    # -- the definition --------------------------------------------------------------------------------------------

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
        d, constraint = self.sde.definition, self.sde.definition.constraint
        assert isinstance(constraint, Rolling)
        count = self.sde.wieners
        letters = [x for k in range(count + 1) for x in (*self.change(k), *self.slope(k))]
        at_rest = dict.fromkeys(self.sde.setting.xi, sp.Integer(0))
        potential = self.sde.setting.lagrangian.xreplace(at_rest)
        state = InternalState(
            S, (0, 0, 0), lambda t, z: list(self.change(0)),
            lambda t, z: [list(self.change(k)) for k in range(1, count + 1)],
        )  # fmt: skip
        return replace(
            d, lagrangian=lambda xi, a, t, z: call(d.lagrangian, xi=xi, a=a, t=t, z=z) - potential,
            constraint=replace(constraint, contact=lambda z: z[S]), internal=(*d.internal, state),
            parameters=(*d.parameters, *letters), forces=self._forces(),
        )  # fmt: skip

    def _forces(self) -> Forces:
        """The forces of the definition and those by the slopes."""
        representation = self.sde.definition.advected[self.name].representation

        def column(k: int, a: Any) -> np.ndarray:
            turned = representation.diamond(self.slope(k), np.array(list(a[self.name]), dtype=object))
            return self.sde.setting.forces[k] + turned

        return Forces(lambda a: column(0, a), lambda a: [column(k, a) for k in range(1, self.sde.wieners + 1)])

    @property
    def _a(self) -> np.ndarray:
        return self.sde.setting.a[self.sde.definition.advected_layout[self.name]]

    @property
    def _principle(self) -> Principle:
        return next(p for p in PRINCIPLES.values() if p.name == self.sde.principle)()


def contact_vector(setting: Setting) -> tuple[str, np.ndarray] | None:
    """The advected vector on which the s of a body that rolls depends, and s; ``None`` where it depends on more."""
    d = setting.definition
    if not isinstance(d.constraint, Rolling) or not callable(d.constraint.contact):
        return None
    at = {
        "a": Blocks.split(setting.a, d.advected_layout, "advected quantity"), "t": setting.t,
        "z": Blocks.split(setting.z, d.internal_layout, "internal state"),
    }  # fmt: skip
    with tracing():
        s = symbols.exact_rows(call(d.constraint.contact, **at), "the contact vector s of rolling")
    used = set().union(*(e.free_symbols for e in s))
    names = [name for name, part in d.advected_layout.items() if used & set(setting.a[part])]
    if len(names) != 1 or used & {setting.t, *setting.z} or d.advected[names[0]].dimension != 3:
        return None
    return names[0], s
