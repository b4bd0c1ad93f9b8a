"""The final state of a run, from which another run can continue."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import PerPath, arguments, errors, failure, frozen
from semidirect.expressions import ReadByName
from semidirect.state.equation_identity import EquationIdentity

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE


@final
@dataclass(frozen=True, eq=False, repr=False)
class Final(ReadByName, frozen.Rebuilt, Mapping[str, np.ndarray]):
    """``run.final``: name → array ``(paths, …)``, with the time, the seed and the equations of the run that ended there.

    As ``state=`` of a run it provides ``t_start`` and the seed: the path continues, with the noise of
    the following steps. A run of the same equations uses the integrator's internal state, so that
    ``simulate(t_end=T₂)`` and ``simulate(t_end=T₁)`` followed by ``simulate(state=run.final, t_end=T₂)`` give the same bits;
    other equations (another parameter, form or kind of state variables) take the names, velocities among them.

    Attributes
    ----------
    t : float
        Time [s].
    seed : int
        Seed of the noise.
    resolution : float or None
        Resolution h₀ of the noise [s]; a continued run uses the same Brownian paths if it can. ``None`` without noise.
    named : dict name → array (paths, …)
        Velocities, advected quantities, internal states and coordinates of s, as a user gives them.
    end : dict name → array
        ``y (paths, d)`` and ``stored (paths, r)``, the integrator's state vector and coordinates of s; empty
        if they were not saved.
    status, ended_at : arrays (paths,)
        As ``status`` and ``failed_at`` of a :class:`~semidirect.results.run.RunData`.
    equations : dict
        Which equations these are, :func:`~semidirect.state.equation_identity.equations_of`.
    per_path : callable() → dict name → array (paths, …)
        The parameters that differ from path to path.
    """

    t: float
    seed: int
    resolution: float | None
    named: Mapping[str, np.ndarray]
    end: Mapping[str, np.ndarray]
    status: np.ndarray
    ended_at: np.ndarray
    equations: Mapping[str, Any]
    per_path: Callable[[], Mapping[str, np.ndarray]] = field(default=dict)

    def __post_init__(self) -> None:
        for name in ("named", "end"):
            arrays = getattr(self, name)
            if isinstance(arrays, dict):
                for array in arrays.values():
                    array.setflags(write=False)
                object.__setattr__(self, name, frozen.FrozenMapping(arrays))

    def carried(self) -> dict[str, Any]:
        """The fields: arrays that would be read or evaluated later are here now."""
        entries = {
            "named": dict(self.named),
            "end": dict(self.end),
            "per_path": frozen.Always(frozen.FrozenMapping(self.per_path())),
        }
        return {**super().carried(), **entries}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self:
            raise errors.UnknownNameError("state variable at the end of the run", name, self.named)
        return self.named[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.named

    def __iter__(self) -> Iterator[str]:
        return iter(self.named)

    def __len__(self) -> int:
        return len(self.named)

    def __repr__(self) -> str:
        return f"Final(t = {self.t:g} s, {len(self.status)} paths: {', '.join(self.named)})"

    def of_paths(self, paths: slice) -> Final:
        """Some of the paths, which are numbered anew."""
        named, end = ({k: v[paths] for k, v in arrays.items()} for arrays in (self.named, self.end))
        return Final(self.t, self.seed, self.resolution, named, end, self.status[paths], self.ended_at[paths], self.equations,
                     lambda: {k: v[paths] for k, v in self.per_path().items()})  # fmt: skip

    def vector(self, system: SystemDefinition, model: NumericalSDE) -> tuple[np.ndarray, np.ndarray] | None:
        """State vector ``(d, paths)`` and coordinates of s ``(r, paths)`` for a model, to the bit; ``None`` if the model steps
        other equations, or needs more of s than is known. Derivatives follow the state if they are along the same directions.
        """
        ours, theirs = EquationIdentity.of(system, model), dict(self.equations)
        along = theirs.pop(EquationIdentity.DIRECTIONS, None) == ours.pop(EquationIdentity.DIRECTIONS, None)
        if not self.end or theirs != ours or not self._same_values(system):
            return None
        y, stored = (np.ascontiguousarray(self.end[k].T) for k in ("y", "stored"))
        if len(stored) < len(model.coordinates):
            return None
        return (y if along and len(stored) == len(model.coordinates) else y[: model.dimension]), stored

    def _same_values(self, system: SystemDefinition) -> bool:
        names = [k for k, value in self.equations["parameters"].items() if value == EquationIdentity.PER_PATH]
        if not names:
            return True
        per_path = self.per_path()
        ours = {k: v.values for k, v in system.values.items() if isinstance(v, PerPath)}
        return all(k in per_path and np.array_equal(per_path[k], ours[k]) for k in names)

    def resolution_for(self, seed: int, t: float, dt: float) -> float | None:
        """The resolution of its noise, if a run with this seed from t on continues it and it is defined at the step dt."""
        if self.resolution is None or seed != self.seed or t <= self.t - dt / 2:
            return None
        doublings = math.log2(dt / self.resolution)
        return self.resolution if abs(doublings - round(doublings)) < 1e-12 else None

    def met_again(self, seed: int, resolution: float | None, t: float) -> bool:
        """Whether noise from t on would reuse its random numbers, which depend on the seed and the numbers of steps h₀."""
        if self.resolution is None or resolution is None or seed != self.seed:
            return False
        return t / resolution < self.t / self.resolution - 0.5

    def refuse_what_ended(self) -> None:
        """Raise an error if paths that failed or were stopped before would continue from this time.

        Raises
        ------
        InputError
            Which names the first of them.
        """
        ended = np.flatnonzero(self.status != failure.GOOD)
        if len(ended):
            p = int(ended[0])
            raise errors.InputError(
                f"{len(ended)} of {len(self.status)} paths ended before t = {self.t:g} and cannot be continued",
                got=f"status {self.status[p]} ({failure.MEANING})", where=f"path {p}, t = {self.ended_at[p]:g}",
                hint="Leave them out, {name: values[run.data.status == 0] for name, values in run.final.items()}, and "
                "give t_start=…; or give t_start with this state, to start all of them there.",
            )  # fmt: skip


def time_of(t: float | None, state: Any) -> float:
    """The time of a state [s]: the given one, or its own, or 0."""
    return (state.t if isinstance(state, Final) else 0.0) if t is None else t


def starting_time(t_start: float | None, t_end: float | None, state: Any) -> float:
    """The start of a run [s]: the given time, or the time of the state, or 0.

    Raises
    ------
    InputError
        If t_start is not a finite number of at least 0, or a run would be continued to a time before its end, or with paths that
        ended before.
    """
    if t_start is not None or not isinstance(state, Final):
        return 0.0 if t_start is None else arguments.validated_time("t_start", t_start)
    state.refuse_what_ended()
    if isinstance(t_end, (int, float)) and t_end <= state.t:
        raise errors.InputError(
            "t_end", expected=f"a time after {state.t:.12g}, at which the run ended whose final state is given",
            got=f"{t_end:.12g}", hint="Times are absolute. Give a later t_end to continue, or t_start=0 to restart the clock.",
        )  # fmt: skip
    return state.t
