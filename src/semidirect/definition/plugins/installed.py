"""Systems of installed packages, found by the entry-point group ``semidirect.systems``.

An entry point names a subclass of :class:`~semidirect.system.System` or a :class:`~semidirect.definition.preset.Preset`::

    [project.entry-points."semidirect.systems"]
    my-top = "my_package:MyTop"

A list of them needs only the metadata of the installed packages; a plugin is imported when its name is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from semidirect.core import errors, explains_calls, messages, registry
from semidirect.definition.preset import Preset

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

__all__ = ["GROUP", "available", "load", "load_all"]

GROUP, KIND = "semidirect.systems", "plugin"

Loaded: TypeAlias = "type[SystemDefinition] | Preset[SystemDefinition]"


@explains_calls
def available() -> dict[str, registry.Extension]:
    """Every installed system by the name that :func:`load` takes, sorted, without importing any.

    Two distributions with one name are announced by a :class:`PluginWarning` and listed as ``distribution:name``.
    """
    systems = {}
    for name, entries in registry.installed(GROUP).items():
        if len(entries) == 1:
            systems[name] = entries[0]
        else:
            messages.warn_caller(str(_ambiguous(name, entries)), errors.PluginWarning)
            systems.update((entry.qualified_name, entry) for entry in entries)
    return dict(sorted(systems.items()))


@explains_calls
def load(name: str) -> Loaded:
    """The class or preset called ``name``, or ``distribution:name``; call it to get a system.

    Raises
    ------
    UnknownNameError
        If no installed system has this name; the message lists the installed systems.
    InputError
        If two distributions use it, or if the plugin is broken; the cause is chained.
    """
    if not isinstance(name, str):
        raise errors.InputError("a system", expected="a name", got=repr(name))
    by_name = registry.installed(GROUP)
    entries = by_name.get(name) or _qualified(name, by_name)
    if not entries:
        raise errors.UnknownNameError("system", name, sorted(by_name))
    if len(entries) > 1:
        raise _ambiguous(name, entries)
    return entries[0].load_as(KIND, _checked)


@explains_calls
def load_all() -> dict[str, Loaded]:
    """Import every installed system; a broken one is left out and announced by a :class:`PluginWarning`."""
    systems = {}
    for name, entry in available().items():
        try:
            systems[name] = entry.load_as(KIND, _checked)
        except errors.InputError as error:
            messages.warn_caller(str(error), errors.PluginWarning)
    return systems


def _qualified(name: str, by_name: Mapping[str, list[registry.Extension]]) -> list[registry.Extension]:
    distribution, _, plain = name.partition(":")
    return [e for e in by_name.get(plain, []) if _normalised(e.distribution) == _normalised(distribution)]


def _normalised(distribution: str) -> str:
    """The form in which two spellings of a distribution's name are equal."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _ambiguous(name: str, entries: list[registry.Extension]) -> errors.InputError:
    owners = " and ".join(repr(entry.distribution) for entry in entries)
    choices = " or ".join(repr(entry.qualified_name) for entry in entries)
    return errors.InputError(f"the system name {name!r} is used by {owners}", hint=f"Ask for {choices}.")


def is_system(candidate: Any) -> bool:
    """Whether an object is a subclass of ``System`` or a preset of one."""
    from semidirect.definition.system_definition import SystemDefinition

    kind = candidate.system if isinstance(candidate, Preset) else candidate
    return isinstance(kind, type) and issubclass(kind, SystemDefinition)


def _checked(candidate: Any) -> Loaded:
    if not is_system(candidate):
        raise errors.DefinitionError(
            "the wrong kind of object", expected="a System subclass or a Preset", got=repr(candidate)
        )
    checked: Loaded = candidate
    return checked
