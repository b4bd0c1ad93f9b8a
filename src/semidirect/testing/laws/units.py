"""Whether stated units agree with the equations: other base units change all numbers as their units say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from semidirect.core import interpolation
from semidirect.definition import SystemDefinition, labels
from semidirect.expressions import Unit, UnitLabel, component_names
from semidirect.state import evaluate
from semidirect.testing.laws.law import unless
from semidirect.testing.laws.report import Outcome, failed, ok
from semidirect.testing.laws.subject import Subject

SMALLER = 0.7
"""A base unit becomes this part of what it was."""
TOLERANCE = 1e-9
"""Relative; measured are 1e-14."""
ROUNDINGS = 1000.0
"""What is left over at states where rounding counts, as of a disc that lies almost flat: so many times what it changes."""
ZERO = 1e-6
"""Numbers below this are compared as if they were of this size: a rate that vanishes is rounding. States are of size 1."""


def not_all_stated(subject: Subject) -> str:
    """The units that are missing for a comparison."""
    system = subject.system
    units = labels.units_of(system)
    parameters = [
        n for n, p in system.workings.parameters().items() if np.size(system.values[n]) and not _factors(p.unit, {})
    ]
    names = [n for n in _state_names(system) if Unit.read(units.get(n, "")) is None]
    return f"units are not stated, or not one: {', '.join([*parameters, *names])}" if parameters or names else ""


@unless(not_all_stated)
@interpolation.extended_tables()
def agree(subject: Subject) -> Outcome:
    """In other base units the numbers of all quantities are those that their units say."""
    system, units = subject.system, labels.units_of(subject.system)
    state = next(islice(subject.source.floats("units", system), 1))
    before, rounded = dict(_values(system, state)), dict(_values(system, _rounded(state)))
    texts = [*units.values(), *(p.unit for p in system.workings.parameters().values())]
    bases = {name for text in texts for part in text.split(",") if (u := Unit.read(part)) for name, _ in u.powers}
    for base in sorted(bases):
        sizes = {name: SMALLER if name == base else 1.0 for name in bases}
        after = dict(_values(*_in(system, state, units, sizes)))
        for (name, rate), values in before.items():
            count = len(values)
            for i, value in enumerate(values):
                unit = Unit.read(UnitLabel(units.get(name, "")).of_component(i, count))
                if unit is None or _constant(system, name, i):
                    continue
                expected = value * (unit * rate).growth(sizes)
                near = [*values, *after[name, rate], *before[name, Unit()], *after[name, Unit()]]
                size = max(ZERO, float(np.max(np.abs(near))))
                rounding = ROUNDINGS * abs(rounded[name, rate][i] - value)
                if abs(after[name, rate][i] - expected) > TOLERANCE * size + rounding:
                    return failed(
                        f"{name} is stated in {units[name]}, but does not change so with {base}",
                        f"the unit of {name}, or of a parameter or variable in its formula.",
                    )
    return ok(f"{len({name for name, _ in before} & units.keys())} quantities in {', '.join(sorted(bases))}")


def _rounded(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state with each number rounded to the next one, up and down in turn."""
    neighbours = {}
    for k, (name, value) in enumerate(state.items()):
        array = np.asarray(value, dtype=float)
        signs = (-1.0) ** (k + np.arange(array.size).reshape(array.shape))
        neighbours[name] = array * (1 + signs * np.finfo(float).eps)
    return neighbours


def _in(
    system: SystemDefinition, state: Mapping[str, Any], units: Mapping[str, str], sizes: Mapping[str, float]
) -> tuple[SystemDefinition, dict[str, Any]]:
    """The same system and state as numbers of other base units."""
    parameters = {}
    for name, p in system.workings.parameters().items():
        value = np.asarray(system.values[name], dtype=float)
        factors = np.array(_factors(p.unit, sizes) or [1.0])
        if len(factors) > 1:  # one for each block of the velocity
            factors = np.repeat(factors, [part.stop - part.start for part in system.group.blocks.values()])
        parameters[name] = np.asarray(value * (factors if len(factors) > 1 else factors[0]))
    stems = {
        system.group.stored_names[i]: s
        for s, where in component_names.grouped(system.group.stored_names).items()
        for i in where
    }
    numbers = {}
    for name, value in state.items():
        unit = Unit.read(units[stems.get(name, name)])
        assert unit is not None
        numbers[name] = np.asarray(value) * unit.growth(sizes)
    return system.workings.with_values(parameters), numbers


def _factors(text: str, sizes: Mapping[str, float]) -> list[float]:
    """How numbers of a parameter grow, one for each unit of its text; nothing where one cannot be read."""
    units = [Unit.read(part) for part in text.split(",")]
    if any(unit is None for unit in units):
        return []
    return [unit.growth({**{name: 1.0 for name, _ in unit.powers}, **sizes}) for unit in units if unit is not None]


def _state_names(system: SystemDefinition) -> list[str]:
    definition = system.workings.definition()
    inner = (state.name for state in definition.internal_states)
    return [
        *definition.velocities,
        *inner,
        *component_names.grouped(definition.group.stored_names),
        *definition.advected,
    ]


def _values(system: SystemDefinition, state: Mapping[str, Any]) -> Iterator[tuple[tuple[str, Unit], list[float]]]:
    """The numbers of all quantities, of their drifts and of their noises, with the units that come beside."""
    result, second = evaluate(system, state), Unit.read("s") or Unit()
    rows = {
        Unit(): {**result["state"], **result["derived"], **{k: q["value"] for k, q in result["observables"].items()}}
    }
    rows[second**-1] = {**result["drift"], **{k: q["drift"] for k, q in result["observables"].items()}}
    if result["noise"]:
        rows[Unit.read("1/√s") or Unit()] = {
            **result["noise"][0],
            **{k: q["noise"][0] for k, q in result["observables"].items()},
        }
    for rate, quantities in rows.items():
        for name, value in quantities.items():
            if name not in rows[Unit()]:
                continue
            yield (name, rate), np.reshape(value, -1).tolist()


def _constant(system: SystemDefinition, name: str, index: int) -> bool:
    """Whether a component is the 1 of a point (b, 1)."""
    return name in system.advected and index in system.advected[name].constants
