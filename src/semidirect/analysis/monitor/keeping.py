"""The methods that preserve a conserved quantity: conservation by a proof, methods by a few steps of a few paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.monitor.watched import EPSILON, Coefficients
from semidirect.analysis.nested_runs import suited_driver
from semidirect.core import display, errors
from semidirect.engines import Execution
from semidirect.ensemble import simulate
from semidirect.integrators import METHODS, integrator
from semidirect.invariants import prove
from semidirect.random import drivers
from semidirect.results import RunData
from semidirect.specification import Checks

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.invariants import Proof

PATHS, STEPS = 4, 8
LONGER = 4
"""By this factor steps grow until the method changes the quantity by so much that no method of higher order hides its error."""
SEEN = 1e-4
"""That change, relative to the size of the terms of the quantity."""
MOST = 6
"""How often they grow."""
ROUNDINGS = 100
"""A method keeps what it changes by less than so many roundings a step; measured are up to 3, and 1e6 where it does not."""
NAMED = 2
"""How many methods that keep it are looked for."""
STILL = 1e-12
"""A change of a run below this part of the values is none worth a word."""


@final
@dataclass(frozen=True, repr=False)
class Keeping(display.Brief):
    """A quantity that the equations conserve and a method does not.

    Attributes
    ----------
    quantity, method : str
        Their names.
    change : float
        The largest change along a path of the run, relative to the largest value.
    keepers : tuple of str
        Methods that keep it to rounding, of those that declare to preserve something; not all that there are.
    """

    quantity: str
    method: str
    change: float
    keepers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.quantity}: {', '.join(self.lines)}"

    @property
    def lines(self) -> tuple[str, str]:
        """The proof, the effect of the method, and the effects of other methods."""
        return f"proved constant; {self.effect}", self.others

    @property
    def effect(self) -> str:
        """The effect of the method on it."""
        size = re.sub("e([+-])0", r"e\1", f"{self.change:.0e}").replace("e+0", "")
        return f"{self.method} changes it by {size} of its largest value"

    @property
    def others(self) -> str:
        """The effects of other methods."""
        keep = "preserves it" if len(self.keepers) == 1 else "preserve it"
        return f"{' and '.join(self.keepers)} {keep}" if self.keepers else "none of the methods tried preserves it"


def moved_by_method(run: RunData) -> Iterator[Keeping]:
    """The observables that the equations conserve and the method of the run changes: its energy, and what is declared so."""
    system = run.known_system
    for name, observable in ({} if system is None else system.observables()).items():
        result = keeping(run, name) if name == "energy" or observable.provable else None
        if result is not None:
            yield result


def keeping(run: RunData, name: str, system: SystemDefinition | None = None) -> Keeping | None:
    """The effect of the method of a run on an observable that the equations conserve, and the methods that preserve it.

    ``None`` where the equations change it or that cannot be decided, where the run does not change it or saved no start, and for
    a run whose system is not known. What is found is kept with the system.
    """
    system = run.known_system if system is None else system
    if system is None or name not in system.observables() or name not in run.data:
        return None
    if len(run.times) < 2 or run.times[0] != run.t_start:
        return None
    values = run.data[name][run.good]
    size = float(np.max(np.abs(values), initial=0.0))
    change = float(np.max(np.abs(values - values[:, :1]), initial=0.0))
    if not change > STILL * size:
        return None
    key = (keeping, name, run.config["method"], str(run.config["noise"]), run.config["dt"])
    others: tuple[str, tuple[str, ...]] | None = system.workings.known(
        key, lambda: _method_and_keepers(run, name, system)
    )
    return None if others is None else Keeping(name, others[0], change / size, others[1])


def proof_of(system: SystemDefinition, name: str, run: RunData, along: str = "both") -> Proof | None:
    """Whether the equations conserve it with the noise of a run; ``None`` where that cannot be decided."""
    try:
        return prove(
            system, name, along=along if driven(run) else "drift",
            parameters="given" if system.workings.paths is None else "generic", symbolic=False,
        )  # fmt: skip
    except errors.SemidirectError:
        return None


def driven(run: RunData) -> bool:
    """Whether noise or a path moves a run."""
    form = run.config["noise"]
    return form["kind"] != "none" and (
        form["kind"] == drivers.GivenPath.name or bool(drivers.driver_from_json(form).moves)
    )


def _method_and_keepers(run: RunData, name: str, system: SystemDefinition) -> tuple[str, tuple[str, ...]] | None:
    """The method of the run, if it changes what the equations conserve, and methods that do not."""
    proof = proof_of(system, name, run)
    if proof is None or not proof.holds:
        return None
    own = _method(run.config["method"])
    steps = None if own is None else _telling_steps(run, name, system, own)
    if own is None or steps is None:
        return None
    labels: list[str] = []
    declaring = [m for m in map(_method, METHODS) if m is not None and m.preserves and m.name != own.name]
    for method in sorted(declaring, key=lambda m: (m.implicit, m.deterministic_order)):  # what costs less comes first
        if len(labels) < NAMED and _keeps(run, name, system, method, steps):
            labels.append(method.label)
    return own.label, tuple(labels)


def _telling_steps(run: RunData, name: str, system: SystemDefinition, method: Integrator) -> float | None:
    """The length of the steps in which the method of the run moves the quantity clearly; ``None`` where it keeps it."""
    best = None
    longest = 0 if method.calculus == "ode" else MOST  # one that chooses its steps takes no longer ones
    for k in range(longest + 1):
        dt = float(run.config["dt"]) * LONGER**k
        outcome = _moved(run, name, system, method, dt)
        if outcome is None:  # it fails in longer ones
            break
        change, size = outcome
        if change > ROUNDINGS * EPSILON * size * STEPS:
            best = dt
        if change > SEEN * size:
            break
    return best


def _keeps(run: RunData, name: str, system: SystemDefinition, method: Integrator, dt: float) -> bool:
    outcome = _moved(run, name, system, method, dt)
    return outcome is not None and outcome[0] <= ROUNDINGS * EPSILON * outcome[1] * STEPS


def _moved(
    run: RunData, name: str, system: SystemDefinition, method: Integrator, dt: float
) -> tuple[float, float] | None:
    """The change in some steps from the recommended state on, and the size of the terms; ``None`` where it cannot be made."""
    one = system.workings.of_one_path
    try:
        driver: Any = suited_driver(method, drivers.driver_from_json(run.config["noise"]))
        short_run = simulate(
            one, t_end=STEPS * dt, dt=dt, paths=PATHS, method=method, driver=driver, seed=0,
            execution=Execution(engine="numpy"), checks=Checks(validate=False),
        )  # fmt: skip
        if not short_run.good.all():
            return None
        values = short_run.data[name]
        return float(np.max(np.abs(values - values[:, :1]))), Coefficients(one, short_run, name).size()
    except errors.SemidirectError:
        return None


def _method(name: str) -> Integrator | None:
    try:
        return integrator(name)
    except errors.SemidirectError:
        return None
