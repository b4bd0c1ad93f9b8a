"""Errors of files become errors of a run on disk, which say where it is and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from semidirect.core import errors


@contextmanager
def reading(place: object) -> Iterator[None]:
    """Turn every exception that a damaged store causes into a :class:`StoreError`."""
    try:
        yield
    except errors.StoreError:
        raise
    except MemoryError as error:
        raise errors.StoreError(
            f"{place} does not fit into memory", hint="Run.parts(path) reads a run chunk by chunk."
        ) from error
    except OSError as error:
        name = str(error.filename or place).removeprefix(f"{place}/")
        raise errors.StoreError(
            f"{place} cannot be read as a run: {name}: {error.strerror or error}",
            hint="Give the place of a run that you may read.",
        ) from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise errors.StoreError(
            f"{place} cannot be read as a run: {type(error).__name__}: {error}",
            hint="Restore its files from a copy, or run it again.",
        ) from error


@contextmanager
def writing(place: object) -> Iterator[None]:
    """Turn errors of the operating system about a file of a store into a :class:`StoreError`."""
    try:
        yield
    except errors.StoreError:
        raise
    except OSError as error:
        where = f": {error.filename}" if error.filename is not None else ""
        raise errors.StoreError(
            f"cannot write {place}: {error.strerror or error}{where}", hint="Choose a place you may write to."
        ) from error
