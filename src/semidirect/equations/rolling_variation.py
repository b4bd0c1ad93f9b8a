"""The contact vector of a body that rolls on any surface, as a letter of a derivation: δs = s′ δΓ, ds = s′ dΓ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.constraints.rolling import Rolling
from semidirect.definition import Definition
from semidirect.equations import symbols
from semidirect.equations.rolling_letters import S, contact_vector
from semidirect.noise.transport_noise import InternalState

if TYPE_CHECKING:
    from semidirect.equations.kinematics import Setting


@final
@dataclass(frozen=True, eq=False)
class RollingVariation:
    """s, its variation and its change as letters.

    Attributes
    ----------
    name : str
        The advected vector on which s depends.
    contact : array (3,)
        s as a function of it.
    """

    name: str
    contact: np.ndarray

    @classmethod
    def of(cls, setting: Setting) -> RollingVariation | None:
        """Those of a body that rolls, if s is a function of one advected vector."""
        found = contact_vector(setting)
        return None if found is None else cls(*found)

    def definition(self, plain: Definition) -> Definition:
        """The definition with s as a letter."""
        assert isinstance(plain.constraint, Rolling)
        state = InternalState(S, (0, 0, 0), lambda t, z: [0, 0, 0])
        constraint = replace(plain.constraint, contact=lambda z: z[S])
        return replace(plain, constraint=constraint, internal=(*plain.internal, state))

    @property
    def s(self) -> np.ndarray:
        """s."""
        return symbols.vector(S, 3)

    @property
    def delta(self) -> np.ndarray:
        """δs."""
        return symbols.vector("rolledvariation", 3)

    @property
    def change(self) -> np.ndarray:
        """ds."""
        return symbols.vector("rolledchange", 3)

    def slope(self, i: int) -> np.ndarray:
        """s′ᵀτ_i, of the noise i from 0."""
        return symbols.vector(f"rolledslope{i}_", 3)

    def torque(self, field: np.ndarray, p: np.ndarray) -> list[sp.Expr]:
        """τ = −(∂N/∂s)ᵀp, so that −⟨p, δN⟩ = τ·δs."""
        return [-sp.Add(*(sp.diff(e, x) * m for e, m in zip(field, p, strict=True))) for x in self.s]
