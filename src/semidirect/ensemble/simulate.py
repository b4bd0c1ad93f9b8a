"""Running paths of a system."""

from __future__ import annotations

import logging
import reprlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.arguments import validated_name, validated_number, validated_place
from semidirect.core.errors import InputError, MethodError
from semidirect.definition.kinds import a_system
from semidirect.ensemble.assembly import Assembly
from semidirect.ensemble.choose_engine import AUTO, chosen_engine, is_final_choice, usual_paths, validated_engine
from semidirect.ensemble.condition import Condition
from semidirect.ensemble.conditions import validated_crossings, validated_stops
from semidirect.ensemble.crossing import Crossing
from semidirect.ensemble.driver import driving_process
from semidirect.ensemble.execute import execute, usable_cores
from semidirect.ensemble.progress import Progress
from semidirect.ensemble.quantities import Quantities
from semidirect.ensemble.reductions.choose import choose as choose_reductions
from semidirect.ensemble.reductions.reduction import Statistic
from semidirect.ensemble.remembered import key_of_call, remember, remembered
from semidirect.ensemble.run import RunData
from semidirect.ensemble.schedule import kept_steps, steps_between
from semidirect.ensemble.spec import RunSpec, of_one_worker, of_seed, plain, replaced, usual_chunk
from semidirect.ensemble.values_at_end import end_suffices
from semidirect.integrators.integrator import Integrator
from semidirect.integrators.registry import integrator
from semidirect.model.numerical_sde import numerical_sde
from semidirect.model.symbolic_numeric_consistency import warn_where_numbers_differ
from semidirect.random.driving_process import DrivingProcess
from semidirect.random.registry import driver_as_json, driver_of
from semidirect.state.final import Final, starting_time
from semidirect.state.state import InitialState, initial_state

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

_log = logging.getLogger(__name__)

ON_FAILURE = ("report", "raise", "mask")


def simulate(system: SystemDefinition, *, threads: int | None = None,
             executor: Executor | Callable[[], Executor] | None = None, store: str | Path | None = None, resume: bool = False,
             progress: bool = False, error_check: bool = False, **arguments: Any) -> RunData:  # fmt: skip
    """Run paths of a system: arguments and errors are those of :meth:`.System.simulate`, which warns of failed paths as well."""
    number = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
    if threads is not None and not (number and threads >= 1):
        raise InputError("threads", expected="a whole number, at least 1", got=repr(threads))
    for name, value in (
        ("progress", progress),
        ("error_check", error_check),
        ("resume", resume),
    ):
        if not isinstance(value, (bool, np.bool_)):
            raise InputError(name, expected="True or False", got=repr(value))
    if not (executor is None or isinstance(executor, Executor) or callable(executor)):
        raise InputError(
            "executor", expected="a concurrent.futures.Executor or a function that makes one", got=repr(executor)
        )
    if store is not None:
        store = validated_place("store", store)
    if resume and store is None:
        raise InputError("resume", expected="a store to resume", got="none", hint="Give store=path.")
    spec = specify(system, **arguments)
    if error_check:
        from semidirect.ensemble.error_check import compared, refined

        if spec.driver is not None:
            spec.driver.check_half_step(spec.dt)
    if store is not None:
        from semidirect.ensemble.store.running import run_into

        run = run_into(store, spec, resume=resume, threads=threads, executor=executor, progress=progress)
    else:
        run = _in_memory(spec, threads, executor, progress)
    if not error_check:
        return run
    return replace(run, error_check=compared(run, _in_memory(refined(spec), threads, executor, progress), spec))


def _in_memory(spec: RunSpec, threads: int | None, executor: Executor | Callable[[], Executor] | None, progress: bool
               ) -> RunData:  # fmt: skip
    if executor is None and (threads or usable_cores()) == 1:
        spec = of_one_worker(spec)
    if end_suffices(spec):
        spec = replaced(spec, end_only=True)
    assembly = Assembly(spec)
    with Progress.shown(spec.steps * spec.paths, progress) as on_progress:
        work = execute(spec, assembly, threads=threads, executor=executor, advanced=on_progress)
    return assembly.run(work)


def specify(system: SystemDefinition, *, seed: int | None = None, **arguments: Any) -> RunSpec:
    """The specification of a run, checked; arguments as those of :meth:`.System.simulate`."""
    a_system(system)
    state = arguments.get("state")
    seed = (state.seed if isinstance(state, Final) else 0) if seed is None else seed
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise InputError("seed", expected="a whole number from 0 to 2**64 - 1", got=repr(seed))
    key = key_of_call(system, arguments)
    known = remembered(system, key)
    if known is not None:
        return of_seed(known, int(seed))
    spec = _specified(system, seed=int(seed), **arguments)
    if is_final_choice(arguments.get("engine", AUTO), spec):
        remember(system, key, spec)
    return spec


