"""Updates of filters by name."""

from __future__ import annotations

from typing import Any

from semidirect.core import errors, registry
from semidirect.inference import updates
from semidirect.inference.update import Update

__all__ = ["UPDATES", "update_of"]

UPDATES: registry.Registry[Update] = registry.Registry("update", Update, updates.__name__, "semidirect.updates")  # type: ignore[type-abstract]
"""All updates: those of :mod:`semidirect.inference.updates`, and those that other packages declare as ``semidirect.updates``."""


def update_of(value: Any) -> Update:
    """The update for a value of ``update=``: an object, or its name.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown name, and for one of an update that has to be made with options or cannot be loaded.
    """
    if isinstance(value, Update):
        return value
    kind = UPDATES[value]
    try:
        return kind()
    except TypeError:
        raise errors.InputError(
            f"the update {value!r} needs options", hint=f"Pass an object: update={kind.__name__}(…)."
        ) from None
