"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, final

from semidirect.core.near_names import did_you_mean
from semidirect.core.text_layout import table, text_width

if TYPE_CHECKING:
    from typing import TypeAlias

    from semidirect.core.flag import Flag

    Commands: TypeAlias = argparse._SubParsersAction["CommandParser"]

WIDEST_HELP = 100
"""Columns of help on a terminal that has more."""

TOPICS = ("systems", "equations", "paths", "inference", "pictures", "this command line")
OTHERS = "of other packages"
"""Headings under which commands are listed."""

_FLAG_WITH_DASHES = re.compile(r"(-\w|--[\w-]+=)--")


class _Help(argparse.HelpFormatter):
    """Help as wide as the output, up to a width that can be read."""

    def __init__(self, prog: str):
        super().__init__(prog, width=min(text_width(), WIDEST_HELP))


def _continued(command: str, width: int) -> str:
    """A command as it may be typed, over lines of this width that end in a backslash."""
    parts: list[str] = []  # a flag with its value, or a word
    for word in shlex.split(command, posix=False):
        if parts and parts[-1].startswith("-") and " " not in parts[-1] and not word.startswith("-"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > width:
            lines.append(f"  {part}")
        else:
            lines[-1] += f" {part}"
    return " \\\n".join(f"  {line}" for line in lines)


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
        self._commands: Commands | None = None
        self._file: Path | None = None
        self.summary, self.topic = self.description or "", OTHERS
        self.examples: tuple[str, ...] = ()

    def add_commands(self) -> Commands:
        """The commands of a program, which its help lists by topic."""
        self._commands = self.add_subparsers(
            dest="command", metavar="COMMAND", prog=self.prog, help=argparse.SUPPRESS, parser_class=CommandParser
        )
        self.usage = f"{self.prog} [options] COMMAND ..."
        return self._commands

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
        head, options, rest = super().format_help().partition("\n\noptions:\n")
        return head + self._listed() + options + rest + self._shown_examples()

    def arguments(self) -> list[argparse.Action]:
        """All arguments, those that are added when the parser is used among them."""
        self._complete()
        return list(self._actions)

    def parse_of_file(self, texts: Sequence[str], file: Path) -> argparse.Namespace:
        """The values of arguments that stand in a file, which an error names."""
        self._file = file
        try:
            return self.parse_args(texts)
        finally:
            self._file = None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As in the base class, with the choice that may be meant."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            hint = did_you_mean(str(value), map(str, action.choices or ()))
            error.message += f". {hint}" if hint else ""
            raise

    def refuse(self, others: Sequence[str]) -> NoReturn:
        """Say which arguments are unknown, and which may be meant."""
        known = [text for action in self.arguments() for text in action.option_strings]
        flags = [text.partition("=")[0] for text in others if text.startswith("--")]
        hints = dict.fromkeys(hint for flag in flags if (hint := did_you_mean(flag, known)))
        self.error(f"unrecognized arguments: {' '.join(others)}{'. ' if hints else ''}{' '.join(hints)}")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end the process."""
        super().error(message if self._file is None else f"{message}, in {self._file}")

    def each_argument(self, visit: Callable[[str, argparse.Action], None]) -> None:
        """Call a function with the name of each command and each of its arguments."""
        for name, parser in () if self._commands is None else self._commands.choices.items():
            for action in parser.arguments():
                visit(name, action)

    def _listed(self) -> str:
        """The commands by topic."""
        choices = {} if self._commands is None else self._commands.choices
        longest, text = max(map(len, choices), default=0), ""
        for topic in sorted({one.topic for one in choices.values()}, key=[*TOPICS, OTHERS].index):
            rows = [[name.ljust(longest), one.summary] for name, one in choices.items() if one.topic == topic]
            text += f"\n\n{topic}:\n{table((), rows, indent=4, width=min(text_width(), WIDEST_HELP))}"
        return text

    def _shown_examples(self) -> str:
        lines = "".join(f"{_continued(f'semidirect {example}', text_width() - 2)}\n" for example in self.examples)
        return f"\nexample{'s' * (len(self.examples) > 1)}:\n{lines}" if lines else ""


def add_command(commands: Commands, name: str, summary: str, execute: Callable[[argparse.Namespace], int], *,
                details: str = "", topic: str = "", examples: Sequence[str] = ()) -> CommandParser:  # fmt: skip
    """A parser for one command, which ``execute`` carries out.

    Parameters
    ----------
    summary, details : str
        What it does, for the list of commands and for its own help.
    topic : str
        Under which of :data:`TOPICS` it is listed; by default among those of other packages.
    examples : sequence of str
        What can be typed after the name of the program.
    """
    parser = commands.add_parser(
        name, description=f"{summary[0].upper()}{summary[1:]}. {details}".strip(), allow_abbrev=False,
        help=summary,  # for shells; the list of commands is our own
    )  # fmt: skip
    parser.summary, parser.topic = summary, topic if topic in TOPICS else OTHERS
    parser.examples = tuple(examples)
    add_messages(parser, default=argparse.SUPPRESS)  # not to undo one that stands before the command
    parser.set_defaults(execute=execute)
    return parser


def add_messages(parser: argparse.ArgumentParser, *, default: Any = False) -> None:
    """``--debug`` and ``--verbose``."""
    group = parser.add_argument_group("messages")
    group.add_argument(
        "--verbose",
        action="store_true",
        default=default,
        help="show what is derived and compiled, and how long it takes",
    )
    group.add_argument("--debug", action="store_true", default=default, help="show the traceback of an error")


def add_system(parser: argparse.ArgumentParser, *, settings: bool = True, required: bool = True) -> None:
    """NAME, and ``--set``."""
    parser.add_argument(
        "name", metavar="NAME", nargs=None if required else "?",
        help="an installed system, 'semidirect list' shows them; or MODULE:CLASS, a class of a module in this folder",
    )  # fmt: skip
    if settings:
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=JSON", dest="settings",
            help="a parameter or option, e.g. --set mass=2 --set 'inertia=[2, 2, 1.5]', a table also as a file, "
                 "--set heights=h.npy; may be repeated",
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


def add_method(parser: argparse.ArgumentParser) -> None:
    """``--method``, one method for all of a study."""
    parser.add_argument("--method", metavar="M", help="the method, e.g. heun (default: the system's)")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """``--seed`` of the noise of a study."""
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="seed of the noise (default: 0)")


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


def add_level(parser: argparse.ArgumentParser, help_: str) -> None:
    """``--on``."""
    parser.add_argument("--on", action="append", default=[], type=condition, metavar="QUANTITY=VALUE", help=help_)


def condition(text: str) -> tuple[str, float]:
    """A quantity and its value, as an argument."""
    quantity, sign, value = text.rpartition("=")
    if not sign or not quantity.strip():
        raise argparse.ArgumentTypeError(f"expected a quantity and its value, 'dot(M, Gamma)=0', got {text!r}")
    return quantity.strip(), number(value)


def level(args: argparse.Namespace) -> dict[Any, float] | None:
    """The values of quantities from ``--on``, ``None`` without any."""
    from semidirect.core.errors import InputError

    repeated = [q for i, (q, _) in enumerate(args.on) if q in dict(args.on[:i])]
    if repeated:
        raise InputError("--on", expected="each quantity once", got=repeated[0])
    return dict(args.on) or None


def whole(text: str) -> int:
    """A whole number, as an argument."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}") from None


def place(text: str) -> Path:
    """A path of the file system, as an argument."""
    try:
        if text and b"\0" not in os.fsencode(text):
            return Path(text)
    except UnicodeEncodeError:  # letters that no file can have in its name
        pass
    raise argparse.ArgumentTypeError(f"expected a path, got {text!r}")


def number(text: str) -> float:
    """A number, as an argument."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, got {text!r}") from None


_TYPES: Mapping[str, Callable[[str], Any]] = {"number": number, "whole": whole, "place": place}
