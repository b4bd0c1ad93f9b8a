"""Systems on one group between which a path changes: contact that ends and begins."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import PerPath, arguments, errors, explains_calls, messages, says_instead, symbols
from semidirect.definition import ValuesAt, a_system
from semidirect.engines import ChunkResult, Execution, stepping
from semidirect.ensemble import specify
from semidirect.hybrid.collision import NORMAL
from semidirect.hybrid.compiled import is_compiled
from semidirect.hybrid.consistent import LARGEST_NUMBER_OF_MODES
from semidirect.hybrid.differentiated_modes import described, differentiated, names_of_sensitivities
from semidirect.hybrid.hybrid_run import HybridRun, Transitions
from semidirect.hybrid.lost_paths import lost_paths
from semidirect.hybrid.mode import Guard, Mode, first_contact
from semidirect.hybrid.paths import COLUMNS, HybridPlan
from semidirect.hybrid.saved_values import MODE
from semidirect.hybrid.switch import Switch
from semidirect.integrators import integrator
from semidirect.model import numerical_sde, sensitivities
from semidirect.specification import Checks, Formulation, RunSpec, Save, seeds

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator

__all__ = ["Hybrid"]

MOST_TRANSITIONS = 50


@explains_calls
@final
class Hybrid:
    """Modes of motion and the switches between them: a body that rolls, slides and flies.

    A mode is a system. All modes have one group, the same advected quantities and one kinetic metric; parameters that occur in
    their Lagrangians have the same values. A path follows the equations of its mode until it meets the condition of a
    :class:`~semidirect.Switch`, where its velocity is projected on the constraint of its new mode. Conditions are located within
    the step, as stops of a run are: to the accuracy of the method where no noise moves their quantity, else by Brownian bridges.

    Parameters
    ----------
    modes : dict name → System
    switches : sequence of Switch
        Where several conditions are met in a step the first one counts.

    Raises
    ------
    InputError, UnknownNameError
        For modes on different groups or with other advected quantities or parameters, and for switches between unknown modes.
    """

    no_system = (
        "Simulate a hybrid system as a whole, hybrid.simulate(mode=…), or give one of its modes, hybrid.modes['name']."
    )

    def __init__(self, modes: Mapping[str, SystemDefinition], switches: Sequence[Switch]):
        if not isinstance(modes, Mapping) or not 0 < len(modes) <= LARGEST_NUMBER_OF_MODES:
            raise errors.InputError("modes", expected="a mapping of names to systems", got=reprlib.repr(modes))
        for name, system in modes.items():
            if not (isinstance(name, str) and name):
                raise errors.InputError("the name of a mode", expected="text", got=repr(name))
            a_system(system)
        self._modes, self._switches = dict(modes), tuple(switches)
        for one in self._switches:
            if not isinstance(one, Switch):
                raise errors.InputError("switches", expected="a sequence of sd.Switch(…)", got=reprlib.repr(one))
            for name in (one.source, one.target, *(() if one.impact.sliding is None else (one.impact.sliding,))):
                arguments.validated_name("mode", name, self._modes)
        first = next(iter(self._modes))
        for name in self._modes:
            _check_alike(first, self._modes[first], name, self._modes[name])

    if not TYPE_CHECKING:  # a type checker would accept every attribute

        def __getattr__(self, name: str) -> Any:
            having = [mode for mode, system in vars(self).get("_modes", {}).items() if hasattr(type(system), name)]
            if name.startswith("_") or not having:
                raise AttributeError(f"'Hybrid' object has no attribute {name!r}")
            raise errors.NoAttributeError(f"a hybrid system has no {name}",
                                          hint=f"Ask a mode: hybrid.modes[{having[0]!r}].{name}.")  # fmt: skip

    def __repr__(self) -> str:
        return f"Hybrid(modes {reprlib.repr(list(self._modes))}, {len(self._switches)} switches)"

    @property
    def modes(self) -> dict[str, SystemDefinition]:
        """The systems by name."""
        return dict(self._modes)

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The switches."""
        return self._switches

    @says_instead(
        stop="Its events are its transitions, run.transitions; one of its modes stops, hybrid.modes[…].simulate(stop=…).",
        reduce="Take statistics of the arrays of the run, run[…].mean(axis=0), or of one of its modes, "
        "hybrid.modes[…].simulate(reduce=…).",
        checks="Compare two steps dt, or run.status; one of its modes has bounds, hybrid.modes[…].simulate(checks=…).",
        driver="Its noise is that of Wiener processes; one of its modes is driven, hybrid.modes[…].simulate(driver=…).",
    )
    def simulate(self, *, mode: str, t_end: float, dt: float, t_start: float | None = None, paths: int | None = None,
                 seed: seeds.Seed = seeds.DEFAULT, method: str | Integrator | None = None, state: Mapping[str, Any] | None = None,
                 save: str | Sequence[float] | Save = "all", execution: Execution | None = None,
                 most: int = MOST_TRANSITIONS, formulation: Formulation | None = None) -> HybridRun:  # fmt: skip
        """Run an ensemble of paths, all of which start in one mode.

        A path is a function of modes, switches, method, dt, seed and its number, to the last bit. All modes meet the same noise.

        Parameters
        ----------
        mode : str
            The mode at the start.
        t_end, dt, t_start, paths, seed, method
            As for :meth:`.System.simulate`; without a ``method`` each mode has its own.
        state : dict, optional
            The state at the start, in the names of that mode.
        save : str, sequence of float, or Save
            When quantities are saved, and which: default those that have one size in all modes that have them.
        execution : Execution, optional
            Threads or executor, and whether kernels step paths between events, ``engine="compiled"``, or array code, ``"numpy"``;
            the bits are the same. Methods that choose their steps, and derivatives, are stepped by array code.
        most : int
            A path with so many transitions within one step, or with several in no time between which no noise acts, is stopped:
            its transitions accumulate (Zeno). Its number is in ``run.accumulated`` and the time in ``run.ended_at``.
        formulation : Formulation, optional
            ``sd.Formulation(sensitivity=…)`` alone: by what paths without noise are differentiated. A parameter moves in all
            modes that have it. See :meth:`.HybridRun.sensitivity`.

        Raises
        ------
        InputError, MethodError, UnknownNameError
            For invalid arguments, before the first step; for modes whose kinetic metrics differ, at a transition.
        """
        start, saved = arguments.validated_name("mode", mode, self._modes), Save.of(save)
        if saved.store is not None or saved.crossings:
            raise errors.InputError("save of a hybrid system", expected="times and names alone", got=repr(saved),
                                    hint="The run has its transitions, and run.to_xarray() is written to a file.")  # fmt: skip
        stated = Execution.of(execution)
        executed = replace(stated, engine="numpy")
        if executed.progress:
            raise errors.InputError("progress of a hybrid system", expected="False", got="True")
        seed = seeds.number_of_seed(seed, None)

        for system in self._modes.values():
            _check_method(method, system)

        def run_of(name: str, paths: int | None) -> RunSpec:
            return specify(
                self._modes[name], t_end=t_end, dt=dt, t_start=t_start, paths=paths, seed=seed, method=method,
                state=state if name == start else None, save=saved.times, execution=executed,
                stop=[one.when for one in self._switches if one.source == name], checks=Checks(validate=name == start),
            )  # fmt: skip

        first = run_of(start, paths)
        specs = {name: first if name == start else run_of(name, first.paths) for name in self._modes}
        for spec in specs.values():
            _check_driver(spec)
        sizes, numbers = _sizes(specs, saved.names), {name: i for i, name in enumerate(self._modes)}
        modes = [Mode(name, spec, tuple(n for n in sizes if _has(spec, n)), tuple(self._guards(name, spec, numbers)))
                 for name, spec in specs.items()]  # fmt: skip
        for switch in self._switches:
            self._check_impact(switch, modes, numbers)
        names = names_of_sensitivities(formulation)
        if names:
            modes = differentiated(modes, numbers[start], names, state)
            smooth = {name for mode in modes for name in mode.smooth}
            sizes |= {
                f"{sensitivities.SENSITIVITY}{k}": d * len(modes[0].start_slopes)
                for k, d in sizes.items()
                if k in smooth
            }
        most = arguments.validated_whole("most", most, least=1)
        plan = HybridPlan(tuple(modes), numbers[start], most, sizes, is_compiled(stated.engine, modes, first))
        sink = _Sink(plan)
        stepping.execute(plan.spec, sink, threads=executed.threads, executor=executed.executor, job=plan.job)
        run = sink.run(tuple(self._modes), tuple(one.label for one in self._switches))
        text = lost_paths(run, sink.switches)
        if text:
            messages.warn_caller(text, errors.FailedPathsWarning)
        return run

    def _guards(self, name: str, spec: RunSpec, numbers: Mapping[str, int]) -> list[Guard]:
        found = []
        for i, one in enumerate(self._switches):
            if one.source == name:
                row = spec.contents.everything[one.when.name][one.when.component or 0]
                sliding = None if one.impact.sliding is None else numbers[one.impact.sliding]
                found += [Guard(one, i, b, row, numbers[one.target], sliding) for b in one.when.barriers]
        return found

    @staticmethod
    def _check_impact(switch: Switch, modes: Sequence[Mode], numbers: Mapping[str, int]) -> None:
        """Raise an error for an impact that needs a normal of the ground where none is stated."""
        impact = switch.impact
        names = [switch.target, *(() if impact.sliding is None else (impact.sliding,))]
        needed = [k for k in ("friction", "settling") if getattr(impact, k)]
        source, target = (modes[numbers[name]] for name in (switch.source, switch.target))
        if impact.restitution and impact.sliding is None and target.forbids > 1 + source.forbids:
            needed.append("restitution")
        if needed and first_contact([modes[numbers[name]] for name in names]) is None:
            raise errors.InputError(f"{needed[0]} of an impact", expected=f"a contact with a normal in {' or '.join(names)}",
                                    got="none", where=switch.label,
                                    hint=NORMAL)  # fmt: skip


