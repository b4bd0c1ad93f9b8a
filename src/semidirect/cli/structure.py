"""``semidirect structure``: the geometry behind a system's equations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core import Flag
from semidirect.text import printing

if TYPE_CHECKING:
    import semidirect as sd

PARTS = ("integrability", "measure", "casimirs", "symmetries", "momenta", "rank", "principles")


def execute(call: Call) -> int:
    """Carry it out."""
    import semidirect as sd
    from semidirect.core import errors

    system, state, names = call.value("system"), call.value("state"), call.read("part")
    if state:
        system.evaluate(state)  # an invalid one is an error here, not the text of a part
    if call.args.latex:
        if call.as_json or set(names or ["momenta"]) != {"momenta"}:
            flags = [*(f"--part {name}" for name in names or ()), f"--format {call.args.format or 'table'}"]
            raise errors.InputError("--latex", expected="--part momenta alone, printed as text", got=" ".join(flags))
        print(sd.invariants.nonholonomic_momenta(system).latex())
        return 0
    parts = {name: _part(system, name, call.value("factors") or [], state) for name in names or PARTS}
    if call.as_json:
        printing.print_json({name: _plain(part) for name, part in parts.items()})
    else:
        printing.print_text("\n".join(map(str, parts.values())))
    return 0


def _plain(part: Any) -> list[Any]:
    """A part in JSON's types: lines of text, or momenta by their properties."""
    import semidirect as sd

    return part.described() if isinstance(part, sd.invariants.NonholonomicMomenta) else str(part).split("\n")


def _part(system: sd.System, part: str, factors: list[str], state: Any) -> Any:
    from semidirect import invariants
    from semidirect.core import errors

    match part:
        case "integrability":
            return str(invariants.integrability(system))
        case "measure":
            measures = [str(invariants.find_measure(system, along=a, factors=factors)) for a in ("drift", "both")]
            return "\n".join(dict.fromkeys(measures))  # both are the same without noise
        case "casimirs":
            return str(invariants.find_casimirs(system))
        case "symmetries":
            return str(invariants.find_symmetries(system))
        case "momenta":
            return invariants.nonholonomic_momenta(system)
        case "rank":
            return str(invariants.lie_rank(system))
    try:
        return f"principles at a state\n{invariants.compare_principles(system, state)}"
    except errors.InputError as error:
        return f"principles: {error}"


COMMAND = Command(
    "structure", "print the kind of constraint, the measure, bracket, symmetries and nonholonomic momenta of a system",
    ["semidirect:invariants.find_measure", "semidirect:invariants.compare_principles"], topic="equations",
    examples=("structure suslov --part measure",),
    arguments={
        "factors": Flag("factor", "a factor of the densities that are tried, e.g. 'Q'; may be repeated", "texts", "EXPRESSION",
                        completion="quantities"),
    },
    options=[
        Flag("part", "print this only; may be repeated (default: all)", "texts", choices=PARTS),
        Flag("latex", "print the nonholonomic momentum equations in LaTeX", "switch"),
    ],
    left_out={
        "along": "the drift, and drift and noise", "degree": "a search in Python", "functions": "a search in Python",
        "variables": "a search in Python", "locked": "a search in Python", "seed": "drawn anew each time",
        "multipliers": "those of the principle",
    },
    execute=execute,
)  # fmt: skip
add = COMMAND.add
