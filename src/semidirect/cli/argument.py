"""A parameter of a function on the command line: its flags, and how their values become the argument."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, final

from semidirect.cli.signatures import Parameter, imported, parameters
from semidirect.cli.values import read_value
from semidirect.core import Flag, errors

BY_ANNOTATION: Mapping[str, tuple[Flag.Kind, str]] = {
    "int": ("whole", "N"),
    "float": ("number", "X"),
    "str": ("text", "TEXT"),
    "bool": ("switch", ""),
    "Sequence[str]": ("names", "NAMES"),
    "list[str]": ("names", "NAMES"),
    "str | Path": ("place", "FILE"),
    "Path": ("place", "FILE"),
}
"""Annotation of a parameter → kind of value and metavar of the flag that it becomes."""


class HasFlags(Protocol):
    """A class that declares options and makes an object of their values."""

    flags: ClassVar[tuple[Flag, ...]]

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Any:
        """The object that the values describe."""


@final
class Argument(NamedTuple):
    """A kind of argument.

    Attributes
    ----------
    flags : sequence of Flag, or callable() → sequence of Flag
        A function where classes that are not light declare them; it is called when the command is used.
    read : callable(call) → object, optional
        The argument of the function, ``None`` to leave it out; by default the value of the only flag.
    title : str
        The heading under which help lists the flags; empty for the options of the command.
    """

    flags: Sequence[Flag] | Callable[[], Sequence[Flag]]
    read: Callable[[Call], Any] | None = None
    title: str = ""

    def all_flags(self) -> Sequence[Flag]:
        """The flags."""
        return self.flags() if callable(self.flags) else self.flags

    def value(self, call: Call) -> Any:
        """The argument of the function; ``None`` where nothing was given."""
        if self.read is not None:
            return self.read(call)
        (flag,) = self.all_flags()
        return call.read(flag)


@final
class Call:
    """A command with what was typed."""

    def __init__(
        self, args: Namespace, calls: Sequence[str], by_parameter: Mapping[str, Argument], defaults: Mapping[str, Any]
    ):
        self.args, self.calls = args, calls
        self._by_parameter, self._defaults = by_parameter, defaults
        self._values: dict[str, Any] = {}

    def read(self, flag: Flag | str) -> Any:
        """The value of a flag, or of the flag with a key; ``None`` where it was not given."""
        flag = self.args.parser.flags[flag] if isinstance(flag, str) else flag
        return read_value(flag, getattr(self.args, flag.key, None))

    def value(self, name: str) -> Any:
        """The argument for a parameter; ``None`` where it was not given. It is read once."""
        if name not in self._values:
            value = self._by_parameter[name].value(self)
            self._values[name] = self._defaults.get(name) if value is None else value
        return self._values[name]

    def arguments(self, function: int = 0) -> dict[str, Any]:
        """The arguments of one of the functions, by their number, that differ from its defaults; ``state`` is read first."""
        names = [one.name for one in parameters(self.calls[function]) if one.name in self._by_parameter]
        values = {name: self.value(name) for name in sorted(names, key=lambda name: name != "state")}
        return {name: value for name, value in values.items() if value is not None}

    def function(self, number: int = 0) -> Callable[..., Any]:
        """One of the functions, imported now."""
        function: Callable[..., Any] = imported(self.calls[number])
        return function

    @property
    def as_json(self) -> bool:
        """Whether programs read the output."""
        return self.args.format == "json"


def argument_of(declaration: Argument | Flag) -> Argument:
    """A declaration as an argument."""
    return Argument((declaration,)) if isinstance(declaration, Flag) else declaration


def of_object(place: str, title: str) -> Argument:
    """The argument that is an object of a class, ``module:Class``, which declares its flags."""
    return Argument(lambda: imported(place).flags, lambda call: made_of_flags(imported(place), call), title)


def made_of_flags(kind: type[HasFlags], call: Call) -> Any:
    """The object of a class that the flags of a call describe."""
    return kind.from_flags({flag.key: call.read(flag) for flag in kind.flags})


def by_annotation(parameter: Parameter, place: str) -> Argument:
    """The argument of a parameter that is declared nowhere: its annotation says the kind of value.

    Raises
    ------
    DefinitionError
        For an annotation that does not say it.
    """
    name = parameter.name.replace("_", "-")
    position: Literal["", "one"] = "one" if parameter.required else ""
    metavar = parameter.name.upper() if position else None
    if parameter.choices:
        return Argument((Flag(name, choices=parameter.choices, position=position, destination=parameter.name),))
    if parameter.annotation not in BY_ANNOTATION:
        raise errors.DefinitionError(
            f"the parameter {parameter.name!r} of {place} cannot be an option",
            expected=f"one of the annotations {', '.join(BY_ANNOTATION)}, or a declaration", got=parameter.annotation or "none",
            hint="Declare it in Command(arguments=…), or leave it out with a reason in Command(left_out=…).",
        )  # fmt: skip
    kind, own = BY_ANNOTATION[parameter.annotation]
    return Argument(
        (Flag(name, kind=kind, metavar=metavar or own or None, position=position, destination=parameter.name),)
    )
