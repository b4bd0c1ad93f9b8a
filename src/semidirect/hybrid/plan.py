"""The specification of a run of a hybrid system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from semidirect.hybrid.ended_hybrid import Begin
from semidirect.hybrid.mode import Mode
from semidirect.hybrid.reduced import Reduced
from semidirect.specification import RunSpec

__all__ = ["HybridPlan"]


@final
@dataclass(frozen=True, eq=False)
class HybridPlan:
    """Determines a run of a hybrid system; the paths follow from it to the last bit, however they are divided.

    Attributes
    ----------
    modes : tuple of Mode
    start : int
        The mode of all paths at the start.
    most : int
        Transitions within one step, at which a path is stopped.
    sizes : dict name → int
        The quantities to save.
    begin : Begin
        Where paths begin.
    reduced : Reduced
        The statistics to take.
    compiled : bool
        Whether kernels step paths between events.
    """

    modes: tuple[Mode, ...]
    start: int
    most: int
    sizes: Mapping[str, int]
    begin: Begin
    reduced: Reduced
    compiled: bool = False

    @property
    def spec(self) -> RunSpec:
        """The run of the mode at the start, which has the times, paths and chunks of all."""
        return self.modes[self.start].spec

    @property
    def components(self) -> tuple[str, ...]:
        """The names of what may end a path: components of the states of modes, and switches."""
        names = dict.fromkeys(name for mode in self.modes for name in mode.spec.contents.state)
        labels = {guard.number: guard.switch.label for mode in self.modes for guard in mode.guards}
        return (*names, *(labels[number] for number in sorted(labels)))
