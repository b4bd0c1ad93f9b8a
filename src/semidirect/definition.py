"""What a user states: group, advected quantities, Lagrangian, constraint, noise, forces. Everything else is derived from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from semidirect.blocks import layout
from semidirect.constraints.stochastic_constraint import StochasticConstraint
from semidirect.errors import DefinitionError
from semidirect.groups.lie_group import LieGroup
from semidirect.noise.transport_noise import InternalState
from semidirect.representations.advected import Advected


@dataclass(frozen=True)
class Forces:
    """External forces F dt + Σ F_i∘dW^i + Σ F'_j∘dB^j, covectors in 𝔰*, functions of those of ``xi, a, t, z`` they name.

    Attributes
    ----------
    drift : callable → (n,) or None
        F.
    noise : callable → sequence of (n,) or None
        F_i, with the Wiener processes W^i of the transport noise.
    independent : callable → sequence of (n,) or None
        F'_j, with Wiener processes B^j of their own.
    """

    drift: Callable[..., Any] | None = None
    noise: Callable[..., Sequence[Any]] | None = None
    independent: Callable[..., Sequence[Any]] | None = None


@dataclass(frozen=True)
class Definition:
    """The data of the theorem (EP), as functions; called with symbols to derive and with numbers to evaluate.

    Attributes
    ----------
    group : LieGroup
        S, with ξ = s⁻¹ds/dt in its algebra, blocks named.
    lagrangian : callable(xi, a[, t, z])
        l, a scalar.
    constraint : StochasticConstraint
        The distribution and the noise.
    advected : dict name → Advected
        a = s⁻¹·a₀, blocks named.
    internal : sequence of InternalState
        z, beside those that the noise brings.
    forces : Forces
        External forces.
    parameters : sequence of symbols
        Symbols that stand for numbers given later.
    momentum_names : dict
        Names of the momenta of the coordinates of D; default ``p_<name>``.
    """

    group: LieGroup
    lagrangian: Callable[..., Any]
    constraint: StochasticConstraint
    advected: Mapping[str, Advected] = field(default_factory=dict)
    internal: Sequence[InternalState] = ()
    forces: Forces = field(default_factory=Forces)
    parameters: Sequence[Any] = ()
    momentum_names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        velocities = dict.fromkeys((*self.group.blocks, *self.constraint.coordinates(self.group)))
        names = [*velocities, *(self.momentum_name(v) for v in velocities), *self.advected]
        names += [*(s.name for s in self.internal_states), *self.group.stored_names, "s", "t"]
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise DefinitionError(
                f"names used twice: {', '.join(sorted(twice))}",
                hint="Rename velocities, momenta, advected quantities, internal states or coordinates of s; s and t are taken.",
            )
        for name, quantity in self.advected.items():
            if quantity.representation.group != self.group:
                raise DefinitionError(
                    f"the advected quantity {name!r} lives in a representation of {quantity.representation.group!r}",
                    expected=f"one of {self.group!r}",
                    hint="Pull it back: Pullback(representation, group, block).",
                )

    @property
    def internal_states(self) -> tuple[InternalState, ...]:
        """All internal states: those given and those of the noise."""
        return (*self.internal, *self.constraint.noise.internal)

    @property
    def advected_layout(self) -> dict[str, slice]:
        """Blocks of a."""
        return layout({name: q.dimension for name, q in self.advected.items()})

    @property
    def internal_layout(self) -> dict[str, slice]:
        """Blocks of z."""
        return layout({s.name: s.dimension for s in self.internal_states})

    def momentum_name(self, coordinate: str) -> str:
        """Name of the momentum of a coordinate of D."""
        return self.momentum_names.get(coordinate, "M" if coordinate == "Omega" else f"p_{coordinate}")
