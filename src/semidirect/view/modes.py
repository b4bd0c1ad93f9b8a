"""The modes and transitions of paths of a hybrid system on a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from semidirect.view.motion import Instant, Motion


def with_modes(
    motion: Motion, names: Sequence[str], mode: np.ndarray, transitions: Iterable[tuple[int, float, str]]
) -> Motion:
    """A motion whose paths change their mode.

    Parameters
    ----------
    names : sequence of str
        Of the modes.
    mode : int array (paths, T)
        The number of the mode of each path at each time of the motion.
    transitions : iterable of (path, time, words)
        Impacts and changes of mode; those of paths that are not shown are left out.
    """
    instants: list[list[Instant]] = [[] for _ in motion.labels]
    for path, time, words in transitions:
        if path < len(instants):
            instants[path].append(Instant(float(time), words))
    return replace(motion, modes=tuple(names), mode=np.asarray(mode, dtype=np.int8), instants=instants)
