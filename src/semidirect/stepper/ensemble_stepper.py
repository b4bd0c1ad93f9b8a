"""An ensemble that is advanced step by step, for filters, controllers and optimisers."""

from __future__ import annotations

import copy
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any, Self, Unpack, final, overload

import numpy as np

from semidirect.compile import row_functions
from semidirect.core import PerPath, arguments, errors, explains_calls
from semidirect.engines import ChosenStates, ChunkResult, Execution, RememberedLanes, stepping
from semidirect.ensemble import EnsembleArguments, specify
from semidirect.integrators import AdaptiveIntegrator
from semidirect.quantities import Quantities
from semidirect.random import STEP_BITS, drivers
from semidirect.results import Assembly, RunData, ValuesAtEnd, data_set
from semidirect.specification import Checks, RunSpec, Save, schedule, seeds
from semidirect.state import starting_time
from semidirect.stepper.clock import Clock, Leg
from semidirect.stepper.last_states import Arrival, LastStates
from semidirect.stepper.memory import keep_memory
from semidirect.stepper.named_array import NamedArray
from semidirect.stepper.one_at_a_time import OneAtATime, one_at_a_time
from semidirect.stepper.replaced_values import NOTHING, with_replaced_values
from semidirect.stepper.tangent_vectors import read_tangents, written_tangents

if TYPE_CHECKING:
    import xarray

    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.model import NumericalSDE, sensitivities

PATHS_OF_ONE_WORKER = 2**14
"""Smallest number of paths in a chunk: an interval is short, so the fixed cost of a chunk matters."""

__all__ = ["Stepper", "generation_seed", "stepper"]


def generation_seed(seed: int, generation: int) -> int:
    """The seed of the noise of a generation; generation 0 has the seed of the ensemble."""
    return seeds.derived_seed(seed, generation) if generation else seed


