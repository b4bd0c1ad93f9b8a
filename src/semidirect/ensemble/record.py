"""What a run keeps while it goes: quantities at the wanted times, and which paths failed, where and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.ensemble.run import BLOW_UP, NOT_CONVERGED, Run
from semidirect.errors import InputError, UnknownNameError
from semidirect.kernels.evaluate import quantities
from semidirect.kernels.model import Model

if TYPE_CHECKING:
    from semidirect.system import System

LARGEST_RECORD = 4e9


class Record:
    """Arrays being filled, chunk by chunk; chunks write to disjoint paths, so threads may share it."""

    def __init__(self, wanted: dict[str, list[Any]], units: dict[str, str], steps: np.ndarray, dt: float, paths: int,
                 components: Sequence[str], final: dict[str, list[Any]]):  # fmt: skip
        self.wanted, self.units, self.steps, self.dt, self.paths = wanted, units, steps, dt, paths
        self.components, self.final_wanted = list(components), final
        self.data = {k: np.full((paths, len(steps), len(rows)), np.nan) for k, rows in wanted.items()}
        self.final = {k: np.full((paths, len(rows)), np.nan) for k, rows in final.items()}
        self.status = np.zeros(paths, dtype=np.int8)
        self.failed_at = np.full(paths, np.nan)
        self.failed_component = np.full(paths, -1, dtype=np.int16)
        self._index = {int(n): i for i, n in enumerate(steps)}

    @classmethod
    def plan(cls, system: System, model: Model, steps: np.ndarray, dt: float, paths: int, keep: Sequence[str] | None
             ) -> Record:  # fmt: skip
        """Lay out the arrays.

        Raises
        ------
        UnknownNameError
            For a name to keep that does not exist.
        InputError
            If the record would not fit into memory.
        """
        named = quantities(system, model.sde)
        everything = {**named["state"], **named["derived"], **named["observables"]}
        clash = set(named["observables"]) & {*named["state"], *named["derived"]}
        if clash:
            raise InputError(f"observables named like state variables: {', '.join(sorted(clash))}", hint="Rename them.")
        if isinstance(keep, str):
            raise InputError("keep", expected="a list of names", got=repr(keep), hint=f"Write [{keep!r}].")
        for name in keep or ():
            if name not in everything:
                raise UnknownNameError("quantity to keep", name, everything)
        wanted = {k: v for k, v in everything.items() if keep is None or k in keep}
        sde = model.sde
        velocity = {
            v.name: list(sde.named[v.name]) for v in system.sde(variables="velocity").variables if v.kind == "velocity"
        }
        moving = {v.name for v in sde.variables if v.kind in ("momentum", "velocity")}
        final = {**velocity, **{k: v for k, v in named["state"].items() if k not in moving}}
        size = 8.0 * paths * (len(steps) * sum(map(len, wanted.values())) + sum(map(len, final.values())))
        if size > LARGEST_RECORD:
            raise InputError(
                "the record does not fit into memory", expected=f"at most {LARGEST_RECORD / 1e9:g} GB",
                got=f"{size / 1e9:.1f} GB", hint="Save less: save='every:K' or 'final', or keep=[names].",
            )  # fmt: skip
        units = {k: o.unit for k, o in {**system._quantities(derived=True), **system.observables()}.items()}
        components = [x.name for x in sde.state]
        return cls(wanted, units, steps, dt, paths, components, final)

    def save(self, model: Model, chunk: range, step: int, y: np.ndarray, stored: np.ndarray) -> None:
        """Keep the quantities of a step, if it is one of those wanted."""
        if step not in self._index:
            return
        values = model.read(y, stored, step * self.dt, self.wanted)
        part, i = slice(chunk.start, chunk.stop), self._index[step]
        for name, rows in values.items():
            self.data[name][part, i] = np.broadcast_to(rows, (len(rows), len(chunk))).T
        if step == self.steps[-1]:
            for name, rows in model.read(y, stored, step * self.dt, self.final_wanted).items():
                self.final[name][part] = np.broadcast_to(rows, (len(rows), len(chunk))).T

    def watch(
        self, chunk: range | np.ndarray, step: int, y: np.ndarray, stored: np.ndarray, converged: np.ndarray | None
    ) -> None:
        """Note the paths that failed in a step; the first failure of a path counts."""
        part = slice(chunk.start, chunk.stop) if isinstance(chunk, range) else chunk
        finite = np.isfinite(y)
        bad = ~finite.all(axis=0) | ~np.isfinite(stored).all(axis=0)
        stuck = np.zeros_like(bad) if converged is None else ~converged & ~bad
        fresh = (bad | stuck) & (self.status[part] == 0)
        if not fresh.any():
            return
        paths = np.flatnonzero(fresh) + chunk.start if isinstance(chunk, range) else chunk[fresh]
        self.status[paths] = np.where(bad[fresh], BLOW_UP, NOT_CONVERGED)
        self.failed_at[paths] = step * self.dt
        finite = finite[:, fresh]
        some = ~finite.all(axis=0) & (finite.any(axis=0) | (len(finite) == 1))
        self.failed_component[paths] = np.where(some, np.argmin(finite, axis=0), -1)

    def finished(self, config: dict[str, Any]) -> Run:
        """The run as a frozen object."""

        def scalars(array: np.ndarray) -> np.ndarray:
            return array[..., 0] if array.shape[-1] == 1 else array

        return Run(
            times=self.steps * self.dt,
            data={k: scalars(v) for k, v in self.data.items()},
            final={k: scalars(v) for k, v in self.final.items()},
            status=self.status,
            failed_at=self.failed_at,
            failed_component=self.failed_component,
            units=self.units,
            components=tuple(self.components),
            config=config,
        )