def _has(spec: RunSpec, name: str) -> bool:
    """Whether a mode has a quantity."""
    try:
        return bool(len(spec.contents.everything[name]))
    except (KeyError, errors.InputError):
        return False


def _sizes(specs: Mapping[str, RunSpec], names: Sequence[str] | None) -> dict[str, int]:
    """The quantities to save with their sizes.

    Raises
    ------
    UnknownNameError, InputError
        For a name that no mode has, or that has different sizes.
    """
    known = list(dict.fromkeys(name for spec in specs.values() for name in spec.contents.everything))
    out = {}
    for name in known if names is None else names:
        found: set[int] = {len(spec.contents.everything[name]) for spec in specs.values() if _has(spec, name)}
        if not found:
            raise errors.UnknownNameError("quantity to save", name, known)
        if len(found) == 1 and name != MODE:
            out[name] = found.pop()
        elif names is not None:
            raise errors.InputError(f"the quantity {name!r} of a hybrid system", expected="one size in all modes",
                                    got=", ".join(map(str, sorted(found))))  # fmt: skip
    return out


def _check_alike(first: str, one: SystemDefinition, second: str, other: SystemDefinition) -> None:
    """Raise an error for modes that differ in more than their constraints, forces and noise."""
    where = f"modes {first} and {second}"
    a, b = (
        system.workings.definition() if system.paths is None else system.at_path(0).workings.definition()
        for system in (one, other)
    )
    if a.group != b.group:
        raise errors.InputError(
            "modes of a hybrid system", expected="one group", got=f"{a.group!r} and {b.group!r}", where=where
        )
    if a.advected_layout != b.advected_layout:
        raise errors.InputError("modes of a hybrid system", expected="the same advected quantities", where=where,
                                got=f"{', '.join(a.advected_layout)} and {', '.join(b.advected_layout)}")  # fmt: skip
    for name in sorted(_of_lagrangian(one) & _of_lagrangian(other)):
        x, y = (v.values if isinstance(v, PerPath) else v for v in (one.values[name], other.values[name]))
        if not np.array_equal(x, y):
            raise errors.InputError("modes of a hybrid system", expected=f"one value of {name}", where=where,
                                    got=f"{reprlib.repr(x)} and {reprlib.repr(y)}")  # fmt: skip


