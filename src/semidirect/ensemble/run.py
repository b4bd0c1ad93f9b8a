"""The result of a simulation: frozen, labelled, saved and loaded without pickle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.arguments import validated_place
from semidirect.core.errors import UnknownNameError
from semidirect.core.failure import MEANING, STOPPED, Failure, failed, failures
from semidirect.ensemble.execute import Work
from semidirect.state.final import Final

if TYPE_CHECKING:
    import xarray

    from semidirect.analysis.monitor import Monitor
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.ensemble.error_check import ErrorCheck
    from semidirect.ensemble.reductions.reduction import Reduced


def _component(n: int) -> str:
    return "component" if n == 3 else f"component_{n}"


@dataclass(frozen=True, eq=False, repr=False)
class Run(Mapping[str, np.ndarray]):
    """Paths of a system at the times that were kept; ``run["energy"]`` is an array ``(paths, time)``.

    Attributes
    ----------
    times : array (T,)
        Times [s].
    data : dict name → array (paths, T) or (paths, T, d)
        State variables, momenta, blocks of ξ, coordinates of s (angles unwrapped), auxiliary quantities and observables.
    final : Final, name → array (paths, …)
        The state at the end, as ``state=`` of a run that goes on; it knows its time and seed.
    status : int8 array (paths,)
        0 good, 1 a value is not finite, 2 an implicit step did not converge, 3 stopped by an event (no failure), 4 a step of a
        geometric method turned by more than π/2, 5 a value is beyond its bound, 6 the sweeps of an implicit step do not
        contract.
    failed_at, failed_component : arrays (paths,)
        Time of the first failure or of the stop, and what is to blame (nan and −1 where there is nothing).
    units : dict name → str
        Units, where known.
    components : tuple of str
        Names that ``failed_component`` counts: components of the state, quantities with bounds.
    config : dict
        The resolved configuration, in JSON's types.
    numbers : int array (paths,), or None
        Which paths of the run these are, where not all are here.
    work : Work
        Which workers computed it; no part of the results, empty for a run that was loaded.
    reductions : dict key → Reduced
        Statistics taken while it ran.
    error_check : ErrorCheck or None
        How far the same run at half the step is, where that was asked for; not written to disk.
    system : System or None
        Whose run it is; ``None`` for a run that was loaded.
    """

    times: np.ndarray
    data: Mapping[str, np.ndarray]
    final: Final
    status: np.ndarray
    failed_at: np.ndarray
    failed_component: np.ndarray
    units: Mapping[str, str]
    components: tuple[str, ...]
    config: Mapping[str, Any]
    numbers: np.ndarray | None = None
    work: Work = field(default_factory=Work)
    reductions: Mapping[str, Reduced] = field(default_factory=dict)
    error_check: ErrorCheck | None = None
    system: SystemDefinition | None = None

    def __post_init__(self) -> None:
        for name in ("units", "config", "reductions"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        arrays = self.data
        if isinstance(arrays, dict):
            for array in arrays.values():
                array.setflags(write=False)
            arrays = dict(arrays)
        object.__setattr__(self, "data", MappingProxyType(arrays))
        for array in (self.times, self.status, self.failed_at, self.failed_component):
            array.setflags(write=False)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self:
            raise UnknownNameError("quantity of the run", name, self.data)
        return self.data[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        system = str(self.config["system"]).rpartition(":")[2]
        bad = np.count_nonzero(~self.good)
        return f"Run({system}, {self.paths} paths, {len(self.times)} times, {bad} failed)"

    @property
    def paths(self) -> int:
        """Number of paths."""
        return len(self.status)

    @property
    def t_start(self) -> float:
        """When the run started [s]."""
        return float(self.config.get("t_start", 0.0))

    @property
    def steps(self) -> int:
        """Number of steps."""
        return round(self.config["t_end"] / self.config["dt"]) - round(self.t_start / self.config["dt"])

    @property
    def good(self) -> np.ndarray:
        """Which paths did not fail, bool ``(paths,)``."""
        return ~failed(self.status)

    @property
    def stopped_at(self) -> np.ndarray:
        """Time [s] at which an event stopped each path, nan where none did (paths,)."""
        return np.where(self.status == STOPPED, self.failed_at, np.nan)

    def failures(self) -> list[Failure]:
        """The paths that failed, each with time, component and reason."""
        return failures(self.status, self.failed_at, self.failed_component, self.components, self.numbers)

    def statistics(self) -> dict[str, dict[str, np.ndarray]]:
        """Mean and its standard error over the good paths, at each kept time; nan where there are too few paths."""
        out = {}
        n = int(np.count_nonzero(self.good))
        for name, values in self.data.items():
            kept = values[self.good]
            empty = np.full(values.shape[1:], np.nan)
            mean = kept.mean(axis=0) if n else empty
            out[name] = {"mean": mean, "se": kept.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else empty}
        return out

    def monitor(self, system: SystemDefinition | None = None, **how: Any) -> Monitor:
        """Whether the observables keep what they declare: see :func:`semidirect.analysis.monitor.monitor`."""
        from semidirect.analysis.monitor import monitor

        return monitor(self, system, **how)

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with dims ``path, time, component``; units and configuration in attrs.

        ``component`` is that of vectors of R³; those of n other components have ``component_n``.
        """
        import xarray

        variables: dict[str, Any] = {}
        for name, values in self.data.items():
            dims = ("path", "time", *(_component(n) for n in values.shape[2:]))
            variables[name] = (dims, values, {"units": self.units.get(name, "")})
        variables["status"] = (("path",), self.status, {"meaning": MEANING})
        numbers = np.arange(self.paths) if self.numbers is None else self.numbers
        return xarray.Dataset(
            variables,
            coords={"path": numbers, "time": ("time", self.times, {"units": "s"})},
            attrs={"config": json.dumps(dict(self.config), ensure_ascii=False)},
        )

    def save(self, path: str | Path) -> Path:
        """Write a Zarr v3 store; :meth:`load` gives the identical run.

        Raises
        ------
        StoreError
            If there is something already, or it cannot be written.
        """
        from semidirect.ensemble.store import run_files

        place = validated_place("a run", path)
        run_files.save(self, place)
        return place

    @classmethod
    def load(cls, path: str | Path, *, partial: bool = False) -> Run:
        """Read a store; nothing in it is executed. A quantity is read, and its checksums verified, when it is asked for.

        Parameters
        ----------
        partial : bool
            Whether to take those paths of an unfinished run that are done; :attr:`numbers` tells which these are.

        Raises
        ------
        StoreError
            If it is not there, not a run, damaged, or not finished.
        """
        from semidirect.ensemble.store import run_files

        return run_files.load(validated_place("a run", path), partial=partial)

    @staticmethod
    def parts(path: str | Path, *, partial: bool = False) -> Iterator[Run]:
        """Read a store chunk by chunk, each as a run of some paths, where all of it would not fit into memory."""
        from semidirect.ensemble.store import run_files

        return run_files.parts(validated_place("a run", path), partial=partial)
