"""Tables of classes by name: the classes of a package of semidirect, and the classes that other installed packages add.

A class of semidirect needs only its file: the modules of the package are searched for final classes with a name. A class
of another package is declared by an entry point of the table's group, whose name is that of the class::

    [project.entry-points."semidirect.methods"]
    my-method = "my_package.my_method:MyMethod"

The metadata of installed packages is read only if a name is not one of semidirect's own, or if all names are needed;
a class of another package is imported when its name is used.
"""

from __future__ import annotations

import logging
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module, metadata
from importlib.metadata import EntryPoint
from pkgutil import iter_modules
from typing import Any, Generic, TypeVar, final

from semidirect.core.announced import BEGINS, DONE
from semidirect.core.callers_line import warn_caller
from semidirect.core.errors import DefinitionError, InputError, PluginWarning, UnknownNameError
from semidirect.core.shortened import printable

__all__ = ["Extension", "Registry", "entry_points", "installed", "of_other_package"]

_log = logging.getLogger(__name__)

T = TypeVar("T")


@final
@dataclass(frozen=True)
class Extension:
    """An object that an installed package adds under a name; it is known without an import.

    Attributes
    ----------
    name : str
        The name of the entry point.
    distribution : str
        The installed distribution that provides it.
    value : str
        The location of the object, ``module:attribute``.
    group : str
        The group of entry points.
    """

    name: str
    distribution: str
    value: str
    group: str

    @property
    def qualified_name(self) -> str:
        """``distribution:name``, which stays unambiguous when two distributions use one name."""
        return f"{self.distribution}:{self.name}"

    def load(self) -> Any:
        """Import the object. What its package prints meanwhile goes to stderr, since stdout may be read by a program.

        Raises
        ------
        ImportError
            If its package ends the program.
        """
        with of_other_package(f"importing {self.qualified_name}"):
            return EntryPoint(self.name, self.value, self.group).load()

    def load_as(self, kind: str, check: Callable[[Any], T]) -> T:
        """Import the object, for example a method, and check its type.

        Raises
        ------
        InputError
            If it cannot be imported or the check raises an error; the cause is chained.
        """
        try:
            return check(self.load())
        except Exception as error:  # the code of another package may raise anything
            raise InputError(
                f"the {kind} {self.name!r} of {self.distribution!r} cannot be loaded",
                got=f"{type(error).__name__}: {printable(str(error))}",
                where=self.value,
                hint=f"Reinstall, upgrade or remove {self.distribution!r}; everything else works.",
            ) from error


@contextmanager
def of_other_package(work: str) -> Iterator[None]:
    """Run code of another package: it prints on stderr, its end of the program is an error, and the log says if it takes long.

    Raises
    ------
    ImportError
        Instead of ``SystemExit`` and whatever else is no ``Exception``.
    """
    _log.debug("%s", work, extra={"work": BEGINS})
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except SystemExit as stop:
        raise ImportError(f"it ends the program, sys.exit({stop.code!r})") from stop
    except BaseException as error:
        if isinstance(error, Exception):
            raise
        raise ImportError(f"{type(error).__name__}: {error}") from error
    finally:
        _log.debug("%s: done", work, extra={"work": DONE})


def installed(group: str) -> dict[str, list[Extension]]:
    """The entry points of a group by name, sorted; a distribution that repeats itself counts once."""
    points: dict[str, dict[Extension, None]] = defaultdict(dict)
    names: dict[int, str] = {}  # by distribution, as each question for a name reads all its metadata
    for point in entry_points(group):
        distribution = names.get(id(point.dist)) or (point.dist.name if point.dist is not None else "unknown")
        names[id(point.dist)] = distribution
        points[point.name][Extension(point.name, distribution, point.value, group)] = None
    return {name: sorted(points[name], key=lambda one: (one.distribution, one.value)) for name in sorted(points)}


def entry_points(group: str) -> Sequence[EntryPoint]:
    """The entry points of a group; read once, until a distribution is installed or removed."""
    return _entry_points(group, _state_of_path())


@lru_cache(maxsize=64)
def _entry_points(group: str, state: tuple[Any, ...]) -> tuple[EntryPoint, ...]:
    return tuple(metadata.entry_points(group=group))


def _state_of_path() -> tuple[Any, ...]:
    """What changes when a distribution is installed or removed: where Python looks for them, and when these folders changed."""
    return tuple(map(id, sys.meta_path)), tuple((place, _changed(place)) for place in sys.path)


def _changed(place: str) -> int:
    try:
        return os.stat(place or os.curdir).st_mtime_ns
    except (OSError, ValueError):
        return 0


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
        found: dict[str, type[T]] = {}
        for entry in iter_modules(import_module(self.package).__path__, f"{self.package}."):
            for kind in vars(import_module(entry.name)).values():
                if isinstance(kind, type) and kind.__module__ == entry.name and self._is_final(kind):
                    name = getattr(kind, self.key)
                    if name in found:
                        raise DefinitionError(f"two classes are the {self.kind} {name!r}", where=entry.name)
                    found[name] = kind
        return found

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
        found = dict(self.built_in)
        for name in self:
            if name not in found:
                try:
                    found[name] = self[name]
                except InputError as error:
                    self._warn(str(error))
        return found

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
