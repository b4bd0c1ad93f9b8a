"""Which equations a system has: what its functions do to symbols, and the code that they reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from semidirect.definition.reached_code import UnknownCodeError, package_digest, reached_code
from semidirect.definition.traced_definition import definition_digest

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition


class Identity(NamedTuple):
    """Two systems with equal digests, neither of them ``None``, have the same equations.

    Attributes
    ----------
    traced : str or None
        What the functions of the definition do to symbols.
    code : str or None
        The code that the class reaches, its options and the shapes of its parameters.
    """

    traced: str | None
    code: str | None


def identity(system: SystemDefinition) -> Identity:
    """Computed anew, as functions and what they read may have changed."""
    traced = definition_digest(system)  # first, so that what functions import has been imported
    _, options, shapes = system.signature
    kind = type(system)
    try:
        code = reached_code(kind, options, shapes, own=kind.__mro__)
    except UnknownCodeError:
        code = None
    return Identity(traced, code)


def first_identity(system: SystemDefinition) -> Identity:
    """The identity of a system when it was first asked."""
    if identity not in system.cache:
        system.cache[identity] = identity(system)
    found: Identity = system.cache[identity]
    return found


def key_on_disk(system: SystemDefinition, variables: str, form: str | None) -> list[str | None] | None:
    """What the equations are found by in the cache, ``None`` where they are not kept.

    Classes that are made within a function are not kept, as there may be any number of them.
    """
    from importlib.metadata import version

    kind, found = type(system), first_identity(system)
    if "<locals>" in kind.__qualname__ or found.traced is None or found.code is None:
        return None
    versions = [package_digest(), version("sympy"), np.__version__]
    return [*versions, kind.__module__, kind.__qualname__, found.traced, found.code, variables, form]
