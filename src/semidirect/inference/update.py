"""How a filter uses data: the abstract update."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from semidirect.core import user_code
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered

__all__ = ["Update"]


class Update(user_code.Hooked, ABC):
    """How a filter uses data. An update is a frozen object; most are a :class:`CloudUpdate`.

    Attributes
    ----------
    name : str
        The text by which :func:`~semidirect.inference.filter.filter` finds it, and the name of its entry point.
    smooths : bool
        Whether it selects particles with their past, so that there are smoothed estimates, and families of particles show
        Monte Carlo errors.
    random : bool
        Whether its log-likelihood depends on random numbers even if the start does not; the search of a fit depends on it.
    """

    name: ClassVar[str]
    smooths: ClassVar[bool] = False
    random: ClassVar[bool] = True

    @abstractmethod
    def filtered(self, task: FilterTask) -> Filtered:
        """The distribution of the state at each time of data.

        Raises
        ------
        InputError
            If the data are impossible.
        """
