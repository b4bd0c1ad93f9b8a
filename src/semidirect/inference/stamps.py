"""Times of data as people have them: seconds, Unix times, dates with and without a time zone; and the clock of a filter."""

from __future__ import annotations

import datetime
import re
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.expressions import Unit

__all__ = ["Origin", "Stamps"]

UNIX = 1e8, 1e11
"""Seconds since 1970 that count as Unix times: from 1973 on."""

FIRST = "first"
"""The value of ``clock=`` for which the first time of all data is 0."""

ZONE = re.compile(r"(?:Z|z|[+-]\d\d:?\d\d)\s*$")

SECOND = Unit.read("s")

DATES = "dates as 2026-01-31T12:00:00, or numbers of seconds"


@final
@dataclass(frozen=True, eq=False)
class Stamps:
    """The times of an observation, before they are counted from a common origin.

    Attributes
    ----------
    numbers : array (T,)
        Seconds; of dates, whole nanoseconds since 1970.
    dates : bool
        Whether they are dates.
    zone : bool
        Whether the dates have a time zone; they are then in UTC.
    """

    numbers: np.ndarray
    dates: bool = False
    zone: bool = False

    @classmethod
    def of(cls, times: Any, what: str, unit: str = "") -> Self:
        """Times of NumPy, pandas or xarray, of Python's ``datetime``, or text in ISO 8601.

        Raises
        ------
        InputError
            For anything else, missing times, and numbers whose unit is none of time.
        """
        zone = getattr(getattr(times, "dtype", None), "tz", None) is not None
        if zone:
            times = times.dt.tz_convert("UTC").dt.tz_localize(None) if hasattr(times, "dt") else times.tz_convert(None)
        array = np.asarray(times.to_numpy() if hasattr(times, "to_numpy") else times)
        if array.dtype.kind in "OUST" and array.size and isinstance(array.ravel()[0], (str, datetime.date)):
            array, zone = _parsed(array, what)
        if array.dtype.kind in "Mm":
            if np.isnat(array).any() or array.ndim != 1 or not len(array):
                raise errors.InputError(what, expected="dates (T,), at least one, none of them missing",
                                        got="a missing one" if array.size else f"shape {array.shape}")  # fmt: skip
            dates = array.dtype.kind == "M"
            whole = array.astype("M8[ns]" if dates else "m8[ns]").astype(np.int64)
            return cls(whole, True, zone) if dates else cls(whole / 1e9)
        time_unit = Unit.read(unit) if unit else SECOND
        if unit.lower() in ("sec", "second", "seconds"):
            time_unit = SECOND
        if time_unit is None or SECOND is None or time_unit.powers != SECOND.powers:
            raise errors.InputError(f"unit of the {what}", expected="seconds, or another unit of time such as ms",
                                    got=repr(unit))  # fmt: skip
        numbers = arguments.validated_array(what, array)
        if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
            raise errors.InputError(what, expected="finite numbers (T,), at least one", got=f"shape {numbers.shape}")
        return cls(numbers if time_unit.scale == 1 else numbers * time_unit.scale)

    @classmethod
    def of_one(cls, time: Any, what: str) -> Self:
        """One time."""
        if isinstance(time, (int, float, np.number)) and not isinstance(time, bool):
            return cls.of(np.array([float(time)]), what)
        return cls.of(np.array([time]) if hasattr(time, "dtype") else np.array([time], dtype=object), what)

    @property
    def unix(self) -> bool:
        """Whether they are numbers that can only be Unix times."""
        return not self.dates and bool(UNIX[0] <= float(self.numbers.min()) and float(self.numbers.max()) <= UNIX[1])


def _parsed(array: np.ndarray, what: str) -> tuple[np.ndarray, bool]:
    """Dates of text or of Python, in UTC if they have a time zone."""
    import pandas as pd

    texts = [str(one) for one in array.ravel()]
    if not all(text[:1].isdecimal() for text in texts):  # pandas knows words such as "now"
        raise errors.InputError(what, expected=DATES, got=reprlib.repr(next(x for x in texts if not x[:1].isdecimal())))
    zones = {bool(ZONE.search(text[10:])) for text in texts}
    if len(zones) > 1:
        raise errors.InputError(what, expected="dates that all have a time zone, or none", got="both")
    try:
        dates = pd.to_datetime(texts, format="ISO8601", utc=zones == {True})
    except (ValueError, TypeError):
        raise errors.InputError(what, expected=DATES, got=reprlib.repr(texts[0]),
                                hint="Read them with pandas.to_datetime(…, format=…).") from None  # fmt: skip
    zone = dates.tz is not None
    return (dates.tz_localize(None) if zone else dates).to_numpy(), zone


