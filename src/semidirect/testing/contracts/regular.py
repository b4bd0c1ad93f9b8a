"""States at which a definition has values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import reject


@contextmanager
def regular() -> Iterator[None]:
    """Leave out states where a definition divides by 0 or is not real, such as a disc that lies flat."""
    try:
        yield
    except ArithmeticError:
        reject()
