"""A command made from the signature of the function that it calls."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from semidirect.cli.answer import Answer
from semidirect.cli.argument import Argument, Call, argument_of, by_annotation
from semidirect.cli.config import CONFIG, completed, written
from semidirect.cli.parser import CommandParser, add_command
from semidirect.cli.shared import ARGUMENTS
from semidirect.cli.signatures import Parameter, parameters
from semidirect.core import Flag

if TYPE_CHECKING:
    from semidirect.cli.parser import Commands

PLAIN = Answer()
"""A result that says itself what it is, printed and not written."""

FIRST = ("system", "state", "t_start", "t_end", "dt", "paths", "method", "methods", "seed")
"""Parameters that are listed before all others, in this order in all commands."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Command:
    """A command. ``add`` declares it on the parser; a module of a package names it by ``add = Command(…).add``.

    A parameter of the functions is an option, or an argument without a flag if :data:`.ARGUMENTS` or ``arguments`` say so or if
    it is required and its annotation alone says what it is.

    Attributes
    ----------
    name, summary : str
        The name and the purpose, for the list of commands.
    calls : sequence of str
        The functions, ``module:function``; those of semidirect as users call them, ``semidirect:analysis.compare``. They are
        read from their sources, and imported when the command is carried out.
    topic, details, examples
        As of :func:`.add_command`.
    arguments : mapping parameter → Argument or Flag
        Parameters of a kind that neither :data:`.ARGUMENTS` by their name nor their annotation states.
    options : sequence of Argument or Flag
        The options that are no parameters of the functions.
    help : mapping name of flag → str
        Texts that differ from those of the declaration, or of the docstring.
    defaults : mapping parameter → object
        Values of parameters without a default, or that have another one here.
    left_out : mapping parameter → str
        Parameters that are no option, with the reason.
    exclusive : sequence of names of flags
        Flags of which one may be given.
    from_file : bool
        Whether a file may hold the arguments, ``--config``.
    answer : Answer
        How the result of the only function is printed and written.
    execute : callable(call) → int, optional
        Carries it out, where it is more than a call of the function and its answer; returns the exit code.
    """

    name: str
    summary: str
    calls: Sequence[str] = ()
    topic: str = ""
    details: str = ""
    examples: Sequence[str] = ()
    arguments: Mapping[str, Argument | Flag] = field(default_factory=dict)
    options: Sequence[Argument | Flag] = ()
    help: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    exclusive: Sequence[Sequence[str]] = ()
    from_file: bool = False
    answer: Answer | None = PLAIN
    execute: Callable[[Call], int] | None = None

    def add(self, commands: Commands) -> None:
        """Declare the command."""
        parser = add_command(commands, self.name, self.summary, self._run, topic=self.topic, details=self.details,
                             examples=self.examples)  # fmt: skip
        parser.add_when_used(lambda: self._declare(parser))

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of the functions by name, in their order."""
        every = [one for place in self.calls for one in parameters(place) if one.name not in self.left_out]
        first = {one.name: one for one in reversed(every)}  # where several functions have it, the first of them counts
        return {name: first[name] for name in sorted(dict.fromkeys(one.name for one in every), key=_rank)}

    @cached_property
    def by_parameter(self) -> Mapping[str, Argument]:
        """The flags of each parameter on the command line."""
        declarations = {**ARGUMENTS, **self.arguments}
        return {
            name: argument_of(declarations[name])
            if name in declarations
            else by_annotation(one, " and ".join(self.calls))
            for name, one in self.parameters.items()
        }

    def rows(self) -> list[tuple[Flag, str, bool]]:
        """Each flag as it is shown, the heading above it, and whether it is required; exclusive ones follow each other."""
        extra = [*self.options, *(self.answer.options if self.answer else ())]
        rows = [
            row for name, argument in self.by_parameter.items() for row in self._rows(argument, self.parameters[name])
        ]
        rows += [row for option in extra for row in self._rows(argument_of(option), None)]
        rows += [row for row in self._rows(CONFIG, None) if self.from_file]
        for names in self.exclusive:
            together = [row for row in rows if row[0].name in names]
            at = rows.index(together[0])
            rows = [*rows[:at], *together, *(row for row in rows[at:] if row not in together)]
        return rows

    def _rows(self, argument: Argument, parameter: Parameter | None) -> Iterator[tuple[Flag, str, bool]]:
        flags = argument.all_flags()
        for flag in flags:
            text = self.help.get(flag.name, flag.help) or (parameter.help if parameter else "")
            required = False
            if parameter is not None and len(flags) == 1:
                default = self.defaults.get(parameter.name, parameter.default)
                required = parameter.required and parameter.name not in self.defaults and not flag.position
                if isinstance(text, str) and "default" not in text and _is_shown(default):
                    text += f" (default: {default if isinstance(default, str) else format(default, 'g')})"
            position: Any = "optional" if self.from_file and flag.position == "one" else flag.position
            yield replace(flag, help=text, position=position), argument.title, required and not self.from_file

    def _declare(self, parser: CommandParser) -> None:
        titled: dict[str, argparse._ActionsContainer] = {"": parser}
        one_of: dict[str, argparse._ActionsContainer] = {}
        for names in self.exclusive:
            group = parser.add_mutually_exclusive_group()
            one_of |= dict.fromkeys(names, group)
        for flag, title, required in self.rows():
            if title not in titled:
                titled[title] = parser.add_argument_group(title)
            parser.add_flag(flag, one_of.get(flag.name, titled[title]), required=required)

    def _run(self, args: argparse.Namespace) -> int:
        if self.from_file:
            args = completed(args)
        call = Call(args, self.calls, self.by_parameter, self.defaults)
        if self.execute is not None:
            return self.execute(call)
        answer = self.answer or PLAIN
        place = answer.place(call)
        with written(args) if self.from_file else nullcontext():
            result = call.function()(**call.arguments())
        return answer.give(call, result, place)


def _rank(name: str) -> int:
    return FIRST.index(name) if name in FIRST else len(FIRST)


def _is_shown(default: Any) -> bool:
    return isinstance(default, (int, float, str)) and not isinstance(default, bool) and default != ""
