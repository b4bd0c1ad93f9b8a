"""A constraint given by covectors, without a basis of the distribution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

from semidirect.core import display, ops, user_code
from semidirect.definition.constraints.contact import Contact, require_contact
from semidirect.definition.constraints.stochastic_constraint import Annihilator, StochasticConstraint
from semidirect.definition.transport_noise import ConstantNoise, TransportNoise, as_noise


@final
@dataclass(frozen=True, repr=False)
class CovectorConstraint(display.Brief, StochasticConstraint):
    """A(a, t, z) ξ = b(a, t, z) with reaction C(ξ, a, t) dλ; the velocity ξ is the state, the noise amplitudes are in 𝔰.

    Observables may name ``state.multiplier``, the drift of λ: ``(k,)``, or a scalar for one covector.

    Attributes
    ----------
    covectors : array (k, n) or callable(a, t, z)
        A, of full rank.
    values : array (k,) or callable(a, t, z)
        b (default 0).
    directions : array (n, k) or callable(xi, a, t, z)
        C (default Aᵀ): where the reaction points; friction that depends on the normal force changes it.
    noise : TransportNoise or array (k, n)
        Fields N_i.
    contact : Contact, optional
        If the constraint is a contact: the block of its force and the normal of the ground.
    """

    covectors: Any | Callable[..., Any]
    values: Any = None
    directions: Any = None
    noise: TransportNoise | Any = field(default_factory=lambda: ConstantNoise(()))
    contact: Contact | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", as_noise(self.noise))
        require_contact(self.contact)

    def annihilator(self, **at: Any) -> Annihilator:
        """A, b and C."""
        where = {k: at[k] for k in ("a", "t", "z")}

        def value(part: Any, **more: Any) -> Any:
            return None if part is None else ops.array(user_code.call(part, **where, **more))

        return Annihilator(value(self.covectors), value(self.values), value(self.directions, xi=at["xi"]))

    def ground_contact(self) -> Contact | None:
        """The contact, if it is one."""
        return self.contact
