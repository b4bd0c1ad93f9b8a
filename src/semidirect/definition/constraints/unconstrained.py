"""No constraint: every velocity is admissible."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from semidirect.core import display, ops
from semidirect.definition.constraints.stochastic_constraint import Distribution, MovingPart, StochasticConstraint
from semidirect.definition.transport_noise import ConstantNoise, TransportNoise, as_noise


@final
@dataclass(frozen=True, repr=False)
class Unconstrained(display.Brief, StochasticConstraint):
    """D = 𝔰: the Euler–Poincaré equations with transport noise, amplitudes in 𝔰."""

    noise: TransportNoise | Any = field(default_factory=lambda: ConstantNoise(()))

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", as_noise(self.noise))

    def coordinates(self, group: Any) -> dict[str, int]:
        """The blocks of 𝔰."""
        return {name: part.stop - part.start for name, part in group.blocks.items()}

    def distribution(self, **at: Any) -> Distribution:
        """B = 1."""
        return Distribution(ops.identity(at["group"].dimension))

    def moving_block(self, group: Any) -> MovingPart:
        """All of 𝔰 acts on the momentum, by the coadjoint action."""
        return MovingPart.WHOLE