@explains_calls
@final
class Stepper(OneAtATime):
    """Paths of a system at one time, which can be advanced, read, resampled and changed.

    Advancing gives results identical to the last bit to :meth:`.System.simulate`, in any number of calls and by any number of
    threads. The increments of a step are a function of (seed, generation, slot, step): a slot is a position among the paths,
    and the generation counts the selections. So the noises of different slots are independent, and so are those of one slot
    before and after a selection, at any resolution of the noise. A call that raises an error leaves the ensemble unchanged.
    Several threads may use one ensemble: their calls follow each other, in any order.
    """

    def __init__(self, spec: RunSpec, execution: Execution):
        super().__init__()
        keep_memory()
        if isinstance(spec.method, AdaptiveIntegrator):
            raise errors.MethodError(
                "dop853 chooses its steps, but an ensemble needs fixed steps", hint="Use a method with fixed steps."
            )
        stepping.refuse_what_does_not_fit(spec, spec.paths)
        y, stored = spec.begin
        if (execution.threads or stepping.usable_cores()) == 1:
            spec = spec.replaced(chunk_paths=PATHS_OF_ONE_WORKER)
        shape, n = (spec.paths,), spec.paths
        self._spec, self._execution = spec, execution
        self._end: Mapping[str, np.ndarray] = {
            "y": np.broadcast_to(y.T, (n, len(y))),
            "stored": np.broadcast_to(stored.T, (n, len(stored))),
        }
        self._nothing_failed = np.zeros(shape, np.int8), np.full(shape, np.nan), np.full(shape, -1, np.int16)
        self._status, self._failed_at, self._failed_component = self._nothing_failed
        self._clock, self._seed, self._generation = Clock.at_step(spec.first, spec.dt), spec.seed, 0
        self._readers: dict[tuple[str, ...] | None, RunSpec] = {}
        self._lanes = RememberedLanes()

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if "_step" in state:  # an earlier version counted steps alone
            state["_clock"] = Clock.at_step(state.pop("_step"), state["_spec"].dt)
        super().__setstate__(state)

    def __repr__(self) -> str:
        kind = type(self._spec.system).__name__
        return f"Stepper({kind}, {self.paths} paths, t = {self.t:g} s, generation {self.generation})"

    @property
    def t(self) -> float:
        """The time [s]."""
        return self._clock.label

    @property
    def dt(self) -> float:
        """The step [s]."""
        return self._spec.dt

    @property
    def _t(self) -> float:
        """The time of the equations."""
        return self._clock.time

    @property
    def time(self) -> float:
        """The time [s] as it stands in the equations."""
        return self._clock.time

    @property
    def model(self) -> NumericalSDE:
        """The equations with their numbers."""
        return self._spec.model

    @property
    def execution(self) -> Execution:
        """How it is executed."""
        return self._execution

    @property
    def paths(self) -> int:
        """Number of paths."""
        return self._spec.paths

    @property
    def generation(self) -> int:
        """The number of selections so far."""
        return self._generation

    @property
    def status(self) -> np.ndarray:
        """The status of each path, as in :attr:`.RunData.status`: 0 for good."""
        return self._status.copy()

    @property
    def system(self) -> SystemDefinition:
        """The system, with its present parameters."""
        return self._spec.system

    @property
    def method(self) -> Integrator:
        """The method of a step."""
        return self._spec.method

    @one_at_a_time
    def advance(
        self, *, t: float | None = None, steps: int | None = None, increments: Any = None, between: bool = False
    ) -> Self:
        """Advance all paths to a time [s], or by a number of steps; returns the ensemble.

        Bounds of observables are checked at the end. A path that failed continues as in a run, and its ``status`` shows the
        failure.

        Parameters
        ----------
        t, steps : float or int
            The time, or the number of steps.
        increments : array (steps, m, paths), optional
            Increments of the noises, instead of those that the driver makes; see :meth:`increments`.
        between : bool
            Whether ``t`` may be any time. An interval of which an end is no multiple of dt is divided into as few equal steps as
            are no longer than dt, each with noise of its own.

        Raises
        ------
        InputError
            For a time that is not after :attr:`t` or not a multiple of dt, a number below 1, if not exactly one of both
            is given, or for increments of another shape.
        MethodError
            For steps of another length than dt, if the driver is not defined there.
        """
        leg, clock = self._leg(t, steps, between)
        last = leg.last
        spec = self._spec
        self._spec = stepping.engine_of_more(
            self._execution.engine, spec, lambda: spec.between(spec.first, last, end_only=True)
        )
        stepped, own_increments = self._on_leg(leg), None
        if increments is not None:
            stepped, own_increments = self._by_increments(stepped, increments, leg)
        plain = not self._spec.bounds and not self._status.any()  # else the engine has to look closer
        if plain and self._advanced_by_kernel(stepped, leg, own_increments):
            self._clock = clock
            return self
        spec = stepped.between(leg.first, last, end_only=not self._spec.bounds)
        arrival = Arrival(spec)
        stepping.execute(spec, arrival, threads=self._execution.threads, job=self._go_on)
        self._end, self._clock = arrival.end, clock
        self._status, self._failed_at, self._failed_component = arrival.outcome
        return self

    def _on_leg(self, leg: Leg) -> RunSpec:
        """The specification with the length and the times of the steps of a leg."""
        spec = self._spec
        if leg.dt == spec.dt and not leg.origin:
            return spec
        driver = None if spec.driver is None else spec.driver.of_step(spec.dt, leg.dt)
        return spec.replaced(dt=leg.dt, origin=leg.origin, driver=driver)

    def _by_increments(self, spec: RunSpec, increments: Any, leg: Leg) -> tuple[RunSpec, np.ndarray]:
        """The run with increments of this and the next steps, and their array."""
        path = drivers.GivenIncrements(increments).path(spec.dt, leg.first)
        shape = (leg.last - leg.first, self._wieners(), self.paths)
        if path.samples.shape != shape:
            raise errors.InputError("increments", expected=f"shape {shape}", got=f"shape {path.samples.shape}")
        return spec.of_increments(path), path.samples

    def _advanced_by_kernel(self, spec: RunSpec, leg: Leg, increments: np.ndarray | None) -> bool:
        """Advance to a step by calls of the kernel alone, with nothing around them; False if that cannot be or a path may fail.

        A short interval of a few paths takes no longer than what is around its kernel in a run.
        """
        workers = self._execution.threads or stepping.usable_cores()
        after = self._lanes.advanced(spec, self._end, leg.first, leg.last, increments, workers=workers)
        if after is None:
            return False
        self._end = after.by_path()
        self._lanes = RememberedLanes(self._end, after)
        return True

    @one_at_a_time
    def increments(self, *, t: float | None = None, steps: int | None = None, seed: int | None = None, between: bool = False
                   ) -> np.ndarray:  # fmt: skip
        """The increments ``(steps, m, paths)`` with which :meth:`advance` would move the noises, or those of another seed.

        Raises
        ------
        InputError
            As for :meth:`advance`.
        MethodError
            If increments of Wiener processes alone do not determine a step of the method.
        """
        leg, _ = self._leg(t, steps, between)
        self._wieners()
        process, count = self._on_leg(leg).driver, leg.last - leg.first
        if process is None:
            return np.zeros((count, 0, self.paths))
        process = process if seed is None else process.with_seed(arguments.validated_seed(seed))
        return np.asarray(process.block(range(self.paths), leg.first, count, leg.dt))

    def step_to(self, t: float) -> float:
        """The length [s] of the steps with which :meth:`advance` would go to a time, ``between`` others."""
        return self._leg(t, None, True)[0].dt

    def steps_to(self, t: float) -> tuple[int, float]:
        """The number of these steps, and their length [s]."""
        leg, _ = self._leg(t, None, True)
        return leg.last - leg.first, leg.dt

    def noises(self) -> int:
        """The number of rows of :meth:`increments`; raises its :class:`MethodError`."""
        return self._wieners()

    def state_and_stored(self) -> tuple[np.ndarray, np.ndarray]:
        """State vectors ``(D, paths)`` and stored coordinates of s ``(r, paths)``."""
        return self._end["y"].T, self._end["stored"].T

    @one_at_a_time
    def placed(self, y: np.ndarray, stored: np.ndarray, like: Stepper) -> Self:
        """A copy with other states, of :meth:`state_and_stored`, at the time of another ensemble of the same equations."""
        other = copy.copy(self)
        other._end = {"y": np.ascontiguousarray(y).T, "stored": np.ascontiguousarray(stored).T}
        other._clock, other._readers = like._clock, {}
        other._status, other._failed_at, other._failed_component = self._nothing_failed
        return other

    @one_at_a_time
    def repeated(self, count: int) -> Self:
        """So many copies of each path with its parameters, one path after the other, in one chunk."""
        spec, which = self._spec, np.repeat(np.arange(self.paths), count)
        shape = (len(which),)
        other = copy.copy(self)
        other._spec = spec.replaced(system=_of_paths(spec.system, which), model=spec.model.of_some(which), paths=len(which),
                                    chunk_paths=len(which), _known={}, _known_of_steps={})  # fmt: skip
        other._end = {k: v[which] for k, v in self._end.items()}
        other._nothing_failed = np.zeros(shape, np.int8), np.full(shape, np.nan), np.full(shape, -1, np.int16)
        other._status, other._failed_at = self._status[which], self._failed_at[which]
        other._failed_component, other._readers, other._lanes = self._failed_component[which], {}, RememberedLanes()
        return other

    def _wieners(self) -> int:
        """The number of noises, if they are Wiener processes whose increments determine a step."""
        process, method = self._spec.driver, self._spec.method
        if process is not None and (process.increment_law != "normal" or method.integrals is not None):
            raise errors.MethodError(
                f"increments of the noise for {method.label}",
                expected="Wiener processes with normal increments, and a method without iterated integrals",
                hint="Use driver=sd.Wiener() and a method such as lie-heun.",
            )
        return 0 if process is None else process.components

    def _leg(self, t: float | None, steps: int | None, between: bool) -> tuple[Leg, Clock]:
        """The steps of an advance, and the clock at its end."""
        if (t is None) == (steps is None):
            raise errors.InputError(
                "how far to advance", expected="t=… or steps=…", got="both" if steps is not None else "none"
            )
        clock, dt = self._clock, self._spec.dt
        if t is not None and between:
            end = arguments.validated_time("t", t)
            if end <= clock.label:
                raise errors.InputError("t", expected=f"a time after {clock.label:.12g}", got=f"{end:.12g}")
            return clock.until(end)
        if t is not None and clock.multiple is not None:
            return clock.until_multiple(schedule.steps_between(clock.label, t, dt)[1])
        if t is not None:
            schedule.step_at("t", t, dt)
            return self._leg(t, None, True)
        count = arguments.validated_whole("steps", steps, least=1, most=2**STEP_BITS)
        return clock.after(count)

    @one_at_a_time
    def values(
        self, quantities: Mapping[str, Sequence[Any]], functions: Sequence[row_functions.OfRows] = ()
    ) -> dict[str, np.ndarray]:
        """Expressions of the program of the equations at the present time, and functions of their rows: name → ``(paths, rows)``.

        The expressions are those of ``system.workings.expression``.
        """
        return ValuesAtEnd.of_states(self._spec.model, self._end, self._t, quantities, functions)

    def __getitem__(self, name: str) -> np.ndarray:
        """One quantity at the present time, as :meth:`read`: ``ensemble["Gamma"]``, ``(paths,)`` or ``(paths, d)``."""
        return self.read(name)

    @overload
    def read(self, name: str, /) -> np.ndarray: ...
    @overload
    def read(self, name: str, second: str, /, *names: str) -> dict[str, np.ndarray]: ...
    @overload
    def read(self) -> dict[str, np.ndarray]: ...
    def read(self, *names: str) -> np.ndarray | dict[str, np.ndarray]:
        """Quantities at the present time, ``(paths,)`` or ``(paths, d)``: the array of one name, a dict of several, and without
        names a dict of all quantities.
        """
        values = self.by_name(*names)
        return NamedArray.of(values[names[0]], names[0]) if len(names) == 1 else values

    @one_at_a_time
    def by_name(self, *names: str) -> dict[str, np.ndarray]:
        """As :meth:`read`, a dict of one name, too."""
        reader = self._reader(arguments.validated_names("quantities to read", names) if names else None)
        values = ValuesAtEnd(reader, self._end, self._t).data()
        return {name: values[name][:, 0] for name in names or values}

    @one_at_a_time
    def tangents(self) -> np.ndarray:
        """Derivatives of the state along the directions of ``Formulation.sensitivity``, as tangent vectors of the phase space:
        ``(directions, components, paths)``.

        Components are those of the state vector; where the configuration s is reconstructed, those of momenta, internal states
        and η = s⁻¹ δs in the Lie algebra.
        """
        return read_tangents(*self._moving_tangents())

    @one_at_a_time
    def replace_tangents(self, vectors: Any) -> Self:
        """Replace the tangent vectors ``(directions, components, paths)``, as a re-orthonormalisation does; returns the
        ensemble.
        """
        model, tangents, y, stored = self._moving_tangents()
        shape = len(tangents.directions), model.phase_dimension, self.paths
        array = arguments.validated_array("tangent vectors", vectors)
        if array.shape != shape:
            raise errors.InputError("tangent vectors", expected=f"shape {shape}", got=f"shape {array.shape}")
        self._end = {**self._end, "y": written_tangents(model, tangents, y, stored, array).T}
        return self

    def _moving_tangents(self) -> tuple[NumericalSDE, sensitivities.Tangents, np.ndarray, np.ndarray]:
        model = self._spec.model
        if model.tangents is None:
            raise errors.InputError("tangent vectors of an ensemble", expected="directions", got="none",
                                    hint="Give formulation=sd.Formulation(sensitivity='state').")  # fmt: skip
        return model, model.tangents, self._end["y"].T, self._end["stored"].T

    @one_at_a_time
    def mean_divergence(self) -> np.ndarray:
        """The expected rate [1/s] of the logarithm of a volume of states at the present time, ``(paths,)``.

        It is div f + ½ Σ g_k·∇(div g_k) in the components of the state vector.
        """
        model = self._spec.model
        rate = model.mean_divergence(self._end["y"].T[: model.dimension], self._t)
        return np.broadcast_to(rate, (self.paths,))

    @one_at_a_time
    def select(self, ancestors: Any) -> Self:
        """Give each slot the state, parameters and status of another one, as in resampling; returns the ensemble.

        Parameters
        ----------
        ancestors : int array (paths,)
            The slot from which each slot is copied.
        """
        is_index = isinstance(ancestors, np.ndarray) and ancestors.dtype == np.int64
        indices = ancestors if is_index else arguments.validated_array("ancestors", ancestors)
        whole = indices.shape == (self.paths,) and (is_index or np.array_equal(indices, np.round(indices)))
        if not whole or indices.min() < 0 or indices.max() >= self.paths:
            raise errors.InputError("ancestors", expected=f"{self.paths} whole numbers from 0 to {self.paths - 1}",
                                    got=f"shape {indices.shape}")  # fmt: skip
        which = np.array(indices, dtype=np.int64, order="C")  # the caller may change it later
        spec = self._spec
        if spec.system.workings.paths is not None:
            spec = replace(spec, system=_of_paths(spec.system, which))
        self._generation += 1
        self._spec, self._readers = spec.of_seed(generation_seed(self._seed, self._generation)), {}
        self._end = ChosenStates(self._end, which)
        self._status, self._failed_at = self._status[which], self._failed_at[which]
        self._failed_component = self._failed_component[which]
        return self

    @one_at_a_time
    def reseed(self, seed: int) -> Self:
        """Continue with the noise of another seed, in generation 0; returns the ensemble."""
        self._seed, self._generation = arguments.validated_seed(seed), 0
        self._spec, self._readers = self._spec.of_seed(self._seed), {}
        return self

    @one_at_a_time
    def replace(self, **changes: Any) -> Self:
        """Replace parameters and state variables, by a common value or one per path; returns the ensemble.

        Velocities, internal states and coordinates of s stay unchanged unless they are replaced; so momenta change with the
        parameters, unless they are given instead of velocities. Advected quantities are computed again from the
        configuration s, if it is reconstructed.

        In an ensemble with sensitivities, values that are given have no derivatives and all others keep theirs. The derivative by
        a parameter that is replaced is that by a shift of both of its values.

        Raises
        ------
        InputError, UnknownNameError
            For a name or value that cannot be used, and for advected quantities without coordinates of s.
        """
        spec, final = self._spec, self._now([]).final
        anew = with_replaced_values(spec, self._clock, final, changes, self.values)
        y, stored = anew.begin
        after = replace(spec, system=anew.system, start=anew.start)
        vars(after).update(model=anew.model, contents=anew.contents)
        self._spec, self._readers = after, {}
        self._end = {"y": np.broadcast_to(y.T, (self.paths, len(y))).copy(),
                     "stored": np.broadcast_to(stored.T, (self.paths, len(stored))).copy()}  # fmt: skip
        return self

    def adopt(self, other: Stepper, slots: Any) -> Self:
        """Give some slots the state and status that they have in another ensemble at the same time; returns the ensemble.

        Parameters
        ----------
        other : Stepper
            An ensemble of the same equations and parameters, such as a :meth:`copy` that was advanced by other increments.
        slots : bool array (paths,)
            The slots.
        """
        which = np.asarray(slots)
        if which.shape != (self.paths,) or which.dtype != bool:
            raise errors.InputError(
                "slots", expected=f"True or False for each of {self.paths}", got=reprlib.repr(slots)
            )
        theirs = other.copy()  # as it is now, whatever other threads do with it
        with self._lock:
            return self._adopted(theirs, which)

    def _adopted(self, other: Stepper, which: np.ndarray) -> Self:
        same = other.paths == self.paths and {k: v.shape for k, v in other._end.items()} == {
            k: v.shape for k, v in self._end.items()
        }
        if not same or other._clock != self._clock:
            raise errors.InputError("the other ensemble", expected=f"{self.paths} paths of the same equations at t = {self.t:g}",
                                    got=repr(other))  # fmt: skip
        self._end = {k: np.where(which, other._end[k].T, v.T).T for k, v in self._end.items()}
        self._status = np.where(which, other._status, self._status)
        self._failed_at = np.where(which, other._failed_at, self._failed_at)
        self._failed_component = np.where(which, other._failed_component, self._failed_component)
        return self

    @one_at_a_time
    def copy(self) -> Self:
        """A copy of the paths, which continues with the same noise."""
        return copy.copy(self)  # arrays are never written to, and selecting or replacing makes new readers

    @one_at_a_time
    def to_xarray(self) -> xarray.Dataset:
        """All quantities at the present time, as in :meth:`.Run.to_xarray`."""
        run = self._now(None)
        return data_set.data_set(run, run.layout())

    def _go_on(self, spec: RunSpec, number: int, stopped: Event | None) -> ChunkResult:
        paths = spec.chunk(number)
        part = slice(paths.start, paths.stop)
        record = LastStates(spec, paths)
        record.status[:], record.failed_at[:] = self._status[part], self._failed_at[part]
        record.failed_component[:] = self._failed_component[part]
        engine = stepping.engine_of(spec)(spec, record, stopped or stepping.NEVER, stepping.nothing, spec.first)
        engine.go(spec.model.of_paths(paths), *(self._end[k][part].T for k in ("y", "stored")))
        return stepping.finished(engine)

    def _now(self, keep: Sequence[str] | None) -> RunData:
        """The present time as a run of one time."""
        assembly = Assembly(self._at_present(keep))
        assembly.accept(0, ChunkResult(range(self.paths), {}, {}, self._end["y"], self._end["stored"], self._status,
                                       self._failed_at, self._failed_component, {}))  # fmt: skip
        return assembly.run()

    def _at_present(self, keep: Sequence[str] | None) -> RunSpec:
        """The run of the present time alone, which saves some quantities, or all."""
        reader = self._reader(None if keep is None else tuple(keep))
        step, dt = self._clock.as_step()
        return reader.replaced(first=step, last=step, dt=dt, saved_steps=np.array([step]))

    def _reader(self, names: tuple[str, ...] | None) -> RunSpec:
        """A run that saves these quantities, or all; it knows what they need."""
        if names in self._readers:
            return self._readers[names]
        spec = replace(self._spec, save=Save("final", names), chunk_paths=self.paths, end_only=True)
        vars(spec).update(model=self._spec.model, contents=Quantities.of(spec.system, self._spec.model, names))
        self._readers[names] = spec
        return spec


