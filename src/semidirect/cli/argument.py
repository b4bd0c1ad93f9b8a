"""What a parameter of a function is on the command line: the flags that state it, and how their values become the argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, final

from semidirect.cli.signatures import Parameter, imported
from semidirect.core.errors import DefinitionError
from semidirect.core.flag import Flag, ValueKind

if TYPE_CHECKING:
    from semidirect.cli.command import Call

BY_ANNOTATION: Mapping[str, tuple[ValueKind, str]] = {
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
@dataclass(frozen=True)
class Argument:
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


def argument_of(declared: Argument | Flag) -> Argument:
    """A declaration as an argument."""
    return Argument((declared,)) if isinstance(declared, Flag) else declared


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
        raise DefinitionError(
            f"the parameter {parameter.name!r} of {place} cannot be an option",
            expected=f"one of the annotations {', '.join(BY_ANNOTATION)}, or a declaration", got=parameter.annotation or "none",
            hint="Declare it in Command(arguments=…), or leave it out with a reason in Command(left_out=…).",
        )  # fmt: skip
    kind, own = BY_ANNOTATION[parameter.annotation]
    return Argument(
        (Flag(name, kind=kind, metavar=metavar or own or None, position=position, destination=parameter.name),)
    )
