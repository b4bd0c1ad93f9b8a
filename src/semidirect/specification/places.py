"""Places at which a run can be stored: a folder, whose name is not that of another kind of file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from semidirect.core import arguments, errors

__all__ = ["store_place"]

TABLES = {".csv": "to_csv", ".tsv": "to_csv", ".txt": "to_csv", ".json": "to_json", ".xlsx": "to_excel", ".parquet": "to_parquet",
          ".feather": "to_feather"}  # fmt: skip
"""Endings of tables, and the methods of a pandas table that write them."""
NETCDF = (".nc", ".cdf", ".nc4", ".netcdf")
OTHERS = (
    ".npy",
    ".npz",
    ".h5",
    ".hdf5",
    ".pkl",
    ".pickle",
    ".mat",
    ".html",
    ".png",
    ".pdf",
    ".svg",
    ".gif",
    ".mp4",
    ".toml",
)


def store_place(what: str, value: Any) -> Path | str:
    """A path, or a URL, at which a run can be stored as a folder.

    Raises
    ------
    InputError
        For a path that cannot be used, and for a new name with the ending of a file.
    """
    place = arguments.validated_location(what, value)
    path = Path(place)
    ending = path.suffix.lower()
    if os.path.isdir(path) or not (ending in TABLES or ending in NETCDF or ending in OTHERS):
        return place
    how = f"to_pandas().{TABLES[ending]}" if ending in TABLES else "to_xarray().to_netcdf" if ending in NETCDF else ""
    more = f" A file is written in Python by run.{how}({path.name!r})." if how else ""
    raise errors.InputError(f"{what} {place}", expected="the name of a folder of Zarr", got=f"that of a file, {ending}",
                            hint=f"Write {str(place).removesuffix(path.suffix)}.zarr.{more}")  # fmt: skip
