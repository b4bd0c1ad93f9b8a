"""A command-line option that a parameter of a function, or an object of a run, declares."""

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
        With hyphens: ``noise-dt``. A file of arguments has it as its key.
    help : str or callable() → str
        A function where the text lists what is installed; it is called when help is shown. Empty: the text on the parameter in
        the docstring of the function that a command calls.
    kind : str
        The kind of value of its text. One value: ``"number"``; ``"whole"``, a whole number; ``"seed"``, which may be ``random``;
        ``"text"``; ``"place"``, a path of the file system; ``"location"``, such a path or a URL; ``"numbers"``, JSON, a number
        or an array of numbers; ``"methods"``, names that are separated by commas; ``"switch"``, ``True`` where it is given.
        Several, as the option may be repeated: ``"texts"``; ``"places"``; ``"number-each"``; ``"whole-each"``; ``"names"``,
        separated by commas; ``"columns"``, NAME=LABEL, separated by commas. A dictionary: ``"sizes"``, ``"arrays"`` and
        ``"settings"`` of NAME=JSON, ``"levels"`` of QUANTITY=VALUE.
    metavar : str
    choices : tuple of str
        The allowed texts; empty if any text is allowed.
    example : str
        An example in JSON, for messages.
    letter : str
        The option as one letter, ``-o``; empty for none.
    completion : str
        The completion in a shell: a name in :data:`semidirect.cli.completion.COMPLETERS`, such as ``"quantities"``.
    destination : str
        The name of its value; by default the name with underscores.
    position : {"", "one", "optional", "several"}
        Whether the value stands without ``--name``, and how many of them.
    """

    Kind = Literal[
        "number", "number-each", "whole", "whole-each", "numbers", "text", "texts", "names", "methods", "sizes", "arrays",
        "levels", "columns", "seed", "place", "places", "location", "settings", "switch",
    ]  # fmt: skip
    """What the text after an option stands for; the command line has one reader for each."""

    name: str
    help: str | Callable[[], str] = ""
    kind: Kind = "text"
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    example: str = ""
    letter: str = ""
    completion: str = ""
    destination: str = ""
    position: Literal["", "one", "optional", "several"] = ""

    @property
    def key(self) -> str:
        """The name of its value."""
        return self.destination or self.name.replace("-", "_")

    @property
    def repeatable(self) -> bool:
        """Whether it may be given several times."""
        several = (
            "texts",
            "names",
            "number-each",
            "whole-each",
            "columns",
            "places",
            "sizes",
            "arrays",
            "levels",
            "settings",
        )
        return not self.position and self.kind in several

    @property
    def is_table(self) -> bool:
        """Whether it is given once for each of some names, which makes it a table in a file."""
        return self.kind in ("sizes", "arrays", "settings")