def _of_paths(system: SystemDefinition, which: np.ndarray) -> SystemDefinition:
    """The system with the parameters of some paths."""
    if system.workings.paths is None:
        return system
    values = {k: PerPath(v.values[which]) if isinstance(v, PerPath) else v for k, v in system.values.items()}
    return system.workings.with_values(values)


def stepper(system: SystemDefinition, **options: Unpack[EnsembleArguments]) -> Stepper:
    """An ensemble that is advanced step by step; arguments and errors as for :meth:`.System.ensemble`."""
    checked, executed = Checks.of(options.get("checks")), Execution.of(options.get("execution"))
    if checked.on_failure != "report" or checked.error_check:
        raise errors.InputError("checks of an ensemble", expected="bounds and validate alone", got=repr(checked),
                                hint="Its status says which paths failed.")  # fmt: skip
    if executed.executor is not None or executed.progress:
        raise errors.InputError("execution of an ensemble", expected="threads and engine alone", got=repr(executed),
                                hint="Its paths are advanced in this process.")  # fmt: skip
    stated = drivers.driver_of(options.get("driver"))
    if stated.replications:
        raise errors.MethodError(
            f"the driver {stated.name!r} makes the noise of a whole time, but an ensemble has no last step",
            hint="Use simulate, or driver=sd.Wiener().",
        )
    start = starting_time(options.get("t_start"), None, options.get("state"))
    t_end = start + arguments.validated_time("dt", options["dt"], positive=True)
    return Stepper(specify(system, t_end=t_end, save=NOTHING, **options), executed)
