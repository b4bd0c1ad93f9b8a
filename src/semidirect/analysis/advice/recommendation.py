"""The methods that suit a system for a purpose, the best first, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from semidirect.analysis.advice.candidate import Candidate, Drift
from semidirect.analysis.advice.rates import Rates
from semidirect.core import display, errors
from semidirect.invariants import Constants
from semidirect.text import printing, text_layout

__all__ = ["Recommendation"]


@final
@dataclass(frozen=True, repr=False)
class Recommendation(display.Read):
    """Methods for a system and a purpose.

    Attributes
    ----------
    system, goal : str
    noise_class, reason : str
        The class of the noise, and why.
    form : str
        The form of the constraint, in words.
    constants : Constants
        The quantities that the equations conserve.
    rates : Rates
        The rates of the drift at the start.
    dt : float
        The step of the short runs [s].
    candidates : tuple of Candidate
        The best first.
    drifts : dict name → Drift
        The conserved quantities that the first method changes, and how fast.
    excluded : dict method → reason
        Methods that do not apply, or fail.
    default, default_reason : str
        The method of a run that names none, and why it is the one.
    """

    system: str
    goal: str
    noise_class: str
    reason: str
    form: str
    constants: Constants
    rates: Rates
    dt: float
    candidates: tuple[Candidate, ...]
    drifts: Mapping[str, Drift | None]
    excluded: Mapping[str, str]
    default: str
    default_reason: str

    @property
    def method(self) -> str:
        """The first method, for ``simulate(method=…)``."""
        return self.candidates[0].method

    def __getitem__(self, method: str) -> Candidate:
        for candidate in self.candidates:
            if candidate.method == method:
                return candidate
        raise errors.UnknownNameError("method of the recommendation", method, [c.method for c in self.candidates])

    def __str__(self) -> str:
        lines = [
            f"{self.system}, {self.goal}: {self.method}",
            f"  noise: {self.noise_class}, since {self.reason}",
            f"  equations: {self.form}",
            f"  constant by proof: {_listed(self.constants.along_all)}",
        ]
        if self.constants.along_drift:
            lines.append(f"  constant without noise: {_listed(self.constants.along_drift)}")
        if self.constants.undecided:
            lines.append(f"  not decided: {_listed(self.constants.undecided)}")
        lines += [
            f"  rates of the drift at the start: {self.rates}; short runs take steps of {self.dt:g} s",
            "",
            *self._why(),
        ]
        rows = [self._row(c) for c in self.candidates[:SHOWN]]
        noisy = bool(self.constants.along_drift) and self.goal == "long-run"
        columns = [k for k in range(len(HEADER)) if (noisy or k != 2) and any(row[k] for row in rows)]
        cells = [[row[k] for k in columns] for row in rows]
        right = [i for i, k in enumerate(columns) if k > 2]
        lines += ["", text_layout.table([HEADER[k] for k in columns], cells, right=right)]
        if len(self.candidates) > SHOWN:
            lines.append(f"and {len(self.candidates) - SHOWN} more")
        return "\n".join(lines)

    def _row(self, c: Candidate) -> list[str]:
        return [
            c.method,
            _part(c.keeps, self.constants.along_all),
            _part(c.keeps_without_noise, self.constants.along_drift),
            f"{c.change:.0e}" if c.change else "",
            printing.figures(c.strong),
            printing.figures(c.weak),
            printing.figures(c.deterministic),
            "" if c.evaluations != c.evaluations else f"{c.evaluations:.1f}",
            "" if c.error != c.error else f"{c.error:.0e}",
        ]

    def _why(self) -> list[str]:
        first = self.candidates[0]
        lost = [n for n in self.constants.along_all if n not in first.keeps]
        lines = []
        if self.constants.along_all and not lost:
            lines.append(f"{first.method} keeps all that is constant to rounding.")
        for name in lost:
            drift, others = self.drifts.get(name), [c.method for c in self.candidates if name in c.keeps]
            keep = f"{' and '.join(others[:2])} {'preserves' if len(others) == 1 else 'preserve'} it"
            how = f"changes {name}: {drift}" if drift else f"changes {name}, and paths fail in a longer run"
            lines.append(f"{first.method} {how}; {keep if others else 'none of the methods tried preserves it'}.")
        lines.append(f"The default is {self.default}: {self.default_reason}.")
        if self.goal == "weak" and self.noise_class != "none":
            lines.append(
                "Means of smooth quantities need far fewer paths with driver=sd.noise.Sobol(), unless times are long."
            )
        if self.rates.stiff:
            lines.append("The drift is stiff at the start: explicit methods need steps that resolve the fast decay.")
        return lines

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {
            "system": self.system, "goal": self.goal, "method": self.method, "noise_class": self.noise_class,
            "reason": self.reason, "form": self.form, "constants": {k: list(v) for k, v in vars(self.constants).items()},
            "rates": {**vars(self.rates), "stiff": self.rates.stiff}, "dt": self.dt,
            "candidates": [c.described() for c in self.candidates],
            "drifts": {k: None if v is None else v._asdict() for k, v in self.drifts.items()}, "excluded": dict(self.excluded),
            "default": {"method": self.default, "reason": self.default_reason},
        }  # fmt: skip


SHOWN = 6
"""Candidates that are printed."""
HEADER = "method", "keeps", "without noise", "changes the rest by", "strong", "weak", "no noise", "evaluations", "error"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _part(names: Sequence[str], of: Sequence[str]) -> str:
    """Some of all names, in few words."""
    if not of:
        return ""
    lost = [name for name in of if name not in names]
    if not lost:
        return "all"
    return f"all but {_listed(lost)}" if len(lost) < len(names) else _listed(names)
