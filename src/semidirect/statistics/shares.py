"""Standard errors of shares and of means over independent paths, where few paths, or none, decide them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["error_of_events", "error_of_share", "events", "mean_errors", "rows_of"]

EVENT = re.compile(r"\bwhere\s*\(")
"""An expression that may be the indicator of an event."""
ROUNDING = 1e-9


def error_of_share(share: Any, count: Any) -> Any:
    """√(s (1 − s)/count), where s is the share of the paths and of four more, of which two have it (Agresti and Coull)."""
    estimate = (share * count + 2) / (count + 4)
    return np.sqrt(estimate * (1 - estimate) / count)


def rows_of(names: Sequence[str], sizes: Mapping[str, int]) -> list[str]:
    """The name of the quantity of each row."""
    return [name for name in names for _ in range(sizes[name])]


def events(names: Sequence[str]) -> tuple[int, ...]:
    """The rows that may be indicators of events: expressions with ``where``."""
    return tuple(i for i, name in enumerate(names) if EVENT.search(name))


def mean_errors(names: Sequence[str], count: np.ndarray, mean: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The errors of means ``(T, rows)`` from Σ (x − mean)²: √(variance/n), and of an event that of its share.

    An expression with ``where`` whose values are 0 and 1, which they are if Σ (x − mean)² = n m (1 − m), has the error of a
    share, which is not 0 if none or all of the paths have it. One with the same whole value on all paths may be an event that
    has not happened, too; the size of its other value is taken to be 1.
    """
    with np.errstate(all="ignore"):
        n = np.maximum(count, 1.0)
        plain = np.sqrt(np.where(count > 1, squares / np.maximum(count - 1, 1.0), np.nan) / n)
        event = np.isin(np.arange(len(names)), events(names))
        if not event.any():
            return plain
        binary = (mean >= 0) & (mean <= 1) & (np.abs(squares - n * mean * (1 - mean)) <= ROUNDING * n)
        never = (squares == 0) & (mean == np.rint(mean))
        share = np.where(binary, mean, 0.0)
        return np.where(event & (binary | never) & (count > 1), error_of_share(share, n), plain)


def error_of_events(names: Sequence[str], error: np.ndarray, plain: np.ndarray) -> np.ndarray:
    """Errors ``(…, rows)`` from the spread of replications, and of an event whose share is the same in all of them, that of
    independent paths, which is larger.
    """
    return np.where(np.isin(np.arange(len(names)), events(names)) & (error == 0), plain, error)
