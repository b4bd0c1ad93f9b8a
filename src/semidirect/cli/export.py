"""``semidirect export``: the steps of a system as a file in another language."""

from __future__ import annotations

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.cli.outputs import output_flags, output_place, write_output
from semidirect.core import Flag

ENDINGS = (".c", ".h", ".py", ".jl", ".js", ".m", ".txt")


def execute(call: Call) -> int:
    """Carry it out."""
    force = bool(call.args.force)
    place = None if call.args.output is None else output_place(call.args.output, ENDINGS, force=force)
    exported = call.function()(**call.arguments())
    if place is None:
        print(exported.text)
    else:
        write_output(exported.text.encode(), place, force=force)
        print(f"saved in {place}")
    return 0


COMMAND = Command(
    "export", "write the steps of a system in C, or for NumPy, JAX or CasADi", ["semidirect.export:export"], topic="paths",
    examples=("export heavy-top --to c -o heavy_top.c", "export suslov --to jax --method implicit-midpoint -o suslov.py"),
    details="A file in C needs the C library alone, and gives the bits of the paths of the library: same seed, same path.",
    arguments={
        "to": Flag("to", "the target: c, numpy, jax, casadi, or one of an installed package", metavar="TARGET"),
        "what": Flag("what", "fields, step or observables; may be repeated (default: all)", "texts", "PART"),
        "quantities": Flag("quantity", "a quantity that NAME_observe returns; may be repeated (default: all)", "texts", "Q",
                           completion="quantities"),
        "name": Flag("name", "prefix of the names in the file (default: by the class of the system)", metavar="NAME",
                     destination="stem"),
    },
    options=output_flags("write the file (default: print it)", "a file", "FILE"), answer=None, execute=execute,
)  # fmt: skip
add = COMMAND.add
