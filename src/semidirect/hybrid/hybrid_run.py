"""The result of a hybrid system: quantities, the mode of each path at each time, and a table of the transitions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from semidirect.core import arguments, errors, explains_calls, failure, frozen
from semidirect.expressions import ReadByName, component_names
from semidirect.hybrid.consistent import require_consistent
from semidirect.results import Sensitivity, data_set, sensitivity
from semidirect.state import EquationIdentity

if TYPE_CHECKING:
    import xarray

__all__ = ["HybridRun", "Transitions"]

HYBRID = "hybrid"
"""The attribute of a data set with the names of modes, switches and quantities in their order."""
LISTED = ("modes", "switches", "quantities")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Transitions(frozen.Rebuilt):
    """The transitions of all paths, those of a path one after the other; arrays over transitions.

    Attributes
    ----------
    path : int array
    time : array
        [s].
    source, target : int arrays
        The modes before and after, numbers in the order of the modes; the same where a path rebounds.
    switch : int array
        The number of the switch, in the order in which they were given.
    loss : array
        The kinetic energy that is lost [J].
    impulse : array (transitions, n)
        The change of the momentum ∂l/∂ξ, in the dual of the algebra.
    """

    path: np.ndarray
    time: np.ndarray
    source: np.ndarray
    target: np.ndarray
    switch: np.ndarray
    loss: np.ndarray
    impulse: np.ndarray

    def __post_init__(self) -> None:
        for name, array in vars(self).items():
            arguments.validated_instance(name, array, np.ndarray, expected="an array")
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.path)

    def of_path(self, path: int) -> Transitions:
        """Those of one path."""
        some = slice(*np.searchsorted(self.path, [path, path + 1]))
        return Transitions(**{name: array[some] for name, array in vars(self).items()})

    def __repr__(self) -> str:
        return f"Transitions({len(self)} on {len(np.unique(self.path))} paths)"


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class HybridRun(ReadByName, frozen.Rebuilt, Mapping[str, np.ndarray]):
    """Paths of a hybrid system at the times that were saved; ``run["energy"]`` is an array ``(paths, time)``.

    Attributes
    ----------
    times : array (T,)
        Times [s].
    modes, switches : tuple of str
        The names of the modes, and what the switches say.
    mode : int array (paths, T)
        The number of the mode of each path.
    data : dict name → array (paths, T) or (paths, T, d)
        Quantities of the modes; nan where the mode of a path has no such quantity.
    transitions : Transitions
    start : int
        The number of the mode at the start.
    status, ended_at : arrays (paths,)
        As ``status`` and ``failed_at`` of a run; status 3 is that of the paths that are :attr:`accumulated`, and 8 that of paths
        which are stopped at an impact in which the ground would have to pull.
    units, long_names : dict name → str
        Units and names in words, where known.
    directions : tuple of (label, kind, group)
        By what paths were differentiated; ``data`` then has the derivatives ``"sensitivity.energy"`` of smooth quantities.
    """

    _no_run: ClassVar[str] = "Of a hybrid run there are arrays, run['energy'] over run.times, and run.to_xarray()."
    _instead: ClassVar[Mapping[str, str]] = {
        "plot": "Draw the arrays, run['energy'] over run.times, or run.to_xarray().",
        "view": "A page moves the body of one system: simulate a mode, hybrid.modes['name'].simulate(…).view().",
        "save": "Write run.to_xarray() to a file; HybridRun.from_xarray makes the run again.",
        "final": "The states at the end are run['name'][:, -1], and the modes run.mode[:, -1].",
        "failures": "run.status says which paths ended early, and run.ended_at when.",
        "seed": "The seed is that of the call.",
        "monitor": "Compare run['energy'] and run.transitions.loss yourself.",
    }

    times: np.ndarray
    modes: tuple[str, ...]
    switches: tuple[str, ...]
    mode: np.ndarray
    data: Mapping[str, np.ndarray]
    transitions: Transitions
    start: int
    status: np.ndarray
    ended_at: np.ndarray
    units: Mapping[str, str]
    long_names: Mapping[str, str]
    directions: tuple[tuple[str, str, str], ...] = ()

    def __post_init__(self) -> None:
        for name in ("data", "units", "long_names"):
            arguments.validated_instance(name, getattr(self, name), Mapping, expected="a mapping of names")  # type: ignore[type-abstract]
        arguments.validated_instance("transitions", self.transitions, Transitions, expected="Transitions")
        require_consistent(self)
        for array in (self.times, self.mode, self.status, self.ended_at, *self.data.values()):
            array.setflags(write=False)
        for name in ("data", "units", "long_names"):
            object.__setattr__(self, name, frozen.FrozenMapping(getattr(self, name)))

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.data:
            raise errors.UnknownNameError("quantity of the run", name, self.data)
        return self.data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    @property
    def paths(self) -> int:
        """The number of paths."""
        return len(self.status)

    @property
    def accumulated(self) -> np.ndarray:
        """The paths that were stopped, at ``ended_at``, because their transitions accumulate (Zeno)."""
        return np.flatnonzero(self.status == failure.STOPPED)

    def sequence(self, path: int) -> tuple[str, ...]:
        """The modes of a path one after the other; a rebound is a mode that follows itself."""
        path = arguments.validated_whole("path", path, least=0, most=self.paths - 1)
        return (self.modes[self.start], *(self.modes[i] for i in self.transitions.of_path(path).target))

    @property
    def sequences(self) -> Counter[tuple[str, ...]]:
        """How many paths have each sequence of modes."""
        return Counter(self.sequence(path) for path in range(self.paths))

    @property
    def counts(self) -> dict[str, int]:
        """How many transitions each switch made."""
        return {label: int(np.count_nonzero(self.transitions.switch == i)) for i, label in enumerate(self.switches)}

    @property
    def good(self) -> np.ndarray:
        """Which paths did not fail, bool ``(paths,)``."""
        return ~failure.failed(self.status)

    @property
    def config(self) -> dict[str, Any]:
        """The directions, as a run has them in its configuration."""
        return {EquationIdentity.DIRECTIONS: self.directions} if self.directions else {}

    def component_of(self, text: str) -> tuple[str, int] | None:
        """The quantity, and the number from 0 of the component, that a name such as ``Omega1`` stands for."""
        name = arguments.validated_instance("component", text, str, expected="a name")
        return component_names.component_of(
            name, self.data, lambda k: self.data[k].shape[2] if self.data[k].ndim > 2 else 0, ()
        )

    def sensitivity(self, quantity: str, by: str | None = None) -> Sensitivity:
        """The derivatives of a quantity, path by path, as :meth:`.Run.sensitivity`; nan where the mode has no such quantity."""
        return sensitivity(self, quantity, by)

    def to_xarray(self) -> xarray.Dataset:
        """A data set with quantities and ``mode`` over (path, time), and the table of transitions over ``transition``."""
        import xarray

        variables: dict[str, Any] = {}
        for name, values in self.data.items():
            known = {"units": self.units[name]} if name in self.units else {}
            words = {"long_name": self.long_names.get(name, name)}
            variables[name] = (("path", "time", *data_set.dims(values.shape[2:])), values, words | known)
        flags = {"flag_values": np.arange(len(self.modes), dtype=np.int8), "flag_meanings": " ".join(self.modes)}
        variables["mode"] = (("path", "time"), self.mode, {"long_name": "mode of the path", **flags})
        outcomes = {"flag_values": np.arange(len(failure.FLAGS.split()), dtype=np.int8), "flag_meanings": failure.FLAGS}
        variables["status"] = (("path",), self.status, {"long_name": "outcome of each path", **outcomes})
        variables["ended_at"] = (("path",), self.ended_at, {"long_name": "when a path ended early", "units": "s"})
        table = vars(self.transitions)
        columns = {
            "path": ("number of the path", ""), "time": ("time of the transition", "s"), "source": ("mode before it", ""),
            "target": ("mode after it", ""), "switch": ("number of the switch", ""),
            "loss": ("kinetic energy that is lost", "J"), "impulse": ("change of the momentum", ""),
        }  # fmt: skip
        for name, (text, unit) in columns.items():
            described: dict[str, Any] = {
                "long_name": text,
                **({"units": unit} if unit else {}),
                **(flags if name in ("source", "target") else {}),
            }
            over = ("transition", *(("algebra",) if name == "impulse" else ()))
            variables[f"transition_{name}"] = (over, table[name], described)
        coordinates: dict[str, Any] = {
            "path": (("path",), np.arange(self.paths), {"long_name": "number of the path"}),
            "time": (("time",), self.times, {"units": "s", "long_name": "time"}),
        }  # fmt: skip
        for over, values, _ in variables.values():
            for dim, n in zip(over, values.shape, strict=True):
                if dim not in ("path", "time", "transition"):
                    coordinates.setdefault(dim, ((dim,), data_set.axis(n)))
        names = {"modes": self.modes, "switches": self.switches, "start": self.start, "quantities": tuple(self.data)}
        names |= {"directions": self.directions} if self.directions else {}
        about = {"Conventions": "CF-1.11", HYBRID: json.dumps(names, ensure_ascii=False)}
        return xarray.Dataset(variables, coords=coordinates, attrs=about)

    @classmethod
    def from_xarray(cls, data_set: xarray.Dataset) -> HybridRun:
        """The run of a data set that :meth:`to_xarray` made, also after it was written to a file and opened again.

        Raises
        ------
        InputError
            For another data set.
        """
        try:
            names = json.loads(data_set.attrs[HYBRID])
            listed = {key: tuple(names[key]) for key in LISTED if isinstance(names[key], list)}
            modes, switches, quantities = (listed[key] for key in LISTED)
            table = {f.name: np.array(data_set[f"transition_{f.name}"].values) for f in fields(Transitions)}
            saved = {n: data_set[n].transpose("path", "time", ...) for n in quantities}
            times, status, ended = (np.array(data_set[n].values) for n in ("time", "status", "ended_at"))
            mode = np.array(data_set["mode"].transpose("path", "time").values)
            words = {n: v.attrs.get("long_name", n) for n, v in saved.items()}
            units = {n: v.attrs["units"] for n, v in saved.items() if "units" in v.attrs}
            data, start = {n: np.array(v.values) for n, v in saved.items()}, names["start"]
            directions = tuple((str(a), str(b), str(c)) for a, b, c in names.get("directions", ()))
        except (KeyError, AttributeError, TypeError, ValueError, RecursionError) as error:
            raise errors.InputError(
                "a data set of a hybrid run", expected="what HybridRun.to_xarray() made",
                got=f"{type(data_set).__name__} without {error}",
            ) from None  # fmt: skip
        long_names = {n: text for n, text in words.items() if not (isinstance(text, str) and text == n)}
        return cls(
            times,
            modes,
            switches,
            mode,
            data,
            Transitions(**table),
            start,
            status,
            ended,
            units,
            long_names,
            directions,
        )

    def __repr__(self) -> str:
        ended = len(self.accumulated)
        zeno = f", which accumulate on {ended}" if ended else ""
        over = f"t = {self.times[0]:g} … {self.times[-1]:g} s"
        return (
            f"HybridRun({self.paths} paths, {len(self.modes)} modes, {over}, {len(self.transitions)} transitions{zeno})"
        )
