"""The parser of the command line: help by topic, flags from declarations, choices that may be meant."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, final

from semidirect.cli.values import READERS
from semidirect.core import Flag, messages
from semidirect.text import text_layout

if TYPE_CHECKING:
    from typing import TypeAlias

    Commands: TypeAlias = argparse._SubParsersAction["CommandParser"]

WIDEST_HELP = 100
"""Columns of help on a terminal that has more."""

TOPICS = ("systems", "equations", "paths", "inference", "pictures", "this command line")
OTHERS = "of other packages"
"""Headings under which commands are listed."""

POSITIONS = {"one": None, "optional": "?", "several": "*"}
"""How many values stand without a flag, as :mod:`argparse` says it."""

_FLAG_WITH_DASHES = re.compile(r"(-\w|--[\w-]+=)--")


class _Help(argparse.HelpFormatter):
    """Help as wide as the output, up to a width that can be read."""

    def __init__(self, prog: str):
        super().__init__(prog, width=min(text_layout.text_width(), WIDEST_HELP))


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
        self.flags: dict[str, Flag] = {}  # by the names of their values
        self.summary, self.topic = self.description or "", OTHERS
        self.examples: tuple[str, ...] = ()

    @property
    def commands(self) -> dict[str, CommandParser]:
        """The parsers of the commands by name."""
        return {} if self._commands is None else dict(self._commands.choices)

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
            hint = messages.did_you_mean(str(value), map(str, action.choices or ()))
            error.message += f". {hint}" if hint else ""
            raise

    def refuse(self, others: Sequence[str]) -> NoReturn:
        """Say which arguments are unknown, and which may be meant."""
        options = [text for action in self.arguments() for text in action.option_strings]
        flags = [text.partition("=")[0] for text in others if text.startswith("--")]
        hints = dict.fromkeys(hint for flag in flags if (hint := messages.did_you_mean(flag, options)))
        self.error(f"unrecognized arguments: {' '.join(others)}{'. ' if hints else ''}{' '.join(hints)}")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end the process."""
        super().error(message if self._file is None else f"{message}, in {self._file}")

    def add_flag(
        self, flag: Flag, container: argparse._ActionsContainer | None = None, *, required: bool = False
    ) -> argparse.Action:
        """Add the argument that a flag declares, to a group if there is one."""
        container = self if container is None else container
        options: dict[str, Any] = {
            "metavar": flag.metavar,
            "choices": flag.choices or None,
            "type": READERS[flag.kind].parse,
        }
        if flag.kind == "switch":
            options = {"action": "store_const", "const": True}
        if flag.repeatable:
            options["action"] = "append"
        if flag.position:
            action = container.add_argument(flag.key, nargs=POSITIONS[flag.position], **options)
        else:
            letter = [f"-{flag.letter}"] if flag.letter else []
            action = container.add_argument(*letter, f"--{flag.name}", dest=flag.key, required=required, **options)
        self.flags[flag.key] = flag
        vars(action)["completion"] = flag.completion
        if callable(flag.help):
            self.add_text_of_help(action, flag.help)
        else:
            action.help = flag.help.replace("%", "%%")
        return action

    def _listed(self) -> str:
        """The commands by topic."""
        choices = self.commands
        longest, text = max(map(len, choices), default=0), ""
        for topic in sorted({one.topic for one in choices.values()}, key=[*TOPICS, OTHERS].index):
            rows = [[name.ljust(longest), one.summary] for name, one in choices.items() if one.topic == topic]
            text += f"\n\n{topic}:\n{text_layout.table((), rows, indent=4, width=min(text_layout.text_width(), WIDEST_HELP))}"
        return text

    def _shown_examples(self) -> str:
        lines = "".join(
            f"{_continued(f'semidirect {example}', text_layout.text_width() - 2)}\n" for example in self.examples
        )
        return f"\nexample{'s' * (len(self.examples) > 1)}:\n{lines}" if lines else ""


def add_command(commands: Commands, name: str, summary: str, execute: Callable[[argparse.Namespace], int], *,
                details: str = "", topic: str = "", examples: Sequence[str] = ()) -> CommandParser:  # fmt: skip
    """A parser for one command, which ``execute`` carries out.

    Parameters
    ----------
    summary, details : str
        The purpose, for the list of commands and for its own help.
    topic : str
        Under which of :data:`TOPICS` it is listed; by default among those of other packages.
    examples : sequence of str
        The arguments of the program.
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
