"""The fixed binary tree over path numbers in which sums are taken.

The node ``(level, index)`` stands for the paths ``index 2^level`` to ``(index + 1) 2^level − 1``; lane blocks are the nodes of
level 6. A node's value follows from the values of its halves, the lower paths first, so it depends on its paths only. The partial
result for any set of paths is a set of nodes that never contains both halves of a node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from semidirect.core import errors

Node = tuple[int, int]
Join = Callable[[Any, Any], Any]


def nodes_of(paths: range) -> list[Node]:
    """The fewest nodes that cover consecutive paths."""
    out, first = [], paths.start
    while first < paths.stop:
        level = (paths.stop - first).bit_length() - 1
        if first:
            level = min(level, (first & -first).bit_length() - 1)
        out.append((level, first >> level))
        first += 1 << level
    return out


def folded(leaves: tuple[np.ndarray, ...], join: Join) -> tuple[np.ndarray, ...]:
    """The node over 2^k leaves, which lie along the last axis of each array."""
    while leaves[0].shape[-1] > 1:
        leaves = join(tuple(x[..., 0::2] for x in leaves), tuple(x[..., 1::2] for x in leaves))
    return tuple(x[..., 0] for x in leaves)


def united(a: Mapping[Node, Any], b: Mapping[Node, Any], join: Join) -> dict[Node, Any]:
    """The partial result for the union of two disjoint sets of paths, with halves joined."""
    for ours, theirs in ((a, b), (b, a)):
        for level, index in ours:
            if any((level + up, index >> up) in theirs for up in range(64)):
                raise errors.InputError(
                    "the same paths are counted twice",
                    where=f"path {index << level}",
                    hint="Merge statistics of different paths.",
                )
    out = dict(a)
    for (level, index), value in b.items():
        while (level, index ^ 1) in out:
            other = out.pop((level, index ^ 1))
            value = join(other, value) if index & 1 else join(value, other)
            level, index = level + 1, index >> 1
        out[level, index] = value
    return out


def root(nodes: Mapping[Node, Any], join: Join) -> Any:
    """The value for all paths together; a missing half is empty."""
    left = dict(nodes)
    while len(left) > 1:
        level, index = min(left)
        value = left.pop((level, index))
        sibling = left.pop((level, index ^ 1), None)
        if sibling is not None:
            value = join(sibling, value) if index & 1 else join(value, sibling)
        left[level + 1, index >> 1] = value
    return next(iter(left.values()))


def packed(nodes: Mapping[Node, tuple[np.ndarray, ...]], names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """The nodes as arrays, sorted along the first axis."""
    order = sorted(nodes)
    out = {"nodes": np.array(order, dtype=np.int64).reshape(-1, 2)}
    for i, name in enumerate(names):
        out[name] = np.stack([nodes[node][i] for node in order])
    return out


def unpacked(partial: Mapping[str, np.ndarray], names: tuple[str, ...]) -> dict[Node, tuple[np.ndarray, ...]]:
    """The reverse of :func:`packed`."""
    nodes = [(int(level), int(index)) for level, index in partial["nodes"]]
    return {node: tuple(partial[name][i] for name in names) for i, node in enumerate(nodes)}
