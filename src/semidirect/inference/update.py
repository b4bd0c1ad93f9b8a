"""How a filter uses the data of one time: the abstract update."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from semidirect.core import hooks
from semidirect.inference.cloud import Cloud
from semidirect.inference.sighting import Sighting
from semidirect.specification import seeds
from semidirect.stepper import Stepper

__all__ = ["Report", "Streams", "Update"]


@final
@dataclass(frozen=True)
class Report:
    """The outcome of an update.

    Attributes
    ----------
    log_likelihood : float
        log p(data | data before), estimated.
    effective_size : float
        Effective number of particles that the data left, before any resampling.
    stages : int
        Number of stages of tempering; 0 without it.
    acceptance : float
        Share of the moves that were accepted; nan without moves.
    collapse : str
        Why the particles do not represent the distribution; empty if they do.
    nonlinearity : float
        How far state and data are from jointly normal: the share of the variance of what the update leaves of the state, or of
        its square, that a quadratic function of the data explains; 0 in linear systems, nan where it is not assumed.
    """

    log_likelihood: float
    effective_size: float
    stages: int = 0
    acceptance: float = float("nan")
    collapse: str = ""
    nonlinearity: float = float("nan")


@final
@dataclass(frozen=True)
class Streams:
    """Random numbers of one update, a function of the seed of the filter and the number of the update."""

    seed: int
    update: int

    def seed_of(self, *key: int) -> int:
        """A seed for a purpose within the update."""
        return seeds.derived_seed(self.seed, self.update, *key, 1)

    def generator(self, *key: int) -> np.random.Generator:
        """A generator for a purpose within the update."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(self.update, *key, 2)))


class Update(hooks.Hooked, ABC):
    """How a filter uses the data of one time. An update is a frozen object.

    Attributes
    ----------
    name : str
        The text by which :func:`~semidirect.inference.filter.filter` finds it.
    smooths : bool
        Whether it selects particles with their past, so that there are smoothed estimates, and families of particles show
        Monte Carlo errors.
    """

    name: ClassVar[str]
    smooths: ClassVar[bool] = False

    @abstractmethod
    def assimilate(self, cloud: Cloud, before: Stepper | None, sighting: Sighting, found: Mapping[str, np.ndarray],
                   streams: Streams) -> Report:  # fmt: skip
        """Change particles, which were advanced to the time of the data, to represent the distribution given the data.

        Parameters
        ----------
        cloud : Cloud
            Particles at the time of the data.
        before : Stepper or None
            The same paths at the time of the data before; ``None`` at the first time, if it is the start.
        sighting : Sighting
            The data.
        found : dict name → array (paths, rows)
            :meth:`Sighting.values` of the particles.
        streams : Streams
            Random numbers.

        Raises
        ------
        InputError
            If the data are impossible for every particle.
        """
