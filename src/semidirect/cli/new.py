"""``semidirect new``: a plugin package for a system of one's own."""

from __future__ import annotations

from pathlib import Path

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core import Flag
from semidirect.scaffold import Choices


def execute(call: Call) -> int:
    """Carry it out."""
    from semidirect.core import errors
    from semidirect.definition import plugins
    from semidirect.scaffold import write

    name, choices = call.args.name, call.function()(**call.arguments())
    if name in plugins.available():
        raise errors.InputError(f"a system {name!r} is installed already", hint="Choose another name.")
    _refuse_what_is_installed(name, choices.module)
    folder = Path(call.args.output or name)
    for path in write(choices, folder):
        print(path)
    print(f"pip install -e '{folder}[test]', then: semidirect check {name}")
    return 0


def _refuse_what_is_installed(name: str, module: str) -> None:
    """Raise an error for a name with which the new package would replace an installed one, or hide a module."""
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    from semidirect.core import errors

    try:
        installed = f"a package {name!r}, version {version(name)}, is"
    except PackageNotFoundError:
        if find_spec(module) is None:
            return
        installed = f"a module {module!r} is"
    raise errors.InputError(
        f"{installed} installed already, which a plugin of this name would replace", hint="Choose another name."
    )


COMMAND = Command(
    "new", "write a plugin package for a system of your own", ["semidirect.scaffold:Choices"], topic="systems",
    examples=("new my-top --advected gamma",),
    details="It installs, is listed, checked and run without edits. Incompatible choices raise an error.",
    arguments={
        "name": Flag("name", "lower-case words with hyphens, such as my-top", metavar="NAME", position="one"),
        "group": Flag("group", "the configuration group", choices=Choices.GROUPS),
        "advected": Flag("advected", "quantities fixed in space, seen from the body", choices=Choices.ADVECTED),
        "constraint": Flag("constraint", "how velocities are constrained", choices=Choices.CONSTRAINTS),
        "noise": Flag("noise", "amplitudes of the noise, or random forces", choices=Choices.NOISES),
    },
    options=[Flag("output", "a folder that does not exist yet; default NAME", metavar="DIR", letter="o")],
    answer=None, execute=execute,
)  # fmt: skip
add = COMMAND.add
