"""``semidirect completion``: names of commands, flags, systems, methods, quantities and files, completed by the shell."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import add_command

if TYPE_CHECKING:
    from semidirect.cli.arguments import CommandParser, Commands

SHELLS = ("bash", "zsh", "fish")


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "completion", "print what makes a shell complete the names of systems, methods and quantities", execute,
        topic="this command line", examples=("completion bash",),
        details="Put eval \"$(semidirect completion bash)\" into ~/.bashrc; the same with zsh into ~/.zshrc; for fish write "
        "the output to ~/.config/fish/completions/semidirect.fish.",
    )  # fmt: skip
    parser.add_argument("shell", choices=SHELLS, help="whose language to print")


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["semidirect"], shell=args.shell))
    return 0


def complete(parser: CommandParser) -> None:
    """Answer a shell that asks for completions, and end the process; nothing where none asks."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    import argcomplete

    parser.each_argument(_attach)
    argcomplete.autocomplete(parser, always_complete_options=False)


def _attach(command: str, action: argparse.Action) -> None:
    """Say what completes an argument; argcomplete asks for choices and files by itself."""
    names = COMPLETERS.get(action.dest)
    if names is not None and not (action.dest == "name" and command == "new"):
        vars(action)["completer"] = lambda prefix, parsed_args, **_: _entries(names(parsed_args), prefix)


def _entries(names: Iterable[str], prefix: str) -> list[str]:
    """The names for the entry behind the last comma, with what stands before it."""
    before, comma, _ = prefix.rpartition(",")
    return [f"{before}{comma}{name}" for name in names]


def _systems(args: argparse.Namespace) -> Iterable[str]:
    from semidirect.definition import plugins

    return plugins.available()


def _methods(args: argparse.Namespace) -> Iterable[str]:
    from semidirect.integrators.registry import METHODS

    return METHODS


def _settings(args: argparse.Namespace) -> Iterable[str]:
    from semidirect.definition.preset import Preset
    from semidirect.definition.resolve import resolve

    loaded = resolve(args.name)
    kind = loaded.system if isinstance(loaded, Preset) else loaded
    return [f"{name}=" for name in (*kind.parameters(), *kind.options())]


def _parameters(args: argparse.Namespace) -> Iterable[str]:
    from semidirect.definition.resolve import resolve
    from semidirect.inference.free_parameters import entry_names

    return entry_names(resolve(args.name)())


def _state(args: argparse.Namespace) -> Iterable[str]:
    return [f"{name}=" for name, about in _described(args.name)["state"].items() if about["kind"] != "momentum"]


def _quantities(args: argparse.Namespace) -> Iterable[str]:
    """Those of the system, or of the run, observables first."""
    from semidirect.core.component_names import component_names
    from semidirect.definition.resolve import resolve

    if getattr(args, "run", None) is not None:
        from semidirect.run import Run

        run = Run.load(args.run)
        return [
            x
            for name in run.observables_first(run)
            for x in (name, *_parts(name, run[name].shape[2:], run.stored_names))
        ]
    about, stored = _described(args.name), resolve(args.name)().definition().group.stored_names
    names = [*about["observables"], *about["derived"]]
    for name, variable in about["state"].items():
        names += dict.fromkeys((name, *component_names(name, variable["size"], stored)))
    return names


def _parts(name: str, shape: tuple[int, ...], stored: tuple[str, ...]) -> tuple[str, ...]:
    from semidirect.core.component_names import component_names

    return component_names(name, shape[0], stored) if shape else ()


def _described(name: str) -> dict[str, Any]:
    from semidirect.cli.show import description
    from semidirect.definition.resolve import resolve

    return description(name, resolve(name))


def _followed_by(sign: str) -> Callable[[argparse.Namespace], Iterable[str]]:
    return lambda args: [f"{name}{sign}" for name in _quantities(args)]


COMPLETERS: dict[str, Callable[[argparse.Namespace], Iterable[str]]] = {
    "name": _systems, "method": _methods, "methods": _methods, "reference": _methods, "settings": _settings, "state": _state,
    "observe": _quantities, "over": _parameters, "spread": _state,
    "observable": _quantities, "quantity": _quantities, "prove": _quantities, "keep": _quantities, "restrict": _quantities,
    "panels": _quantities, "stop": _followed_by(">="), "bound": _followed_by("="),
}  # fmt: skip
"""What completes the arguments of these names."""
