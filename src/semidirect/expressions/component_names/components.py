"""Names of components, each from its block and number, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from semidirect.expressions.component_names.identifiers import identifier


def grouped(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Stored coordinates by stem: ``x1, x2, x3`` → ``x``, ``g1_1, g1_2`` → ``g``; a single one keeps its name, and so do all
    whose stem is the name of a coordinate, ``angle, angle1, angle2``.
    """
    return {name: list(where) for name, where in _places(names).items()}


def component_names(name: str, size: int, stored: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of the components of a quantity, its own where it has one; ``stored`` are those of the coordinates of s."""
    if size == 1:
        return (name,)
    labels = _labels(name, tuple(stored), size)
    return labels or tuple(f"{name}{i + 1}" for i in range(size))


def component_of(
    text: str, names: Iterable[str], size: Callable[[str], int], stored: Sequence[str] = ()
) -> tuple[str, int] | None:
    """The quantity, one of ``names``, and the number from 0 of the component that has this name; ``None`` if none has.

    Parameters
    ----------
    text : str
        ``Omega1``, ``g12``; of a quantity whose name has hyphens also with ``_`` for them.
    names : names
        The quantities.
    size : callable
        How many components one has, 0 for a scalar; asked for those only to whose components the text could belong.
    stored : names
        Those of the coordinates of the configuration.
    """
    stored = tuple(stored)
    places = _places(stored)
    for name in names:
        if name in places or (name[-1:].isdigit() and text.startswith(name) and text in stored):
            labels = _labels(name, stored, size(name))
            if text in labels:
                return name, labels.index(text)
        else:
            rest = identifier(text).removeprefix(identifier(name))
            if rest != identifier(text) and re.fullmatch("[1-9][0-9]{0,3}", rest) and int(rest) <= size(name):
                return name, int(rest) - 1
    return None


def _labels(name: str, stored: tuple[str, ...], size: int) -> tuple[str, ...]:
    """The names of the components of a quantity that has names of its own, empty if it has none."""
    labels = tuple(stored[i] for i in _places(stored).get(name, ()))
    if not labels and name[-1:].isdigit():  # whose stem is another one
        own = re.compile(re.escape(name) + r"[1-9]\d*(_\d+)?")
        labels = tuple(x for x in stored if own.fullmatch(x))
    return labels if len(labels) == size else ()


@lru_cache(maxsize=256)
def _places(names: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    groups: dict[str, list[int]] = {}
    every = set(names)
    for i, name in enumerate(names):
        stem = re.sub(r"\d+(_\d+)?$", "", name) or name
        groups.setdefault(name if stem in every else stem, []).append(i)  # an angle beside angle1 is another quantity
    return {(stem if len(where) > 1 else names[where[0]]): tuple(where) for stem, where in groups.items()}
