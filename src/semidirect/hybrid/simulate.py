"""Runs the paths of a hybrid system."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import arguments, errors, messages
from semidirect.engines import ChunkResult, Execution, stepping
from semidirect.ensemble import run_files, specify
from semidirect.hybrid.collision import NORMAL, ONE_CONTACT
from semidirect.hybrid.compiled import is_compiled
from semidirect.hybrid.differentiated_modes import described, differentiated, names_of_sensitivities
from semidirect.hybrid.ended_hybrid import HYBRID, Begin, about, is_end_of_hybrid, refuse_another
from semidirect.hybrid.hybrid_run import HybridRun
from semidirect.hybrid.lost_paths import lost_paths
from semidirect.hybrid.mode import Guard, Mode, first_struck
from semidirect.hybrid.paths import run_chunk
from semidirect.hybrid.plan import HybridPlan
from semidirect.hybrid.quantities_of_modes import QuantitiesOfModes
from semidirect.hybrid.reduced import Reduced
from semidirect.hybrid.saved_values import MODE
from semidirect.integrators import integrator
from semidirect.model import NumericalSDE, sensitivities
from semidirect.results import ModeHistory, RunData, Transitions
from semidirect.specification import Checks, Formulation, Reduce, RunSpec, Save, schedule, seeds
from semidirect.state import EquationIdentity, Final

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.hybrid.switch import Switch
    from semidirect.integrators import Integrator


def simulate(systems: Mapping[str, SystemDefinition], switches: Sequence[Switch], *, mode: str | None, t_end: float, dt: float,
             t_start: float | None, paths: int | None, seed: seeds.Seed, method: str | Integrator | None,
             state: Mapping[str, Any] | None, save: Save, reduce: Reduce, execution: Execution, most: int,
             formulation: Formulation | None) -> HybridRun:  # fmt: skip
    """As :meth:`.Hybrid.simulate`, with arguments as objects."""
    # a run continues from the end of another one, or starts in a mode
    end = state if isinstance(state, Final) and is_end_of_hybrid(state) else None
    start = _mode_at_start(systems, mode, end)
    _refuse_arguments(save, execution)
    number = seeds.number_of_seed(seed, state)
    if end is not None:
        if names_of_sensitivities(formulation):
            raise errors.InputError("sensitivity of a hybrid run that is continued", expected="a run from the start",
                                    got="the end of another", hint="Differentiate the whole run.")  # fmt: skip
        if t_start is None:
            end.refuse_what_ended()
            t_start = end.t
        paths = len(end.status) if paths is None else paths
    for system in systems.values():
        _check_method(method, system)

    def run_of(name: str, paths: int | None) -> RunSpec:
        return specify(
            systems[name], t_end=t_end, dt=dt, t_start=t_start, paths=paths, seed=number, method=method,
            state=state if name == start and end is None else None, save=save.times,
            execution=replace(execution, engine="numpy"), stop=[one.when for one in switches if one.source == name],
            checks=Checks(validate=name == start),
        )  # fmt: skip

    # each mode is specified as a run of its own; that of the start decides the number of paths
    first = run_of(start, paths)
    specs = {name: first if name == start else run_of(name, first.paths) for name in systems}
    for spec in specs.values():
        _check_driver(spec)
    labels = tuple(one.label for one in switches)
    per_path = {k: v for spec in specs.values() for k, v in spec.parameters_by_path().items()}
    numbers, entry = {name: i for i, name in enumerate(specs)}, about(tuple(specs), labels, 0, list(specs.values()))
    entry |= {"start": numbers[start]} | ({"continued": True} if end is not None else {})
    if end is not None:
        refuse_another(end, entry, per_path, dt, number)
        if len(end.status) != first.paths:
            raise errors.InputError(
                "paths of a hybrid run that is continued", expected=str(len(end.status)), got=str(first.paths)
            )
        begin = Begin.of_final(end)
    else:
        y, stored = (np.broadcast_to(x, (len(x), first.paths)) for x in first.begin)
        begin = Begin(np.full(first.paths, numbers[start], dtype=np.int8), y, stored)
    # quantities are those that some mode has; where a mode lacks one, it is nan
    quantities = QuantitiesOfModes(specs, save.names)
    sizes = quantities.of(quantities.saved_names, "quantity to save")
    reduction = _reduced(reduce, quantities, first)
    modes = [
        Mode(name, spec, quantities.names_of(name, sizes), quantities.names_of(name, reduction.sizes),
             tuple(_guards(switches, name, spec, numbers))) for name, spec in specs.items()
    ]  # fmt: skip
    for switch in switches:
        _check_impact(switch, modes, numbers)
    # derivatives come last: they replace the models of all modes
    names = names_of_sensitivities(formulation)
    if names:
        modes = differentiated(modes, numbers[start], names, state)
        smooth = {name for one in modes for name in one.smooth}
        sizes |= {
            f"{sensitivities.SENSITIVITY}{k}": d * len(modes[0].start_slopes) for k, d in sizes.items() if k in smooth
        }
    most = arguments.validated_whole("most", most, least=1)
    plan = HybridPlan(
        tuple(modes), numbers[start], most, sizes, begin, reduction, is_compiled(execution.engine, modes, first)
    )
    # what is on disk already is read again, and nothing is overwritten
    if save.store is not None and save.resume and run_files.exists(save.store):
        return _read_again(save.store, _configuration(plan, entry))
    if save.store is not None:
        run_files.refuse_what_exists(save.store)
    sink = _Sink(plan)
    stepping.execute(
        plan.spec, sink, threads=execution.threads, executor=execution.executor, job=partial(run_chunk, plan)
    )
    call = {
        "mode": mode, "t_end": t_end, "dt": dt, "t_start": t_start, "paths": first.paths, "seed": number, "method": method,
        "state": state, "save": replace(save, store=None), "reduce": reduce, "most": most, "formulation": formulation,
    }  # fmt: skip
    run = HybridRun(sink.run(HybridSpecification(systems, switches, call), entry, labels, per_path))
    text = lost_paths(run, sink.switches)
    if text:
        messages.warn_caller(text, errors.FailedPathsWarning)
    if save.store is not None:
        run_files.save(run.data, save.store)
    return run


def _mode_at_start(systems: Mapping[str, Any], mode: str | None, end: Final | None) -> str:
    """The mode at the start, of a run that continues another of that one."""
    if end is None:
        if mode is None:
            raise errors.InputError("mode at the start", expected=f"one of {', '.join(systems)}", got="none")
        return arguments.validated_name("mode", mode, systems)
    there = end.equations[HYBRID]
    if list(there["modes"]) != list(systems):
        refuse_another(end, {"modes": list(systems), "switches": [], "equations": []}, {}, 1.0, -1)
    if mode is not None:
        raise errors.InputError("mode at the start", expected="none with state=run.final: each path continues in its own",
                                got=repr(mode))  # fmt: skip
    return str(there["modes"][there["start"]])


def _refuse_arguments(save: Save, execution: Execution) -> None:
    if save.crossings:
        raise errors.InputError("save of a hybrid system", expected="no crossings", got=repr(save),
                                hint="Its events are its transitions, run.transitions.")  # fmt: skip
    if execution.progress:
        raise errors.InputError("progress of a hybrid system", expected="False", got="True")


def _reduced(reduce: Reduce, quantities: QuantitiesOfModes, spec: RunSpec) -> Reduced:
    """The statistics with all names, and when they are taken."""
    resolved = reduce.resolved(quantities)  # type: ignore[arg-type]  # it has what they read of quantities
    sizes = quantities.of(
        list(dict.fromkeys(name for one in resolved.chosen for name in one.names())), "quantity to reduce"
    )
    steps = spec.saved_steps
    if resolved.at is not None:
        steps = schedule.selected_steps(resolved.at, spec.last, spec.dt, spec.first, what="reduce at")
    return Reduced(
        resolved.chosen, steps if resolved.chosen else steps[:0], spec.dt, sizes, quantities.units(list(sizes))
    )


def _guards(switches: Sequence[Switch], name: str, spec: RunSpec, numbers: Mapping[str, int]) -> list[Guard]:
    guards = []
    for i, one in enumerate(switches):
        if one.source == name:
            row = spec.contents.everything[one.when.name][one.when.component or 0]
            sliding = None if one.impact.sliding is None else numbers[one.impact.sliding]
            guards += [Guard(one, i, b, row, numbers[one.target], sliding) for b in one.when.barriers]
    return guards


def _check_impact(switch: Switch, modes: Sequence[Mode], numbers: Mapping[str, int]) -> None:
    """Raise an error for an impact that needs a normal of the ground where none is stated."""
    impact = switch.impact
    names = [switch.target, *(() if impact.sliding is None else (impact.sliding,))]
    requirements = [k for k in ("friction", "settling") if getattr(impact, k)]
    source, target = (modes[numbers[name]] for name in (switch.source, switch.target))
    if impact.restitution and impact.sliding is None and target.forbids > 1 + source.forbids:
        requirements.append("restitution")
    several = [name for name in names if len(modes[numbers[name]].contacts) > 1]
    struck = first_struck([modes[numbers[name]] for name in names], source)
    if several and requirements and (struck is None or impact.friction):
        parts = target if switch.target in several else modes[numbers[several[0]]]
        raise errors.InputError(
            f"{requirements[0]} of an impact", expected=f"one contact with a normal in {' or '.join(names)}",
            got=f"{len(parts.contacts)} in {several[0]}", where=switch.label, hint=ONE_CONTACT,
        )  # fmt: skip
    if requirements and struck is None:
        raise errors.InputError(f"{requirements[0]} of an impact", expected=f"a contact with a normal in {' or '.join(names)}",
                                got="none", where=switch.label,
                                hint=NORMAL)  # fmt: skip


def _check_method(method: str | Integrator | None, system: SystemDefinition) -> None:
    """Raise a :class:`MethodError` for a method of ordinary differential equations where there is noise."""
    if method is not None and (scheme := integrator(method)).calculus == "ode" and NumericalSDE.of(system).wieners:
        raise errors.MethodError(f"{scheme.label} cannot follow the noise of a hybrid system",
                                 hint="Use rkmk4 or lie-heun, or modes without noise.")  # fmt: skip


def _check_driver(spec: RunSpec) -> None:
    """Raise a :class:`MethodError` if increments after a transition cannot be drawn."""
    if spec.method.integrals is not None and spec.driver is not None:
        raise errors.MethodError(
            f"{spec.method.label} needs iterated integrals, which are not known after a transition in a step",
            hint="Use a method of increments alone, such as lie-heun.",
        )


@final
@dataclass(frozen=True, eq=False)
class HybridSpecification:
    """The specification that a run of a hybrid system in memory keeps.

    Attributes
    ----------
    modes, switches
        Of the hybrid system.
    call : dict
        The arguments of :func:`simulate`.
    """

    modes: Mapping[str, SystemDefinition]
    switches: Sequence[Switch]
    call: Mapping[str, Any]

    def again(self, paths: int | None, t_end: float | None, execution: Execution) -> RunData:
        """The same run with more paths or to a later end.

        Raises
        ------
        InputError
            For fewer paths or an earlier end.
        """
        changes = {k: v for k, v in (("paths", paths), ("t_end", t_end)) if v is not None}
        if not changes:
            raise errors.InputError("nothing to extend", expected="paths or t_end")
        for name, value in changes.items():
            if value < self.call[name]:
                raise errors.InputError("a run can only be extended", expected=f"{name} of at least {self.call[name]}",
                                        got=str(value))  # fmt: skip
        return simulate(self.modes, self.switches, **{**self.call, **changes, "execution": execution}).data


@final
class _Sink:
    """The :class:`~semidirect.engines.sink.Sink` that assembles the run."""

    deliver = None

    def __init__(self, plan: HybridPlan):
        self._plan = plan
        self._results: dict[int, ChunkResult] = {}

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Keep the result of a chunk."""
        if result is not None:
            self._results[number] = result

    @property
    def _parts(self) -> list[ChunkResult]:
        return [self._results[i] for i in sorted(self._results)]

    @property
    def switches(self) -> np.ndarray:
        """Of each path, the switch whose impact pulls it or beyond whose level it stays; else −1."""
        return self._joined("final", "switches")

    def _joined(self, kind: str, name: str) -> np.ndarray:
        return np.concatenate([getattr(part, kind)[name] for part in self._parts])

    def run(self, specification: HybridSpecification, entry: Mapping[str, Any], switches: tuple[str, ...],
            per_path: Mapping[str, np.ndarray]) -> RunData:  # fmt: skip
        """The data of the run, once all chunks are accepted."""

        def scalars(array: np.ndarray) -> np.ndarray:
            return array[..., 0] if array.shape[-1] == 1 else array

        plan, parts, spec = self._plan, self._parts, self._plan.spec
        data = {name: scalars(self._joined("data", name)) for name in (*plan.sizes, MODE)}
        final = {k: self._joined("final", k) for k in parts[0].final if "." in k}
        named, end = ({k.removeprefix(p): v for k, v in final.items() if k.startswith(p)} for p in ("named.", "end."))
        status = np.concatenate([part.status for part in parts])
        ended_at = np.concatenate([part.failed_at for part in parts])
        resolution = next((m.spec.resolution for m in plan.modes if m.spec.resolution is not None), None)
        units = {k: v for mode in plan.modes for k, v in mode.spec.units.items() if k in plan.sizes}
        words = {k: v for mode in plan.modes for k, v in mode.spec.contents.long_names.items() if k in plan.sizes}
        config = _configuration(plan, entry)
        by_path = {**per_path, **spec.by_path()}
        history = ModeHistory(
            tuple(m.name for m in plan.modes), switches, data.pop(MODE), self._transitions(), plan.start
        )
        return RunData(
            times=spec.times, data=data,
            final=Final(spec.t_end, spec.seed, resolution, {k: scalars(v) for k, v in named.items()}, end, status, ended_at,
                        {**{k: config[k] for k in EquationIdentity.EQUATIONS}, HYBRID: config[HYBRID]}, lambda: per_path),
            status=status, failed_at=ended_at, failed_component=np.concatenate([part.failed_component for part in parts]),
            units=units, components=plan.components, config=config, by_path=lambda: by_path, long_names=words,
            reductions=plan.reduced.results([part.partials for part in parts], spec.paths), history=history,
            specification=specification,  # type: ignore[arg-type]
        )  # fmt: skip

    def _transitions(self) -> Transitions:
        tables = [part.crossings for part in self._parts if part.crossings]
        n = self._plan.spec.model.group.dimension
        empty = {
            name: np.zeros((0, n) if name == "impulse" else 0, dtype=kind) for name, kind in Transitions.COLUMNS.items()
        }
        if not tables:
            return Transitions(**empty)
        return Transitions(
            **{k: np.concatenate([t[k] for t in tables]).astype(kind) for k, kind in Transitions.COLUMNS.items()}
        )