def _of_lagrangian(system: SystemDefinition) -> set[str]:
    """The parameters that occur in the Lagrangian."""
    d = system.workings.symbolic_definition()
    xi, a, z = (symbols.named(x) for x in (d.group.blocks, d.advected_layout, d.internal_layout))
    value = ValuesAt(d, xi, a, z, symbols.named({"t": slice(0, 1)})[0]).lagrangian
    found: set[Any] = getattr(np.asarray(value, dtype=object).item(), "free_symbols", set())
    return {name for name, rows in system.workings.all_symbols.items() if found & set(np.ravel(rows))}


def _check_method(method: str | Integrator | None, system: SystemDefinition) -> None:
    """Raise a :class:`MethodError` for a method of ordinary differential equations where there is noise."""
    if method is not None and (chosen := integrator(method)).calculus == "ode" and numerical_sde(system).wieners:
        raise errors.MethodError(f"{chosen.label} cannot follow the noise of a hybrid system",
                                 hint="Use rkmk4 or lie-heun, or modes without noise.")  # fmt: skip


def _check_driver(spec: RunSpec) -> None:
    """Raise a :class:`MethodError` if increments after a transition cannot be drawn."""
    if spec.method.integrals is not None and spec.driver is not None:
        raise errors.MethodError(
            f"{spec.method.label} needs iterated integrals, which are not known after a transition in a step",
            hint="Use a method of increments alone, such as lie-heun.",
        )


