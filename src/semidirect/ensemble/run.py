"""The result of a simulation: frozen, labelled, saved and loaded without pickle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.ensemble.record import BLOW_UP, NOT_CONVERGED
from semidirect.errors import StoreError, UnknownNameError

if TYPE_CHECKING:
    import xarray

_REASONS = {BLOW_UP: "a value is not finite", NOT_CONVERGED: "an implicit step did not converge"}
FORMAT = "semidirect run 1"


@dataclass(frozen=True)
class Failure:
    """A path that failed: index, time of its first bad step [s], component of the state (if one is to blame), reason."""

    path: int
    time: float
    component: str
    reason: str

    def __str__(self) -> str:
        where = f" in {self.component}" if self.component else ""
        return f"path {self.path}, t = {self.time:g}{where}: {self.reason}"


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
    final : dict name → array (paths, …)
        The state at the end, as ``state=`` of a run that goes on.
    status : int8 array (paths,)
        0 good, 1 a value is not finite, 2 an implicit step did not converge.
    failed_at, failed_component : arrays (paths,)
        Time and state component of the first failure (nan and −1 where there is none).
    units : dict name → str
        Units, where known.
    components : tuple of str
        Names of the state components that ``failed_component`` counts.
    config : dict
        The resolved configuration, in JSON's types.
    """

    times: np.ndarray
    data: Mapping[str, np.ndarray]
    final: Mapping[str, np.ndarray]
    status: np.ndarray
    failed_at: np.ndarray
    failed_component: np.ndarray
    units: Mapping[str, str]
    components: tuple[str, ...]
    config: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name in ("data", "final", "units", "config"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for array in (self.times, self.status, self.failed_at, self.failed_component, *self.data.values(),
                      *self.final.values()):  # fmt: skip
            array.setflags(write=False)

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.data[name]
        except KeyError:
            raise UnknownNameError("quantity of the run", name, self.data) from None

    def __contains__(self, name: object) -> bool:
        return name in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        system = str(self.config["system"]).rpartition(":")[2]
        failed = np.count_nonzero(self.status)
        return f"Run({system}, {self.paths} paths, {len(self.times)} times, {failed} failed)"

    @property
    def paths(self) -> int:
        """Number of paths."""
        return len(self.status)

    @property
    def good(self) -> np.ndarray:
        """Which paths did not fail, bool ``(paths,)``."""
        return self.status == 0

    def failures(self) -> list[Failure]:
        """The paths that failed, each with time, component and reason."""
        return [
            Failure(
                int(p), float(self.failed_at[p]),
                self.components[self.failed_component[p]] if self.failed_component[p] >= 0 else "",
                _REASONS[int(self.status[p])],
            )
            for p in np.flatnonzero(self.status)
        ]  # fmt: skip

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

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with dims ``path, time, component``; units and configuration in attrs.

        ``component`` is that of vectors of R³; those of n other components have ``component_n``.
        """
        import xarray

        variables: dict[str, Any] = {}
        for name, values in self.data.items():
            dims = ("path", "time", *(_component(n) for n in values.shape[2:]))
            variables[name] = (dims, values, {"units": self.units.get(name, "")})
        variables["status"] = (("path",), self.status, {"meaning": "0 good, 1 not finite, 2 not converged"})
        return xarray.Dataset(
            variables,
            coords={"path": np.arange(self.paths), "time": ("time", self.times, {"units": "s"})},
            attrs={"config": json.dumps(dict(self.config), ensure_ascii=False)},
        )

    def save(self, path: str | Path) -> Path:
        """Write a Zarr v3 store (arrays, and the configuration as JSON); :meth:`load` gives the identical run.

        Raises
        ------
        StoreError
            If there is something already, or it cannot be written.
        """
        import zarr

        target = Path(path)
        if target.exists():
            raise StoreError(f"{target} exists already", hint="Choose another name, or remove it.")
        try:
            group = zarr.open_group(str(target), mode="w", zarr_format=3)
            for prefix, arrays in self._arrays().items():
                section = group.create_group(prefix)
                for name, values in arrays.items():
                    section.create_array(name, data=values)
            group.attrs.update({
                "format": FORMAT, "config": dict(self.config), "units": dict(self.units), "components": list(self.components),
                "data": list(self.data), "final": list(self.final),
            })  # fmt: skip
        except OSError as error:
            raise StoreError(
                f"cannot write {target}: {error.strerror or error}", hint="Choose a place you may write to."
            ) from error
        return target

    def _arrays(self) -> dict[str, Mapping[str, np.ndarray]]:
        record = {"times": self.times, "status": self.status, "failed_at": self.failed_at,
                  "failed_component": self.failed_component}  # fmt: skip
        return {"record": record, "data": self.data, "final": self.final}

    @classmethod
    def load(cls, path: str | Path) -> Run:
        """Read what :meth:`save` wrote; nothing in it is executed.

        Raises
        ------
        StoreError
            If it is not there or not a run.
        """
        import zarr

        target = Path(path)
        if not target.exists():
            raise StoreError(f"there is no {target}", hint="Write one with run.save(path) or semidirect run … -o path.")
        try:
            group: Any = zarr.open_group(str(target), mode="r")
            attrs: dict[str, Any] = dict(group.attrs)
            if attrs.get("format") != FORMAT:
                raise StoreError(f"{target} is not a run", expected=FORMAT, got=str(attrs.get("format")))
            names = {"record": list(group["record"].array_keys()), "data": attrs["data"], "final": attrs["final"]}
            read = {k: {name: np.asarray(group[k][name][:]) for name in names[k]} for k in names}
            return cls(**read["record"], data=read["data"], final=read["final"], units=attrs["units"],
                       components=tuple(attrs["components"]), config=attrs["config"])  # fmt: skip
        except StoreError:
            raise
        except Exception as error:
            raise StoreError(f"{target} cannot be read as a run: {type(error).__name__}: {error}") from error
