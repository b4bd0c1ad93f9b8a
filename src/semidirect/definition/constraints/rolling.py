"""Rolling without slipping, on a plane or on another surface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import display, errors, ops, user_code
from semidirect.definition.constraints.contact import Contact
from semidirect.definition.constraints.stochastic_constraint import Annihilator, Distribution, StochasticConstraint
from semidirect.definition.transport_noise import ConstantNoise, TransportNoise, as_noise


@final
@dataclass(frozen=True, repr=False)
class Rolling(display.Brief, StochasticConstraint):
    """Y = Ω × s: the material point in contact is at rest, s(a) from the contact to the centre of mass (body_constraint).

    B form: u = Ω, B: Ω ↦ (Ω, Ω × s). A form: A = (ŝ, 1), that is Y + s × Ω = 0. Noise N_i = (ξ_i, ξ_i × s) rolls as well;
    a slip field is (0, v). On a product of groups all other blocks are free: they are coordinates of D, like Ω.

    Attributes
    ----------
    contact : callable(a[, t, z]) or array (3,)
        s [m], linear in Γ (a ball: r Γ + ℓ χ) or not (disc, ellipsoid).
    noise : TransportNoise or array (k, 3)
        Amplitudes ξ_i of the angular velocity, [rad/√s].
    slip : callable(a[, t, z]) → sequence of (3,)
        Slip velocities v_i [m/√s] of fields outside D, after the others.
    offset : callable(a[, t, z]) → (3,)
        Velocity of the ground under the contact, in the body [m/s]: c = (0, offset).
    normal : callable(a[, t, z]) → (3,), optional
        Normal n of the ground at the contact, in the body, from the ground to the body: Γ on a horizontal plane. No equation
        needs it, but the check of the contact, n·ds = 0, and the contact forces do.
    load : callable(a[, t, z]) → (3,) or array (3,), optional
        The force on the contact that neither l nor the external forces contain, see :class:`Contact`: −m g Γ if the potential
        is written with Γ alone.
    angular, linear : str
        Names of the two blocks.
    """

    contact: Callable[..., Any] | Any
    noise: TransportNoise | Any = field(default_factory=lambda: ConstantNoise(()))
    slip: Callable[..., Sequence[Any]] | Sequence[Any] = ()
    offset: Callable[..., Any] | None = None
    normal: Callable[..., Any] | Any = None
    load: Callable[..., Any] | Any = None
    angular: str = "Omega"
    linear: str = "Y"

    one_source: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", as_noise(self.noise))

    def _contact(self, at: dict[str, Any]) -> Any:
        return _triple(user_code.call(self.contact, a=at["a"], t=at["t"], z=at["z"]), "the contact vector s of rolling")

    def _ground(self, at: dict[str, Any]) -> Any:
        if self.offset is None:
            return None
        return _triple(user_code.call(self.offset, a=at["a"], t=at["t"], z=at["z"]), "the offset of rolling")

    def ground_normal(self, **at: Any) -> Any:
        """n, or ``None`` if it is not given."""
        if self.normal is None:
            return None
        return _triple(
            user_code.call(self.normal, a=at["a"], t=at["t"], z=at["z"]), "the normal of the ground of rolling"
        )

    def ground_contact(self) -> Contact:
        """The point −s, on which the force of the ground acts."""
        return Contact(self.linear, self.normal, self.load, lambda a, t, z: -self._contact({"a": a, "t": t, "z": z}))

    def _embed(self, group: Any, angular: Any, linear: Any) -> np.ndarray:
        for name in (self.angular, self.linear):
            part = group.blocks.get(name)
            if part is None or part.stop - part.start != 3:
                raise errors.DefinitionError(
                    "rolling needs two blocks of three components", expected=f"blocks {self.angular} and {self.linear}",
                    got=", ".join(group.blocks), hint="Name them by angular= and linear=.",
                )  # fmt: skip
        out = ops.zeros(group.dimension).astype(object)
        out[group.blocks[self.angular]], out[group.blocks[self.linear]] = angular, linear
        return out

    def coordinates(self, group: Any) -> dict[str, int]:
        """u = Ω and all blocks but Y."""
        return {name: part.stop - part.start for name, part in group.blocks.items() if name != self.linear}

    def distribution(self, **at: Any) -> Distribution:
        """B = (1, −ŝ) and 1 on the other blocks, c = (0, offset)."""
        group, s, ground = at["group"], self._contact(at), self._ground(at)
        columns = []
        for name in self.coordinates(group):
            part = group.blocks[name]
            if name == self.angular:
                columns += [self._embed(group, e, ops.cross(e, s)) for e in ops.identity(3)]
            else:
                columns += list(ops.identity(group.dimension)[part].astype(object))
        c = None if ground is None else self._embed(group, ops.zeros(3), ground)
        return Distribution(np.stack(columns, axis=1), c)

    def annihilator(self, **at: Any) -> Annihilator:
        """A = (ŝ, 1), b = offset."""
        group, s = at["group"], self._contact(at)
        rows = [self._embed(group, row, e) for row, e in zip(ops.hat(s), ops.identity(3), strict=True)]
        return Annihilator(np.stack(rows), self._ground(at))

    def lift(self, amplitude: Any, **at: Any) -> Any:
        """N = (ξ, ξ × s)."""
        amplitude = _triple(amplitude, "an amplitude of rolling noise")
        return self._embed(at["group"], amplitude, ops.cross(amplitude, self._contact(at)))

    def extra_fields(self, **at: Any) -> Sequence[Any]:
        """The slip fields (0, v_i)."""
        slip = user_code.call(self.slip, a=at["a"], t=at["t"], z=at["z"])
        velocities = user_code.listed(slip)
        if velocities is None:
            raise errors.DefinitionError(
                "the slip of rolling", expected="a sequence of velocities, one for each field", got=repr(slip)
            )
        return [self._embed(at["group"], ops.zeros(3), _triple(v, "a slip velocity of rolling")) for v in velocities]

    def with_vectors(self, named: Callable[[str, Any], Any]) -> Rolling:
        """The same constraint with names for the contact vector s and the normal n."""

        def contact(a: Any, t: Any, z: Any) -> Any:
            return named("s", self._contact({"a": a, "t": t, "z": z}))

        def normal(a: Any, t: Any, z: Any) -> Any:
            return named("n", self.ground_normal(a=a, t=t, z=z))

        return replace(self, contact=contact, normal=None if self.normal is None else normal)

    def moving_block(self, group: Any) -> str:
        """so(3) turns M and Γ."""
        return self.angular


def _triple(value: Any, what: str) -> Any:
    vector = ops.array(value)
    if vector.shape != (3,):
        raise errors.DefinitionError(f"{what} has the wrong shape", expected="(3,)", got=str(vector.shape))
    return vector
