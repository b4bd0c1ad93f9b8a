"""The identity of a system's equations: the operations of its functions on symbols, and the code that they reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from semidirect.definition.traced_definition import definition_digest, observable_digests
from semidirect.machine import reached_code

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition


class Identity(NamedTuple):
    """Two systems with equal digests, neither of them ``None``, have the same equations.

    Attributes
    ----------
    traced : str or None
        Digest of the operations of the definition on symbols.
    code : str or None
        Digest of the code that the class reaches, its options and the shapes of its parameters.
    """

    traced: str | None
    code: str | None

    @classmethod
    def of(cls, system: SystemDefinition) -> Identity:
        """The present identity, computed anew, since functions and the data that they read may have changed."""
        traced = definition_digest(system)  # first, so that the modules which functions import are imported
        _, options, shapes = system.workings.signature
        kind = type(system)
        try:
            code = reached_code.reached_code(kind, options, shapes, own=kind.__mro__)
        except reached_code.UnknownCodeError:
            code = None
        return cls(traced, code)

    @classmethod
    def first(cls, system: SystemDefinition) -> Identity:
        """The identity of a system at its first use."""
        identity: Identity = system.workings.known(Identity, lambda: cls.of(system))
        return identity

    @classmethod
    def key_on_disk(cls, system: SystemDefinition, variables: str, form: str | None) -> list[str | None] | None:
        """The key of the equations in the cache on disk, ``None`` if they are not cached there.

        Classes that are made within a function are not cached on disk, as there may be any number of them.
        """
        from importlib.metadata import version

        kind, identity = type(system), cls.first(system)
        if "<locals>" in kind.__qualname__ or identity.traced is None or identity.code is None:
            return None
        versions = [reached_code.package_digest(), version("sympy"), np.__version__]
        return [*versions, kind.__module__, kind.__qualname__, identity.traced, identity.code, variables, form]

    @staticmethod
    def of_observables(system: SystemDefinition, named: Mapping[str, int]) -> dict[str, str | None]:
        """A digest of each observable that the class declares, which is no part of the equations; ``None`` where there is none.

        ``named`` are the quantities that they may read, with numbers of rows.
        """
        return observable_digests(system, named)
