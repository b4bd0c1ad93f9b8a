"""A command-line option that an object of a run declares for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

__all__ = ["Flag"]


@final
@dataclass(frozen=True)
class Flag:
    """An option ``--name``; its value is ``None`` where it is not given.

    Attributes
    ----------
    name : str
        With hyphens: ``noise-dt``. Its value has the name with underscores.
    help : str
    kind : {"number", "numbers", "text"}
        A number; JSON, a number or an array of numbers; text.
    metavar : str
    choices : tuple of str
        What text may be; empty where it may be anything.
    example : str
        JSON that could be given, for a message.
    """

    name: str
    help: str
    kind: Literal["number", "numbers", "text"] = "text"
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    example: str = ""

    @property
    def key(self) -> str:
        """The name of its value."""
        return self.name.replace("-", "_")
