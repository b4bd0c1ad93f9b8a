"""The meaning of each name of a run, in words."""

from __future__ import annotations

from semidirect.definition.constraints.contact import UNITS
from semidirect.definition.labels.units import OF_CONSTRAINTS
from semidirect.definition.system_definition import SystemDefinition
from semidirect.expressions import component_names

PARAMETER = "parameter."
"""What stands before the names of parameters among long names."""


def long_names(system: SystemDefinition) -> dict[str, str]:
    """The meaning of each name of a run, in words; parameters as ``parameter.mass``."""
    definition = system.workings.of_one_path.workings.definition()
    group, limits = definition.group, definition.constraint.coordinates(definition.group)
    velocities = dict.fromkeys((*group.blocks, *limits))
    return {
        **{f"p_{v}": f"momentum of {v}" for v in velocities},
        **{definition.momentum_name(v): f"momentum of {v}" for v in velocities},
        **{v: f"velocity {v}, a coordinate of the distribution" for v in limits},
        **{block: f"velocity {block}, of ξ = s⁻¹ds/dt" for block in group.blocks},
        **{name: f"advected quantity {name} = s⁻¹·{name}₀" for name in definition.advected},
        **{state.name: f"internal state {state.name}" for state in definition.internal_states},
        **{stem: f"coordinates {stem} of the configuration s" for stem in component_names.grouped(group.stored_names)},
        **dict(zip(OF_CONSTRAINTS, ("reaction of the constraint", "multiplier of the constraint",
                                    "residual Aξ − b of the constraint"), strict=True)),
        **{name: name.replace("-", " ") for name in UNITS},
        **{f"{part}-{name}": f"{name.replace('-', ' ')} of {part}"
           for part in definition.constraint.contacts() if part for name in UNITS},
        **{n: o.doc.rstrip(".") or n.replace("-", " ")
           for n, o in {**system.workings.quantities(derived=True), **system.observables()}.items()},
        **{f"{PARAMETER}{n}": p.doc.rstrip(".") or n.replace("_", " ") for n, p in type(system).workings.parameters().items()},
    }  # fmt: skip
