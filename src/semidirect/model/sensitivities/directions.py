"""The directions along which a run can be differentiated, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from semidirect.core import errors
from semidirect.expressions import component_names
from semidirect.model.sensitivities.tangents import Direction, Kind, Tangents

if TYPE_CHECKING:
    from semidirect.equations import Program
    from semidirect.model.numerical_model import NumericalSDE

STATE, CONFIGURATION, COMPONENTS = "state", "configuration", "components"
OF_STATE = ("velocity", "internal", CONFIGURATION)
"""The kinds of directions that move the start in all ways; where equations come from h, momenta stand for velocities."""
KINDS: dict[str, Kind] = {"velocity": "velocity", "momentum": "momentum", "internal": "internal"}


def tangents_of(model: NumericalSDE, names: Sequence[str]) -> Tangents:
    """The directions that names stand for.

    Parameters
    ----------
    model : NumericalSDE
        The equations.
    names : sequence of str
        Of parameters (``"inertia"`` for all its entries, ``"inertia1"`` for one), of velocities, momenta and internal states
        at the start, ``"configuration"`` for the turns and shifts s exp(ε e_i) of the configuration at the start, with which
        advected quantities move, ``"state"`` for all of the start: velocities, internal states and the configuration, and
        ``"components"`` for each component of the state vector alone, also of advected quantities that then leave their orbit.

    Raises
    ------
    UnknownNameError
        For any other name.
    MethodError
        If the equations are not differentiable.
    """
    by_name = directions(model)
    for name in names:
        if name in model.system.workings.table_names:
            raise errors.MethodError(
                f"{name!r} is a table", expected="a parameter, a velocity or another direction of a sensitivity",
                hint="Take differences of two runs with one seed, or multiply the function by a parameter.",
            )  # fmt: skip
        if name not in by_name:
            raise errors.UnknownNameError("direction of a sensitivity", name, by_name)
    if names:
        refuse_kinks(model)
    tangents = Tangents(tuple(dict.fromkeys(d for name in names for d in by_name[name])))
    places = model.system.workings.symbol_places
    for one in tangents.directions:
        if one.kind == "parameter" and not model.system.workings.stays_redundant(*places[one.number]):
            raise errors.MethodError(
                f"the derivative with respect to {one.label!r}",
                expected="a parameter that leaves redundant constraints redundant where it changes",
                got="one that makes them independent or contradictory, where the motion jumps",
                hint="Leave one of these constraints out, or let both depend on it in the same way.",
            )  # fmt: skip
    return tangents


def directions(model: NumericalSDE) -> dict[str, tuple[Direction, ...]]:
    """All directions by name: groups of them, and each alone."""
    groups: dict[str, list[Direction]] = {STATE: []}
    for number, (name, index) in enumerate(model.system.workings.symbol_places):
        label = name + "_".join(str(i + 1) for i in index)
        groups.setdefault(name, []).append(Direction(label, "parameter", number, name))
    groups |= dict(_of_start(model))
    groups[STATE] = [d for group in groups.values() for d in group if d.kind in OF_STATE]
    alone = {d.label: (d,) for group in groups.values() for d in group}
    return alone | {name: tuple(group) for name, group in groups.items()}


def _of_start(model: NumericalSDE) -> Iterator[tuple[str, list[Direction]]]:
    from semidirect.model.numerical_model import NumericalSDE

    velocity = NumericalSDE.of(model.system, variables="velocity").structure.shape
    for shape in (velocity, model.structure.shape):
        counts = dict.fromkeys(KINDS, 0)
        for variable in shape.variables:
            kind = "velocity" if variable.name in velocity.first else KINDS.get(variable.kind)
            if kind is None or (kind != "momentum") != (shape is velocity):
                continue
            first = counts[kind]
            counts[kind] += variable.dimension
            yield (
                variable.name,
                [Direction(label, kind, first + i, variable.name) for i, label in enumerate(variable.components)],
            )
    if not model.reconstructs:
        names = model.structure.state
        yield COMPONENTS, [Direction(f"{COMPONENTS}.{x}", "component", i, COMPONENTS) for i, x in enumerate(names)]
    if model.coordinates or model.definition.advected:
        labels = [
            x
            for name, part in model.group.blocks.items()
            for x in component_names.component_names(name, part.stop - part.start)
        ]
        yield (
            CONFIGURATION,
            [Direction(f"{CONFIGURATION}.{x}", "configuration", i, CONFIGURATION) for i, x in enumerate(labels)],
        )


def numbers_of(descriptions: Sequence[Sequence[str]], by: str | None) -> list[int]:
    """The directions that a name stands for, ``None`` for all; raises an :class:`UnknownNameError` for any other name."""
    numbers = [k for k, (label, kind, group) in enumerate(descriptions)
             if by in (None, label, group) or (by == STATE and kind in OF_STATE)]  # fmt: skip
    if not numbers:
        raise errors.UnknownNameError(
            "direction of the sensitivities", by, dict.fromkeys(x for d in descriptions for x in d[::2])
        )
    return numbers


def refuse_kinks(model: NumericalSDE) -> None:
    """Raise a :class:`MethodError` if the equations contain functions that are not differentiable everywhere."""
    text = model.structure.text("kinks", lambda: _first_kink(model))
    if text:
        function, _, place = text.partition(" ")
        raise errors.MethodError(
            f"the equations of {type(model.system).__name__} are not differentiable", got=f"{function} in {place}",
            hint="Replace it by a smooth function, such as sqrt(x**2 + eps**2) for |x|, or take differences of two runs with one "
            "seed; of a filter or a fit, update='particles'.",
        )  # fmt: skip


def _first_kink(model: NumericalSDE) -> str:
    """The first function with a kink and the output that needs it, in words; empty if there is none."""
    program = model.sde.program
    names = {"state": model.structure.state}
    for output in ("state", "v"):
        for i, expression in enumerate(program.outputs[output]):
            reason = kink(program, [expression])
            if reason:
                labels = names.get(output)
                return (
                    f"{reason} the equation of {labels[i]}" if labels else f"{reason} the motion of the configuration"
                )
    return ""


def kink_of(model: NumericalSDE, name: str, rows: Sequence[Any]) -> str:
    """The name of the first function with kinks in a quantity; empty if there is none."""
    structure = model.structure

    def first_kink() -> str:
        return kink(model.sde.program, list(structure.expressions(rows)))

    return structure.text(f"kinks of {name}", first_kink) if structure.keeps(rows) else first_kink()


def kink(program: Program, expressions: Sequence[Any]) -> str:
    """The name of the first function in expressions of a program that has kinks; empty if there is none."""
    import sympy as sp

    from semidirect.core import symbols
    from semidirect.equations import Let

    words: dict[Any, str] = {
        sp.Abs: "absolute",
        sp.Piecewise: "where",
        sp.Max: "maximum",
        sp.Min: "minimum",
        sp.sign: "sign",
        sp.Heaviside: "where",
    }
    statements = {name: s for s in program.statements for name in s.names}
    left, visited = list(map(sp.sympify, expressions)), set[sp.Symbol]()
    while left:
        for part in sp.preorder_traversal(left.pop()):
            if part.func in words:
                return words[part.func]
            if isinstance(part, symbols.Interpolated) and part.interpolant.kind == "linear":
                return "interpolate(kind='linear')"
            if part in statements and part not in visited:
                statement = statements[part]
                visited.add(part)
                left += (
                    [statement.expressions[statement.names.index(part)]]
                    if isinstance(statement, Let)
                    else statement.written
                )
    return ""
