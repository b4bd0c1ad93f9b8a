"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, final

from semidirect.core.text_layout import text_width

if TYPE_CHECKING:
    from typing import TypeAlias

    from semidirect.core.flag import Flag

    Commands: TypeAlias = argparse._SubParsersAction["CommandParser"]

WIDEST_HELP = 100
"""Columns of help on a terminal that has more."""

_FLAG_WITH_DASHES = re.compile(r"(-\w|--[\w-]+=)--")


class _Help(argparse.HelpFormatter):
    """Help as wide as the output, up to a width that can be read."""

    def __init__(self, prog: str):
        super().__init__(prog, width=min(text_width(), WIDEST_HELP))


class HasFlags(Protocol):
    """A class that declares options and makes an object of their values."""

    flags: ClassVar[tuple[Flag, ...]]

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Any:
        """The object that the values describe."""


@final
class CommandParser(argparse.ArgumentParser):
    """A parser whose help texts are partly made when help is shown, since they list installed extensions."""

    def __init__(self, *args: Any, **options: Any):
        options.setdefault("formatter_class", _Help)
        super().__init__(*args, **options)
        self._texts: list[tuple[argparse.Action, Callable[[], str]]] = []
        self._when_used: list[Callable[[], None]] = []

    def add_text_of_help(self, action: argparse.Action, text: Callable[[], str]) -> None:
        """The help of an argument is the text that a function gives when help is shown."""
        self._texts.append((action, text))

    def add_when_used(self, add: Callable[[], None]) -> None:
        """Add arguments by this function once the parser is used, as classes that are not light declare them."""
        self._when_used.append(add)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Those of the base class, after all arguments are added; the value ``--`` is an error, as argparse drops it."""
        self._complete()
        texts = list(sys.argv[1:] if args is None else args)
        for text in takewhile(lambda text: text != "--", texts):
            if matched := _FLAG_WITH_DASHES.fullmatch(text):
                self.error(f"argument {matched[1].rstrip('=')}: expected a value, got '--'")
        return super().parse_known_args(texts, namespace)

    def _complete(self) -> None:
        while self._when_used:
            self._when_used.pop(0)()

    def format_help(self) -> str:
        """The whole help."""
        self._complete()
        for action, text in self._texts:
            action.help = text().replace("%", "%%")
        return super().format_help()


def add_command(commands: Commands, name: str, summary: str, execute: Callable[[argparse.Namespace], int], *,
                details: str = "") -> CommandParser:  # fmt: skip
    """A parser for one command, which ``execute`` carries out."""
    parser = commands.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}. {details}".strip(), allow_abbrev=False
    )
    add_debug(parser, default=argparse.SUPPRESS)  # not to undo one that stands before the command
    parser.set_defaults(execute=execute)
    return parser


def add_debug(parser: argparse.ArgumentParser, *, default: Any = False) -> None:
    """``--debug``."""
    parser.add_argument("--debug", action="store_true", default=default, help="show the traceback of an error")


def add_system(parser: argparse.ArgumentParser, *, settings: bool = True) -> None:
    """NAME, and ``--set``."""
    parser.add_argument(
        "name", metavar="NAME",
        help="an installed system, 'semidirect list' shows them; or MODULE:CLASS, a class of a module in this folder",
    )  # fmt: skip
    if settings:
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=JSON", dest="settings",
            help="a parameter or option, e.g. --set mass=2 --set 'inertia=[2, 2, 1.5]'; may be repeated",
        )  # fmt: skip


def add_state(parser: argparse.ArgumentParser) -> None:
    """``--state``."""
    parser.add_argument(
        "--state", action="append", default=[], metavar="KEY=JSON",
        help="a state variable, e.g. --state 'Omega=[0, 0, 1]'; may be repeated; the rest is the recommended state",
    )  # fmt: skip


def add_t_start(parser: argparse.ArgumentParser) -> None:
    """``--t-start``."""
    parser.add_argument(
        "--t-start", type=number, metavar="S",
        help="start [s], a multiple of dt: times are absolute, in the system, the noise and the saved data (default: 0)",
    )  # fmt: skip


def add_driver(parser: CommandParser) -> None:
    """``--driver``, and the flags that the drivers of semidirect declare."""
    group = parser.add_argument_group("what drives the run")
    group.add_argument(
        "--driver", metavar="W(t)",
        help="a path that replaces the noise, 'sin(t)', or '[sin(t), t**2]' for two noises; 0 for no noise; or a driver of an "
        "installed package, 'name(argument)'",
    )  # fmt: skip
    parser.add_when_used(lambda: _add_flags(parser, group, _driver_flags()))


def _driver_flags() -> list[Flag]:
    from semidirect.random.registry import DRIVERS

    return [flag for kind in DRIVERS.built_in.values() for flag in kind.flags]


def driver_keys() -> list[str]:
    """The names of the values of the flags of drivers."""
    return [flag.key for flag in _driver_flags()]


def add_run_arguments(parser: CommandParser, title: str, *names: str) -> None:
    """The flags of objects that specify a run, by the names of their classes, under a title."""
    group = parser.add_argument_group(title)
    parser.add_when_used(
        lambda: _add_flags(parser, group, [flag for name in names for flag in run_argument(name).flags])
    )


def run_argument(name: str) -> type[HasFlags]:
    """The class of objects that specify a run."""
    from semidirect.ensemble.checks import Checks
    from semidirect.ensemble.execution import Execution
    from semidirect.ensemble.formulation import Formulation
    from semidirect.ensemble.reduce import Reduce
    from semidirect.ensemble.save import Save

    kinds: tuple[type[HasFlags], ...] = (Checks, Execution, Formulation, Reduce, Save)
    return next(kind for kind in kinds if kind.__name__ == name)


def _add_flags(parser: CommandParser, group: argparse._ArgumentGroup, flags: Sequence[Flag]) -> None:
    for flag in flags:
        options: dict[str, Any] = {"metavar": flag.metavar, "choices": flag.choices or None}
        options |= {"type": _TYPES[flag.kind]} if flag.kind in _TYPES else {}
        options |= {"action": "append"} if flag.kind in ("texts", "names", "sizes") else {}
        if flag.kind == "switch":
            options = {"action": "store_const", "const": True}
        letter = [f"-{flag.letter}"] if flag.letter else []
        action = group.add_argument(*letter, f"--{flag.name}", **options)
        if callable(flag.help):
            parser.add_text_of_help(action, flag.help)
        else:
            action.help = flag.help


def add_format(parser: argparse._ActionsContainer) -> None:
    """``--format``."""
    parser.add_argument("--format", choices=("table", "json"), default="table", help="for people or for programs")


def whole(text: str) -> int:
    """A whole number, as an argument."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}") from None


def place(text: str) -> Path:
    """A path of the file system, as an argument."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"expected a path, got {text!r}")
    return Path(text)


def number(text: str) -> float:
    """A number, as an argument."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, got {text!r}") from None


_TYPES: Mapping[str, Callable[[str], Any]] = {"number": number, "whole": whole, "place": place}
