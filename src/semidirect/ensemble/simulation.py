"""Runs paths of a system."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from semidirect.core import arguments, errors, messages
from semidirect.definition import JoinedConstraints, a_system
from semidirect.engines import Execution, events, stepping
from semidirect.ensemble.drawn_state import drawn_state
from semidirect.ensemble.progress import Progress
from semidirect.ensemble.remembered import Call, key_of_call, remember, remembered
from semidirect.ensemble.run_arguments import DEFAULTS, RunArguments
from semidirect.integrators import AdaptiveIntegrator, Integrator, integrator
from semidirect.machine import paused_collector
from semidirect.model import answers_of_functions
from semidirect.quantities import Quantities
from semidirect.random import DrivingProcess, drivers
from semidirect.results import Assembly, RunData, ValuesAtEnd
from semidirect.specification import Checks, RunSpec, Save, conditions, default_method, driving_process, schedule, seeds
from semidirect.state import Final, InitialState, start_slopes, starting_time

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE

_log = logging.getLogger(__name__)


def simulate(system: SystemDefinition, **arguments: Unpack[RunArguments]) -> RunData:
    """Run paths of a system: arguments and errors are those of :meth:`.System.simulate`, which warns of failed paths as well."""
    values = {**DEFAULTS, **arguments}
    arguments["save"], arguments["execution"] = saved, executed = (
        Save.of(values["save"]),
        Execution.of(values["execution"]),
    )
    if not executed.progress:
        return _run(system, saved, executed, arguments)
    with messages.showing_progress():
        return _run(system, saved, executed, arguments)


def _run(system: SystemDefinition, saved: Save, executed: Execution, arguments: RunArguments) -> RunData:
    if saved.store is not None and saved.resume and arguments.get("seed", DEFAULTS["seed"]) is None:
        from semidirect.ensemble.store.run_files import seed_in

        arguments["seed"] = seed_in(saved.store)
    spec = specify(system, **arguments)
    if saved.store is None:
        return run_in_memory(spec, executed)
    from semidirect.ensemble.store.running import run_into

    check_half_step(spec)
    run = run_into(saved.store, spec, resume=saved.resume, execution=executed)
    return with_error_check(run, spec, executed)


def run_in_memory(spec: RunSpec, execution: Execution, job: stepping.Job | None = None) -> RunData:
    """The run of a specification, with its error check if one is wanted; ``job`` as of :func:`.execute`."""
    if not spec.checks.error_check:
        return _in_memory(spec, execution, job)
    check_half_step(spec)
    return with_error_check(_in_memory(spec, execution, job), spec, execution)


def check_half_step(spec: RunSpec) -> None:
    """Raise an error if the run is to be compared with one at half the step, at which its driver is not defined."""
    if spec.checks.error_check and spec.driver is not None:
        spec.driver.check_half_step(spec.dt)


def with_error_check(run: RunData, spec: RunSpec, execution: Execution) -> RunData:
    """The run with its difference from the same run at half the step, if that is wanted."""
    if not spec.checks.error_check:
        return run
    from semidirect.ensemble.error_check import refined
    from semidirect.results import ErrorCheck

    half = refined(spec)
    fine = _in_memory(half, execution)
    return replace(run, error_check=ErrorCheck.of(run, fine, spec.system.group, spec.dt, half.dt))


def _in_memory(spec: RunSpec, execution: Execution, job: stepping.Job | None = None) -> RunData:
    alone = execution.executor is None and (execution.threads or stepping.usable_cores()) == 1
    original, spec = (
        spec,
        spec.replaced(**spec.known(("changes", alone, spec.chunk_paths), lambda: _changes(spec, alone))),
    )
    assembly = Assembly(spec)
    try:
        progress = Progress.shown(spec.paths, spec.steps) if execution.progress else nullcontext()
        with progress as on_progress:
            work = stepping.execute(spec, assembly, threads=execution.threads, executor=execution.executor, job=job,
                                   on_progress=on_progress)  # fmt: skip
    except MemoryError as error:
        raise stepping.out_of_memory(spec) from error
    return assembly.run(work, original)


def _changes(spec: RunSpec, alone: bool) -> dict[str, Any]:
    """How a run is executed whose results stay in memory, by one worker or by several."""
    return {
        "chunk_paths": spec.chunk_of_one_worker() if alone else spec.chunk_paths,
        "end_only": ValuesAtEnd.suffice(spec),
    }


def specify(system: SystemDefinition, **arguments: Unpack[RunArguments]) -> RunSpec:
    """The specification of a run, checked."""
    a_system(system)
    values = {**DEFAULTS, **arguments}
    number, call = seeds.number_of_seed(values["seed"], values["state"]), Call.of(values)
    key = key_of_call(system, call)
    earlier = remembered(system, key)
    if earlier is not None:
        return earlier.of_seed(number)
    spec = _specified(system, number, call)
    if stepping.is_final_choice(call.engine, spec):
        remember(system, key, spec)
    return spec


@paused_collector()
def _specified(system: SystemDefinition, seed: int, call: Call) -> RunSpec:
    steps = schedule.steps_between(starting_time(call.t_start, call.t_end, call.state), call.t_end, call.dt)
    model = call.formulation.model(system)
    with model.structure.written_once():
        return _of_model(system, model, steps, seed, call)


def _of_model(system: SystemDefinition, model: NumericalSDE, steps: tuple[int, int], seed: int, call: Call) -> RunSpec:
    (first, last), dt, state, formulation = steps, call.dt, call.state, call.formulation
    answers_of_functions.warn_where_numbers_differ(system, model)
    drive = drivers.driver_of(call.driver)
    state, of_start = drawn_state(system, state, call.paths, seed, drive, model.wieners, last - first)
    start = InitialState.of(system, state, validate=call.checks.validate, t=float(first * dt), model=model,
                          located=model.reconstructs)  # fmt: skip
    if model.tangents is not None:
        start = start_slopes.with_slopes(start, model, state, float(first * dt), validate=call.checks.validate,
                                         located=model.reconstructs)  # fmt: skip
    count = path_count(system, start, call.paths)
    method = default_method(system, model, noisy=drive.moves).method if call.method is None else call.method
    scheme = integrator(method)
    if model.tangents is not None:
        _refuse_adaptive(scheme)
    resumed = state.resolution_for(seed, first * dt, dt) if isinstance(state, Final) else None
    process = driving_process(model, scheme, drive, seed=seed, dt=dt, steps=range(first, last), paths=count,
                              resumed_resolution=resumed, of_start=of_start)  # fmt: skip
    drawn_at = None if process is None else process.random_resolution
    if isinstance(state, Final) and state.met_again(seed, drawn_at, first * dt):
        _log.warning(
            "the noise from t = %g on, seed %d, is made of the random numbers that brought the paths to this state; give another "
            "seed", first * dt, seed,
        )  # fmt: skip
    saved = schedule.selected_steps(call.save.times, last, dt, first)
    saved.setflags(write=False)
    contents = Quantities.of(system, model, call.save.names)
    reduce = call.reduce.resolved(contents)
    reduce.refuse_without_errors(drive.replications)
    sampled = saved if reduce.at is None else schedule.selected_steps(reduce.at, last, dt, first, what="reduce at")
    reduced = sampled if reduce.statistics else sampled[:0]
    reduced.setflags(write=False)
    checks = call.checks.with_declared(_declared_bounds(system, contents, call.checks))
    stops = conditions.validated_stops(call.stop, contents)
    recorded = conditions.validated_crossings(call.save.crossings, contents)  # type: ignore[arg-type]
    _refuse_unknown_within_steps(process, recorded or any(one.locate for one in stops))
    events.refuse_without_slopes(model, contents, (*stops, *recorded), process)
    save = Save(call.save.times, call.save.names, recorded)
    spec = RunSpec(
        system,
        scheme,
        start,
        process,
        first,
        last,
        float(dt),
        count,
        seed,
        save,
        reduce,
        checks,
        formulation,
        drivers.driver_as_json(drive, process),
        saved,
        reduced,
        call.engine,
        1,
        stops,
    )
    vars(spec).update(model=model, contents=contents)  # which it would find again
    stepped_by = stepping.chosen_engine(call.engine, spec)
    return spec.replaced(
        engine=stepped_by,
        chunk_paths=RunSpec.usual_chunk(count, 8.0 * spec.numbers_saved, stepping.usual_paths(stepped_by), model.sites),
    )


def _declared_bounds(system: SystemDefinition, contents: Quantities, checks: Checks) -> dict[str, float]:
    """The bounds that observables and joined constraints declare, after a look at the names of those that were given."""
    for name in checks.bounds:
        if name not in contents.everything:
            system.workings.refuse_absent(name)
            raise contents.unknown("quantity of a bound", name)
    joined = {name: bound for name, bound in JoinedConstraints.bounds.items() if name in contents.everything}
    return joined | {name: o.bound for name, o in system.observables().items() if o.bound is not None}


def _refuse_adaptive(method: Integrator) -> None:
    """Raise a :class:`MethodError` for a method whose steps depend on the path."""
    if isinstance(method, AdaptiveIntegrator):
        raise errors.MethodError(f"{method.label} chooses its steps, so it has no derivatives of a step",
                                 hint="Use a method with fixed steps, such as rkmk4 or gauss(3).")  # fmt: skip


def _refuse_unknown_within_steps(process: DrivingProcess | None, located: Any) -> None:
    """Raise a :class:`MethodError` if the increments of a step do not determine the path within it."""
    if located and process is not None and process.increment_law == "three-point":
        raise errors.MethodError("three-point increments do not form a Brownian path, so no event can be located within a step",
                                 hint="Use normal increments, or stop=sd.Stop(…) with locate=False.")  # fmt: skip


def path_count(system: SystemDefinition, start: InitialState, paths: int | None) -> int:
    """The number of paths of a run, that of values path by path if there are any."""
    counts = {n for n in (system.workings.paths, start.paths if start.paths > 1 else None) if n is not None}
    if len(counts) > 1:
        raise errors.InputError(
            "states and parameters have different numbers of paths",
            expected="one number of paths",
            got=", ".join(map(str, sorted(counts))),
        )
    if paths is None:
        return next(iter(counts), 1)
    count = arguments.validated_whole("paths", paths, least=1)
    if counts and counts != {count}:
        raise errors.InputError("paths", expected=f"{next(iter(counts))}, as many as per-path values", got=str(count),
                                hint="Ask for that many, or give one value for all paths.")  # fmt: skip
    return count
