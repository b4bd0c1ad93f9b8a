"""What a chunk of paths keeps while it goes: quantities at the wanted times, and which paths failed, where and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from semidirect.ensemble.spec import RunSpec
from semidirect.kernels.model import Model

GOOD, BLOW_UP, NOT_CONVERGED = 0, 1, 2


@dataclass(frozen=True, eq=False)
class ChunkResult:
    """What the paths of a chunk leave; first axis: its paths, in order.

    Attributes
    ----------
    paths : range
        Their numbers.
    data : dict name → array (n, T, d)
        Saved quantities.
    final : dict name → array (n, d)
        The state at the end, as a user gives it.
    y, stored : arrays (n, d), (n, r)
        State vector and stored coordinates of s at the end, from which another run may go on to the bit.
    status, failed_at, failed_component : arrays (n,)
        As in :class:`~semidirect.ensemble.run.Run`.
    """

    paths: range
    data: Mapping[str, np.ndarray]
    final: Mapping[str, np.ndarray]
    y: np.ndarray
    stored: np.ndarray
    status: np.ndarray
    failed_at: np.ndarray
    failed_component: np.ndarray


@dataclass(eq=False)
class Record:
    """Arrays of one chunk being filled by the thread that steps it."""

    spec: RunSpec
    paths: range
    data: dict[str, np.ndarray] = field(init=False)
    final: dict[str, np.ndarray] = field(init=False)
    status: np.ndarray = field(init=False)
    failed_at: np.ndarray = field(init=False)
    failed_component: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        n, contents, kept = len(self.paths), self.spec.contents, self.spec.kept
        self._wanted = contents.of_names(contents.wanted)
        self.data = {k: np.full((n, len(kept), len(rows)), np.nan) for k, rows in self._wanted.items()}
        self.status = np.zeros(n, dtype=np.int8)
        self.failed_at = np.full(n, np.nan)
        self.failed_component = np.full(n, -1, dtype=np.int16)
        self._index = {int(step): i for i, step in enumerate(kept)}

    def save(self, model: Model, step: int, y: np.ndarray, stored: np.ndarray) -> None:
        """Keep the quantities of a step, if it is one of those wanted."""
        n = len(self.paths)
        if step in self._index:
            i = self._index[step]
            for name, rows in model.read(y, stored, step * self.spec.dt, self._wanted).items():
                self.data[name][:, i] = np.broadcast_to(rows, (len(rows), n)).T
        if step == self.spec.steps:
            final = model.read(y, stored, step * self.spec.dt, self.spec.contents.final)
            self.final = {k: np.array(np.broadcast_to(rows, (len(rows), n)).T, order="C") for k, rows in final.items()}
            self.y, self.stored = (np.ascontiguousarray(x.T) for x in (y, stored))

    def watch(self, step: int, y: np.ndarray, stored: np.ndarray, converged: np.ndarray | None,
              which: np.ndarray | None = None) -> None:  # fmt: skip
        """Note the paths (of the positions ``which``, or all) that failed in a step; the first failure of a path counts."""
        part = slice(None) if which is None else which
        finite = np.isfinite(y)
        bad = ~finite.all(axis=0) | ~np.isfinite(stored).all(axis=0)
        stuck = np.zeros_like(bad) if converged is None else ~converged & ~bad
        fresh = (bad | stuck) & (self.status[part] == GOOD)
        if not fresh.any():
            return
        paths = np.flatnonzero(fresh) if which is None else which[fresh]
        self.status[paths] = np.where(bad[fresh], BLOW_UP, NOT_CONVERGED)
        self.failed_at[paths] = step * self.spec.dt
        finite = finite[:, fresh]
        some = ~finite.all(axis=0) & (finite.any(axis=0) | (len(finite) == 1))
        self.failed_component[paths] = np.where(some, np.argmin(finite, axis=0), -1)

    def result(self) -> ChunkResult:
        """What was kept."""
        return ChunkResult(self.paths, self.data, self.final, self.y, self.stored, self.status, self.failed_at,
                           self.failed_component)  # fmt: skip
