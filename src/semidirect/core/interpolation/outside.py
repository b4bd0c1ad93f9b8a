"""Reads of tables outside of their nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

extended: ContextVar[bool] = ContextVar("whether interpolants have values outside of their nodes", default=False)
_outside: ContextVar[list[np.ndarray] | None] = ContextVar("reads outside of the nodes", default=None)


@contextmanager
def extended_tables() -> Iterator[None]:
    """The context in which array code continues the first and the last polynomial of an interpolant outside of its nodes.

    For checks that compare two ways to evaluate a definition, at states that may lie anywhere.
    """
    token = extended.set(True)
    try:
        yield
    finally:
        extended.reset(token)


def note_outside(paths: np.ndarray) -> None:
    """Note which paths read a table outside of its nodes, where :func:`reads_outside` asks for it."""
    noted = _outside.get()
    if noted is not None:
        noted.append(paths)


def reads_outside(paths: int, again: Callable[[], Any]) -> np.ndarray:
    """On which of the paths array code, which is repeated for this, reads a table outside of its nodes: ``(paths,)``."""
    masks: list[np.ndarray] = []
    token = _outside.set(masks)
    try:
        with np.errstate(all="ignore"):
            again()
    finally:
        _outside.reset(token)
    return np.logical_or.reduce([np.zeros(paths, dtype=bool), *(np.broadcast_to(x, (paths,)) for x in masks)])
