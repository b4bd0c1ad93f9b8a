"""A velocity that is given: the motion is a matter of kinematics alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from semidirect.core import display, ops, user_code
from semidirect.definition.constraints.stochastic_constraint import Distribution, StochasticConstraint
from semidirect.definition.transport_noise import ConstantNoise, TransportNoise, as_noise


@final
@dataclass(frozen=True, repr=False)
class PrescribedVelocity(display.Brief, StochasticConstraint):
    """ξ = c(a, t, z), D = 0: ds = s(c dt + Σ N_i∘dW^i), and no variation is admissible.

    The state is (a, z): there is no momentum, and a system needs no Lagrangian. One that states a Lagrangian has the force
    that the motion takes, R = dp/dt − ad*_ξ p − ∂l/∂a ◇ a − F, as its ``reaction``.

    Attributes
    ----------
    velocity : array (n,) or callable(a, t, z)
        c (default 0).
    noise : TransportNoise or array (k, n)
        Fields N_i.
    """

    velocity: Any | Callable[..., Any] = None
    noise: TransportNoise | Any = field(default_factory=lambda: ConstantNoise(()))
    prescribed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", as_noise(self.noise))

    def distribution(self, **at: Any) -> Distribution:
        """B without columns, and c."""
        n = at["group"].dimension
        velocity = user_code.call(self.velocity, a=at["a"], t=at["t"], z=at["z"])
        return Distribution(ops.zeros(n).reshape(n, 1)[:, :0], None if velocity is None else ops.array(velocity))
