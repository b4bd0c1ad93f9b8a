"""The abstract reduction of any number of quantities, known by one label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, final

from semidirect.core.arguments import validated_names
from semidirect.ensemble.reductions.reduction import Statistic, listed, refuse_what_is_no_text

if TYPE_CHECKING:
    from semidirect.ensemble.quantities import Quantities


@dataclass(frozen=True, eq=False)
class OfQuantities(Statistic):
    """A reduction with the fields ``quantities`` (``None``: all that are kept, or all that there are) and ``label``."""

    quantities: Sequence[str] | None
    label: str

    def __post_init__(self) -> None:
        refuse_what_is_no_text(f"label of {self.kind}", self.label)
        if self.quantities is not None and not isinstance(self.quantities, str):
            object.__setattr__(self, "quantities", validated_names(f"quantities of {self.kind}", self.quantities))

    @property
    @final
    def key(self) -> str:
        """Its label."""
        return self.label

    @final
    def names(self) -> tuple[str, ...]:
        """The quantities."""
        return tuple(self.quantities or ())

    @final
    def resolved(self, contents: Quantities) -> Self:
        """With all names written out."""
        return replace(self, quantities=listed(self.quantities, contents))
