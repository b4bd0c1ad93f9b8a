"""How a filter uses data by weighted particles: the abstract update of a cloud."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from semidirect.inference.cloud import Cloud
from semidirect.inference.cloud_progress import CloudProgress
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.sighting import Sighting
from semidirect.inference.streams import Streams
from semidirect.inference.update import Update
from semidirect.inference.update_report import UpdateReport
from semidirect.stepper import Stepper

__all__ = ["CloudUpdate"]


class CloudUpdate(Update):
    """Particles are advanced from one time of data to the next, and changed there."""

    rejects: ClassVar[bool] = True

    @abstractmethod
    def assimilate(self, cloud: Cloud, before: Stepper | None, sighting: Sighting, values: Mapping[str, np.ndarray],
                   streams: Streams) -> UpdateReport:  # fmt: skip
        """Change particles, which were advanced to the time of the data, to represent the distribution given the data.

        Parameters
        ----------
        cloud : Cloud
            Particles at the time of the data.
        before : Stepper or None
            The same paths at the time of the data before; ``None`` at the first time, if it is the start.
        sighting : Sighting
            The data.
        values : dict name → array (paths, rows)
            :meth:`Sighting.values` of the particles.
        streams : Streams
            Random numbers.

        Raises
        ------
        InputError
            If the data are impossible for every particle.
        """

    def begin(self, task: FilterTask) -> CloudProgress:
        """Particles at the start."""
        return CloudProgress(task, self.assimilate, self.smooths)

    def filtered(self, task: FilterTask) -> Filtered:
        """Advance and assimilate, one time of data after the other."""
        progress = self.begin(task)
        for sighting in task.sightings:
            progress.take(sighting)
        return progress.result()
