"""A command-line option that an object of a run declares."""

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
        The allowed texts; empty if any text is allowed.
    example : str
        An example in JSON, for messages.
    """

    name: str
    help: str
    kind: Literal["number", "numbers", "text"] = "text"
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    example: str = ""

    @property
    def key(self) -> str:
        """The name with underscores."""
        return self.name.replace("-", "_")
