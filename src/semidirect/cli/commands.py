"""The commands of ``semidirect``: its own, and those that installed packages add.

An entry point of the group ``semidirect.commands`` names a module with ``add``, which is the method of a
:class:`.Command`, or a function ``add(commands)`` that declares the command on the subparsers of :mod:`argparse`
(:func:`semidirect.cli.parser.add_command` does most of it)::

    [project.entry-points."semidirect.commands"]
    my-command = "my_package.my_command"

The name of the entry point is the name of the command.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from semidirect.cli import (
    advise,
    animate,
    check,
    compare,
    completion,
    convergence,
    equations,
    evaluate,
    evolution,
    export,
    filter,
    fit,
    invariants,
    list,
    lyapunov,
    multilevel,
    new,
    plot,
    run,
    show,
    structure,
    view,
)
from semidirect.core import errors, messages, registry

if TYPE_CHECKING:
    from semidirect.cli.parser import Commands

GROUP = "semidirect.commands"

BUILT_IN = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        list,
        show,
        equations,
        evolution,
        invariants,
        structure,
        evaluate,
        run,
        plot,
        view,
        animate,
        export,
        advise,
        convergence,
        compare,
        multilevel,
        lyapunov,
        filter,
        fit,
        check,
        new,
        completion,
    )
}


def add_commands(commands: Commands, arguments: Sequence[str]) -> None:
    """Declare the built-in commands, and those of other packages unless the arguments name a built-in one.

    Reading the metadata of the installed packages takes longer than everything else that ``--help`` of a built-in command does.
    """
    for module in BUILT_IN.values():
        module.add(commands)
    if next((a for a in arguments if not a.startswith("-")), None) not in BUILT_IN:
        for entries in registry.installed(GROUP).values():
            for entry in entries:
                _add_installed(commands, entry)


def _add_installed(commands: Commands, entry: registry.Extension) -> None:
    """Declare the command of an entry point; one that cannot be loaded leaves the others working."""
    distribution = entry.distribution
    if entry.name in commands.choices:
        problem = "another command has this name"
    else:
        try:
            module = entry.load()
            with registry.of_other_package(f"adding the command {entry.name}"):
                module.add(commands)
            if entry.name in commands.choices:
                return
            problem = f"{entry.value}.add declares no command of this name"
        except Exception as error:
            problem = f"{type(error).__name__}: {messages.printable(str(error))}"
    messages.warn_caller(
        f"the command {entry.name!r} of {distribution!r} is left out: {problem}. "
        f"Upgrade or remove {distribution!r}; the other commands work.",
        errors.PluginWarning,
    )
