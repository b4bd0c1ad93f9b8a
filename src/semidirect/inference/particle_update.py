"""The update of a particle filter: weights, systematic resampling, and tempering with moves where few particles would survive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from semidirect.core.arguments import validated_number, validated_whole
from semidirect.core.errors import InputError
from semidirect.ensemble.stepper import Stepper
from semidirect.inference.cloud import Cloud, Sighting
from semidirect.inference.update import Report, Streams, Update
from semidirect.inference.weights import ancestors, effective_size, normalised, tempered

__all__ = ["ParticleUpdate"]

FEW = 20
"""Below this effective number of particles, means and quantiles say nothing."""

SHARE = 0.5
"""Share of the effective number that a stage of tempering keeps."""

MOST_STAGES = 30
FEWEST_ACCEPTED = 0.02

FIRST_KEPT, LEAST_KEPT, MOST_KEPT = 0.7, 0.05, 0.9995
"""Share of the noise that a move keeps: at first, and its bounds."""


@final
@dataclass(frozen=True)
class ParticleUpdate(Update):
    """Particles are weighted by the likelihood, and resampled systematically when few of them have most of the weight.

    Where the likelihood is so sharp that less than ``temper_below`` of the particles would survive, it is applied in stages,
    likelihood^φ with φ from 0 to 1, each of which keeps half of the effective number. After each stage particles are resampled
    and moved: the increments dW of the noise since the time of the data before become ρ dW + √(1 − ρ²) dW′ with independent
    dW′, the path is integrated again from its state then, and the move is accepted with the probability
    min(1, (p(data | new)/p(data | old))^φ). This Markov chain preserves the distribution exactly for any ρ. Moved states are
    states of paths, so they are on the group and satisfy the constraint. ρ is adapted to the share of accepted moves.

    Attributes
    ----------
    resample_below : float
        Share of the particles: below this effective number they are resampled.
    temper_below : float
        Share of the particles: below this effective number, the likelihood is tempered. 0 gives the bootstrap filter.
    moves : int
        Number of moves after each stage.
    """

    resample_below: float = 0.5
    temper_below: float = 0.2
    moves: int = 3

    name: ClassVar[str] = "particles"
    smooths: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for field in ("resample_below", "temper_below"):
            share = validated_number(field, getattr(self, field), expected="a share from 0 to 1")
            if not 0 <= share <= 1:
                raise InputError(field, expected="a share from 0 to 1", got=f"{share:g}")
            object.__setattr__(self, field, share)
        object.__setattr__(self, "moves", validated_whole("moves", self.moves, least=0))

    def assimilate(self, cloud: Cloud, before: Stepper | None, sighting: Sighting, found: Mapping[str, np.ndarray],
                   streams: Streams) -> Report:  # fmt: skip
        """Weight, resample and, where necessary, temper and move."""
        log_likelihood = sighting.log_likelihood(cloud.ensemble, found)
        weights, increment = normalised(cloud.log_weights + log_likelihood)
        if not weights.any():
            raise cloud.impossible(sighting)
        size, n = effective_size(weights), cloud.paths
        if before is not None and size < self.temper_below * n:
            return _Tempering(self, cloud, before, sighting, streams, log_likelihood).run(size)
        with np.errstate(divide="ignore"):
            cloud.log_weights = np.log(weights)
        if size < self.resample_below * n:
            cloud.select(ancestors(weights, float(streams.generator(0).random())))
        few = min(FEW, n) if n > 1 else 0
        return Report(increment, size, collapse=f"{size:.3g} effective particles" if size < few else "")


@final
class _Tempering:
    """Tempering of one likelihood."""

    def __init__(self, update: ParticleUpdate, cloud: Cloud, before: Stepper, sighting: Sighting, streams: Streams,
                 log_likelihood: np.ndarray):  # fmt: skip
        self.update, self.cloud, self.before, self.sighting, self.streams = (
            update,
            cloud,
            before.copy(),
            sighting,
            streams,
        )
        self.log_likelihood = log_likelihood
        self.increments = before.increments(t=sighting.t) if update.moves else np.zeros((0, 0, cloud.paths))
        self.keep, self.accepted, self.tried = FIRST_KEPT, 0, 0

    def run(self, size: float) -> Report:
        """All stages; ``size`` is the effective number without tempering."""
        phi, total, stage, cloud = 0.0, 0.0, 0, self.cloud
        while phi < 1 and stage < MOST_STAGES:
            stage += 1
            delta = 1 - phi  # at once, in the last stage
            if stage < MOST_STAGES:
                delta = tempered(cloud.log_weights, self.log_likelihood, 1 - phi, SHARE)
            weights, increment = normalised(cloud.log_weights + delta * self.log_likelihood)
            phi, total = (1.0 if delta == 1 - phi else phi + delta), total + increment
            self._select(ancestors(weights, float(self.streams.generator(stage).random())))
            accepted_before, tried_before = self.accepted, self.tried
            for move in range(self.update.moves if self.increments.shape[1] else 0):
                self._move(phi, stage, move)
            last = self.accepted - accepted_before, self.tried - tried_before
        share = self.accepted / self.tried if self.tried else float("nan")
        return Report(total, size, stage, share, self._collapse(size, stage, *last))

    def _collapse(self, size: float, stage: int, accepted: int, tried: int) -> str:
        if stage >= MOST_STAGES:
            return f"{MOST_STAGES} stages of tempering did not suffice"
        if not tried and size < FEW:
            return f"{size:.3g} effective particles, and no moves"
        if tried and accepted < FEWEST_ACCEPTED * tried:
            return f"{accepted} of {tried} moves accepted"
        return ""

    def _select(self, chosen: np.ndarray) -> None:
        self.cloud.select(chosen)
        self.before.select(chosen)
        self.log_likelihood, self.increments = self.log_likelihood[chosen], self.increments[:, :, chosen]

    def _move(self, phi: float, stage: int, move: int) -> None:
        fresh = self.before.increments(t=self.sighting.t, seed=self.streams.seed_of(stage, move))
        proposed = self.keep * self.increments + np.sqrt(1 - self.keep**2) * fresh
        trial = self.before.copy().advance(t=self.sighting.t, increments=proposed)
        likelihood = self.sighting.log_likelihood(trial, self.sighting.values(trial))
        u = self.streams.generator(stage, move).random(self.cloud.paths)
        accepted = np.log1p(-u) < phi * (likelihood - self.log_likelihood)
        self.cloud.ensemble.adopt(trial, accepted)
        self.increments = np.where(accepted, proposed, self.increments)
        self.log_likelihood = np.where(accepted, likelihood, self.log_likelihood)
        count = int(np.count_nonzero(accepted))
        self.accepted, self.tried = self.accepted + count, self.tried + self.cloud.paths
        self._adapt(count / self.cloud.paths)

    def _adapt(self, share: float) -> None:
        """Larger moves when many are accepted, smaller ones when few are."""
        angle = np.arccos(self.keep) * (1.5 if share > 0.4 else 0.6 if share < 0.2 else 1.0)
        self.keep = float(np.clip(np.cos(min(angle, np.pi / 2)), LEAST_KEPT, MOST_KEPT))
