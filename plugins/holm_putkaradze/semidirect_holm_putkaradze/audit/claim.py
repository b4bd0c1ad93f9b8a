"""An equation of the paper: what it says in our words, and its lines as formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from semidirect_holm_putkaradze.audit.formula import Formula
from semidirect_holm_putkaradze.audit.setting import Setting


@final
@dataclass(frozen=True)
class Claim:
    """One line: a chain of formulas, each to be equal to the first.

    Attributes
    ----------
    printed : str
        As the paper has it, in the language of :class:`.Formula`.
    setting : Setting
        Where it is said.
    corrected : str or dict model → str
        What the line should be, to be proved as well; empty where there is nothing to correct.
    """

    printed: str
    setting: Setting
    corrected: str | Mapping[str, str] = ""

    @property
    def formula(self) -> Formula:
        """The printed line."""
        return Formula(self.printed)

    @property
    def corrections(self) -> dict[str, Formula]:
        """The corrected line by model."""
        if isinstance(self.corrected, str):
            return dict.fromkeys(self.setting.models, Formula(self.corrected)) if self.corrected else {}
        return {model: Formula(text) for model, text in self.corrected.items()}


@final
@dataclass(frozen=True)
class Equation:
    """A displayed equation.

    Attributes
    ----------
    label : str
        Its label in the paper, or where it stands, if it has none.
    says : str
        What it states.
    claims : tuple of Claim
        Its lines.
    """

    label: str
    says: str
    claims: tuple[Claim, ...]
