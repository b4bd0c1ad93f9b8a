"""Kinematics alone: a motion on a group by given velocities and noise, without a Lagrangian."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, final

from semidirect.core import ops
from semidirect.core.errors import DefinitionError
from semidirect.core.frozen import Always
from semidirect.core.parameters import Parameter, parameter
from semidirect.definition.constraints import PrescribedVelocity
from semidirect.definition.transport_noise import InternalState, TransportNoise
from semidirect.groups.lie_group import LieGroup
from semidirect.representations.advected import Advected
from semidirect.system import System


@final
class Kinematics(System):
    """Kinematics on a Lie group: ds = s(ξ dt + Σ σ_i∘dW^i) with given ξ and σ_i; advected quantities follow, a = s⁻¹a₀.

    With ξ = 0 and σ_i = σ e_i for an orthonormal basis it is Brownian motion on the group, and that on its orbits. Its
    equations, Itô form, evolutions, proofs and runs are those of any :class:`System`; there are no momenta and no energy. A
    system with named parameters and observables subclasses ``System`` instead, with :class:`PrescribedVelocity` for its
    constraint and no ``lagrangian``.

    Parameters
    ----------
    group : LieGroup
    velocity : array (n,), PerPath, or callable(a, t, z)
        ξ; an array is a parameter, which :meth:`replace` changes without a new derivation. Default 0.
    noise : array (k, n), PerPath, or TransportNoise
        The σ_i; an array is a parameter, a function of the state is ``sd.StateNoise(function)``. Default none.
    advected : dict name → Advected
    internal : sequence of InternalState
    initial : dict
        Recommended state.
    """

    velocity: Parameter = parameter((), symbol="xi", shape=(None,), doc="velocity ξ")
    noise: Parameter = parameter((), symbol="sigma", shape=(None, None), doc="fields σ_i")

    def __init__(self, group: LieGroup, *, velocity: Any = None, noise: Any = (), advected: Any = None,
                 internal: Any = None, initial: Any = None):  # fmt: skip
        if not isinstance(group, LieGroup):
            raise DefinitionError("group", expected="a Lie group, such as sd.SO3()", got=reprlib.repr(group))
        given = {"advected": advected, "internal": internal, "initial": initial}
        data = {name: value for name, value in given.items() if value is not None}
        if callable(velocity):
            data["velocity"] = velocity
        if isinstance(noise, TransportNoise):
            data["noise"] = noise
        held = {k: v if isinstance(v, Always) else Always(v) for k, v in data.items()}
        vector = [0.0] * group.dimension if velocity is None or "velocity" in data else velocity
        super().__init__(velocity=vector, noise=() if "noise" in data else noise)
        self.__dict__["_options"] = MappingProxyType({"group": group, **held})

    def _given(self, name: str, default: Any) -> Any:
        return self._options[name]() if name in self._options else default

    @property
    def choices(self) -> Mapping[str, Any]:
        """What is stated, in words; a store that holds it is read with ``system=``."""
        return {name: reprlib.repr(value) for name, value in self._options.items()}

    @property
    def group(self) -> LieGroup:  # type: ignore[override]
        """S."""
        group: LieGroup = self._options["group"]
        return group

    @property
    def advected(self) -> Mapping[str, Advected]:  # type: ignore[override]
        """a."""
        found: Mapping[str, Advected] = self._given("advected", {})
        return found

    @property
    def initial(self) -> Mapping[str, Any]:  # type: ignore[override]
        """The recommended state."""
        found: Mapping[str, Any] = self._given("initial", {})
        return found

    def internal(self) -> Sequence[InternalState]:
        """z."""
        found: Sequence[InternalState] = self._given("internal", ())
        return found

    def constraint(self) -> PrescribedVelocity:
        """ξ and σ_i as given."""
        velocity, noise = (self._given(k, self.values[k]) for k in ("velocity", "noise"))
        return PrescribedVelocity(velocity, noise if isinstance(noise, TransportNoise) else ops.array(noise))
