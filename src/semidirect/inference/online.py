"""A filter that gets its data as they come: in the loop of a robot."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, final

from semidirect.core import arguments, errors, explains_calls
from semidirect.inference.choose_update import update_of
from semidirect.inference.data import Series, refuse_unless_after
from semidirect.inference.filter import again, levels_of
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.in_coordinates import in_coordinates
from semidirect.inference.labelled import Labelled
from semidirect.inference.observation import Sight, observations_of
from semidirect.inference.predicted_data import predicted_data
from semidirect.inference.reported_rows import reported_rows
from semidirect.inference.sighting import Sighting
from semidirect.inference.stamps import Origin, Stamps
from semidirect.inference.start import Prior, started
from semidirect.machine import one_blas_thread
from semidirect.specification import schedule

if TYPE_CHECKING:
    import xarray

    from semidirect.definition import SystemDefinition
    from semidirect.engines import Execution
    from semidirect.inference.observation import Observation
    from semidirect.inference.update import Update
    from semidirect.specification import MethodLike

__all__ = ["Online"]

USUAL_STEPS = 1000
"""Steps for which the engine is chosen: how many there will be is not known."""


@explains_calls
@final
class Online:
    """A filter that gets its data one time after the other: ``online.update(time, value)``.

    :func:`~semidirect.filter` is its loop: with the same arguments and data, results are identical to the last bit.

    Parameters
    ----------
    system, observation, dt, particles, seed, state, t_start, method, driver, update, quantities, levels, lag, execution
        As for :func:`~semidirect.filter`.
    clock : number or date, optional
        Which time is t = 0. Default: the first time if it is a date or a Unix time, and else 0.
    """

    def __init__(self, system: SystemDefinition, observation: Observation | Sequence[Observation], *, dt: float,
                 particles: int = 1000, seed: int = 0, state: Prior | None = None, t_start: float = 0.0,
                 method: MethodLike | None = None, driver: Any = None, update: str | Update = "particles",
                 quantities: Sequence[str] | None = None, levels: Sequence[float] = (0.05, 0.5, 0.95), lag: int = 0,
                 execution: Execution | None = None, clock: Any = None):  # fmt: skip
        system, state = in_coordinates(system, state, update_of(update))
        self._dt = arguments.validated_time("dt", dt, positive=True)
        self._first = schedule.step_at("t_start", t_start, self._dt)
        several = observations_of(observation)
        self._sights = [Sight.of(one, system, f"observation {i}") for i, one in enumerate(several)]
        self._alone = not isinstance(observation, (list, tuple))
        rule, count = update_of(update), arguments.validated_whole("particles", particles, least=2)
        seed, lag = arguments.validated_seed(seed), arguments.validated_whole("lag", lag, least=0, most=2**31 - 1)
        if lag and not rule.smooths:
            raise errors.MethodError(f"smoothing with update={rule.name!r}", hint="Use update='particles'.")
        with one_blas_thread():
            ensemble, start = started(system, state, count, seed, dt=dt, t_start=t_start, method=method, driver=driver,
                                      execution=execution, last=self._first + USUAL_STEPS)  # fmt: skip
            make = partial(again, system, dt=dt, seed=seed, method=method, driver=driver, execution=ensemble.execution)
            self._task = FilterTask(system, ensemble, start, make, self._sights, (), dt, seed,
                                    reported_rows(ensemble.system, quantities), levels_of(levels), lag)  # fmt: skip
            self._progress = rule.begin(self._task)
        self._clock, self._taken = clock, 0
        self._origin: Origin | None = None

    def __repr__(self) -> str:
        return f"Online({type(self._task.system).__name__}, t = {self.t:g} s, {self._taken} times of data)"

    @property
    def t(self) -> float:
        """The time of the last data [s], or of the start."""
        return self._progress.t

    def update(self, time: Any, value: Any) -> None:
        """Use data of a time.

        Parameters
        ----------
        time : number or date
            Later than that of the data before, on one clock.
        value : array, or a list of them
            The data, ``(components,)`` or ``(marks, components)``; a dict by name of an observation of names. Of several
            observations a list, with ``None`` for those that saw nothing.

        Raises
        ------
        InputError
            For a time that is not later, and for data that cannot be used or are impossible. The filter is then as before, except
            after data that are impossible.
        """
        stamps = Stamps.of_one(time, "time of the data")
        origin = Origin.of(self._clock, [stamps]) if self._origin is None else self._origin
        if (stamps.dates, stamps.zone) != (origin.dates, origin.zone):
            raise errors.InputError(
                "time of the data", expected=f"one on the clock of those before, {origin}", got=str(time)
            )
        parts = [value] if self._alone or (len(self._sights) == 1 and not isinstance(value, list)) else value
        if not isinstance(parts, (list, tuple)) or len(parts) != len(self._sights):
            raise errors.InputError("value", expected=f"a list of {len(self._sights)}, one for each observation, or None for it",
                                    got=reprlib.repr(value))  # fmt: skip
        series = [(sight, Series.of(_labelled(stamps, part, sight), sight, self._dt, self._first, {}, origin))
                  for sight, part in zip(self._sights, parts, strict=True) if part is not None]  # fmt: skip
        if not series:
            raise errors.InputError("value", expected="data of at least one observation", got="None")
        t = float(series[0][1].times[0])
        refuse_unless_after(t, self.t, strict=self._taken > 0)
        with one_blas_thread():
            self._progress.take(Sighting(t, [(sight, one.values[0]) for sight, one in series]))
        self._origin, self._taken = origin, self._taken + 1

    def predict(self, times: Any, quantities: Sequence[str] | None = None) -> xarray.Dataset:
        """Quantities at times from the last data on, given the data so far, as :meth:`.Filtered.predict`; data can follow."""
        ahead, origin = self._progress.ahead, self._origin or Origin()
        with one_blas_thread():
            return predicted_data(times, quantities, self.t, origin, ahead, self._task.levels)

    @property
    def result(self) -> Filtered:
        """The result of the data so far, as of :func:`~semidirect.filter`; data can follow."""
        with one_blas_thread():
            result = self._progress.result()
        result.data["time"].attrs.update((self._origin or Origin()).attributes())
        return result


def _labelled(stamps: Stamps, value: Any, sight: Sight) -> Labelled:
    """Data of one time."""
    name = sight.observation.name
    if isinstance(value, Mapping):
        labels = tuple(str(label) for label in value)
        return Labelled(stamps, arguments.validated_array(f"data of the {name}", [list(value.values())]), labels)
    return Labelled(stamps, arguments.validated_array(f"data of the {name}", value)[None])
