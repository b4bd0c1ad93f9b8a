"""How a filter uses data: the abstract update."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import numpy as np

from semidirect.core import errors, user_code
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.progress import Progress

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
    looks_back : bool
        Whether there are estimates given all data, ``smooth=True``.
    rejects : bool
        Whether it leaves out data that are further than ``task.most`` standard deviations from their prediction.
    coordinates : str
        Whether it moves coordinates of states: ``"none"``, ``"sums"`` of states, or ``"all"``, with derivatives.
    random : bool
        Whether its log-likelihood depends on random numbers even if the start does not; the search of a fit depends on it.
    """

    name: ClassVar[str]
    smooths: ClassVar[bool] = False
    coordinates: ClassVar[Literal["none", "sums", "all"]] = "none"
    random: ClassVar[bool] = True
    looks_back: ClassVar[bool] = False
    rejects: ClassVar[bool] = False

    def begin(self, task: FilterTask) -> Progress:
        """A filter at the start, which gets the data one time after the other.

        Raises
        ------
        MethodError
            If the update needs all data at once.
        """
        raise errors.MethodError(f"update={self.name!r} with data as they come", expected="an update with a method begin",
                                 hint="Use update='particles', 'ensemble-kalman' or 'extended-kalman'.")  # fmt: skip

    def log_likelihoods(self, task: FilterTask, members: int) -> np.ndarray | None:
        """log p(data) ``(members,)`` of several filters at once, with the bits of :meth:`filtered`; ``None`` if one after the
        other takes no longer.

        Parameters
        ----------
        task : FilterTask
            Its ensemble has as many paths of each filter, one filter after the other, with its parameters, and ``make`` repeats
            them.
        members : int
            Number of filters.

        Raises
        ------
        InputError
            If one of the filters raises it.
        """
        return None

    @abstractmethod
    def filtered(self, task: FilterTask) -> Filtered:
        """The distribution of the state at each time of data.

        Raises
        ------
        InputError
            If the data are impossible.
        """
