"""Tables of classes by name: the classes of a package of semidirect, and the classes that other installed packages add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Generic, TypeVar, final

from semidirect.core.errors import DefinitionError, InputError, PluginWarning, UnknownNameError
from semidirect.core.messages.callers_line import warn_caller
from semidirect.core.registry.extension import Extension, installed

T = TypeVar("T")


@final
class Registry(Generic[T]):
    """The classes of one kind by name.

    Parameters
    ----------
    kind : str
        The kind of the classes, for messages: ``method``.
    base : type
        Their abstract class.
    package : str
        The package of semidirect whose modules define its own classes.
    group : str
        The group of entry points by which other packages add theirs.
    key : str
        The class attribute that is the name.
    """

    def __init__(self, kind: str, base: type[T], package: str, group: str, *, key: str = "name"):
        self.kind, self.base, self.package, self.group, self.key = kind, base, package, group, key

    @cached_property
    def built_in(self) -> Mapping[str, type[T]]:
        """The classes of semidirect, module by module."""
        classes: dict[str, type[T]] = {}
        for entry in iter_modules(import_module(self.package).__path__, f"{self.package}."):
            for kind in vars(import_module(entry.name)).values():
                if isinstance(kind, type) and kind.__module__ == entry.name and self._is_final(kind):
                    name = getattr(kind, self.key)
                    if name in classes:
                        raise DefinitionError(f"two classes are the {self.kind} {name!r}", where=entry.name)
                    classes[name] = kind
        return classes

    def __getitem__(self, name: str) -> type[T]:
        """The class with this name; a class of another package is imported.

        Raises
        ------
        UnknownNameError
            If the name is unknown; the message lists all names.
        InputError
            If two packages use the name, or if it cannot be loaded; the cause is chained.
        """
        if not isinstance(name, str):
            raise UnknownNameError(self.kind, name, self)
        if name in self.built_in:
            return self.built_in[name]
        entries = installed(self.group).get(name, [])
        if not entries:
            raise UnknownNameError(self.kind, name, self)
        if len(entries) > 1:
            raise self._ambiguous(entries)
        return entries[0].load_as(self.kind, lambda kind: self._checked(kind, name))

    def __iter__(self) -> Iterator[str]:
        """All names, with the names from other packages last; their classes are not imported."""
        yield from self.built_in
        for name, entries in installed(self.group).items():
            if name in self.built_in:
                owners = " and ".join(repr(one.distribution) for one in entries)
                self._warn(f"the {self.kind} {name!r} of {owners} is left out: semidirect has one of this name")
            else:
                yield name

    def all(self) -> dict[str, type[T]]:
        """All classes; one that cannot be loaded is left out and announced by a :class:`PluginWarning`."""
        classes = dict(self.built_in)
        for name in self:
            if name not in classes:
                try:
                    classes[name] = self[name]
                except InputError as error:
                    self._warn(str(error))
        return classes

    def _is_final(self, kind: type) -> bool:
        return issubclass(kind, self.base) and "__final__" in vars(kind) and hasattr(kind, self.key)

    def _checked(self, kind: Any, name: str) -> type[T]:
        if not (
            isinstance(kind, type) and issubclass(kind, self.base) and not getattr(kind, "__abstractmethods__", ())
        ):
            raise DefinitionError(
                "the wrong kind of object",
                expected=f"a subclass of {self.base.__name__} with all its methods",
                got=repr(kind),
            )
        if getattr(kind, self.key, None) != name:
            raise DefinitionError(
                f"the {self.key} of {kind.__name__}", expected=f"the name of its entry point, {name!r}",
                got=repr(getattr(kind, self.key, None)),
            )  # fmt: skip
        return kind

    def _ambiguous(self, entries: list[Extension]) -> InputError:
        owners = " and ".join(repr(one.distribution) for one in entries)
        return InputError(
            f"the {self.kind} {entries[0].name!r} is defined by {owners}",
            hint="Remove one of them, or pass an object of the class that you want.",
        )

    @staticmethod
    def _warn(text: str) -> None:
        warn_caller(text, PluginWarning)