@final
@dataclass(frozen=True)
class Origin:
    """The time of the data that is t = 0.

    Attributes
    ----------
    number : int or float
        The time: seconds, or of dates whole nanoseconds since 1970.
    dates, zone : bool
        As of :class:`Stamps`.
    """

    number: int | float = 0.0
    dates: bool = False
    zone: bool = False

    @classmethod
    def of(cls, clock: Any, stamps: Sequence[Stamps]) -> Self:
        """The origin for ``clock=``: ``None``, ``"first"``, a number of seconds or a date.

        ``None`` is the first of all times if they are dates or Unix times, and else 0.

        Raises
        ------
        InputError
            For anything else, and for times of several kinds.
        """
        dates, zone = stamps[0].dates, stamps[0].zone
        for i, one in enumerate(stamps):
            if (one.dates, one.zone) != (dates, zone):
                kinds = {(True, True): "dates with a time zone", (True, False): "dates without a time zone"}
                raise errors.InputError(f"times of observation {i}", expected=kinds.get((dates, zone), "numbers"),
                                        got=kinds.get((one.dates, one.zone), "numbers"),
                                        hint="All data of one filter have one clock.")  # fmt: skip
        first = min(one.numbers.min() for one in stamps)
        if clock is None and not dates and not all(one.unix for one in stamps):
            return cls()
        if clock is None or (isinstance(clock, str) and clock == FIRST):
            return cls(int(first) if dates else float(first), dates, zone)
        if isinstance(clock, (int, float, np.integer, np.floating)) and not isinstance(clock, bool):
            number = arguments.validated_number("clock", clock)
            return cls(round(number * 1e9), True, zone) if dates else cls(number)
        try:
            stamp = Stamps.of(np.array([clock], dtype=object) if not hasattr(clock, "dtype") else [clock], "clock")
        except errors.InputError:
            stamp = None
        if stamp is None or not stamp.dates:
            raise errors.InputError(
                "clock", expected=f"{FIRST!r}, a number of seconds, or a date", got=reprlib.repr(clock)
            )
        if dates and stamp.zone != zone:
            raise errors.InputError("clock", expected="a date with a time zone" if zone else "a date without a time zone",
                                    got=reprlib.repr(clock), hint="As the times of the data.")  # fmt: skip
        nanoseconds = int(stamp.numbers[0])
        return cls(nanoseconds, True, zone) if dates else cls(nanoseconds / 1e9)

    def seconds(self, stamps: Stamps) -> np.ndarray:
        """Times since the origin [s]."""
        if self.dates:
            return np.asarray((stamps.numbers - int(self.number)) / 1e9)
        return stamps.numbers - self.number if self.number else stamps.numbers

    def since(self, time: Any) -> float:
        """A number of seconds since the origin, or a date on the clock of the data, since the origin [s]."""
        if isinstance(time, (int, float, np.number)) and not isinstance(time, bool):
            return float(time)
        one = Stamps.of_one(time, "time")
        if not one.dates or (self.dates and one.zone != self.zone) or not str(self):
            raise errors.InputError("time", expected="a number of seconds" + f", or a date as {self}" * self.dates,
                                    got=reprlib.repr(time))  # fmt: skip
        return float((one.numbers[0] - (self.number if self.dates else round(self.number * 1e9))) / 1e9)

    def attributes(self) -> dict[str, Any]:
        """Attributes of the times of a data set, from which :meth:`from_attributes` makes the origin."""
        if not str(self):
            return {}
        kind = "zone" if self.zone else "date" if self.dates else ""
        return {"clock": str(self), "clock_number": str(self.number), "clock_kind": kind}

    @classmethod
    def from_attributes(cls, attributes: Any) -> Self:
        """The origin that was written."""
        if "clock" not in attributes:
            return cls()
        kind, number = attributes["clock_kind"], attributes["clock_number"]
        return cls(int(number) if kind else float(number), bool(kind), kind == "zone")

    def __str__(self) -> str:
        """The date or the number of seconds; empty if t = 0 is 0."""
        if self.dates:
            text = str(np.datetime64(int(self.number), "ns"))
            return text.rstrip("0").removesuffix(".") + "Z" * self.zone
        return repr(self.number) if self.number else ""
