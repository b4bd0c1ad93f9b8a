"""How several constraints are solved together: the steps, which rows are redundant, and which forces are not determined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from semidirect.definition.constraints.elimination import Elimination


@final
@dataclass(frozen=True)
class Joining:
    """Decisions made once for a definition with its numbers, valid for its symbols too.

    Attributes
    ----------
    elimination : Elimination
        The steps for all rows.
    complements : tuple of Elimination or None
        For each constraint that states directions alone, the steps to its covectors.
    rows : tuple of (first, end)
        The rows of each constraint.
    redundant : tuple of tuple of str
        Names of the constraints whose rows are combined in each redundancy.
    undetermined : tuple of (name, reason)
        Quantities of single constraints that are not determined.
    ideal : bool
        Whether no constraint states directions C of its reaction.
    """

    elimination: Elimination
    complements: tuple[Elimination | None, ...]
    rows: tuple[tuple[int, int], ...]
    redundant: tuple[tuple[str, ...], ...]
    undetermined: tuple[tuple[str, str], ...]
    ideal: bool

    @property
    def has_basis(self) -> bool:
        """Whether D has coordinates."""
        return self.ideal and self.elimination.has_basis
