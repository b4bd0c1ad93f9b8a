"""The update of a particle filter: weights, systematic resampling, and tempering with moves where few particles would survive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.inference.cloud import Cloud
from semidirect.inference.cloud_update import CloudUpdate
from semidirect.inference.sighting import Sighting
from semidirect.inference.streams import Streams
from semidirect.inference.update_report import UpdateReport
from semidirect.inference.weights import ancestors, effective_size, normalised, tempered
from semidirect.inference.window import Interval, Moves
from semidirect.stepper import Stepper

__all__ = ["ParticleUpdate"]

FEW = 20
"""Below this effective number of particles, means and quantiles say nothing."""

TEMPER_BELOW, SUFFICIENT = 0.2, 500
"""Share of the particles and number of them, below which the likelihood is tempered."""

SMOOTHING_REACH = 20
"""Intervals between data over which particles are moved where estimates of earlier times are asked for."""

SHARE = 0.5
"""Share of the effective number that a stage of tempering keeps."""

MOST_STAGES = 30

SEARCHES = 20
"""Moves after which data that no particle explains are impossible."""

FEWEST_ACCEPTED = 0.02
MOST_MOVES = 100_000
"""After a stage: each costs as much as advancing the particles, so more of them do not end."""


@final
@dataclass(frozen=True)
class ParticleUpdate(CloudUpdate):
    """Particles are weighted by the likelihood, and resampled systematically when few of them have most of the weight.

    Where the likelihood is so sharp that less than ``temper_below`` of the particles would survive, it is applied in stages,
    likelihood^φ with φ from 0 to 1, each of which keeps half of the effective number and is followed by moves.

    Particles are moved so: the noise of their paths over the last interval between data, or the last ``reach`` of them, and the
    start of the paths as long as it is within reach, are proposed anew, near what a linear response of the observed values to
    the noise would give; the paths are integrated again; and the move is accepted with the probability of Metropolis and
    Hastings. This Markov chain preserves the distribution of the paths. Moved states are states of paths, so they are on the
    group and satisfy the constraint. The start moves if ``state=`` draws it with normal or uniform numbers.

    Attributes
    ----------
    resample_below : float
        Share of the particles: below this effective number they are resampled.
    temper_below : float, optional
        Share of the particles: below this effective number, the likelihood is tempered. 0 gives the bootstrap filter, without
        moves. Default: a fifth, or 500 particles if that is less, whose means have an error of 0.045 standard deviations.
    moves : int
        Number of moves after each stage.
    reach : int, optional
        Number of intervals between data over which noise is moved, after each resampling, tempered or not. A move costs more than
        advancing the paths over them. Default: moves where the likelihood is tempered alone, over the last interval; and
        ``reach=20``, which is many times as dear, of a filter that smooths.
    """

    resample_below: float = 0.5
    temper_below: float | None = None
    moves: int = 2
    reach: int | None = None

    name: ClassVar[str] = "particles"
    smooths: ClassVar[bool] = True
    looks_back: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for field in ("resample_below", *(["temper_below"] if self.temper_below is not None else [])):
            share = arguments.validated_number(field, getattr(self, field), expected="a share from 0 to 1")
            if not 0 <= share <= 1:
                raise errors.InputError(field, expected="a share from 0 to 1", got=f"{share:g}")
            object.__setattr__(self, field, share)
        object.__setattr__(self, "moves", arguments.validated_whole("moves", self.moves, least=0, most=MOST_MOVES))
        if self.reach is not None:
            object.__setattr__(self, "reach", arguments.validated_whole("reach", self.reach, least=1))

    def assimilate(self, cloud: Cloud, before: Stepper | None, sighting: Sighting, values: Mapping[str, np.ndarray],
                   streams: Streams) -> UpdateReport:  # fmt: skip
        """Weight, resample and, where necessary, temper and move."""
        n, reach = cloud.paths, self.reach or (SMOOTHING_REACH if cloud.lag else None)
        temper_below = self._temper_below(n, reach)
        if before is not None and temper_below:
            cloud.intervals.append(Interval(before, sighting, cloud.draws))
            if len(cloud.intervals) > (reach or 1):
                cloud.intervals.popleft()
        cloud.draws = None
        log_likelihood = sighting.log_likelihood(cloud.ensemble, values)
        weights, increment = normalised(cloud.log_weights + log_likelihood)
        tries = 1
        if not weights.any():
            log_likelihood, tries = self._searched(cloud, sighting, streams)
            weights, increment = normalised(cloud.log_weights + log_likelihood)
        size = effective_size(weights)
        resample_below = self.resample_below * n
        if cloud.intervals and size < (resample_below if reach else min(temper_below * n, resample_below)):
            report = _Tempering(self, temper_below, cloud, streams, log_likelihood).run(size)
            return replace(report, log_likelihood=report.log_likelihood - np.log(tries))
        cloud.weigh(weights, cloud.log_weights + log_likelihood - increment)
        if size < resample_below:
            cloud.select_later(ancestors(weights, float(streams.generator(0).random())))
        few = min(FEW, n) if n > 1 else 0
        return UpdateReport(
            increment - np.log(tries), size, collapse=f"{size:.3g} effective particles" if size < few else ""
        )

    def _temper_below(self, particles: int, reach: int | None) -> float:
        """The share of so many particles below which the likelihood is tempered."""
        if self.temper_below is not None:
            return self.temper_below
        return TEMPER_BELOW if reach else min(TEMPER_BELOW, SUFFICIENT / particles)

    def _searched(self, cloud: Cloud, sighting: Sighting, streams: Streams) -> tuple[np.ndarray, int]:
        """The log-likelihoods after moves, given the data before, until some particle explains data that were impossible for all;
        and the number of tries.
        """
        if cloud.intervals and self.moves:
            moves = Moves(cloud.intervals, cloud.ensemble)
            for number in range(SEARCHES if moves.possible else 0):
                moves.move(0.0, streams.seed_of(0, number), streams.generator(0, number))
                if np.isfinite(cloud.log_weights + moves.log_likelihood).any():
                    cloud.look_back()
                    return moves.log_likelihood, number + 2
        raise cloud.impossible(sighting)


@final
class _Tempering:
    """Tempering of one likelihood."""

    def __init__(self, update: ParticleUpdate, temper_below: float, cloud: Cloud, streams: Streams,
                 log_likelihood: np.ndarray):  # fmt: skip
        self.update, self.temper_below, self.cloud, self.streams = update, temper_below, cloud, streams
        self.log_likelihood = log_likelihood
        self.moves: Moves | None = None

    def run(self, size: float) -> UpdateReport:
        """All stages; ``size`` is the effective number without tempering."""
        phi, total, stage, cloud = 0.0, 0.0, 0, self.cloud
        while phi < 1 and stage < MOST_STAGES:
            stage += 1
            delta = 1 - phi  # at once, in the last stage
            if stage < MOST_STAGES and size < self.temper_below * cloud.paths:
                delta = tempered(cloud.log_weights, self.log_likelihood, 1 - phi, SHARE)
            weights, increment = normalised(cloud.log_weights + delta * self.log_likelihood)
            phi, total = (1.0 if delta == 1 - phi else phi + delta), total + increment
            cloud.select(ancestors(weights, float(self.streams.generator(stage).random())))
            accepted, attempts = self._move(phi, stage)
        moves = self.moves
        if moves is not None and moves.accepted:
            cloud.look_back()
        share = moves.accepted / moves.tried if moves is not None and moves.tried else float("nan")
        return UpdateReport(total, size, stage, share, self._collapse(size, stage, accepted, attempts))

    def _collapse(self, size: float, stage: int, accepted: int, attempts: int) -> str:
        if stage >= MOST_STAGES:
            return f"{MOST_STAGES} stages of tempering did not suffice"
        if not attempts and size < FEW:
            return f"{size:.3g} effective particles, and no moves"
        if attempts and accepted < FEWEST_ACCEPTED * attempts:
            return f"{accepted} of {attempts} moves accepted"
        return ""

    def _move(self, phi: float, stage: int) -> tuple[int, int]:
        """The moves of a stage: how many were accepted, and of how many."""
        if self.moves is None:
            self.moves = Moves(self.cloud.intervals, self.cloud.ensemble)
        else:
            self.moves.refresh()
        moves, before = self.moves, (self.moves.accepted, self.moves.tried)
        for number in range(self.update.moves if moves.possible else 0):
            moves.move(phi, self.streams.seed_of(stage, number), self.streams.generator(stage, number))
        self.log_likelihood = moves.log_likelihood
        return moves.accepted - before[0], moves.tried - before[1]
