"""Files that commands write: the name is checked before anything is computed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from semidirect.core import Flag, errors
from semidirect.ensemble import write_whole

if TYPE_CHECKING:
    import xarray

NETCDF = (".nc", ".cdf")
"""Endings of names of netCDF files."""


def output_flags(help_: str, what: str, metavar: str = "FILE") -> tuple[Flag, Flag]:
    """``-o`` and ``--force``."""
    return Flag("output", help_, "place", metavar, letter="o"), force_flag(what)


def force_flag(what: str) -> Flag:
    """``--force``."""
    return Flag("force", f"replace {what} that exists already", "switch")


def beside(run: Path | str, ending: str) -> Path:
    """The name of a file about a run: next to it, or in this folder if the run is at a URL."""
    return Path(Path(run).name if isinstance(run, str) else run).resolve().with_suffix(ending)


def output_place(path: Path, endings: Sequence[str], *, force: bool, verb: str = "write") -> Path:
    """The path, if a file of one of these kinds can be written there.

    Raises
    ------
    InputError
        For a name with another ending.
    StoreError
        If the folder does not exist, or if the name exists: as a folder or, unless ``force``, as a file or link.
    """
    if path.suffix.lower() not in endings:
        raise errors.InputError(f"cannot {verb} {path}", expected=f"a name that ends in one of {', '.join(endings)}")
    if not path.parent.is_dir():
        raise errors.StoreError(f"cannot write {path}: there is no folder {path.parent}", hint="Make it first.")
    if path.is_dir() and not path.is_symlink():
        raise errors.StoreError(f"cannot write {path}: it is a folder", hint="Choose another name.")
    if not force and (path.exists() or path.is_symlink()):
        raise errors.StoreError(f"{path} exists already", hint="Choose another name, or replace it with --force.")
    return path


def write_data_set(data: xarray.Dataset, path: Path, *, force: bool) -> None:
    """Write a data set as netCDF 3."""
    from semidirect.results import data_set

    names = {name: data_set.writable_name(str(name)) for name in data.data_vars}
    content = data.rename({old: new for old, new in names.items() if old != new}).to_netcdf(engine="scipy")
    write_output(bytes(content), path, force=force)


def write_output(content: bytes, path: Path, *, force: bool) -> None:
    """Write a file; with ``force`` it replaces a file or link of this name."""
    try:
        if force:
            write_whole(path, content)
        else:
            with path.open("xb") as file:
                file.write(content)
    except OSError as error:
        raise errors.cannot_write(path, error) from error
