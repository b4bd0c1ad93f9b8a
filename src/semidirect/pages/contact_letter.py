"""The contact vector of a body that rolls on any surface, as a letter: what comes of it are letters, δs = s′ δΓ, ds = s′ dΓ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.core import symbols
from semidirect.core.signatures import call
from semidirect.core.tracing import tracing
from semidirect.definition.constraints.rolling import Rolling
from semidirect.definition.definition import Definition
from semidirect.definition.transport_noise import InternalState
from semidirect.definition.values_at import ValuesAt

if TYPE_CHECKING:
    from semidirect.equations.kinematics import SymbolicDefinition

S = "rolledcontact"
"""The internal state that stands for s while equations are derived."""


@final
@dataclass(frozen=True, eq=False)
class ContactLetter:
    """s, with letters for its variation, its changes and slopes.

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
    def of(cls, setting: SymbolicDefinition) -> ContactLetter | None:
        """That of a body that rolls, if s is a function of one advected vector."""
        d = setting.definition
        if not isinstance(d.constraint, Rolling) or not callable(d.constraint.contact):
            return None
        here = ValuesAt(d, setting.xi, setting.a, setting.z, setting.t).state
        with tracing():
            given = call(d.constraint.contact, a=here["a"], t=here["t"], z=here["z"])
            s = symbols.exact_rows(given, "the contact vector s of rolling")
        used = set().union(*(e.free_symbols for e in s))
        names = [name for name, part in d.advected_layout.items() if used & set(setting.a[part])]
        if len(names) != 1 or used & {setting.t, *setting.z} or d.advected[names[0]].dimension != 3:
            return None
        return cls(names[0], s)

    @property
    def s(self) -> np.ndarray:
        """s."""
        return symbols.vector(S, 3)

    @property
    def delta(self) -> np.ndarray:
        """δs."""
        return symbols.vector("rolledvariation", 3)

    @property
    def total(self) -> np.ndarray:
        """ds."""
        return symbols.vector("rolledtotal", 3)

    def change(self, k: int) -> np.ndarray:
        """D_k s, the part of ds in the column k."""
        return symbols.vector(f"rolledchange{k}_", 3)

    def slope(self, k: int) -> np.ndarray:
        """s′ᵀτ of the noise k; for k = 0 what else stands in its place."""
        return symbols.vector(f"rolledslope{k}_", 3)

    def torque(self, field: Sequence[sp.Expr] | np.ndarray, p: Sequence[sp.Expr] | np.ndarray) -> list[sp.Expr]:
        """τ = −(∂N/∂s)ᵀp, so that −⟨p, δN⟩ = τ·δs."""
        return [-sp.Add(*(sp.diff(e, x) * m for e, m in zip(field, p, strict=True))) for x in self.s]

    def put_into(self, plain: Definition, wieners: int) -> Definition:
        """The definition with s as a letter, that changes by the letters of its columns."""
        assert isinstance(plain.constraint, Rolling)
        drift, *noise = (list(self.change(k)) for k in range(wieners + 1))
        state = InternalState(S, (0, 0, 0), lambda t, z: drift, lambda t, z: noise)
        constraint = replace(plain.constraint, contact=lambda z: z[S])
        return replace(plain, constraint=constraint, internal=(*plain.internal, state))
