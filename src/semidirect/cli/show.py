"""``semidirect show``: the parameters, options, state and observables of a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from semidirect.cli.answer import Answer
from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.cli.shared import NAME
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import semidirect as sd
    from semidirect.definition import plugins


MOST_SHOWN = 20
"""Entries of a default that are shown one by one."""


def execute(call: Call) -> int:
    """Carry it out."""
    from semidirect.definition import plugins

    return Answer(text, dict).give(call, description(call.args.name, plugins.resolve(call.args.name)))


def description(name: str, target: plugins.Loaded) -> dict[str, Any]:
    """Everything about a system, with its default parameters, in JSON's types."""
    import inspect

    from semidirect.definition import Preset

    system = cast("sd.System", target())
    kind = type(system)
    documentation = [inspect.cleandoc(d) for d in (target.doc if isinstance(target, Preset) else "", kind.__doc__) if d]
    defined = {**system.observables(), **system.workings.quantities(derived=True)}
    observables: dict[str, Any] = {"observables": {}, "derived": {}}
    for quantity_name, quantity in kind.workings.declared_observables().items():
        about = {"unit": quantity.unit, "doc": quantity.doc, "defined": quantity_name in defined}
        if quantity.derived:
            observables["derived"][quantity_name] = about
        else:
            observables["observables"][quantity_name] = {"status": quantity.status, **about}
    return {
        "name": name,
        "title": documentation[0].split("\n")[0] if documentation else "",
        "doc": "\n\n".join(dict.fromkeys(documentation)),
        "class": f"{kind.__module__}:{kind.__qualname__}",
        "group": _group(system),
        "parameters": {
            n: {"default": system.values[n].tolist(), "unit": p.unit, "shape": shapes(p), "doc": p.doc}
            for n, p in kind.workings.parameters().items()
        },
        "options": {
            n: {"default": system.workings.choices[n], "choices": o.choices, "doc": o.doc}
            for n, o in kind.workings.options().items()
        },
        **observables,
        "state": state_variables(system),
    }


def state_variables(system: sd.System) -> dict[str, dict[str, Any]]:
    """Names that ``--state`` takes, each with its kind, size and recommended value (``None``: 0, or it follows)."""
    import numpy as np

    from semidirect.expressions import component_names

    if system._states_arrays:
        shape = system.workings.model().structure.shape
        spaces = {part.name: shape.matrices[part.name] for part in shape.variables}
        return {n: {"kind": x.label_of_state, "size": x.flat.rows, "recommended": None} for n, x in spaces.items()}
    definition = system.workings.definition()
    group = definition.group
    coordinates = definition.constraint.coordinates(group)
    velocities = coordinates or {name: part.stop - part.start for name, part in group.blocks.items()}
    sizes = {} if definition.by_hamiltonian else {n: ("velocity", d) for n, d in velocities.items()}
    sizes |= {definition.momentum_name(n): ("momentum", d) for n, d in coordinates.items()}
    sizes |= {n: ("advected", q.dimension) for n, q in definition.advected.items()}
    sizes |= {s.name: ("internal", s.dimension) for s in definition.internal_states}
    sizes |= {
        n: ("configuration", len(where))
        for n, where in component_names.grouped(group.stored_names).items()
        if n not in sizes
    }
    recommended = {n: np.asarray(v, dtype=float).tolist() for n, v in system.initial.items()}
    return {n: {"kind": k, "size": d, "recommended": recommended.get(n)} for n, (k, d) in sizes.items()}


def _group(system: sd.System) -> str:
    """The group; of a system that arrays state what stands for it, an algebra or the sites."""
    return system._stated_by_arrays().space if system._states_arrays else repr(system.group)


def shapes(parameter: sd.Parameter) -> list[str]:
    """The declared shapes in words; ``k`` is any count."""
    return [
        f"({', '.join('k' if n is None else str(n) for n in s)}{',' * (len(s) == 1)})" if s else "number"
        for s in parameter.shapes
    ]


def text(d: dict[str, Any]) -> str:
    """The description for people."""
    parts = [d["name"], text_layout.filled(d["doc"]), f"group  {d['group']}\nclass  {d['class']}"]
    if d["parameters"]:
        rows = [
            [n, _default(p["default"]), p["unit"], " or ".join(p["shape"]), p["doc"]]
            for n, p in d["parameters"].items()
        ]
        parts.append("parameters\n" + text_layout.table(["name", "default", "unit", "shape", "what"], rows, indent=2))
    if d["options"]:
        rows = [
            [n, printing.figures(o["default"]), " | ".join(map(printing.figures, choices(o))), o["doc"]]
            for n, o in d["options"].items()
        ]
        parts.append("options\n" + text_layout.table(["name", "default", "choices", "what"], rows, indent=2))
    rows = [[n, o["unit"], o["status"], _noted(o)] for n, o in d["observables"].items()]
    if rows:
        parts.append("observables\n" + text_layout.table(["name", "unit", "status", "what"], rows, indent=2))
    rows = [[n, o["unit"], _noted(o)] for n, o in d["derived"].items()]
    if rows:
        parts.append("derived\n" + text_layout.table(["name", "unit", "what"], rows, indent=2))
    rows = [
        [n, s["kind"], str(s["size"]), "" if s["recommended"] is None else printing.figures(s["recommended"])]
        for n, s in d["state"].items()
    ]
    parts.append("state\n" + text_layout.table(["name", "kind", "size", "recommended"], rows, right=[2], indent=2))
    return "\n\n".join(parts)


def choices(option: Mapping[str, Any]) -> Sequence[Any]:
    """The values that an option may have, as :func:`description` states it, or what kind of value."""
    kinds: dict[type, Sequence[Any]] = {bool: (True, False), int: ("a count",), str: ("text",)}
    return option["choices"] or kinds.get(type(option["default"]), ())


def _default(value: Any) -> str:
    """The default of a parameter; of a long table, how many numbers."""
    long = isinstance(value, list) and len(value) > MOST_SHOWN
    return (
        f"{len(value)} numbers from {printing.figures(value[0])} to {printing.figures(value[-1])}"
        if long
        else printing.figures(value)
    )


def _noted(o: dict[str, Any]) -> str:
    return o["doc"] if o["defined"] else f"{o['doc']} (not for the default parameters)".strip()


COMMAND = Command(
    "show", "show a system: parameters, options, state, observables", topic="systems", examples=("show heavy-top",),
    options=[NAME], execute=execute,
)  # fmt: skip
add = COMMAND.add
