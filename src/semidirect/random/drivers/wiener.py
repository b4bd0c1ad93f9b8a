"""The default driver of a run: Wiener processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, final

from semidirect.core import Flag, arguments, errors
from semidirect.random.covariance import hashable
from semidirect.random.driver import DrivenRun, Driver
from semidirect.random.driving_process import DrivingProcess
from semidirect.random.wiener import INCREMENT_LAWS, WienerNoise

__all__ = ["Wiener"]


@final
@dataclass(frozen=True)
class Wiener(Driver):
    """Wiener processes, keyed by the seed of the run.

    Attributes
    ----------
    resolution : float, optional
        h₀ [s], the step times a power of two. Default: the step, or for a continued run the previous resolution if
        the noise is defined at the step. The same h₀ and seed give the same Brownian paths at each step.
    covariance : matrix (m, m), optional
        C in E[dW dWᵀ] = C dt; default the identity.
    increment_law : {"normal", "three-point"}
        Three-point: ±√(3 dt) with probability 1/6 each, else 0, for weak methods (``rs1`` and ``rs2`` need them):
        distributions at the end, not paths.
    path : int, optional
        All paths get the noise of the path with this number: one realisation of the noise from many starts. Means over paths
        are then conditional on it.
    """

    resolution: float | None = None
    covariance: Any = None
    increment_law: str = "normal"
    path: int | None = None

    name: ClassVar[str] = "wiener"
    random: ClassVar[bool] = True
    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("noise-dt", "resolution of the noise [s] (default: dt)", "number", "S"),
        Flag("noise-covariance", "C in E[dW dWᵀ] = C dt, e.g. '[[1, 0.5], [0.5, 1]]' (default: none)", "numbers", "JSON",
             example="[[1, 0.5], [0.5, 1]]"),
        Flag("increment-law", "three-point: for weak methods (default: normal)", choices=INCREMENT_LAWS),
        Flag("noise-path", "all paths get the noise of this path (default: each its own)", "whole", "N"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        arguments.validated_name("increment_law", self.increment_law, INCREMENT_LAWS)
        if self.path is not None:
            arguments.validated_whole("the path of the noise", self.path, least=0, most=2**64 - 1)
        if self.resolution is not None:
            arguments.validated_positive("the resolution of the noise", self.resolution)
        object.__setattr__(self, "covariance", hashable(self.covariance))

    def process(self, run: DrivenRun) -> WienerNoise | None:
        """The noise of the run's seed."""
        if run.components == 0 and self.covariance is None:
            return None
        resolution = self.resolution
        if resolution is None:
            resumed = run.resumed_resolution if self.increment_law == "normal" else None
            resolution = run.dt if resumed is None else resumed
        return WienerNoise(run.seed, run.components, resolution, self.covariance, self.increment_law, run.integrals,
                           self.path)  # fmt: skip

    def as_json(self, process: DrivingProcess) -> dict[str, Any]:
        """Resolution and components; other fields unless they have their default values."""
        assert isinstance(process, WienerNoise)
        form: dict[str, Any] = {"resolution": process.resolution, "components": process.components}
        form |= {} if self.increment_law == "normal" else {"increments": self.increment_law}
        form |= {} if process.integrals is None else {"extra": process.integrals.name}
        form |= {} if process.path is None else {"path": process.path}
        return form | ({} if process.covariance is None else {"covariance": [list(row) for row in process.covariance]})

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Self:
        """The same noise with the same resolution."""
        return cls(form["resolution"], form.get("covariance"), form.get("increments", "normal"), form.get("path"))

    @classmethod
    def from_argument(cls, text: str) -> Self:
        """``wiener(0.01)``: the resolution h₀."""
        try:
            return cls(float(text))
        except ValueError:
            raise errors.InputError("the resolution of the noise", expected="a number [s]", got=repr(text)) from None

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self | None:
        """The noise that the flags describe."""
        resolution, covariance, law, path = (values.get(flag.key) for flag in cls.flags)
        if resolution is None and covariance is None and law is None and path is None:
            return None
        return cls(resolution, covariance, law or "normal", path)

    def shared(self, resolution: float) -> Self | None:
        """Paths of its own resolution, or of this one; three-point increments do not form a path."""
        if self.increment_law != "normal":
            return None
        return replace(self, resolution=resolution) if self.resolution is None else self

    @property
    def one_noise(self) -> bool:
        """True if all get the noise of one path."""
        return self.path is not None

    @property
    def refinable(self) -> bool:
        """True, by Brownian bridges; three-point increments do not form a path."""
        return self.increment_law == "normal"
