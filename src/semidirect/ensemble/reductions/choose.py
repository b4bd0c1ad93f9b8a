"""The statistics by name, and those that ``reduce=`` chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from semidirect.core.errors import InputError
from semidirect.core.registry import Registry
from semidirect.ensemble.reductions.reduction import Statistic

if TYPE_CHECKING:
    from semidirect.ensemble.quantities import Quantities

STATISTICS: Registry[Statistic] = Registry(
    "statistic", Statistic, __package__, "semidirect.statistics", key="kind"  # type: ignore[type-abstract]
)  # fmt: skip
"""All statistics: the final classes of this package, and those that other packages declare as ``semidirect.statistics``."""


def choose(asked: str | Statistic | Sequence[str | Statistic] | None, contents: Quantities) -> tuple[Statistic, ...]:
    """Statistics with all names of quantities filled in; ``mean`` and ``variance`` stand for moments.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown name, a missing option, or two statistics with the same label.
    """
    entries = [] if asked is None else list(asked) if isinstance(asked, (list, tuple)) else [asked]
    found: dict[str, Statistic] = {}
    for entry in entries:
        if isinstance(entry, str):
            reduction = _without_options(entry)
            if reduction.key in found:
                continue
        elif isinstance(entry, Statistic):
            reduction = entry
        else:
            raise InputError("reduce", expected="names of statistics, or objects such as sd.Moments()", got=repr(entry))
        if reduction.key in found:
            raise InputError(
                "two statistics have the same label", got=repr(reduction.key), hint="Give one of them label=…."
            )
        found[reduction.key] = reduction.resolved(contents)
    return tuple(found.values())


def statistic(name: Any) -> type[Statistic]:
    """The class of statistics with this name or alias.

    Raises
    ------
    UnknownNameError
        If there is none; the message lists all names.
    """
    for kind in STATISTICS.built_in.values():
        if name in kind.aliases:
            return kind
    return STATISTICS[name]


def options(kind: type[Statistic]) -> dict[str, bool]:
    """The options of a statistic, and whether each is required."""
    return {f.name: f.default is MISSING and f.default_factory is MISSING for f in fields(kind)}


def examples() -> str:
    """An example of each statistic on the command line; statistics of other packages by name only."""
    shown = {name: kind.example or name for name, kind in STATISTICS.built_in.items()}
    return ", ".join(shown.get(name, name) for name in STATISTICS)


def from_description(described: Mapping[str, Any]) -> Statistic:
    """The reverse of :meth:`~semidirect.ensemble.reductions.reduction.Statistic.described`.

    Raises
    ------
    UnknownNameError
        For an unknown kind.
    """
    entries = dict(described)
    kind = STATISTICS[entries.pop("kind")]
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in entries.items()})


def _without_options(name: str) -> Statistic:
    kind = statistic(name)
    needed = [option for option, needed in options(kind).items() if needed]
    if needed:
        written = ", ".join(f"{option}=…" for option in needed)
        raise InputError(
            f"the statistic {name!r} needs {' and '.join(needed)}", hint=f"Write {kind.__name__}({written})."
        )
    return kind()
