"""The result of a hybrid system: a run with the mode of each path at each time, and a table of the transitions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn, Self, final

import numpy as np

from semidirect.core import arguments, errors, explains_calls, failure
from semidirect.ensemble import check_configuration
from semidirect.hybrid.consistent import require_consistent
from semidirect.hybrid.ended_hybrid import HYBRID
from semidirect.results import ModeHistory, RunData, Transitions, data_set
from semidirect.run import Run
from semidirect.state import EquationIdentity, Final

if TYPE_CHECKING:
    import xarray

    from semidirect.definition import SystemDefinition
    from semidirect.view import View

__all__ = ["HybridRun"]

LISTED = ("modes", "switches", "quantities")
CONFIGURATION = "config"
"""The attribute of a data set with the configuration of the run."""


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False, init=False)
class HybridRun(Run):
    """Paths of a hybrid system at the times that were saved; ``run["energy"]`` is an array ``(paths, time)``.

    It is a run like any other, whose paths change their modes: quantities are nan where the mode of a path has no such quantity,
    means are over the paths that have it, pictures mark transitions, and ``state=run.final`` continues it with the same bits.

    Attributes
    ----------
    data : RunData
        All that is stored of the run, the modes in ``data.history``.
    """

    def __init__(self, data: RunData | None = None, /, **fields: Any):
        super().__init__(data, **fields)
        if self.data.history is None:
            raise errors.InputError("a run of a hybrid system", expected="one with modes", got=repr(self.data))
        require_consistent(self)

    # -- modes -----------------------------------------------------------------------------------------------------

    @property
    def _history(self) -> ModeHistory:
        assert self.data.history is not None
        return self.data.history

    @property
    def modes(self) -> tuple[str, ...]:
        """The names of the modes."""
        return self._history.modes

    @property
    def switches(self) -> tuple[str, ...]:
        """What the switches say."""
        return self._history.switches

    @property
    def mode(self) -> np.ndarray:
        """The number of the mode of each path at the saved times, (paths, T)."""
        return self._history.mode

    @property
    def transitions(self) -> Transitions:
        """The transitions of all paths."""
        return self._history.transitions

    @property
    def start(self) -> int:
        """The number of the mode at the start; of a run that continues another, of that one."""
        return self._history.start

    @property
    def status(self) -> np.ndarray:
        """How each path ended: 3 is that of the paths that are :attr:`accumulated`, and 8 that of paths which are stopped at an
        impact in which the ground would have to pull; the others as in ``data.status`` of any run.
        """
        return self.data.status

    @property
    def ended_at(self) -> np.ndarray:
        """When each path ended before the end of the run [s], else nan."""
        return self.data.failed_at

    @property
    def accumulated(self) -> np.ndarray:
        """The paths that were stopped, at ``ended_at``, because their transitions accumulate (Zeno)."""
        return np.flatnonzero(self.status == failure.STOPPED)

    def sequence(self, path: int) -> tuple[str, ...]:
        """The modes of a path one after the other; a rebound is a mode that follows itself."""
        path = arguments.validated_whole("path", path, least=0, most=self.paths - 1)
        table = self.transitions.of_path(path)
        first = table.source[0] if len(table) else self.mode[path, 0]
        return (self.modes[first], *(self.modes[i] for i in table.target))

    @property
    def sequences(self) -> Counter[tuple[str, ...]]:
        """How many paths have each sequence of modes."""
        return Counter(self.sequence(path) for path in range(self.paths))

    @property
    def counts(self) -> dict[str, int]:
        """How many transitions each switch made."""
        return {label: int(np.count_nonzero(self.transitions.switch == i)) for i, label in enumerate(self.switches)}

    # -- what is other than for one system -------------------------------------------------------------------------

    @property
    def seed(self) -> int:
        """The seed of the noise, also where it was drawn."""
        if self.config.get("seed") is None:
            raise errors.InputError(
                "the seed of this run", expected="a data set that has it", got="one of an earlier version"
            )
        return self.data.seed

    @property
    def units(self) -> Mapping[str, str]:
        """Units of quantities, where known."""
        return self.data.units

    @property
    def long_names(self) -> Mapping[str, str]:
        """The meaning of quantities, in words, where known."""
        return self.data.long_names

    @property
    def directions(self) -> tuple[tuple[str, str, str], ...]:
        """Label, kind and group of what paths were differentiated by."""
        return tuple((str(a), str(b), str(c)) for a, b, c in self.config.get(EquationIdentity.DIRECTIONS, ()))

    def level(self, system: SystemDefinition | None = None) -> NoReturn:
        """Not of a hybrid system, whose modes conserve different things."""
        raise errors.InputError("level of a hybrid run", expected="a run of one system", got=repr(self),
                                hint="Take the level of a mode: hybrid.modes['name'].simulate(…).level().")  # fmt: skip

    def view(self, system: SystemDefinition | None = None, **how: Any) -> View:
        """A page in which the body moves, with the mode of each path: see :func:`semidirect.view.page.view`.

        ``system``: whose shape is drawn; default that of the mode at the start, if its class is known.
        """
        if system is None and self.data.specification is not None:
            system = self.data.specification.modes[self.modes[self.start]]  # type: ignore[attr-defined]
        return super().view(system, **how)

    # -- other forms, and stores -----------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: Any, *, partial: bool = False) -> Self:
        """Read a store that :meth:`save` or ``Save(store=…)`` wrote."""
        run = Run.load(path, partial=partial)
        if run.data.history is None:
            raise errors.InputError(
                "a run of a hybrid system", expected="a store of one", got=repr(run), hint="Use sd.Run.load."
            )
        return cls(run.data)

    def to_xarray(self) -> xarray.Dataset:
        """A data set with quantities and ``mode`` over (path, time), and the table of transitions over ``transition``."""
        import xarray

        variables: dict[str, Any] = {}
        for name, values in self.data.items():
            extra = {"units": self.units[name]} if name in self.units else {}
            words = {"long_name": self.long_names.get(name, name)}
            variables[name] = (("path", "time", *data_set.dims(values.shape[2:])), values, words | extra)
        # codes with their meanings, as the CF conventions have them
        flags = {"flag_values": np.arange(len(self.modes), dtype=np.int8), "flag_meanings": " ".join(self.modes)}
        variables["mode"] = (("path", "time"), self.mode, {"long_name": "mode of the path", **flags})
        outcomes = {"flag_values": np.arange(len(failure.FLAGS.split()), dtype=np.int8), "flag_meanings": failure.FLAGS}
        variables["status"] = (("path",), self.status, {"long_name": "outcome of each path", **outcomes})
        variables["ended_at"] = (("path",), self.ended_at, {"long_name": "when a path ended early", "units": "s"})
        # transitions are a table of their own, since paths have different numbers of them
        table = vars(self.transitions)
        columns = {
            "path": ("number of the path", ""), "time": ("time of the transition", "s"), "source": ("mode before it", ""),
            "target": ("mode after it", ""), "switch": ("number of the switch", ""),
            "loss": ("kinetic energy that is lost", "J"), "impulse": ("change of the momentum", ""),
        }  # fmt: skip
        for name, (text, unit) in columns.items():
            attributes: dict[str, Any] = {
                "long_name": text,
                **({"units": unit} if unit else {}),
                **(flags if name in ("source", "target") else {}),
            }
            over = ("transition", *(("algebra",) if name == "impulse" else ()))
            variables[f"transition_{name}"] = (over, table[name], attributes)
        coordinates: dict[str, Any] = {
            "path": (("path",), np.arange(self.paths), {"long_name": "number of the path"}),
            "time": (("time",), self.times, {"units": "s", "long_name": "time"}),
        }  # fmt: skip
        for over, values, _ in variables.values():
            for dim, n in zip(over, values.shape, strict=True):
                if dim not in ("path", "time", "transition"):
                    coordinates.setdefault(dim, ((dim,), data_set.axis(n)))
        # with this a file can be opened as a run again
        names = {"modes": self.modes, "switches": self.switches, "start": self.start, "quantities": tuple(self.data)}
        names |= {"directions": self.directions} if self.directions else {}
        about = {
            "Conventions": "CF-1.11", HYBRID: json.dumps(names, ensure_ascii=False),
            CONFIGURATION: json.dumps(dict(self.config), ensure_ascii=False),
        }  # fmt: skip
        return xarray.Dataset(variables, coords=coordinates, attrs=about)

    @classmethod
    def from_xarray(cls, data_set: xarray.Dataset) -> HybridRun:
        """The run of a data set that :meth:`to_xarray` made, also after it was written to a file and opened again.

        What a run needs to be continued is in stores alone, see :meth:`save`.

        Raises
        ------
        InputError
            For another data set.
        """
        try:
            names = json.loads(data_set.attrs[HYBRID])
            tuples = {key: tuple(names[key]) for key in LISTED if isinstance(names[key], list)}
            modes, switches, quantities = (tuples[key] for key in LISTED)
            table = {f.name: np.array(data_set[f"transition_{f.name}"].values) for f in fields(Transitions)}
            saved = {n: data_set[n].transpose("path", "time", ...) for n in quantities}
            times, status, ended = (np.array(data_set[n].values) for n in ("time", "status", "ended_at"))
            mode = np.array(data_set["mode"].transpose("path", "time").values)
            words = {n: v.attrs.get("long_name", n) for n, v in saved.items()}
            units = {n: v.attrs["units"] for n, v in saved.items() if "units" in v.attrs}
            data, start = {n: np.array(v.values) for n, v in saved.items()}, names["start"]
            directions = tuple((str(a), str(b), str(c)) for a, b, c in names.get("directions", ()))
            config = dict(json.loads(data_set.attrs.get(CONFIGURATION, "{}")))
            if config:
                check_configuration(config)
        except (KeyError, AttributeError, TypeError, ValueError, RecursionError) as error:
            raise errors.InputError(
                "a data set of a hybrid run", expected="what HybridRun.to_xarray() made",
                got=f"{type(data_set).__name__} without {error}",
            ) from None  # fmt: skip
        long_names = {n: text for n, text in words.items() if not (isinstance(text, str) and text == n)}
        history = ModeHistory(modes, switches, mode, Transitions(**table), start)
        config = (config or _least_configuration(times, modes)) | ({"directions": directions} if directions else {})
        nothing: dict[str, np.ndarray] = {}
        final = Final(0.0, 0, None, nothing, nothing, status, ended, {"parameters": {}})
        return cls(RunData(
            times=times, data=data, final=final, status=status, failed_at=ended,
            failed_component=np.full(np.shape(status), -1, dtype=np.int16), units=units, components=(), config=config,
            long_names=long_names, history=history,
        ))  # fmt: skip

    def __repr__(self) -> str:
        ended = len(self.accumulated)
        zeno = f", which accumulate on {ended}" if ended else ""
        over = f"t = {self.times[0]:g} … {self.times[-1]:g} s"
        return (
            f"HybridRun({self.paths} paths, {len(self.modes)} modes, {over}, {len(self.transitions)} transitions{zeno})"
        )


def _least_configuration(times: Any, modes: Any) -> dict[str, Any]:
    """The substitute for the configuration of a data set of an earlier version, which has none."""
    array = np.asarray(times)
    apart = float(np.min(np.diff(array))) if array.dtype.kind == "f" and array.ndim == 1 and len(array) > 1 else 1.0
    end = float(array[-1]) if array.dtype.kind == "f" and array.ndim == 1 and len(array) else 1.0
    return {"system": f"hybrid:{', '.join(map(str, modes))}", "method": "", "dt": apart, "t_end": end, "seed": None,
            "parameters": {}, "observables": [], "variables": [], "noise": {}}  # fmt: skip
