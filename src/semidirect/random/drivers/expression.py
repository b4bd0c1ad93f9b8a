"""The driver stated as text: a smooth path W(t)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

from semidirect.random.driver import DrivenRun, Driver
from semidirect.random.driving_path import DrivingPath, validated_components
from semidirect.random.driving_process import DrivingProcess

__all__ = ["Expression"]


@final
@dataclass(frozen=True)
class Expression(Driver):
    """A smooth path W(t) that replaces the noise.

    Attributes
    ----------
    W : str, number, or a sequence of them
        An expression in t for each noise: ``"sin(t)"``, ``["sin(t)", "0"]``; the number 0 for no motion of any noise.
    """

    W: str | float | Sequence[str | float]

    name: ClassVar[str] = "expression"

    def __post_init__(self) -> None:
        DrivingPath.from_expression(self.W)
        if isinstance(self.W, list):
            object.__setattr__(self, "W", tuple(self.W))

    def process(self, run: DrivenRun) -> DrivingProcess | None:
        """The path, after a check of its number of components."""
        if self._zero:
            return DrivingPath.from_expression(["0"] * run.rows) if run.components else None
        return validated_components(DrivingPath.from_expression(self.W), run.components)

    def as_json(self, process: DrivingProcess) -> dict[str, Any]:
        """The text."""
        return {"W": list(self.W) if isinstance(self.W, tuple) else self.W}

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Self:
        """The same path."""
        return cls(form["W"])

    @property
    def moves(self) -> bool:
        """False if it is 0."""
        return not self._zero and self.W != "0"

    @property
    def _zero(self) -> bool:
        return isinstance(self.W, (int, float)) and self.W == 0
