"""``semidirect completion``: names of commands, flags, systems, methods, quantities and files, completed by the shell."""

from __future__ import annotations

import argparse
import os
import re
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core import Flag

if TYPE_CHECKING:
    from semidirect.cli.parser import CommandParser

SHELLS = ("bash", "zsh", "fish")


def execute(call: Call) -> int:
    """Carry it out."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["semidirect"], shell=call.args.shell))
    return 0


COMMAND = Command(
    "completion", "print the shell script that completes the names of systems, methods and quantities",
    topic="this command line", examples=("completion bash",),
    details="Put eval \"$(semidirect completion bash)\" into ~/.bashrc; the same with zsh into ~/.zshrc; for fish write "
    "the output to ~/.config/fish/completions/semidirect.fish.",
    options=[Flag("shell", "whose language to print", choices=SHELLS, position="one")], answer=None, execute=execute,
)  # fmt: skip
add = COMMAND.add


def complete(parser: CommandParser) -> None:
    """Answer a shell that asks for completions, and end the process; nothing where none asks."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    import argcomplete

    words = os.environ.get("COMP_LINE", "").split()
    for command in (one for name, one in parser.commands.items() if name in words):
        for action in command.arguments():  # of other commands they are not needed
            _attach(action)
    argcomplete.autocomplete(parser, always_complete_options=False)


def _attach(action: argparse.Action) -> None:
    """Say what completes an argument; argcomplete asks for choices and files by itself."""
    if completion := vars(action).get("completion"):
        names = COMPLETERS[completion]
        vars(action)["completer"] = lambda prefix, parsed_args, **_: _entries(names(parsed_args), prefix)


def _entries(names: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The names for the entry behind the last comma, with what stands before it."""
    before, comma, _ = prefix.rpartition(",")
    return {f"{before}{comma}{name}": about for name, about in names.items()}


def _systems(args: argparse.Namespace) -> Mapping[str, str]:
    from semidirect.definition import plugins

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nothing but answers goes to a shell
        kinds = plugins.load_all()
    return {name: _first_sentence(kinds.get(name)) for name in plugins.available()}


def _methods(args: argparse.Namespace) -> Mapping[str, str]:
    from semidirect.integrators import METHODS

    return {name: _first_sentence(METHODS.built_in.get(name)) for name in METHODS}


def _updates(args: argparse.Namespace) -> Mapping[str, str]:
    from semidirect.inference import UPDATES

    return {name: _first_sentence(UPDATES.built_in.get(name)) for name in UPDATES}


def _settings(args: argparse.Namespace) -> Mapping[str, str]:
    about = _described(args.name)
    options = {name: option["doc"] for name, option in about["options"].items()}
    return _followed({**{name: _with_unit(p) for name, p in about["parameters"].items()}, **options}, "=")


def _parameters(args: argparse.Namespace) -> Mapping[str, str]:
    from semidirect.definition import plugins

    entries = plugins.resolve(args.name)().workings.entries
    return dict.fromkeys((*(name for name, _ in entries.values()), *entries), "")


def _state(args: argparse.Namespace) -> Mapping[str, str]:
    state = _described(args.name)["state"]
    return _followed({name: about["kind"] for name, about in state.items() if about["kind"] != "momentum"}, "=")


def _quantities(args: argparse.Namespace) -> Mapping[str, str]:
    """Those of the system, or of the run, observables first."""
    from semidirect.definition import plugins
    from semidirect.expressions import component_names

    if getattr(args, "run", None) is not None:
        import semidirect as sd

        run = sd.Run.load(args.run).data
        return {
            x: run.unit(x)
            for name in run.observables_first(run)
            for x in (name, *_parts(name, run[name].shape[2:], run.stored_names))
        }
    about, stored = _described(args.name), plugins.resolve(args.name)().workings.definition().group.stored_names
    names = {name: _with_unit(x) for name, x in {**about["observables"], **about["derived"]}.items()}
    for name, variable in about["state"].items():
        names |= dict.fromkeys(
            (name, *component_names.component_names(name, variable["size"], stored)), variable["kind"]
        )
    return names


def _parts(name: str, shape: tuple[int, ...], stored: tuple[str, ...]) -> tuple[str, ...]:
    from semidirect.expressions import component_names

    return component_names.component_names(name, shape[0], stored) if shape else ()


def _described(name: str) -> dict[str, Any]:
    from semidirect.cli.show import description
    from semidirect.definition import plugins

    return description(name, plugins.resolve(name))


def _with_unit(about: Mapping[str, Any]) -> str:
    from semidirect.expressions import UnitLabel

    unit = UnitLabel(about["unit"]).behind_a_number()
    words = " ".join(about["doc"].split()).rstrip(".")
    return f"{words} [{unit}]".strip() if unit else words


def _first_sentence(thing: Any) -> str:
    """Of what a class or a preset says about itself, without marks of code."""
    from semidirect.definition import Preset

    text = (thing.doc if isinstance(thing, Preset) else getattr(thing, "__doc__", None)) or ""
    line = re.sub(r":\w+:`~?([^`]*)`", lambda m: m[1].rpartition(".")[2], " ".join(text.split("\n\n")[0].split()))
    return re.split(r"(?<=\w\w)\. ", line.replace("``", ""))[0].rstrip(".")


def _followed(names: Mapping[str, str], sign: str) -> dict[str, str]:
    return {f"{name}{sign}": about for name, about in names.items()}


def _followed_by(sign: str) -> Callable[[argparse.Namespace], Mapping[str, str]]:
    return lambda args: _followed(_quantities(args), sign)


COMPLETERS: Mapping[str, Callable[[argparse.Namespace], Mapping[str, str]]] = {
    "systems": _systems,
    "methods": _methods,
    "updates": _updates,
    "settings": _settings,
    "state": _state,
    "parameters": _parameters,
    "quantities": _quantities,
    "quantities>=": _followed_by(">="),
    "quantities=": _followed_by("="),
}
"""What completes flags, by :attr:`.Flag.completion`: names, and what zsh and fish show beside them."""