def _specified(system: SystemDefinition, *, t_end: float, dt: float, seed: int, t_start: float | None = None,
               paths: int | None = None, method: str | Integrator | None = None, state: Mapping[str, Any] | None = None,
               save: str | Sequence[float] = "all", driver: Any = None, keep: Sequence[str] | None = None,
               engine: str = "auto", form: str | None = None, variables: str = "momentum", validate: bool = True,
               reduce: str | Statistic | Sequence[str | Statistic] | None = None,
               reduce_at: str | Sequence[float] | None = None, stop: Condition | Sequence[Condition] | None = None,
               crossings: Crossing | Sequence[Crossing] | None = None,
               bounds: Mapping[str, float | None] | None = None, on_failure: str = "report",
               reconstruct: bool = True) -> RunSpec:  # fmt: skip
    first, last = steps_between(starting_time(t_start, t_end, state), t_end, dt)
    model = numerical_sde(system, variables=variables, form=form)
    if not isinstance(reconstruct, bool):
        raise InputError("reconstruct", expected="True or False", got=repr(reconstruct))
    if not isinstance(validate, (bool, np.bool_)):
        raise InputError("validate", expected="True or False", got=repr(validate))
    warn_where_numbers_differ(system, model, stacklevel=6)
    model = model if reconstruct else model.reduced()
    usual = system.method or ("implicit-midpoint" if model.structure.shape.form == "A" else "lie-heun")
    chosen = integrator(usual if method is None else method)
    start = initial_state(system, state, validate=validate, t=float(first * dt), model=model,
                          located=reconstruct)  # fmt: skip
    count = _path_count(system, start, paths)
    stated = driver_of(driver)
    resumed = state.resolution_for(seed, first * dt, dt) if isinstance(state, Final) else None
    process = driving_process(model, chosen, stated, seed=seed, dt=dt, steps=range(first, last), paths=count,
                              resumed_resolution=resumed)  # fmt: skip
    drawn_at = None if process is None else process.random_resolution
    if isinstance(state, Final) and state.met_again(seed, drawn_at, first * dt):
        _log.warning(
            "the noise from t = %g on, seed %d, is made of the random numbers that brought the paths to this state; give another "
            "seed", first * dt, seed,
        )  # fmt: skip
    asked_engine = validated_engine(engine)
    kept = kept_steps(save, last, dt, first)
    asked = {"validate": validate, "noise": driver_as_json(stated, process), "save": plain(save)}
    kept.setflags(write=False)
    contents = Quantities.of(system, model, keep)
    names = None if keep is None else tuple(keep)
    reductions = choose_reductions(reduce, contents)
    looked = kept if reduce_at is None else kept_steps(reduce_at, last, dt, first, what="reduce_at")
    reduced = looked if reductions else looked[:0]
    reduced.setflags(write=False)
    limits = _bounds(system, contents, bounds)
    validated_name("treatment of failures", on_failure, ON_FAILURE)
    stops, recorded = validated_stops(stop, contents), validated_crossings(crossings, contents)
    _refuse_three_point(process, recorded or any(one.locate for one in stops))
    if reductions and reduce_at is not None:
        asked |= {"reduce_at": plain(reduce_at)}
    spec = RunSpec(system, chosen, start, process, first, last, float(dt), count, seed, kept, names, form, variables,
                   asked_engine, 1, asked, reductions, reduced, stops, recorded, limits, on_failure, reconstruct)  # type: ignore[arg-type]  # fmt: skip
    vars(spec).update(model=model, contents=contents)  # which it would find again
    stepped_by = chosen_engine(asked_engine, spec)
    return replaced(spec, engine=stepped_by,
                    chunk_paths=usual_chunk(count, 8.0 * spec.numbers_saved, usual_paths(stepped_by)))  # fmt: skip


def _bounds(system: SystemDefinition, contents: Quantities, given: Mapping[str, float | None] | None
            ) -> dict[str, float]:  # fmt: skip
    """Declared and given bounds of quantities."""
    declared = {name: o.bound for name, o in system.observables().items() if o.bound is not None}
    if not isinstance(given, Mapping | None):
        raise InputError("bounds", expected="a mapping of quantities to their largest sizes", got=reprlib.repr(given))
    for name, bound in (given or {}).items():
        if not (isinstance(name, str) and name in contents.everything):
            system.refuse_absent(name)
            raise contents.unknown("quantity of a bound", name)
        if not (bound is None or (isinstance(bound, float) and bound == np.inf)):
            expected = "a positive number, or None where there is none"
            validated_number(f"the bound of {name!r}", bound, expected=expected, positive=True)
    return {name: np.inf if bound is None else float(bound) for name, bound in {**declared, **(given or {})}.items()}


def _refuse_three_point(process: DrivingProcess | None, located: Any) -> None:
    """Raise a :class:`MethodError` where the increments of a step say nothing of what is within it."""
    if located and process is not None and process.increment_law == "three-point":
        raise MethodError("three-point increments are no Brownian path: nothing within a step can be located",
                          hint="Use normal increments, or stop=sd.Stop(…) with locate=False.")  # fmt: skip


def _path_count(system: SystemDefinition, start: InitialState, paths: int | None) -> int:
    known = {n for n in (system.paths, start.paths if start.paths > 1 else None) if n is not None}
    if len(known) > 1:
        raise InputError(
            "states and parameters have different numbers of paths", got=", ".join(map(str, sorted(known)))
        )
    if paths is None:
        return next(iter(known), 1)
    if isinstance(paths, bool) or not isinstance(paths, (int, np.integer)) or paths < 1:
        raise InputError("paths", expected="a whole number, at least 1", got=repr(paths))
    if paths >= 2**64:
        raise InputError(
            "paths", expected="a whole number below 2**64, as the noise counts them", got=reprlib.repr(paths)
        )
    if known and known != {int(paths)}:
        raise InputError("paths", expected=f"{next(iter(known))}, as many as per-path values", got=str(paths))
    return int(paths)
