"""The checks, in their order, and one run of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, final

from semidirect.core.arguments import validated_seed
from semidirect.core.errors import SemidirectError
from semidirect.core.user_source_line import user_source_line
from semidirect.definition.plugins import Loaded
from semidirect.definition.preset import Preset
from semidirect.definition.resolve import resolve
from semidirect.laws import constraint, equations, lagrangian, numerics, observables, structure, symmetry
from semidirect.laws import symbols_and_numbers as lives
from semidirect.laws.report import Finding, Outcome, Report, failed, missing, ok
from semidirect.laws.subject import Subject


@final
@dataclass(frozen=True)
class Check:
    """One question about a system.

    Attributes
    ----------
    name : str
        In reports.
    function : callable(Subject) → Outcome
        Its first line of documentation says what holds.
    needs : str
        A check that has to pass before: ``made`` or ``derivation``; empty for none.
    slow : bool
        Whether it compiles or runs for long, which ``quick`` leaves out.
    """

    name: str
    function: Callable[[Subject], Outcome]
    needs: str = "made"
    slow: bool = False

    @property
    def doc(self) -> str:
        """What holds where it passes."""
        return (self.function.__doc__ or "").strip()


def made(subject: Subject) -> Outcome:
    """The system can be made with its parameters, and states its data."""
    system = subject.system
    subject.definition  # noqa: B018 - made here, so that an error is reported here
    return ok(
        f"{type(system).__name__} on {system.group.name}, {len(system.values)} parameters, {len(system.choices)} options"
    )


CHECKS = (
    Check("made", made, needs=""),
    Check("algebra", structure.algebra),
    Check("representations", structure.representations),
    Check("names", structure.names),
    Check("symmetric matrices", lagrangian.symmetric_matrices),
    Check("rank of the constraint", constraint.rank),
    Check("A form and B form", constraint.forms),
    Check("inertia", lagrangian.inertia),
    Check("solvable", lagrangian.solvable),
    Check("contact", constraint.contact),
    Check("derivation", equations.derived),
    Check("derivatives of l", lagrangian.derivatives, needs="derivation"),
    Check("symbols and numbers", lives.lives, needs="derivation"),
    Check("principles", equations.principles, needs="derivation"),
    Check("energy law", equations.energy, needs="derivation"),
    Check("holonomic", constraint.holonomic, needs="derivation"),
    Check("noise", constraint.noise, needs="derivation"),
    Check("advected quantities", symmetry.orbits, needs="derivation"),
    Check("spatial momentum", symmetry.spatial_momentum, needs="derivation"),
    Check("recommended state", observables.recommended, needs="derivation"),
    Check("observables", observables.finite, needs="derivation"),
    Check("declared statuses", observables.statuses, needs="derivation"),
    Check("printed equations", equations.printed, needs="derivation"),
    Check("reconstruction", symmetry.reconstructed, needs="derivation"),
    Check("orders", numerics.orders, needs="derivation", slow=True),
    Check("compiled bits", numerics.bits, needs="derivation", slow=True),
)
"""All checks in the order of reports."""


def check(target: str | Loaded, *, quick: bool = False, seed: int = 0, on_finding: Callable[[Finding], None] | None = None,
          **choices: Any) -> Report:  # fmt: skip
    """Hold a system against the contract.

    Parameters
    ----------
    target : str, subclass of System, or Preset
        An installed system's name, ``module:Class``, or the class.
    quick : bool
        Whether to leave out what compiles or measures orders.
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
    seed = validated_seed(seed)
    loaded = resolve(target) if isinstance(target, str) else target
    subject, passed, findings = Subject(loaded, choices, seed), set(), []
    for one in CHECKS:
        if quick and one.slow:
            continue
        start = perf_counter()
        if one.needs and one.needs not in passed:
            outcome = missing(f"needs {one.needs!r}, which failed")
        else:
            outcome = _outcome(one, subject)
        if outcome.status in ("ok", "warning"):
            passed.add(one.name)
        findings.append(Finding(one.name, outcome, perf_counter() - start))
        if on_finding is not None:
            on_finding(findings[-1])
    return Report(target if isinstance(target, str) else _name(loaded), tuple(findings))


def _outcome(one: Check, subject: Subject) -> Outcome:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return one.function(subject)
    except SemidirectError as error:
        return failed(str(error), user_source_line(error) or f"what has to hold: {one.doc.splitlines()[0]}")
    except Exception as error:
        where = user_source_line(error)
        why = None if where else _why_not_derived(subject)
        if why is not None:
            return failed(str(why), user_source_line(why) or f"what has to hold: {one.doc.splitlines()[0]}")
        return failed(f"{type(error).__name__}: {error}", where or "the definition; --debug shows where.")


def _why_not_derived(subject: Subject) -> SemidirectError | None:
    """What the derivation says of a definition on which a check broke: it knows the shapes of everything."""
    try:
        subject.derivations()
    except SemidirectError as error:
        return error
    except Exception:
        return None
    return None


def _name(loaded: Loaded) -> str:
    kind = loaded.system if isinstance(loaded, Preset) else loaded
    return f"{kind.__module__}:{kind.__qualname__}"
