"""The driver of randomised quasi-Monte Carlo: Wiener processes made of Sobol points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

import numpy as np

from semidirect.core import errors
from semidirect.random.covariance import hashable
from semidirect.random.driver import DrivenRun, Driver
from semidirect.random.driving_process import DrivingProcess
from semidirect.random.sobol_noise import SobolNoise
from semidirect.random.sobol_points import MOST_POINTS

__all__ = ["Sobol"]

REPLICATIONS = (2, 4, 8, 16, 32, 64)
"""Powers of two up to the paths of a lane block, so that every chunk has whole points."""


@final
@dataclass(frozen=True)
class Sobol(Driver):
    """Wiener processes made of scrambled Sobol points by Brownian bridges, so that means over paths have less variance.

    Path i has point i // R of the replication i mod R, where R replications have independent scramblings. Each path is a Wiener
    process, but those of a replication depend on each other: errors come from the spread of the R replications, with R − 1
    degrees of freedom. It helps for means of smooth quantities over times that are not long, and most if paths / R is a power of
    two.

    Attributes
    ----------
    replications : int
        R: 2, 4, 8, 16, 32 or 64.
    covariance : matrix (m, m), optional
        As of :class:`.Wiener`.
    """

    replications: int = 16
    covariance: Any = None

    name: ClassVar[str] = "sobol"
    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        whole = isinstance(self.replications, (int, np.integer)) and not isinstance(self.replications, bool)
        if not (whole and self.replications in REPLICATIONS):
            raise errors.InputError("replications of Sobol points", expected=", ".join(map(str, REPLICATIONS)),
                                    got=repr(self.replications))  # fmt: skip
        object.__setattr__(self, "replications", int(self.replications))
        object.__setattr__(self, "covariance", hashable(self.covariance))

    def process(self, run: DrivenRun) -> SobolNoise | None:
        """The noise of the steps of the run, after a check of the number of paths."""
        r = self.replications
        if run.paths % r:
            below, above = run.paths // r * r, -(-run.paths // r) * r
            raise errors.InputError("paths of a run of Sobol points", expected=f"a multiple of its {r} replications",
                                    got=str(run.paths), hint=f"Take {f'{below} or ' if below else ''}{above} paths.")  # fmt: skip
        if run.paths // r > MOST_POINTS:
            raise errors.InputError("paths of a run of Sobol points", expected=f"at most {MOST_POINTS} in a replication",
                                    got=str(run.paths // r))  # fmt: skip
        if run.components == 0 and self.covariance is None:
            return None
        return SobolNoise(run.seed, run.components, run.dt, self.covariance, "normal", run.integrals, None, r,
                          run.steps.start, max(run.steps.stop, run.steps.start + 1), run.of_start)  # fmt: skip

    def as_json(self, process: DrivingProcess) -> dict[str, Any]:
        """Resolution and components; a manifest has the replications of any driver."""
        assert isinstance(process, SobolNoise)
        form: dict[str, Any] = {"resolution": process.resolution, "components": process.components}
        form |= {} if process.integrals is None else {"extra": process.integrals.name}
        return form | ({} if process.covariance is None else {"covariance": [list(row) for row in process.covariance]})

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Self:
        """The same replications."""
        return cls(form["replications"], form.get("covariance"))

    @classmethod
    def from_argument(cls, text: str) -> Self:
        """``sobol(32)``: the number of replications."""
        try:
            return cls(int(text))
        except ValueError:
            raise errors.InputError("replications of Sobol points", expected="a whole number", got=repr(text)) from None

    def shared(self, resolution: float) -> None:
        """None: with another number of steps it has other paths."""
