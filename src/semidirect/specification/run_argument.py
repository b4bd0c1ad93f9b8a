"""The objects of which a run is specified."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Self, TypeVar

from semidirect.core import Flag, display, errors

__all__ = ["RunArgument"]

A = TypeVar("A", bound="RunArgument")
USUAL = "_usual"


class RunArgument(ABC):
    """Base of frozen dataclasses, each of which states one part of a run: what is saved, how it is executed.

    An object validates its fields when it is made, as far as that is possible without the system. Each field has a default, and
    ``repr`` shows the others.

    Attributes
    ----------
    argument : str
        The argument of :meth:`.System.simulate` that takes it.
    flags : tuple of Flag
        Its options on the command line, of which :meth:`from_flags` gets the values.
    """

    argument: ClassVar[str]
    flags: ClassVar[tuple[Flag, ...]] = ()

    @classmethod
    def of(cls, value: Any) -> Self:
        """The object for what was given as :attr:`argument`: itself, or the default for ``None``.

        Raises
        ------
        InputError
            For anything else.
        """
        if value.__class__ is cls:
            argument: Self = value
            return argument
        if value is not None:
            return cls._from(value)
        try:
            usual: Self = cls.__dict__[USUAL]
        except KeyError:
            usual = _usual(cls)
        return usual

    @classmethod
    def _from(cls, value: Any) -> Self:
        """The object that a value of another class stands for."""
        name = cls.__name__
        raise errors.InputError(cls.argument, expected=f"an object sd.{name}", got=reprlib.repr(value),
                                hint=f"Write {cls.argument}=sd.{name}({next(iter(cls.__dataclass_fields__))}=…).")  # type: ignore[attr-defined]  # fmt: skip

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Its entry in the record of a run, in JSON's types; much of it only where it is not the default."""

    @classmethod
    @abstractmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The object of the record of a run, whose other entries are ignored."""

    @classmethod
    @abstractmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self:
        """The object that the values of its flags describe.

        Raises
        ------
        InputError
            For values that cannot be used.
        """

    def __repr__(self) -> str:
        usual = _usual(type(self))
        values = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        return display.line(type(self).__name__, {k: v for k, v in values.items() if v != getattr(usual, k)})


def _usual(kind: type[A]) -> A:
    """The object without arguments, which its class has: a table of the process would keep the class alive."""
    if USUAL not in vars(kind):
        setattr(kind, USUAL, kind())
    usual: A = vars(kind)[USUAL]
    return usual
