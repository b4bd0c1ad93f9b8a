"""The parameters of the sites that are parameters of their lattice."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from semidirect.core import PerPath, errors

SEED, DRAWS, FAR = 31, 2, 2.0**-7


class Linked(NamedTuple):
    """Parameters of the sites of a kind and of the lattice.

    Attributes
    ----------
    same : dict str → str
        Of the sites, those that are one of the lattice as it is, and which.
    changed : set of str
        Of the lattice, those of which the sites make something else.
    """

    same: dict[str, str]
    changed: set[str]


def linked_parameters(lattice: Any, kind: int) -> Linked:
    """Found by other values: what the sites take as it is has the same bits at all of them."""
    site = lattice.site_systems()[kind]
    same, changed, rng = dict[str, str](), set[str](), np.random.default_rng(SEED)
    for name in lattice.values:
        if name in lattice.workings.table_names:
            continue
        value = np.asarray(lattice.values[name], dtype=float)
        if not value.size:
            same |= {key: name for key, of_site in site.values.items() if _is(of_site, value) and key == name}
            continue
        moved, equal = set[str](), set(site.values)
        for _ in range(DRAWS):
            other = value * (1 + FAR * rng.random()) + (FAR * rng.random() if not value.any() else 0.0)
            try:
                one = lattice.workings.with_values({**lattice.values, name: other if other.ndim else float(other)})
                there = one.site_systems()[kind]
            except errors.SemidirectError:
                changed.add(name)
                break
            moved |= {key for key, x in there.values.items() if not _alike(x, site.values[key])}
            equal &= {key for key, x in there.values.items() if _is(x, other)}
        same |= dict.fromkeys(moved & equal, name)
        if moved - equal:
            changed.add(name)
    return Linked({key: name for key, name in same.items() if name not in changed}, changed)


def _alike(value: Any, other: Any) -> bool:
    if isinstance(value, PerPath) is not isinstance(other, PerPath):
        return False
    one, two = (np.asarray(x.values if isinstance(x, PerPath) else x, dtype=float) for x in (value, other))
    return np.array_equal(one, two)


def _is(value: Any, other: np.ndarray) -> bool:
    return not isinstance(value, PerPath) and np.array_equal(np.asarray(value, dtype=float), other)
