"""Systems on one group between which a path changes: contact that ends and begins."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import PerPath, arguments, errors, explains_calls, says_instead, symbols
from semidirect.definition import ValuesAt, a_system
from semidirect.engines import Execution
from semidirect.hybrid.consistent import LARGEST_NUMBER_OF_MODES
from semidirect.hybrid.switch import Switch
from semidirect.specification import Formulation, Reduce, Save, seeds

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.hybrid.hybrid_run import HybridRun
    from semidirect.integrators import Integrator
    from semidirect.statistics import Statistic

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
        checks="Compare two steps dt, or run.status; one of its modes has bounds, hybrid.modes[…].simulate(checks=…).",
        driver="Its noise is that of Wiener processes; one of its modes is driven, hybrid.modes[…].simulate(driver=…).",
    )
    def simulate(self, *, mode: str | None = None, t_end: float, dt: float, t_start: float | None = None,
                 paths: int | None = None, seed: seeds.Seed = seeds.DEFAULT, method: str | Integrator | None = None,
                 state: Mapping[str, Any] | None = None, save: str | Sequence[float] | Save = "all",
                 reduce: str | Statistic | Sequence[str | Statistic] | Reduce = (),
                 execution: Execution | None = None, most: int = MOST_TRANSITIONS,
                 formulation: Formulation | None = None) -> HybridRun:  # fmt: skip
        """Run an ensemble of paths, all of which start in one mode, or continue one.

        A path is a function of modes, switches, method, dt, seed and its number, to the last bit. All modes meet the same noise.

        Parameters
        ----------
        mode : str
            The mode at the start; left out where ``state`` is the end of another run.
        t_end, dt, t_start, paths, seed, method
            As for :meth:`.System.simulate`; without a ``method`` each mode has its own.
        state : dict, optional
            The state at the start, in the names of that mode; or ``run.final``, the end of a run of this system, which is
            continued: both together are a run to the later ``t_end``, to the last bit.
        save : str, sequence of float, or Save
            When quantities are saved, and which: default those that have one size in all modes that have them. A ``store`` is
            written at the end.
        reduce : str, Statistic, sequence of them, or Reduce
            Statistics, as for :meth:`.System.simulate`, over the paths whose modes have the quantities.
        execution : Execution, optional
            Threads or executor, and whether kernels step paths between events, ``engine="compiled"``, or array code, ``"numpy"``;
            the bits are the same. Methods that choose their steps are stepped by array code.
        most : int
            A path with so many transitions within one step, or with several in no time between which no noise acts, is stopped:
            its transitions accumulate (Zeno). Its number is in ``run.accumulated`` and the time in ``run.ended_at``.
        formulation : Formulation, optional
            ``sd.Formulation(sensitivity=…)`` alone: by what paths without noise are differentiated. A parameter moves in all
            modes that have it. See :meth:`.Run.sensitivity`.

        Raises
        ------
        InputError, MethodError, UnknownNameError
            For invalid arguments, before the first step; for modes whose kinetic metrics differ, at a transition.
        """
        # imported here: a hybrid system can be defined without loading what runs it
        from semidirect.hybrid.simulate import simulate

        return simulate(
            self._modes, self._switches, mode=mode, t_end=t_end, dt=dt, t_start=t_start, paths=paths, seed=seed, method=method,
            state=state, save=Save.of(save), reduce=Reduce.of(reduce), execution=Execution.of(execution), most=most,
            formulation=formulation,
        )  # fmt: skip


def _check_alike(first: str, one: SystemDefinition, second: str, other: SystemDefinition) -> None:
    """Raise an error for modes that differ in more than their constraints, forces and noise."""
    where = f"modes {first} and {second}"
    a, b = (system.workings.of_one_path.workings.definition() for system in (one, other))
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
    """The parameters that occur in the Lagrangian, or in the Hamiltonian."""
    d = system.workings.symbolic_definition()
    xi, a, z = (symbols.named(x) for x in (d.group.blocks, d.advected_layout, d.internal_layout))
    t, p = symbols.named({"t": slice(0, 1)})[0], symbols.named(d.momenta if d.by_hamiltonian else {})
    here = ValuesAt(d, xi, a, z, t, p)
    value = here.hamiltonian if d.by_hamiltonian else here.lagrangian
    free_symbols: set[Any] = getattr(np.asarray(value, dtype=object).item(), "free_symbols", set())
    return {name for name, rows in system.workings.all_symbols.items() if free_symbols & set(np.ravel(rows))}
