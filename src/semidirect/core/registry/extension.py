"""Objects that installed packages add under a name, known by their entry points without an import."""

from __future__ import annotations

import logging
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, final

from semidirect.core.errors import InputError
from semidirect.core.messages.announcement import BEGINS, DONE
from semidirect.core.messages.shortened import printable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_log = logging.getLogger(__name__)
T = TypeVar("T")

_replaced: Mapping[str, Sequence[Any]] = MappingProxyType({})


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
        from importlib import metadata

        with of_other_package(f"importing {self.qualified_name}"):
            return metadata.EntryPoint(self.name, self.value, self.group).load()

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


def replace_entry_points(points: Mapping[str, Sequence[Any]]) -> Mapping[str, Sequence[Any]]:
    """Put entry points by group instead of those of installed packages, for tests; the former ones are returned."""
    global _replaced
    former, _replaced = _replaced, points
    return former


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
    return _replaced[group] if group in _replaced else _entry_points(group, _state_of_path())


@lru_cache(maxsize=64)
def _entry_points(group: str, state: tuple[Any, ...]) -> tuple[EntryPoint, ...]:
    from importlib import metadata  # which reads mail headers: help of a command does not need it

    return tuple(metadata.entry_points(group=group))


def _state_of_path() -> tuple[Any, ...]:
    """The folders that Python searches and their times of change, which differ after an installation or a removal."""
    return tuple(map(id, sys.meta_path)), tuple((place, _changed(place)) for place in sys.path)


def _changed(place: str) -> int:
    try:
        return os.stat(place or os.curdir).st_mtime_ns
    except (OSError, ValueError):
        return 0
