"""The result of a check, and the report of all checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal, final

from semidirect.core import display
from semidirect.text import text_layout

Status = Literal["ok", "warning", "failed", "not applicable"]


@final
@dataclass(frozen=True)
class Outcome:
    """The outcome of one check.

    Attributes
    ----------
    status : {"ok", "warning", "failed", "not applicable"}
        A warning is about something that may be intended.
    figure : str
        The measured figure, or why there is none.
    look_at : str
        Where to look, if it failed or may be unintended.
    """

    status: Status
    figure: str
    look_at: str = ""


def ok(figure: str) -> Outcome:
    """It holds."""
    return Outcome("ok", figure)


def warned(figure: str, look_at: str) -> Outcome:
    """A warning: it may be unintended; says where to look."""
    return Outcome("warning", figure, look_at)


def failed(figure: str, look_at: str) -> Outcome:
    """A failure: it does not hold; says where to look."""
    return Outcome("failed", figure, look_at)


def missing(reason: str) -> Outcome:
    """There is nothing to check."""
    return Outcome("not applicable", reason)


@final
@dataclass(frozen=True)
class Finding:
    """The outcome of one check by its name, and the seconds it took."""

    check: str
    outcome: Outcome
    seconds: float


@final
@dataclass(frozen=True, repr=False)
class Report(display.Read):
    """All findings about a system.

    Attributes
    ----------
    system : str
        The requested number of examples and seed.
    findings : tuple of Finding
        In the order of the checks.
    """

    system: str
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    @property
    def failures(self) -> tuple[str, ...]:
        """Names of the checks that failed."""
        return tuple(f.check for f in self.findings if f.outcome.status == "failed")

    @property
    def warnings(self) -> tuple[str, ...]:
        """Names of the checks that found something that may not be meant."""
        return tuple(f.check for f in self.findings if f.outcome.status == "warning")

    def __getitem__(self, name: str) -> Outcome:
        for finding in self.findings:
            if finding.check == name:
                return finding.outcome
        from semidirect.core import errors

        raise errors.UnknownNameError("check", name, [f.check for f in self.findings])

    def __str__(self) -> str:
        rows = []
        for f in self.findings:
            rows.append([f.outcome.status, f.check, f.outcome.figure])
            rows += [["", "", f"→ {f.outcome.look_at}"]] if f.outcome.look_at else []
        lines = [self.system, *([text_layout.table((), rows, indent=2)] if rows else [])]
        count = Counter(f.outcome.status for f in self.findings)
        total = sum(f.seconds for f in self.findings)
        summary = ", ".join(f"{count[s]} {s}" for s in ("ok", "warning", "failed", "not applicable") if count[s])
        return "\n".join([*lines, f"{summary}; {total:.1f} s"])

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {
            "system": self.system, "good": self.good,
            "checks": {
                f.check: {"status": f.outcome.status, "figure": f.outcome.figure, "look_at": f.outcome.look_at,
                          "seconds": round(f.seconds, 3)}
                for f in self.findings
            },
        }  # fmt: skip
