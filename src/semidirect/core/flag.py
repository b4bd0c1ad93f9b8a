"""A command-line option that an object of a run declares."""

from __future__ import annotations

from collections.abc import Callable
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
    help : str or callable() → str
        A function where the text lists what is installed; it is called when help is shown.
    kind : {"number", "whole", "numbers", "text", "texts", "names", "sizes", "place", "switch"}
        A number; a whole number; JSON, a number or an array of numbers; text; texts, one each time the option is given; names
        that are separated by commas; a dictionary of NAME=NUMBER; a path of the file system; ``True`` where it is given.
    metavar : str
    choices : tuple of str
        The allowed texts; empty if any text is allowed.
    example : str
        An example in JSON, for messages.
    letter : str
        The option as one letter, ``-o``; empty for none.
    """

    name: str
    help: str | Callable[[], str]
    kind: Literal["number", "whole", "numbers", "text", "texts", "names", "sizes", "place", "switch"] = "text"
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    example: str = ""
    letter: str = ""

    @property
    def key(self) -> str:
        """The name with underscores."""
        return self.name.replace("-", "_")
