"""Units of the names of a run, stated or derived from the group and the energy."""

from __future__ import annotations

from collections.abc import Mapping

from semidirect.core import errors
from semidirect.definition.constraints.contact import UNITS
from semidirect.definition.definition import Definition
from semidirect.definition.labels.group_units import coordinate_units, displacement_units
from semidirect.definition.system_definition import SystemDefinition
from semidirect.expressions import Unit

OF_CONTACT = tuple(UNITS)
"""What a point of contact adds to a run."""
OF_CONSTRAINTS = ("reaction", "multiplier", "constraint-residual")
"""What a constraint adds to a run."""


def units_of(system: SystemDefinition) -> dict[str, str]:
    """Units by the names of a run, where they are known.

    Velocities, coordinates of s and reactions have those of the group, momenta that of the energy by that of their velocity.

    Raises
    ------
    DefinitionError
        Where ``units`` names something that is not there, or differs in dimension from what the group says.
    """
    definition = system.workings.of_one_path.workings.definition()
    observed = {**system.workings.quantities(derived=True), **system.observables()}
    energy = observed["energy"].unit if "energy" in observed else "J"
    units = {
        **UNITS,
        **_of_parts(definition),
        **_of_variables(definition, energy),
        **{name: o.unit for name, o in observed.items()},
    }
    return {name: unit for name, unit in units.items() if unit}


def _of_parts(definition: Definition) -> dict[str, str]:
    """The units of the contacts of several constraints."""
    return {
        f"{name}-{quantity}{i}": unit
        for name in definition.constraint.contacts()
        for quantity, unit in UNITS.items()
        for i in ("", "1", "2", "3")
        if name
    }


def _of_variables(definition: Definition, energy: str) -> dict[str, str]:
    group, own_units = definition.group, definition.units
    displacements = displacement_units(group)
    group_units = {**coordinate_units(group), **{block: f"{unit}/s" for block, unit in displacements.items()}}
    _refuse_contradictions(definition, group_units)
    units = {**group_units, **{name: a.unit for name, a in definition.advected.items()}}
    units |= {state.name: state.unit for state in definition.internal_states}
    units |= own_units
    velocities = dict.fromkeys((*group.blocks, *definition.constraint.coordinates(group)))
    momenta = {v: _over(energy, units.get(v, "")) for v in velocities}
    units = {**{definition.momentum_name(v): unit for v, unit in momenta.items()},
             **{f"p_{v}": unit for v, unit in momenta.items()}, **units}  # fmt: skip
    rates = {block: _over(energy, units.get(block, ""), "s") for block in group.blocks}
    if all(rates.values()):
        each = [rates[block] for block, where in group.blocks.items() for _ in range(where.start, where.stop)]
        units.setdefault("reaction", each[0] if len(set(each)) == 1 else ", ".join(each))
    return units


def _over(energy: str, velocity: str, time: str = "1") -> str:
    """The unit of a momentum, or of its rate where ``time`` is ``s``; empty where it is not known, or not one of base units."""
    above, below, rate = Unit.read(energy), Unit.read(velocity), Unit.read(time)
    if above is None or below is None or rate is None or above.scale != 1 or below.scale != 1:
        return ""
    return str(above / below / rate)


def _refuse_contradictions(definition: Definition, group_units: Mapping[str, str]) -> None:
    names = {*definition.names, *definition.group.blocks, *OF_CONSTRAINTS}
    for name, text in definition.units.items():
        if name not in names:
            raise errors.DefinitionError(
                "units", expected="names of velocities, momenta, advected quantities, internal states or coordinates of s",
                got=repr(name), hint="Parameters and observables state theirs: unit=….",
            )  # fmt: skip
        unit, derived = Unit.read(text), Unit.read(group_units.get(name, ""))
        if unit is not None and derived is not None and unit.powers != derived.powers:
            raise errors.DefinitionError(
                f"the unit of {name!r}", expected=f"{group_units[name]}, or another unit of that dimension", got=repr(text),
                hint=f"{definition.group.name} says so.",
            )  # fmt: skip
