"""The abstract statistic of any number of quantities, with one label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, final

from semidirect.core import arguments
from semidirect.statistics.reduction import Statistic, listed, refuse_what_is_no_text

if TYPE_CHECKING:
    from semidirect.quantities import Quantities


@dataclass(frozen=True, eq=False)
class OfQuantities(Statistic):
    """A statistic with the fields ``quantities`` (``None``: the saved ones, or all if none is saved) and ``label``."""

    quantities: Sequence[str] | None
    label: str

    def __post_init__(self) -> None:
        refuse_what_is_no_text(f"label of {self.kind}", self.label)
        if self.quantities is not None and not isinstance(self.quantities, str):
            object.__setattr__(
                self, "quantities", arguments.validated_names(f"quantities of {self.kind}", self.quantities, least=1)
            )

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
        """The same statistic with all names filled in."""
        return replace(self, quantities=listed(self.quantities, contents))
