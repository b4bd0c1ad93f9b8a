"""The answer of a command: the result for people or for programs, and its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, final

from semidirect.cli.argument import Call
from semidirect.cli.outputs import NETCDF, output_flags, output_place, write_data_set
from semidirect.cli.pictures import picture_place, write_picture
from semidirect.core import Flag
from semidirect.text import printing

FORMAT = Flag("format", "for people or for programs", choices=("table", "json"))


def _described(result: Any) -> Any:
    return result.described()


@final
class Output(NamedTuple):
    """The file of a result.

    Attributes
    ----------
    flags : sequence of Flag
        ``-o`` and ``--force``.
    place : callable(path, force) → path
        Checks the name before anything is computed.
    write : callable(result, path, force)
        Writes it.
    verb : str
        The text about it.
    """

    flags: Sequence[Flag]
    place: Callable[[Path, bool], Path]
    write: Callable[[Any, Path, bool], None]
    verb: str


def picture(draw: Callable[[Any], Any], help_: str = "draw it: a .png, .pdf or .svg") -> Output:
    """A picture, which a function draws of the result."""
    return Output(
        output_flags(help_, "a picture"), lambda path, force: picture_place(path, force=force),
        lambda result, path, force: write_picture(draw(result), path, force=force), "drawn",
    )  # fmt: skip


def data_set() -> Output:
    """All of a result in a netCDF file."""
    return Output(
        output_flags("write the whole result to netCDF", "a file", "FILE.nc"),
        lambda path, force: output_place(path, NETCDF, force=force),
        lambda result, path, force: write_data_set(result.to_xarray(), path, force=force), "saved",
    )  # fmt: skip


def data_set_or_picture() -> Output:
    """All of a result in a netCDF file, or a picture of it, by the ending of the name."""

    def is_data(path: Path) -> bool:
        return path.suffix.lower() in NETCDF

    def write(result: Any, path: Path, force: bool) -> None:
        if is_data(path):
            write_data_set(result.to_xarray(), path, force=force)
        else:
            write_picture(result.plot()[0].figure.figure, path, force=force)

    return Output(
        output_flags("write the whole result to netCDF, or draw it: a .png, .pdf or .svg", "a file", "FILE"),
        lambda path, force: output_place(path, NETCDF, force=force) if is_data(path) else picture_place(path, force=force),
        write, "saved",
    )  # fmt: skip


@final
class Answer(NamedTuple):
    """How the result of a function is printed, and where it is written.

    Attributes
    ----------
    text : callable(result) → object
        For people.
    described : callable(result) → object
        In JSON's types, for programs.
    status : callable(result) → int
        The exit code.
    output : Output, optional
        Its file.
    """

    text: Callable[[Any], object] = str
    described: Callable[[Any], Any] = _described
    status: Callable[[Any], int] = lambda _: 0
    output: Output | None = None

    @property
    def options(self) -> Sequence[Flag]:
        """The flags of all that it needs."""
        return (*(self.output.flags if self.output else ()), FORMAT)

    def place(self, call: Call) -> Path | None:
        """Where the result is written, checked before anything is computed; ``None`` for nowhere."""
        path = call.read("output") if self.output else None
        return None if path is None or self.output is None else self.output.place(path, bool(call.read("force")))

    def give(self, call: Call, result: Any, place: Path | None = None) -> int:
        """Write and print the result; the exit code."""
        if place is not None and self.output is not None:
            self.output.write(result, place, bool(call.read("force")))
        if call.as_json:
            printing.print_json(self.described(result))
        else:
            printing.print_text(self.text(result))
            if place is not None and self.output is not None:
                print(f"{self.output.verb} in {place}")
        return self.status(result)
