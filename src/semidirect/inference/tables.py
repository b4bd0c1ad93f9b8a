"""Tables in files: text with any separator, and Parquet."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from semidirect.core import errors

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PARQUET", "TEXTS", "read_table", "refuse_twice"]

TEXTS, PARQUET = (".csv", ".tsv", ".txt"), (".parquet", ".pq")

SEPARATORS = ",;\t|"
"""Between columns, of which the one that occurs in the line of names is taken; else columns are separated by spaces."""


def refuse_twice(what: str, labels: list[object] | list[str] | tuple[object, ...]) -> None:
    """Raise an :class:`InputError` if a label occurs more than once."""
    twice = next((label for i, label in enumerate(labels) if label in labels[:i]), None)
    if twice is not None:
        raise errors.InputError(what, expected="each once", got=f"{twice!r} twice")


def read_table(path: Path) -> pd.DataFrame:
    """The table of a file, of which each column has a name of its own.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    import pandas as pd

    if path.suffix.lower() in PARQUET:
        return _of_parquet(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
        separator = next((mark for mark in SEPARATORS if mark in head), r"\s+" if " " in head.strip() else ",")
        names = (
            head.split()
            if separator == r"\s+"
            else [
                name.strip()
                for name in next(csv.reader([head.strip("\r\n")], delimiter=separator, skipinitialspace=True), [])
            ]
        )
        refuse_twice(f"columns of {path}", names)
        decimal = _decimal(path, separator)
        table = pd.read_csv(path, sep=separator, skipinitialspace=True, encoding="utf-8-sig", decimal=decimal)
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a .csv.") from error
    except (ValueError, csv.Error, pd.errors.ParserError) as error:
        if isinstance(error, errors.InputError):
            raise
        expected = "a table of text, with a header of names and one separator"
        raise errors.InputError(f"{path} cannot be read", expected=expected, got=str(error)) from None
    if len(table.columns) != len(names) or not isinstance(table.index, pd.RangeIndex):
        got = len(table.columns) + (0 if isinstance(table.index, pd.RangeIndex) else table.index.nlevels)
        raise errors.InputError(
            f"{path} cannot be read", expected=f"{len(names)} columns, as in its first line", got=f"{got}"
        )
    table.columns = pd.Index(names)
    return table


def _decimal(path: Path, separator: str) -> str:
    """The decimal mark: a comma only where commas do not separate columns, and no number has a point."""
    if separator == ",":
        return "."
    with path.open(encoding="utf-8-sig") as file:
        file.readline()
        rows = [line for line, _ in zip(file, range(100), strict=False)]
    commas, points = (any(mark in line for line in rows) for mark in ",.")
    return "," if commas and not points else "."


def _of_parquet(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        table = pd.read_parquet(path)
    except ImportError:
        raise errors.InputError(f"{path} cannot be read", expected="a package that reads Parquet", got="none is installed",
                                hint="Install one: pip install pyarrow. Or write the table as .csv.") from None  # fmt: skip
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a .parquet.") from error
    except Exception as error:  # the engines have errors of their own
        raise errors.InputError(f"{path} cannot be read", expected="a table in Parquet", got=str(error)) from None
    names = [str(name).strip() for name in table.columns]
    refuse_twice(f"columns of {path}", names)
    return table
