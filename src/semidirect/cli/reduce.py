"""What ``--reduce``, ``--stop`` and ``--bound`` say, and how statistics are shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from semidirect.core.errors import InputError
from semidirect.core.output import components, figures, plain, table

if TYPE_CHECKING:
    from semidirect.ensemble.reductions.reduction import Statistic, StatisticResult
    from semidirect.ensemble.stop import Stop
    from semidirect.run import Run

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
EXAMPLES = (
    "moments, covariance:energy,jellett, extremes, histogram:energy,low=0,high=2,bins=50, first-passage:energy,level=1"
)
_STOP = re.compile(r"\s*([^\s\[\]<>=]+)\s*(?:\[(\d+)\])?\s*(>=|<=)\s*(\S+)\s*")


def read_reductions(texts: Sequence[str]) -> list[Statistic]:
    """Reductions from ``KIND``, ``KIND:NAME,NAME,…`` or ``KIND:NAME,KEY=JSON,…``.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown kind, and for what that kind does not take.
    """
    return [_reduction(text) for text in texts]


def _reduction(text: str) -> Statistic:
    from semidirect.ensemble.reductions.choose import BY_NAME, KINDS, from_description

    kind, _, rest = text.partition(":")
    entries = [entry.strip() for entry in rest.split(",") if entry.strip()]
    names = [entry for entry in entries if "=" not in entry]
    options: dict[str, str] = {}
    for entry in (e for e in entries if "=" in e):
        key, _, value = entry.partition("=")
        if key.strip() in options or (key.strip() in ("kind", "name", "quantities")):
            raise InputError(
                f"--reduce {text}", expected="each option once, quantities without a key", got=f"{key.strip()}= again",
                hint=f"Examples: {EXAMPLES}.",
            )  # fmt: skip
        options[key.strip()] = value
    kind = BY_NAME[kind].kind if kind in BY_NAME else kind
    described: dict[str, Any] = {"kind": kind, **{k: _value(v) for k, v in options.items()}}
    if kind in KINDS and "name" in KINDS[kind].__dataclass_fields__:
        if len(names) != 1:
            raise InputError(f"--reduce {kind}", expected=f"one quantity, {kind}:NAME,…", got=repr(text))
        described["name"] = names[0]
    elif names:
        described["quantities"] = names
    _check(text, kind, described)
    return from_description(described)


def _check(text: str, kind: str, described: dict[str, Any]) -> None:
    """Whether the kind takes these options, and has those that it needs; an unknown kind is refused by name later."""
    from semidirect.ensemble.reductions.choose import KINDS

    if kind not in KINDS:
        return
    options = {f.name: f.default is MISSING for f in fields(KINDS[kind])}
    unknown, missing = (
        [k for k in described if k not in options and k != "kind"],
        [k for k, needed in options.items() if needed and k not in described],
    )
    if unknown or missing:
        raise InputError(
            f"--reduce {text}", expected=f"with {', '.join(f'{k}=' for k in missing) or 'options ' + ', '.join(options)}",
            got=", ".join(f"{k}=" for k in unknown) or "without", hint=f"Examples: {EXAMPLES}.",
        )  # fmt: skip


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()


def read_stop(text: str | None, every: int | None) -> Stop | None:
    """A stop from ``NAME>=LEVEL``, ``NAME[K]<=LEVEL``; K counts components from 0.

    Raises
    ------
    InputError
        For any other text.
    """
    if text is None:
        if every is not None:
            raise InputError("--stop-every", expected="--stop NAME>=LEVEL with it", got="none")
        return None
    from semidirect.ensemble.stop import Stop

    match = _STOP.fullmatch(text)
    try:
        level = float(match[4]) if match else None
    except ValueError:
        level = None
    if match is None or level is None:
        raise InputError("--stop", expected="NAME>=LEVEL or NAME<=LEVEL", got=repr(text),
                         hint="Write for example --stop 'energy>=2' or --stop 'Gamma[2]<=0'.")  # fmt: skip
    side = {"above": level} if match[3] == ">=" else {"below": level}
    return Stop(
        match[1], component=None if match[2] is None else int(match[2]), every=1 if every is None else every, **side
    )


def described(run: Run) -> dict[str, Any]:
    """All statistics of a run in JSON's types: times, and tables by name."""
    return {
        key: {
            "times": reduced.times.tolist(),
            **{name: values.tolist() for name, (_, values) in reduced.tables().items()},
        }
        for key, reduced in run.reductions.items()
    }


def text(run: Run) -> str:
    """The statistics at the last of their times, for people."""
    return "\n\n".join(
        f"{key} at t = {reduced.times[-1]:g} s\n{_shown(reduced)}" for key, reduced in run.reductions.items()
    )


def _shown(reduced: StatisticResult) -> str:
    from semidirect.ensemble.reductions.covariance import CovarianceReduced
    from semidirect.ensemble.reductions.histogram import HistogramReduced

    if isinstance(reduced, CovarianceReduced):
        rows = [
            [label, figures(mean), *map(figures, row)]
            for label, mean, row in zip(
                reduced.components, reduced.mean[-1].tolist(), reduced.matrix[-1].tolist(), strict=True
            )
        ]
        header = ["covariance", "mean", *reduced.components]
        return f"{table(header, rows, right=range(1, len(header)))}\n{reduced.count[-1]} paths"
    if isinstance(reduced, HistogramReduced):
        rows = [
            [label, *map(figures, values)]
            for label, values in _by_component(reduced.reduction.names()[0], reduced.quantiles(QUANTILES)[-1])
        ]
        header = ["quantile", *(f"{q:g}" for q in QUANTILES)]
        note = f"to {reduced.resolution / 2:.2g}, half a bin"
        return f"{table(header, rows, right=range(1, len(header)))}\n{note}"
    rows = []
    for name, (of, values) in reduced.tables().items():
        last = values[-1] if of[0] == "time" else values
        rows += [[label, figures(value)] for label, value in components(name, plain(last.tolist()))]
    return table(["statistic", "value"], rows, right=[1])


def _by_component(name: str, values: Any) -> list[tuple[str, list[float]]]:
    if values.ndim == 1:
        return [(name, values.tolist())]
    return [(f"{name}{i}", row) for i, row in enumerate(values.tolist(), 1)]
