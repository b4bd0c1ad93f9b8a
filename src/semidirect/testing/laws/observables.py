"""Checks of the observables of a system, and of its recommended state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

import semidirect as sd
from semidirect.core import errors, interpolation
from semidirect.equations import derived_sde, quantity_expressions
from semidirect.state import evaluate
from semidirect.testing.laws.derived_columns import DerivedColumns
from semidirect.testing.laws.exact_points.numbers import same
from semidirect.testing.laws.law import unless
from semidirect.testing.laws.report import Outcome, failed, ok
from semidirect.testing.laws.subject import Subject

if TYPE_CHECKING:
    from semidirect.definition import Observable

LOSSES = 20


def recommended(subject: Subject) -> Outcome:
    """The recommended state is one, and all fields are finite there."""
    system = subject.system
    result = evaluate(system)
    foreign = system.workings.velocities_of_base(subject.definition)
    for name, value in system.initial.items():
        if name in foreign and name not in result["state"]:
            continue
        if not np.allclose(result["state"][name], value, rtol=1e-12, atol=1e-12):
            return failed(
                f"{name} is {result['state'][name]} and not {value}", "initial: it is not on the orbit of a₀."
            )
    fields = list(_numbers(result["drift"])) + list(_numbers(result["noise"]))
    if not np.all(np.isfinite(fields)):
        return failed("a field is not finite there", "initial: move it away from where the definition divides by 0.")
    return ok(
        f"drift and {len(result['noise'])} noises finite, |drift| ≤ {max(map(abs, _numbers(result['drift'])), default=0):.3g}"
    )


def nothing_observed(subject: Subject) -> str:
    """Why there is nothing to observe."""
    return "" if subject.system.observables() else "no observables"


def nothing_declared(subject: Subject) -> str:
    """The reason why there is no status to prove."""
    declared = {n: o for n, o in subject.system.observables().items() if o.status}
    if any(o.provable or o.status == "dissipated" for o in declared.values()):
        return ""
    return "; ".join(["nothing is declared exact", *_random(declared)])


def _random(declared: Mapping[str, Observable]) -> list[str]:
    names = [n for n, o in declared.items() if not o.provable and o.status not in ("dissipated", "positive")]
    return [f"declared random or bounded: {', '.join(names)}"] if names else []


@unless(nothing_observed)
@interpolation.extended_tables()
def finite(subject: Subject) -> Outcome:
    """Observables are finite at random states."""
    system = subject.system
    for state in _regular_states(subject, "finite", 5):
        for name, value in state["observables"].items():
            if not np.all(np.isfinite(list(_numbers(value)))):
                return failed(
                    f"{name} is not finite at a random state", f"{name}: a root of a negative number, or a 0 below."
                )
    return ok(", ".join(system.observables()))


@unless(nothing_declared)
def statuses(subject: Subject) -> Outcome:
    """Neither drift nor noise changes quantities with the status exact or drifts; exactly.

    Dissipated quantities never grow.
    """
    system = subject.system
    declared = {n: o for n, o in system.observables().items() if o.status}
    exact = [n for n, o in declared.items() if o.provable]
    dissipated = [n for n, o in declared.items() if o.status == "dissipated"]
    words, wrong, names = [], [], []
    for name in exact:
        change = _moved(subject, name)
        if change:
            wrong.append(f"{name} is declared {declared[name].status}, but {change}")
            names.append(name)
    if exact and not wrong:
        words.append(f"exact and proved: {', '.join(exact)}")
    for name in dissipated:
        if derived_sde(system).wieners and (change := _moved(subject, name, "noise")):
            wrong.append(f"{name} is declared dissipated, but {change}")
            names.append(name)
        rates = [np.max(s["observables"][name]["drift"]) for s in _regular_states(subject, name, LOSSES)]
        if max(rates) > 1e-12 * max(1.0, max(map(abs, rates))):
            wrong.append(f"{name} is declared dissipated, but grows at the rate {max(rates):.3g}")
            names.append(name)
        words.append(f"{name} falls at {len(rates)} states")
    if wrong:
        return failed(
            "; ".join(wrong),
            f"{', '.join(names)}: the status, the noise or force that breaks it, or the formula; 'semidirect evolution' prints "
            "how it moves.",
        )
    return ok("; ".join([*words, *_random(declared)]))


def _moved(subject: Subject, name: str, along: str = "both") -> str:
    """The changes of a quantity along some columns, in words; empty if it does not change."""
    system = subject.system
    try:
        proof = sd.invariants.prove(system, name, along=along, symbolic=False, seed=subject.seed)
    except errors.InputError:  # no rational points: sixty digits
        sde = derived_sde(system, variables="velocity")
        columns = DerivedColumns(
            sde, {"Q": quantity_expressions.component_expressions(system, system.observables()[name], sde)}
        )
        equations = subject.derivations()
        for all_columns in subject.at_states(name, lambda s: columns(equations.inputs(sde, equations.admissible(s)))):
            for k, column in enumerate(all_columns):
                if k == 0 and along == "noise":
                    continue
                wrong = [x for x in column["d_Q"] if not same(x, 0)]
                if wrong:
                    return f"moves along {f'noise{k}' if k else 'drift'} at the rate {float(wrong[0]):.3g}"
        return ""
    verdict = next((v for v in proof.verdicts if v.holds is not True), None)
    return "" if verdict is None else str(verdict)


def _regular_states(subject: Subject, purpose: str, count: int) -> list[dict[str, Any]]:
    """The results of ``evaluate`` at random states with a finite drift."""
    system = subject.system
    results = [evaluate(system, state) for state in islice(subject.source.floats(purpose, system), count)]
    return [f for f in results if np.all(np.isfinite(list(_numbers(f["drift"]))))] or subject.source.none_is_regular()


def _numbers(value: Any) -> Iterator[float]:
    """All numbers of what :func:`evaluate` gives, or of a part of it."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _numbers(part)
    else:
        yield value
