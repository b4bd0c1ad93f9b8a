"""Interpolants in kernels: the operations of :mod:`semidirect.core.interpolation` on one number, so the same bits.

A kernel contains their instructions. T are the numbers of :class:`~.packed_tables.PackedTables`, ``place`` is where in them
those of an interpolant begin.
"""

from __future__ import annotations

import numpy as np


def interval(T, place, x, halvings):  # type: ignore[no-untyped-def]
    """The number of the interval in which x lies; outside of the nodes, that of the first or the last one."""
    start = np.int64(place)
    first, last = T[start], T[start + 1]
    x = x if x >= first else first
    x = x if x <= last else last
    bucket, most = np.floor((x - first) * T[start + 2]), T[start + 3] - 1.0
    pair = start + 2 * np.int64(bucket if bucket < most else most)
    low, high = T[pair + 6], T[pair + 7]
    nodes = start + np.int64(T[start + 4])
    for _ in range(halvings):
        middle = np.floor(0.5 * (low + high))
        right = T[nodes + np.int64(middle)] <= x
        low = middle if right else low
        high = high if right else middle
    return low


def _piece(T, place, i, x):  # type: ignore[no-untyped-def]
    start, number = np.int64(place), np.int64(i)
    inside = (x >= T[start]) & (x <= T[start + 1])
    return start + np.int64(T[start + 5]) + 4 * number, x - T[start + np.int64(T[start + 4]) + number], inside


def linear_0(T, place, i, x):  # type: ignore[no-untyped-def]
    """A piecewise linear function."""
    c, d, inside = _piece(T, place, i, x)
    return T[c] + d * T[c + 1] if inside else np.nan


def linear_1(T, place, i, x):  # type: ignore[no-untyped-def]
    """Its derivative."""
    c, _, inside = _piece(T, place, i, x)
    return T[c + 1] if inside else np.nan


def cubic_0(T, place, i, x):  # type: ignore[no-untyped-def]
    """A cubic spline."""
    c, d, inside = _piece(T, place, i, x)
    return T[c] + d * (T[c + 1] + d * (T[c + 2] + d * T[c + 3])) if inside else np.nan


def cubic_1(T, place, i, x):  # type: ignore[no-untyped-def]
    """Its derivative."""
    c, d, inside = _piece(T, place, i, x)
    return T[c + 1] + d * (2.0 * T[c + 2] + d * (3.0 * T[c + 3])) if inside else np.nan


def cubic_2(T, place, i, x):  # type: ignore[no-untyped-def]
    """Its second derivative."""
    c, d, inside = _piece(T, place, i, x)
    return 2.0 * T[c + 2] + d * (6.0 * T[c + 3]) if inside else np.nan


def cubic_3(T, place, i, x):  # type: ignore[no-untyped-def]
    """Its third derivative."""
    c, _, inside = _piece(T, place, i, x)
    return 6.0 * T[c + 3] if inside else np.nan
