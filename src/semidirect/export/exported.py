"""The text that a system was exported to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, ModuleType
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
        The parts in the file.
    target : str
        The name of its language.
    name : str
        A name for the file.
    companions : mapping
        Files that go with it, by their names: of C a header and an example.
    """

    text: str
    target: str
    name: str
    companions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def described(self) -> dict[str, str]:
        """In JSON's types."""
        return {"target": self.target, "text": self.text}

    def load(self) -> ModuleType:
        """The module of Python that the text is.

        Raises
        ------
        InputError
            If it is none, or if a package that it imports is not installed.
        """
        if not self.name.endswith(".py"):
            raise errors.InputError("an export to load", expected="a target in Python, such as numpy", got=self.target,
                                    hint="Save it, and give it to a compiler.")  # fmt: skip
        module = ModuleType(self.name.removesuffix(".py"))
        try:
            exec(compile(self.text, f"<{self.name}, exported to {self.target}>", "exec"), vars(module))
        except ModuleNotFoundError as error:
            raise errors.InputError("an export to load", expected=f"{error.name} to be installed", got="it is not",
                                    hint="Install it: pip install 'semidirect[export]'.") from error  # fmt: skip
        return module

    def save(self, path: Any) -> Path:
        """Write the text into a file, which must not exist yet; returns its place."""
        return _written(Path(arguments.validated_place("a file", path)), self.text)

    def save_all(self, folder: Any) -> list[Path]:
        """Write the text and its companions, by their names, into a folder that exists; returns their places."""
        place = Path(arguments.validated_place("a folder", folder))
        return [_written(place / name, text) for name, text in {self.name: self.text, **self.companions}.items()]


def _written(place: Path, text: str) -> Path:
    try:
        with place.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise errors.InputError(
            "the file of an export", expected="a place where it can be made", got=str(error)
        ) from None
    return place
