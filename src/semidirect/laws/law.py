"""A law as data: its name, where it applies, what decides whether it holds, and at which states."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

from semidirect.laws.report import Outcome, missing
from semidirect.laws.subject import Subject


@final
@dataclass(frozen=True)
class Law:
    """One law of a system, for :func:`semidirect.laws.check` and for the contracts of :mod:`semidirect.testing`.

    Attributes
    ----------
    name : str
        In reports.
    function : callable(Subject) → Outcome
        What holds, by its first line of documentation; measured at the states that the subject draws.
    needs : str
        A law that has to hold before: ``made`` or ``derivation``; empty for none.
    applies : callable(Subject) → str, optional
        Why there is nothing to check, empty where there is; called only where the law that it needs holds.
    cases : callable(system) → dict label → system, optional
        Variants of the system that are compared one by one.
    slow : bool
        Whether it compiles or runs for long, which a quick check leaves out.
    """

    name: str
    function: Callable[[Subject], Outcome]
    needs: str = "made"
    applies: Callable[[Subject], str] | None = None
    cases: Callable[[Any], Mapping[str, Any]] | None = None
    slow: bool = False

    @property
    def doc(self) -> str:
        """What holds where it passes."""
        return (self.function.__doc__ or "").strip()

    def outcome(self, subject: Subject) -> Outcome:
        """What was found at the states that the subject draws."""
        reason = self.applies(subject) if self.applies is not None else ""
        if reason:
            return missing(reason)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return self.function(subject)
