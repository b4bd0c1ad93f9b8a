"""Random numbers of the updates of a filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.specification import seeds

__all__ = ["Streams"]


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
