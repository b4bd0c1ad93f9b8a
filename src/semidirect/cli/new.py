"""``semidirect new``: a plugin package for a system of one's own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    from semidirect.scaffold.choices import ADVECTED, CONSTRAINTS, GROUPS, NOISES

    parser = add_command(
        commands, "new", "write a plugin package for a system of your own", execute, topic="systems",
        examples=("new my-top --advected gamma",),
        details="It installs, is listed, checked and run without edits. Incompatible choices raise an error.",
    )  # fmt: skip
    parser.add_argument("name", metavar="NAME", help="lower-case words with hyphens, such as my-top")
    parser.add_argument("--group", choices=GROUPS, default="so3", help="the configuration group")
    parser.add_argument("--advected", choices=ADVECTED, default="none", help="what of space is seen from the body")
    parser.add_argument("--constraint", choices=CONSTRAINTS, default="none", help="how velocities are constrained")
    parser.add_argument("--noise", choices=NOISES, default="constant", help="amplitudes of the noise, or random forces")
    parser.add_argument("-o", "--output", metavar="DIR", help="a folder that does not exist yet; default NAME")


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.core.errors import InputError
    from semidirect.definition import plugins
    from semidirect.scaffold import Choices, write

    choices = Choices(args.name, args.group, args.advected, args.constraint, args.noise)
    if args.name in plugins.available():
        raise InputError(f"a system {args.name!r} is installed already", hint="Choose another name.")
    _refuse_what_is_installed(args.name, choices.module)
    folder = Path(args.output or args.name)
    for path in write(choices, folder):
        print(path)
    print(f"pip install -e '{folder}[test]', then: semidirect check {args.name}")
    return 0


def _refuse_what_is_installed(name: str, module: str) -> None:
    """Raise an error for a name with which the new package would replace an installed one, or hide a module."""
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    from semidirect.core.errors import InputError

    try:
        known = f"a package {name!r}, version {version(name)}, is"
    except PackageNotFoundError:
        if find_spec(module) is None:
            return
        known = f"a module {module!r} is"
    raise InputError(
        f"{known} installed already, which a plugin of this name would replace", hint="Choose another name."
    )