@final
class _Sink:
    """The :class:`~semidirect.engines.sink.Sink` that assembles a :class:`HybridRun`."""

    deliver = None

    def __init__(self, plan: HybridPlan):
        self._plan = plan
        self._results: dict[int, ChunkResult] = {}

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Keep the result of a chunk."""
        if result is not None:
            self._results[number] = result

    def run(self, modes: tuple[str, ...], switches: tuple[str, ...]) -> HybridRun:
        """The run, once all chunks are accepted."""
        plan, parts = self._plan, [self._results[i] for i in sorted(self._results)]
        data = {name: np.concatenate([part.data[name] for part in parts]) for name in (*plan.sizes, MODE)}
        data = {name: array[..., 0] if array.shape[-1] == 1 else array for name, array in data.items()}
        tables = [part.crossings for part in parts if part.crossings]
        n = plan.spec.model.group.dimension
        empty = {name: np.zeros((0, n) if name == COLUMNS[-1] else 0) for name in COLUMNS}
        empty |= {name: np.zeros(0, dtype=np.int64) for name in ("path", "source", "target", "switch")}
        table = {name: np.concatenate([t[name] for t in tables]) for name in COLUMNS} if tables else empty
        units = {k: v for mode in plan.modes for k, v in mode.spec.units.items() if k in plan.sizes}
        words = {k: v for mode in plan.modes for k, v in mode.spec.contents.long_names.items() if k in plan.sizes}
        return HybridRun(
            times=plan.spec.times, modes=modes, switches=switches, mode=data.pop(MODE), data=data,
            transitions=Transitions(**table), start=plan.start,
            status=np.concatenate([part.status for part in parts]),
            ended_at=np.concatenate([part.failed_at for part in parts]), units=units, long_names=words,
            directions=described(plan.modes[plan.start]),
        )  # fmt: skip

    @property
    def switches(self) -> np.ndarray:
        """Of each path, the switch whose impact pulls it or beyond whose level it stays; else −1."""
        return np.concatenate([self._results[i].failed_component for i in sorted(self._results)])
