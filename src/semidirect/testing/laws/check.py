"""The laws of a system, in their order, and one check of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from semidirect.core import arguments, errors, explains_calls, messages
from semidirect.definition import Preset, plugins
from semidirect.testing.laws import (
    constraint,
    equations,
    lagrangian,
    numerics,
    observables,
    reach,
    structure,
    symmetry,
    units,
)
from semidirect.testing.laws import symbols_and_numbers as lives
from semidirect.testing.laws.law import Law
from semidirect.testing.laws.report import Finding, Outcome, Report, failed, missing, ok
from semidirect.testing.laws.subject import Subject
from semidirect.testing.laws.system_variants import structures, variants


def made(subject: Subject) -> Outcome:
    """The system can be made with its parameters, and states its data."""
    system = subject.system
    subject.definition  # noqa: B018 - made here, so that an error is reported here
    return ok(
        f"{type(system).__name__} on {system.group.name}, {len(system.values)} parameters, {len(system.workings.choices)} options"
    )


LAWS = (
    Law("made", made, needs=""),
    Law("algebra", structure.algebra),
    Law("representations", structure.representations),
    Law("names", structure.names),
    Law("symmetric matrices", lagrangian.symmetric_matrices),
    Law("rank of the constraint", constraint.rank),
    Law("A form and B form", constraint.forms),
    Law("inertia", lagrangian.inertia),
    Law("solvable", lagrangian.solvable),
    Law("Legendre transform", lagrangian.legendre),
    Law("contact", constraint.contact),
    Law("derivation", equations.derived),
    Law("derivatives of l", lagrangian.derivatives, needs="derivation"),
    Law("symbols and numbers", lives.lives, needs="derivation", cases=variants),
    Law("principles", equations.principles, needs="derivation", cases=structures),
    Law("energy law", equations.energy, needs="derivation", cases=structures),
    Law("residual", constraint.residual, needs="derivation"),
    Law("holonomic", constraint.holonomic, needs="derivation"),
    Law("noise", constraint.noise, needs="derivation"),
    Law("advected quantities", symmetry.orbits, needs="derivation"),
    Law("spatial momentum", symmetry.spatial_momentum, needs="derivation"),
    Law("symmetric paths", symmetry.equivariant, needs="derivation"),
    Law("recommended state", observables.recommended, needs="derivation"),
    Law("observables", observables.finite, needs="derivation"),
    Law("units", units.agree, needs="derivation"),
    Law("declared statuses", observables.statuses, needs="derivation"),
    Law("printed equations", equations.printed, needs="derivation"),
    Law("reconstruction", symmetry.reconstructed, needs="derivation"),
    Law("orders", numerics.orders, needs="derivation", slow=True),
    Law("compiled bits", numerics.bits, needs="derivation", slow=True),
    Law("parameters and options", reach.reach, needs="derivation"),
)
"""All laws of a system in the order of reports."""


@explains_calls
def check(target: str | plugins.Loaded, *, quick: bool = False, seed: int = 0,
          on_finding: Callable[[Finding], None] | None = None, **choices: Any) -> Report:  # fmt: skip
    """Check a system against its laws.

    Parameters
    ----------
    target : str, subclass of System, or Preset
        An installed system's name, ``module:Class``, or the class.
    quick : bool
        Whether to skip checks that compile code or measure orders.
    seed : int
        Of the random states, which are exact rational points of the invariant set.
    on_finding : callable, optional
        Called with each finding as it comes.
    choices
        Parameters and options that differ from the defaults.

    Raises
    ------
    UnknownNameError, InputError
        If there is no such system.
    """
    seed = arguments.validated_seed(seed)
    system_kind = plugins.resolve(target) if isinstance(target, str) else target
    subject, findings = Subject(system_kind, choices, seed), []
    arrays = getattr(getattr(system_kind, "system", system_kind), "_states_arrays", False)  # of a preset, its class
    for finding in _of_arrays(subject) if arrays else _of_equations(subject, quick):
        findings.append(finding)
        if on_finding is not None:
            on_finding(finding)
    return Report(target if isinstance(target, str) else _name(system_kind), tuple(findings))


def _of_equations(subject: Subject, quick: bool) -> Iterator[Finding]:
    """The findings on the laws, one after the other."""
    passed = set()
    for one in LAWS:
        if quick and one.slow:
            continue
        start = perf_counter()
        if one.needs and one.needs not in passed:
            outcome = missing(f"needs {one.needs!r}, which failed")
        else:
            outcome = _outcome(one, subject)
        if outcome.status in ("ok", "warning"):
            passed.add(one.name)
        yield Finding(one.name, outcome, perf_counter() - start)


def _of_arrays(subject: Subject) -> Iterator[Finding]:
    """Those on a system that is stated by functions of whole arrays, to which laws of derived equations do not apply."""
    start = perf_counter()
    outcome = _outcome(LAWS[0], subject)
    if outcome.status == "failed":
        yield Finding(LAWS[0].name, outcome, perf_counter() - start)
        return
    for law, holds, text in subject.system._stated_by_arrays().laws():
        outcome = ok(text) if holds else failed(text, "what the system declares")
        yield Finding(law, outcome, perf_counter() - start)
        start = perf_counter()


def _outcome(one: Law, subject: Subject) -> Outcome:
    try:
        return one.outcome(subject)
    except errors.SemidirectError as error:
        return failed(str(error), messages.user_source_line(error) or f"the conditions are: {one.doc.splitlines()[0]}")
    except Exception as error:
        where = messages.user_source_line(error)
        why = None if where else _why_not_derived(subject)
        if why is not None:
            return failed(str(why), messages.user_source_line(why) or f"the conditions are: {one.doc.splitlines()[0]}")
        return failed(f"{type(error).__name__}: {error}", where or "the definition; --debug shows where.")


def _why_not_derived(subject: Subject) -> errors.SemidirectError | None:
    """The error of the derivation for a definition on which a check failed to run, since the derivation checks all shapes."""
    try:
        subject.derivations()
    except errors.SemidirectError as error:
        return error
    except Exception:
        return None
    return None


def _name(target: plugins.Loaded) -> str:
    kind = target.system if isinstance(target, Preset) else target
    return f"{kind.__module__}:{kind.__qualname__}"
