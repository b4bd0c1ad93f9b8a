"""The statistics by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from semidirect.core import errors, registry
from semidirect.statistics.reduction import Statistic

STATISTICS: registry.Registry[Statistic] = registry.Registry(
    "statistic", Statistic, "semidirect.statistics", "semidirect.statistics", key="kind"  # type: ignore[type-abstract]
)  # fmt: skip
"""All statistics: the final classes of this package, and those that other packages declare as ``semidirect.statistics``."""


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
    texts = {name: kind.example or name for name, kind in STATISTICS.built_in.items()}
    return ", ".join(texts.get(name, name) for name in STATISTICS)


def from_description(description: Mapping[str, Any]) -> Statistic:
    """The reverse of :meth:`~semidirect.statistics.reduction.Statistic.described`.

    Raises
    ------
    UnknownNameError
        For an unknown kind.
    """
    entries = dict(description)
    kind = STATISTICS[entries.pop("kind")]
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in entries.items()})


def without_options(name: str) -> Statistic:
    """The statistic of a name; ``mean`` and ``variance`` stand for moments.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown name, and for one that needs options.
    """
    kind = statistic(name)
    required = [option for option, required in options(kind).items() if required]
    if required:
        example = ", ".join(f"{option}=…" for option in required)
        raise errors.InputError(
            f"the statistic {name!r} needs {' and '.join(required)}", hint=f"Write {kind.__name__}({example})."
        )
    return kind()
