"""The times and quantities that a run saves, and its store on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self, final

from semidirect.core import Flag, arguments, errors
from semidirect.specification.conditions.condition import one_or_several
from semidirect.specification.conditions.crossing import Crossing
from semidirect.specification.places import store_place
from semidirect.specification.run_argument import RunArgument
from semidirect.specification.schedule.steps import plain_schedule, validated_schedule

__all__ = ["Save"]


@final
@dataclass(frozen=True, repr=False)
class Save(RunArgument):
    """Selects which quantities and times are saved, and where: ``simulate(save=sd.Save("every:10", names=["energy"]))``.

    Parameters
    ----------
    times : str or sequence of float
        ``"all"``, ``"final"``, ``"every:K"`` (the first step and each K-th after it), ``"times:t1,t2,…"`` or the times themselves
        [s], multiples of dt; the end of the run is always among them. Of a run in memory that saves the end alone, and takes no
        statistics on the way, a quantity is evaluated when it is asked for.
    names : sequence of str, optional
        The quantities to save; default everything.
    crossings : Crossing, or a list of such; optional
        Crossings of levels that are recorded while paths continue. See ``run.crossings``.
    store : path or URL, optional
        Where the run is written, chunk by chunk while it is computed; the run that is returned reads from there. A URL, such as
        ``"s3://bucket/run.zarr"``, needs the package fsspec and the one of its protocol.
    resume : bool
        Whether to finish a run that was interrupted, if one is in the store; the bytes are those of a run that was not.

    Raises
    ------
    InputError
        For times or names that cannot be used, and for ``resume`` without a store.
    """

    times: str | Sequence[float] = "all"
    names: Sequence[str] | None = None
    crossings: Crossing | Sequence[Crossing] | None = ()
    store: str | Path | None = None
    resume: bool = False

    argument: ClassVar[str] = "save"
    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("save", "times to save: final, all, every:K steps or times:t1,t2,… (default: all with -o or --monitor, else final)",
             metavar="WHAT"),
        Flag("keep", "quantities to save, e.g. energy,Omega (default: all)", "names", "NAMES", completion="quantities"),
        Flag("output", "where to save the run while it is computed: a folder, or a URL such as s3://bucket/RUN.zarr", "location",
             "RUN.zarr", letter="o"),
        Flag("resume", "finish the interrupted run at -o, if there is one", "switch"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", validated_schedule("save", self.times))
        if self.names is not None:
            object.__setattr__(self, "names", arguments.validated_names("names of quantities to save", self.names))
        crossings = one_or_several("crossings", self.crossings, (Crossing,), "sd.Crossing('energy', 1.0)")
        object.__setattr__(self, "crossings", crossings)
        if self.store is not None:
            object.__setattr__(self, "store", store_place("store", self.store))
        object.__setattr__(self, "resume", arguments.validated_flag("resume", self.resume))
        if self.resume and self.store is None:
            raise errors.InputError(
                "resume", expected="a store to resume", got="none", hint="Write sd.Save(store=path, resume=True)."
            )

    @classmethod
    def _from(cls, value: Any) -> Self:
        return _of_text(value) if isinstance(value, str) else cls(value)

    def as_json(self) -> dict[str, Any]:
        """Times and names; where a run lies is no part of it."""
        form: dict[str, Any] = {
            "save": plain_schedule(self.times),
            "keep": None if self.names is None else list(self.names),
        }
        crossings: Any = self.crossings
        return form | {"crossings": [one.described() for one in crossings]} if crossings else form

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The times and names of a record."""
        return cls(record["save"], record["keep"], [Crossing(**entry) for entry in record.get("crossings", ())])

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self:
        """The selection that the flags describe; the end alone if the run is not written anywhere."""
        output = values["output"]
        if values["resume"] and output is None:
            raise errors.InputError("--resume", expected="-o RUN.zarr", got="none", hint="Say which run.")
        usual = "final" if output is None else "all"
        times = usual if values["save"] is None else values["save"]
        return cls(times, values["keep"], store=output, resume=bool(values["resume"]))


@lru_cache(64)
def _of_text(times: str) -> Save:
    return Save(times)
