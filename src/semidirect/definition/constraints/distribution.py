"""A distribution given by a basis, constant or depending on the state, linear or affine."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

from semidirect.core import display, errors, ops, user_code
from semidirect.definition.constraints.contact import Contact, require_contact
from semidirect.definition.constraints.stochastic_constraint import Distribution, StochasticConstraint
from semidirect.definition.transport_noise import ConstantNoise, TransportNoise, as_noise


@final
@dataclass(frozen=True, repr=False)
class DistributionConstraint(display.Brief, StochasticConstraint):
    """ξ = B(a, t, z) u + c(a, t, z), the noise amplitudes in 𝔰.

    Attributes
    ----------
    basis : array (n, m) or callable(a, t, z)
        B.
    names : tuple of str or dict name → dimension
        Coordinates u; a tuple names one component each.
    offset : array (n,) or callable(a, t, z)
        c (default 0).
    test : array (n, m) or callable(a, t, z)
        B_V, the test space (default B): reactions C dλ with Cᵀ B_V = 0.
    noise : TransportNoise or array (k, n)
        Fields N_i, within D or across it.
    contact : Contact, optional
        If the constraint is a contact: the block of its force and the normal of the ground.
    """

    basis: Any | Callable[..., Any]
    names: Any = ("u",)
    offset: Any = None
    test: Any = None
    noise: TransportNoise | Any = field(default_factory=lambda: ConstantNoise(()))
    contact: Contact | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", as_noise(self.noise))
        require_contact(self.contact)
        sizes = self.names.values() if isinstance(self.names, Mapping) else ()
        if (
            isinstance(self.names, str)
            or not isinstance(self.names, Iterable)
            or getattr(self.names, "ndim", 1) != 1
            or not all(isinstance(n, str) for n in self.names)
            or not all(isinstance(k, int) and k > 0 for k in sizes)
        ):
            raise errors.DefinitionError(
                "the names of the coordinates of a distribution", got=reprlib.repr(self.names),
                expected="a tuple of names, such as ('u',), or names and their numbers of components",
            )  # fmt: skip

    def coordinates(self, group: Any) -> dict[str, int]:
        """Names and dimensions of u."""
        return dict(self.names) if isinstance(self.names, Mapping) else dict.fromkeys(self.names, 1)

    def distribution(self, **at: Any) -> Distribution:
        """B, c and B_V."""
        where = {k: at[k] for k in ("a", "t", "z")}

        def value(part: Any) -> Any:
            return None if part is None else ops.array(user_code.call(part, **where))

        return Distribution(value(self.basis), value(self.offset), value(self.test))

    def ground_contact(self) -> Contact | None:
        """The contact, if it is one."""
        return self.contact
