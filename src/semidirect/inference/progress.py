"""A filter on its way through the data: the loop of a filter of all data and of one that gets them as they come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from semidirect.inference.sighting import Sighting

if TYPE_CHECKING:
    from semidirect.inference.filtered import Filtered

__all__ = ["Progress"]


class Progress(ABC):
    """A filter after some of the data."""

    @property
    @abstractmethod
    def t(self) -> float:
        """The time of the last data [s], or of the start."""

    @abstractmethod
    def take(self, sighting: Sighting) -> None:
        """Advance to the time of data and use them."""

    @abstractmethod
    def result(self) -> Filtered:
        """The result of the data so far; the filter can take more."""

    @abstractmethod
    def ahead(self, times: Sequence[float], names: Sequence[str] | None = None) -> dict[str, np.ndarray]:
        """Means, standard deviations and quantiles of quantities at times after the last data, ``(time, …)`` by name, given the
        data so far, which do not change; by default of those that the filter reports.
        """
