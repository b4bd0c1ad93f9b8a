"""A law as data: its name, its condition, its test, and the states at which it is tested."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias, final

from semidirect.core import display
from semidirect.testing.laws.report import Outcome, missing
from semidirect.testing.laws.subject import Subject

Decide: TypeAlias = "Callable[[Subject], Outcome]"


def unless(absent: Callable[[Subject], str]) -> Callable[[Decide], Decide]:
    """State why a law does not apply: a function of the subject that returns the reason, or an empty text if the law applies."""

    def decorated(function: Decide) -> Decide:
        @wraps(function)
        def law(subject: Subject) -> Outcome:
            reason = absent(subject)
            return missing(reason) if reason else function(subject)

        law.absent = absent  # type: ignore[attr-defined]
        return law

    return decorated


@final
@dataclass(frozen=True, repr=False)
class Law(display.Brief):
    """One law of a system, for :func:`semidirect.testing.laws.check` and for the contracts of :mod:`semidirect.testing`.

    Attributes
    ----------
    name : str
        In reports.
    function : callable(Subject) → Outcome
        What holds, by its first line of documentation; measured at the states that the subject draws.
    needs : str
        A law that has to hold before: ``made`` or ``derivation``; empty for none.
    cases : callable(system) → dict label → system, optional
        Variants of the system that are compared one by one.
    slow : bool
        Whether it compiles or runs for long, which a quick check leaves out.
    """

    name: str
    function: Callable[[Subject], Outcome]
    needs: str = "made"
    cases: Callable[[Any], Mapping[str, Any]] | None = None
    slow: bool = False

    @property
    def doc(self) -> str:
        """The statement that holds if it passes."""
        return (self.function.__doc__ or "").strip()

    def absent(self, subject: Subject) -> str:
        """The reason why there is nothing to check, else empty; valid if the law that this one needs holds."""
        reason = getattr(self.function, "absent", None)
        return "" if reason is None else str(reason(subject))

    def outcome(self, subject: Subject) -> Outcome:
        """The result at the states of the subject."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return self.function(subject)
