"""The statistics that are computed during a run, and their times."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

from semidirect.core import Flag, errors
from semidirect.quantities import Quantities
from semidirect.specification.run_argument import RunArgument
from semidirect.specification.schedule.steps import plain_schedule, validated_schedule
from semidirect.statistics import Statistic, choice

__all__ = ["Reduce"]


def _help() -> str:
    return f"statistics computed during the run: {choice.examples()}; may be repeated"


@final
@dataclass(frozen=True, repr=False)
class Reduce(RunArgument):
    """Statistics computed during the run, without saving paths; they are the same to the last bit for any threads and chunks.

    ``simulate(reduce=sd.Reduce(["moments", sd.Extremes("energy")], at="every:10"))``; the results are ``run.reductions``.

    Parameters
    ----------
    statistics : str, Statistic or a sequence of them
        ``"moments"``, ``"covariance"``, ``"extremes"``, or :class:`~semidirect.Moments`, :class:`~semidirect.Covariance`,
        :class:`~semidirect.Histogram`, :class:`~semidirect.Extremes`, :class:`~semidirect.FirstPassage`,
        :class:`~semidirect.TimeAverage`; other packages may add some. ``"mean"`` and ``"variance"`` stand for moments.
    at : str or sequence of float, optional
        When, as the times of :class:`~semidirect.Save` [s]; default these.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown statistic, one that needs options, two of one label, or times that cannot be used.
    """

    statistics: str | Statistic | Sequence[str | Statistic] = ()
    at: str | Sequence[float] | None = None

    argument: ClassVar[str] = "reduce"
    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("reduce", _help, "texts", "WHAT"),
        Flag("reduce-at", "times of the statistics, as --save (default: those of --save)", metavar="WHEN"),
    )

    def __post_init__(self) -> None:
        statistics = self.statistics
        object.__setattr__(
            self, "statistics", _distinct(list(statistics) if isinstance(statistics, (list, tuple)) else [statistics])
        )
        if self.at is not None:
            object.__setattr__(self, "at", validated_schedule("reduce at", self.at))

    @classmethod
    def _from(cls, value: Any) -> Self:
        return cls(value)

    @property
    def chosen(self) -> tuple[Statistic, ...]:
        """The statistics as objects."""
        return self.statistics  # type: ignore[return-value]

    def resolved(self, contents: Quantities) -> Self:
        """With all names of quantities written out."""
        return type(self)(tuple(s.resolved(contents) for s in self.chosen), self.at)

    def refuse_without_errors(self, replications: int) -> None:
        """An :class:`InputError` for a statistic whose errors would be those of independent paths."""
        for one in self.chosen:
            if replications and not one.by_replication:
                raise errors.InputError(
                    f"the statistic {one.key!r} of paths in replications", expected="one whose errors come from the replications",
                    got=f"{type(one).__name__}, by_replication = False",
                    hint="Use driver=sd.Wiener(), or take the errors in its result from the spread of taken.replicates.",
                )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """The statistics, if there are any, and their times, if they have their own."""
        form: dict[str, Any] = {"reduce": [s.described() for s in self.chosen]} if self.statistics else {}
        return form if self.at is None or not form else {**form, "reduce_at": plain_schedule(self.at)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The statistics of a record."""
        return cls([choice.from_description(entry) for entry in record.get("reduce", ())], record.get("reduce_at"))

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self:
        """The statistics that are written as text."""
        if values["reduce_at"] is not None and not values["reduce"]:
            raise errors.InputError("--reduce-at", expected="--reduce WHAT with it", got="none")
        return cls([choice.from_text(text) for text in values["reduce"] or ()], values["reduce_at"])


def _distinct(entries: Sequence[Any]) -> tuple[Statistic, ...]:
    by_key: dict[str, Statistic] = {}
    for entry in entries:
        if isinstance(entry, str):
            statistic = choice.without_options(entry)
            if statistic.key in by_key:
                continue
        elif isinstance(entry, Statistic):
            statistic = entry
        else:
            raise errors.InputError(
                "reduce", expected="names of statistics, or objects such as sd.Moments()", got=reprlib.repr(entry)
            )
        if statistic.key in by_key:
            raise errors.InputError(
                "two statistics have the same label", got=repr(statistic.key), hint="Give one of them label=…."
            )
        by_key[statistic.key] = statistic
    return tuple(by_key.values())
