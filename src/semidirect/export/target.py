"""The abstract target: a language that systems are exported to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from semidirect.core import registry, user_code
from semidirect.export.program import ExportedProgram

__all__ = ["TARGETS", "Target"]


class Target(user_code.Hooked, ABC):
    """Writes the programs of a system as one file. Final subclasses in a file of :mod:`semidirect.export.targets`, or declared by
    the entry point group ``semidirect.targets``, are found by their names.

    Attributes
    ----------
    name : str
        For ``to=`` and ``--to``.
    ending : str
        That of its files; :meth:`.Exported.load` executes those that end in ``.py``.
    """

    name: ClassVar[str]
    ending: ClassVar[str] = ".txt"

    @abstractmethod
    def text(self, program: ExportedProgram, name: str) -> str:
        """The file, in which names begin with ``name``."""

    def companions(self, program: ExportedProgram, name: str) -> Mapping[str, str]:
        """Files that go with it, by their names, such as a header; by default none."""
        return MappingProxyType({})


TARGETS: registry.Registry[Target] = registry.Registry(
    "export target",
    Target,  # type: ignore[type-abstract]
    "semidirect.export.targets",
    "semidirect.targets",
)
"""All targets."""
