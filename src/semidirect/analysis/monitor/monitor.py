"""The monitor, which compares the observables of a run with their declared status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.monitor.expectations import EXPECTATIONS, Judgement, Outcome
from semidirect.analysis.monitor.keeping import driven, keeping, proof_of
from semidirect.analysis.monitor.start_level import start_level, written
from semidirect.analysis.monitor.watched import Coefficients, Watched
from semidirect.core import arguments, display, errors, explains_calls
from semidirect.ensemble import simulate
from semidirect.integrators import AdaptiveIntegrator, integrator
from semidirect.model import NumericalSDE
from semidirect.random import drivers
from semidirect.results import RunLike, a_run
from semidirect.specification import Checks, Formulation
from semidirect.statistics import Dependence

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.results import RunData

__all__ = ["Finding", "Monitor", "Outcome", "monitor"]


@final
@dataclass(frozen=True)
class Finding:
    """One observable: its declared status and the result of its test.

    Attributes
    ----------
    quantity, status : str
    outcome : Outcome
    reason : str
    figures : dict name → float
    """

    quantity: str
    status: str
    outcome: Outcome
    reason: str
    figures: Mapping[str, float]


@explains_calls
@final
@dataclass(frozen=True, repr=False)
class Monitor(display.Read):
    """The behaviour of the observables of a run, compared with their declared status.

    Attributes
    ----------
    findings : tuple of Finding
        One for each observable that declares something.
    level : dict name → float
        The level on which the run starts, as ``prove(on=…)`` takes it, see :func:`.start_level`.
    """

    findings: tuple[Finding, ...]
    level: Mapping[str, float] = field(default_factory=dict)

    @property
    def met(self) -> bool:
        """Whether no declaration is violated."""
        return all(f.outcome is not Outcome.VIOLATED for f in self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __getitem__(self, quantity: str) -> Finding:
        for finding in self.findings:
            if finding.quantity == quantity:
                return finding
        raise errors.UnknownNameError("observable of the monitor", quantity, [f.quantity for f in self.findings])

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {
            "met": self.met,
            "level": dict(self.level),
            "observables": {
                f.quantity: {"status": f.status, "outcome": f.outcome.value, "reason": f.reason, "figures": dict(f.figures)}
                for f in self.findings
            },
        }  # fmt: skip

    def __str__(self) -> str:
        from semidirect.text import text_layout

        rows = [[f.quantity, f.status, f.outcome.value, _figures(f.figures), f.reason] for f in self.findings]
        return text_layout.table(["observable", "declared", "result", "figures", "because"], rows) + (
            f"\n{written(self.level)}" if self.level else ""
        )


@explains_calls
def monitor(
    run: RunLike, system: SystemDefinition | None = None, *, names: Sequence[str] | None = None, refine: bool = True
) -> Monitor:
    """Compare each observable of a run with the status that it declares.

    ``exact`` and ``drifts`` are conserved by the equations, ``bounded`` stay in a band, ``dissipated`` never increase, ``random``
    have the quadratic variation of their noise coefficients. The equations themselves are checked first (by a proof, or by
    the coefficients DQ·f and DQ·g_i at the states of the run), so a fault of the model is distinguished from an error of the
    method.

    Parameters
    ----------
    run : Run
        With all state variables at several times, including the start.
    system : System, optional
        Whose run it is; needed for a run that was loaded if its class is neither installed nor imported.
    names : sequence of str, optional
        Observables; default all that declare a status.
    refine : bool
        Whether what drifts beyond rounding, or goes another way than it may, is run again at half the step on the same noise.

    Raises
    ------
    InputError
        If the system is not known, no path is good, or the run did not save its states.
    UnknownNameError
        For an observable that the system does not have.
    """
    from semidirect.definition import SystemDefinition as AnySystem

    run = a_run(run)
    if run.history is not None:
        raise errors.InputError("a run to monitor", expected="one of one system", got="one of a hybrid system, in whose impacts "
                                "energy is lost", hint="Compare run['energy'] with run.transitions.loss.")  # fmt: skip
    Dependence(replications=drivers.replications_of(run.config["noise"])).refuse("the monitor of a run")
    # a run that was loaded has no class, which has to say how its observables move
    system = run.known_system if system is None else system
    if not isinstance(system, AnySystem | None):
        raise errors.InputError("the system of a run", expected="a system, or none", got=repr(system),
                                hint="Observables are named by names=[…].")  # fmt: skip
    if system is None:
        raise errors.InputError(
            "the monitor of a run that was loaded", expected="its system", got="none", hint="Give system=…."
        )
    if not run.good.any() or len(run.times) < 2 or run.times[0] != run.t_start:
        raise errors.InputError("the monitor of a run", expected=f"good paths and several times, from {run.t_start:g} on",
                                got=f"{np.count_nonzero(run.good)} good paths, {len(run.times)} times")  # fmt: skip
    status_of = statuses(system)
    for name in () if names is None else arguments.validated_names("observables", names):
        arguments.validated_name("observable", name, status_of)
    arguments.validated_flag("refine", refine)
    selection = [n for n, status in status_of.items() if status and n in run.data and (names is None or n in names)]
    # the run at half the step is made at most once, and only if an observable has to be looked at more closely
    again = cache(lambda: _at_half_the_step(system, run) if refine else None)
    return Monitor(tuple(_finding(system, run, name, again) for name in selection), start_level(run, system))


def statuses(system: SystemDefinition) -> dict[str, str]:
    """The declared status of each observable; the normal force of a contact is to be positive."""
    contact = NumericalSDE.of(system, variables="velocity").structure.shape.contact
    forces = {n: "positive" if n == "normal-force" else "" for n in contact}
    return {**forces, **{n: o.status for n, o in system.observables().items()}}


def _finding(system: SystemDefinition, run: RunData, name: str, again: Callable[[], RunData | None]) -> Finding:
    status = statuses(system)[name]
    expectation = EXPECTATIONS[status]
    judgement: Judgement = expectation.judge(
        _watched(system, run, name, again, coefficients=expectation.asks_equations)
    )
    if judgement.outcome is Outcome.VIOLATED and expectation.by_values and (fine := again()) is not None:
        finer = expectation.judge(_watched(system, fine, name, lambda: None))
        if finer.outcome is not Outcome.VIOLATED:
            reason = f"{judgement.reason}, but at half the step {finer.reason}"
            judgement = Judgement(Outcome.METHOD, reason, judgement.figures)
    report = None if judgement.outcome is Outcome.VIOLATED else keeping(run, name, system)
    reason = judgement.reason if report is None else f"{judgement.reason}; {report.effect}, {report.others}"
    return Finding(name, status, judgement.outcome, reason, judgement.figures)


def _watched(
    system: SystemDefinition, run: RunData, name: str, again: Callable[[], RunData | None], *, coefficients: bool = True
) -> Watched:
    values, size = _rows(run.data[name][run.good]), 0.0
    columns = dict.fromkeys(("drift", "ito"), np.zeros_like(values))
    if coefficients:
        terms = Coefficients(system, run, name)
        columns, size = terms.columns(), terms.size()
    noises = [k for k in columns if k.startswith("noise")]
    is_driven = driven(run)
    shape = columns["drift"].shape
    noise = np.stack([columns[k] for k in noises]) if noises and is_driven else np.zeros((0, *shape))

    def refined() -> np.ndarray | None:
        fine = again()
        if fine is None:
            return None
        both = fine.good[run.good]
        return _rows(fine.data[name][run.good])[both]

    return Watched(
        name, statuses(system)[name], run.times, values, columns["drift"],
        columns["ito"] if is_driven else columns["drift"], noise, size,
        run.steps, run.config["noise"]["kind"] == "wiener", partial(proof_of, system, name, run), refined,
        _declared_order(system, run), drivers.has_one_noise(run.config["noise"]),
    )  # fmt: skip


def _rows(values: np.ndarray) -> np.ndarray:
    return values[..., None] if values.ndim == 2 else values


def _at_half_the_step(system: SystemDefinition, run: RunData) -> RunData | None:
    """The same run at half the step on the same noise; ``None`` if it cannot be repeated."""
    config = run.config
    try:
        driver, method = drivers.driver_from_json(config["noise"]), integrator(config["method"])
    except errors.InputError:  # a path that the manifest does not contain, or a method that is not installed
        return None
    if not driver.refinable or isinstance(method, AdaptiveIntegrator):
        return None
    state = {k: run.data[k][:, 0] for k in run.final if k in run.data}
    try:
        return simulate(
            system, t_end=config["t_end"], t_start=run.t_start, dt=config["dt"] / 2, paths=config["paths"],
            method=method, state=state,
            save=[float(t) for t in run.times], checks=Checks(validate=False),
            formulation=Formulation(reconstruct=config.get("reconstruct", True)), driver=driver, seed=config["seed"],
        )  # fmt: skip
    except errors.SemidirectError:
        return None


def _declared_order(system: SystemDefinition, run: RunData) -> float:
    from semidirect.model import NoiseClass, NumericalSDE

    try:
        method = integrator(run.config["method"])
        if run.config["noise"]["kind"] != "wiener":
            return float(method.deterministic_order)
        return float(method.strong_order[NoiseClass.of(NumericalSDE.of(system)).name])
    except (errors.SemidirectError, KeyError, AttributeError):
        return float("nan")


def _figures(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in figures.items())
