"""The text that a system was exported to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from semidirect.core import arguments, display, errors

__all__ = ["Exported"]


@final
@dataclass(frozen=True, repr=False)
class Exported(display.Brief):
    """A file that computes the steps of a system without semidirect.

    Attributes
    ----------
    text : str
        What the file contains.
    target : str
        The name of its language.
    """

    text: str
    target: str

    def described(self) -> dict[str, str]:
        """In JSON's types."""
        return {"target": self.target, "text": self.text}

    def save(self, path: Any) -> Path:
        """Write the text into a file, which must not exist yet; returns its place."""
        place = Path(arguments.validated_place("a file", path))
        try:
            with place.open("x", encoding="utf-8") as file:
                file.write(self.text)
        except OSError as error:
            raise errors.InputError(
                "the file of an export", expected="a place where it can be made", got=str(error)
            ) from None
        return place
