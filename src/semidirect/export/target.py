"""The abstract target: a language that systems are exported to."""

from __future__ import annotations

from abc import ABC, abstractmethod
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
    """

    name: ClassVar[str]

    @abstractmethod
    def text(self, program: ExportedProgram, name: str) -> str:
        """The file, in which names begin with ``name``."""


TARGETS: registry.Registry[Target] = registry.Registry(
    "export target",
    Target,  # type: ignore[type-abstract]
    "semidirect.export.targets",
    "semidirect.targets",
)
"""All targets."""
