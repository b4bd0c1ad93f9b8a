"""Systems that installed packages bring, found by the entry-point group ``semidirect.systems``.

An entry point names a subclass of :class:`~semidirect.system.System` or a :class:`~semidirect.definition.preset.Preset`::

    [project.entry-points."semidirect.systems"]
    my-top = "my_package:MyTop"

Listing reads the metadata of the installed packages only; a plugin is imported when somebody asks for it by name.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, TypeAlias, final

from semidirect.core.errors import DefinitionError, InputError, PluginWarning, UnknownNameError
from semidirect.core.registry import installed
from semidirect.definition.preset import Preset

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

__all__ = ["GROUP", "PluginEntry", "available", "load", "load_all"]

GROUP = "semidirect.systems"

Loaded: TypeAlias = "type[SystemDefinition] | Preset"


@final
@dataclass(frozen=True)
class PluginEntry:
    """What the metadata of an installed package says about one system; nothing is imported to know it.

    Attributes
    ----------
    name : str
        The name that the package gives to its system.
    distribution : str
        The installed distribution that brings it.
    value : str
        Where its object lies, ``module:attribute``.
    """

    name: str
    distribution: str
    value: str

    @property
    def qualified_name(self) -> str:
        """``distribution:name``, which stays unambiguous when two distributions use one name."""
        return f"{self.distribution}:{self.name}"

    def load(self) -> Loaded:
        """Import the object.

        Raises
        ------
        InputError
            If it cannot be imported or is neither a subclass of ``System`` nor a ``Preset``; the cause is chained.
        """
        try:
            return _checked(EntryPoint(self.name, self.value, GROUP).load())
        except Exception as error:
            raise InputError(
                f"the plugin {self.name!r} of {self.distribution!r} cannot be loaded",
                got=f"{type(error).__name__}: {error}",
                where=self.value,
                hint=f"Reinstall, upgrade or remove {self.distribution!r}; the other systems go on working.",
            ) from error


def available() -> dict[str, PluginEntry]:
    """Every installed system by the name that :func:`load` takes, sorted, without importing any.

    Two distributions with one name are announced by a :class:`PluginWarning` and listed as ``distribution:name``.
    """
    found = {}
    for name, entries in _by_name().items():
        if len(entries) == 1:
            found[name] = entries[0]
        else:
            warnings.warn(str(_ambiguous(name, entries)), PluginWarning, stacklevel=2)
            found.update((entry.qualified_name, entry) for entry in entries)
    return dict(sorted(found.items()))


def load(name: str) -> Loaded:
    """The class or preset called ``name``, or ``distribution:name``; call it to get a system.

    Raises
    ------
    UnknownNameError
        If nothing installed has that name; the message lists what is installed.
    InputError
        If two distributions have it, or if the plugin is broken; the cause is chained.
    """
    if not isinstance(name, str):
        raise InputError("a system", expected="a name", got=repr(name))
    by_name = _by_name()
    entries = by_name.get(name) or _qualified(name, by_name)
    if not entries:
        raise UnknownNameError("system", name, sorted(by_name))
    if len(entries) > 1:
        raise _ambiguous(name, entries)
    return entries[0].load()


def load_all() -> dict[str, Loaded]:
    """Import every installed system; one that is broken is left out and announced by a :class:`PluginWarning`."""
    loaded = {}
    for name, entry in available().items():
        try:
            loaded[name] = entry.load()
        except InputError as error:
            warnings.warn(str(error), PluginWarning, stacklevel=2)
    return loaded


def _by_name() -> dict[str, list[PluginEntry]]:
    """The installed entries of the group."""
    return {
        name: [PluginEntry(one.name, one.distribution, one.value) for one in entries]
        for name, entries in installed(GROUP).items()
    }


def _qualified(name: str, by_name: dict[str, list[PluginEntry]]) -> list[PluginEntry]:
    distribution, _, plain = name.partition(":")
    return [e for e in by_name.get(plain, []) if _normalised(e.distribution) == _normalised(distribution)]


def _normalised(distribution: str) -> str:
    """The form in which two spellings of a distribution's name are equal."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _ambiguous(name: str, entries: list[PluginEntry]) -> InputError:
    owners = " and ".join(repr(entry.distribution) for entry in entries)
    choices = " or ".join(repr(entry.qualified_name) for entry in entries)
    return InputError(f"the system name {name!r} is used by {owners}", hint=f"Ask for {choices}.")


def _checked(found: Any) -> Loaded:
    from semidirect.definition.system_definition import SystemDefinition

    system = found.system if isinstance(found, Preset) else found
    if not (isinstance(system, type) and issubclass(system, SystemDefinition)):
        raise DefinitionError("the wrong kind of object", expected="a System subclass or a Preset", got=repr(found))
    return found
