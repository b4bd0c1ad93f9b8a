"""A motion by given velocities and noise, whose data are arguments."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

from semidirect.core import by_path, errors, frozen, ops
from semidirect.definition.constraints import PrescribedVelocity
from semidirect.definition.parameters import Parameter, parameter
from semidirect.definition.system_definition import SystemDefinition
from semidirect.definition.transport_noise import InternalState, TransportNoise
from semidirect.expressions import component_names
from semidirect.groups import Advected, LieGroup, described_group


class GivenMotion(SystemDefinition):
    """Group, velocity, noise, advected quantities and internal states given as arguments: the data of ``sd.Kinematics``."""

    velocity: Parameter = parameter((), symbol="xi", shape=(None,), doc="velocity ξ")
    noise: Parameter = parameter((), symbol="sigma", shape=(None, None), doc="fields σ_i")

    def __init__(self, group: LieGroup, *, velocity: Any = None, noise: Any = (), advected: Any = None,
                 internal: Any = None, initial: Any = None):  # fmt: skip
        if not isinstance(group, LieGroup):
            raise errors.DefinitionError("group", expected="a Lie group, such as sd.SO3()", got=reprlib.repr(group))
        values = {"advected": advected, "internal": internal, "initial": initial}
        data = {name: value for name, value in values.items() if value is not None}
        if callable(velocity):
            data["velocity"] = velocity
        if isinstance(noise, TransportNoise):
            data["noise"] = noise
        options = {k: v if isinstance(v, frozen.Always) else frozen.Always(v) for k, v in data.items()}
        vector = [0.0] * group.dimension if velocity is None or "velocity" in data else velocity
        super().__init__(velocity=vector, noise=() if "noise" in data else noise)
        self.__dict__["_options"] = MappingProxyType({"group": group, **options})
        for name, rows in (("velocity", ""), ("noise", "k, ")):
            shape, n = by_path(self.values[name]).shape[1:], group.dimension
            if shape[-1] != n and (name == "velocity" or 0 not in shape):
                raise errors.DefinitionError(
                    f"{name} of a motion on {group.name} has the wrong shape",
                    expected=f"({rows}{n}{',' * (not rows)}), components of {', '.join(group.blocks)}",
                    got=str(shape),
                )

    def _owner_of_results(self) -> Any:
        """The class; data that are functions, or a group that is not one of the library."""
        functions = [value for name, value in self.workings.signature[1] if name != "group"]
        if functions:
            return functions[0]
        kind, group = type(self), self.group
        if type(group).__module__.partition(".")[0] != "semidirect":
            return type(group)
        return kind if described_group(repr(group)) == group else group

    def _symbol_stem(self, name: str) -> str:
        """As of every system, but ``velocity`` or ``noise`` where the group or what is advected is named ``xi`` or ``sigma``."""
        stem = super()._symbol_stem(name)
        sizes = {block: part.stop - part.start for block, part in self.group.blocks.items()}
        sizes |= {key: a.representation.dimension for key, a in self.advected.items()}
        sizes |= {z.name: z.dimension for z in self.internal()}
        names = {
            *sizes,
            *self.group.stored_names,
            *(c for key, n in sizes.items() for c in component_names.component_names(key, n)),
        }
        return name if any(re.fullmatch(rf"{stem}[0-9_]*", other) for other in names) else stem

    def _given(self, name: str, default: Any) -> Any:
        return self._options[name]() if name in self._options else default

    @property
    def _choices(self) -> Mapping[str, Any]:
        """The arguments, in words; ``_of_record`` reads the group, and other things need ``system=``."""
        return {name: reprlib.repr(value) for name, value in self._options.items()}

    @classmethod
    def _of_record(
        cls, parameters: Mapping[str, Any], options: Mapping[str, Any], coordinates: Sequence[str] | None
    ) -> Self:
        """The motion on a group of the library, with constant velocity and noise; nothing else is in a record as a whole."""
        group, others = described_group(options.get("group")), options.keys() - {"group"}
        if others or group is None or coordinates not in (None, tuple(group.stored_names)):
            got = ", ".join(f"{name} = {options[name]}" for name in sorted(others or {"group"} & options.keys()))
            raise errors.InputError(
                f"the {cls.__name__} of a stored run",
                expected="a group of the library under its names, with constant velocity and noise",
                got=got,
                hint="Give system=….",
            )
        return cls(group, **parameters)

    @property
    def group(self) -> LieGroup:  # type: ignore[override]
        """S."""
        group: LieGroup = self._options["group"]
        return group

    @property
    def advected(self) -> Mapping[str, Advected]:  # type: ignore[override]
        """a."""
        quantities: Mapping[str, Advected] = self._given("advected", {})
        return quantities

    @property
    def initial(self) -> Mapping[str, Any]:  # type: ignore[override]
        """The recommended state."""
        state: Mapping[str, Any] = self._given("initial", {})
        return state

    def internal(self) -> Sequence[InternalState]:
        """z."""
        states: Sequence[InternalState] = self._given("internal", ())
        return states

    def constraint(self) -> PrescribedVelocity:
        """ξ and σ_i as given."""
        velocity, noise = (self._given(k, self.values[k]) for k in ("velocity", "noise"))
        return PrescribedVelocity(velocity, noise if isinstance(noise, TransportNoise) else ops.array(noise))
