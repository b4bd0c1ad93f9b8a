"""What ``reduce=`` asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from semidirect.core.arguments import validated_name
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.ensemble.reductions.covariance import Covariance
from semidirect.ensemble.reductions.extremes import Extremes
from semidirect.ensemble.reductions.first_passage import FirstPassage
from semidirect.ensemble.reductions.histogram import Histogram
from semidirect.ensemble.reductions.moments import Moments
from semidirect.ensemble.reductions.reduction import Statistic

if TYPE_CHECKING:
    from semidirect.ensemble.quantities import Quantities

BY_NAME: Mapping[str, type[Moments] | type[Covariance] | type[Extremes]] = {
    "moments": Moments, "mean": Moments, "variance": Moments, "covariance": Covariance, "extremes": Extremes,
}  # fmt: skip
KINDS: Mapping[str, type[Statistic]] = {k.kind: k for k in (Moments, Covariance, Histogram, Extremes, FirstPassage)}


def choose(asked: str | Statistic | Sequence[str | Statistic] | None, contents: Quantities) -> tuple[Statistic, ...]:
    """Reductions with all names written out; ``mean`` and ``variance`` stand for moments.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown name, or two reductions of one label.
    """
    entries = [] if asked is None else list(asked) if isinstance(asked, (list, tuple)) else [asked]
    found: dict[str, Statistic] = {}
    for entry in entries:
        if isinstance(entry, str):
            if entry not in BY_NAME:
                raise UnknownNameError("reduction", entry, BY_NAME)
            reduction: Statistic = BY_NAME[entry]()
            if reduction.key in found:
                continue
        elif isinstance(entry, Statistic):
            reduction = entry
        else:
            raise InputError("reduce", expected="names of reductions, or such as sd.Moments()", got=repr(entry))
        if reduction.key in found:
            raise InputError("two reductions of one label", got=repr(reduction.key), hint="Give one of them label=….")
        found[reduction.key] = reduction.resolved(contents)
    return tuple(found.values())


def from_description(described: Mapping[str, Any]) -> Statistic:
    """The reverse of :meth:`~semidirect.ensemble.reductions.reduction.Statistic.described`.

    Raises
    ------
    UnknownNameError
        For an unknown kind.
    """
    entries = dict(described)
    kind = validated_name("reduction", entries.pop("kind"), KINDS)
    return KINDS[kind](**{k: tuple(v) if isinstance(v, list) else v for k, v in entries.items()})