def _read_again(place: Path | str, config: Mapping[str, Any]) -> HybridRun:
    """The run of a store, which is finished as it is written at the end; a :class:`StoreError` if it is another one."""
    run = HybridRun.load(place)
    if dict(run.config) != dict(config):
        raise errors.StoreError(f"{place} is another run", hint="Choose another name, or remove it.")
    return run


def _configuration(plan: HybridPlan, entry: Mapping[str, Any]) -> dict[str, Any]:
    """That of the mode at the start, with what the modes have in common."""
    every = [mode.spec.configuration() for mode in plan.modes]
    config = every[plan.start] | {"system": f"hybrid:{', '.join(mode.name for mode in plan.modes)}"}
    values: dict[str, list[Any]] = {}
    for one in every:
        for name, value in one["parameters"].items():
            values.setdefault(name, []).append(value)
    config["parameters"] = {k: v[0] for k, v in values.items() if all(x == v[0] for x in v)}
    config["observables"] = [
        k for k in dict.fromkeys(k for one in every for k in one["observables"]) if k in plan.sizes
    ]
    noisy = next((one["noise"] for one, m in zip(every, plan.modes, strict=True) if m.spec.driver is not None), None)
    config["noise"] = config["noise"] if noisy is None else noisy
    config.pop("stop", None)
    along = described(plan.modes[plan.start])
    directions = {EquationIdentity.DIRECTIONS: [list(one) for one in along]} if along else {}
    reduce: dict[str, Any] = (
        {"reduce": [one.described() for one in plan.reduced.statistics]} if plan.reduced.statistics else {}
    )
    configuration: dict[str, Any] = json.loads(json.dumps(config | directions | reduce))
    return configuration | {HYBRID: dict(entry)}
