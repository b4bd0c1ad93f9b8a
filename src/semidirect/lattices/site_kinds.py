"""The kinds of the sites of a lattice."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from semidirect.core import errors


@final
@dataclass(frozen=True, eq=False)
class SiteKinds:
    """The kinds of the sites. One of each, the first, the second and so on, make a cell; where a kind has fewer sites than
    others, further cells have a copy of its last one.

    Attributes
    ----------
    names : tuple of str
        Those of the kinds, in order; ``("",)`` if there is one that has no name.
    of_site : int array
        The number of the kind of each site.
    """

    names: tuple[str, ...]
    of_site: np.ndarray

    @classmethod
    def one(cls, sites: int) -> SiteKinds:
        """Sites that are all alike."""
        return cls(("",), np.zeros(sites, dtype=np.intp))

    @classmethod
    def of(cls, kinds: Any, names: Sequence[str], sites: int, lattice: str) -> SiteKinds:
        """The kinds as a user states them: a name for each site, or a pattern that repeats.

        Raises
        ------
        DefinitionError
            For names that are none or not used, and for a pattern that does not fit.
        """
        what = f"{lattice}.kinds"
        wrong = [n for n in names if not (isinstance(n, str) and re.fullmatch("[A-Za-z]([A-Za-z0-9]*[A-Za-z])?", n))]
        if wrong or not names:
            raise errors.DefinitionError(
                f"{lattice}.site",
                expected="names of kinds of letters and digits, a letter at both ends, with a system of each",
                got=repr(wrong or {}),
            )
        expected = f"a name for each of {sites} sites, or a pattern that repeats without a rest, of: {', '.join(names)}"
        if (
            isinstance(kinds, str)
            or not isinstance(kinds, (Sequence, np.ndarray))
            or not all(isinstance(k, str) for k in kinds)
        ):
            raise errors.DefinitionError(what, expected=expected, got=reprlib.repr(kinds))
        several = [str(kind) for kind in kinds]
        for kind in several:
            if kind not in names:
                raise errors.DefinitionError(what, expected=expected, got=repr(kind))
        if not several or sites % len(several):
            raise errors.DefinitionError(what, expected=expected, got=f"{len(several)} names")
        absent = [name for name in names if name not in several]
        if absent:
            raise errors.DefinitionError(
                what, expected=f"sites of the kind {absent[0]!r}, or no such system", got="none"
            )
        places = {name: number for number, name in enumerate(names)}
        pattern = np.array([places[kind] for kind in several], dtype=np.intp)
        return cls(tuple(names), np.tile(pattern, sites // len(pattern)))

    @property
    def several(self) -> bool:
        """Whether kinds have names."""
        return self.names != ("",)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of sites of each kind."""
        return tuple(int(n) for n in np.bincount(self.of_site, minlength=len(self.names)))

    @property
    def cells(self) -> int:
        """The number of cells."""
        return max(self.counts)

    @cached_property
    def number(self) -> np.ndarray:
        """The number of each site among those of its kind, which is that of its cell."""
        out = np.empty(len(self.of_site), dtype=np.intp)
        for kind, count in enumerate(self.counts):
            out[self.of_site == kind] = np.arange(count)
        return out

    @property
    def uneven(self) -> bool:
        """Whether cells have copies of sites."""
        return min(self.counts) < self.cells

    def in_cells(self, kind: int) -> np.ndarray:
        """The number of the site of a kind in each cell."""
        return np.minimum(np.arange(self.cells), self.counts[kind] - 1)

    def label(self, kind: int, name: str) -> str:
        """The name of a variable of a kind."""
        return f"{name}_{self.names[kind]}" if self.several else name

    def kind_of(self, label: str) -> int:
        """The number of the kind that a variable of a cell belongs to."""
        return self.names.index(label.rpartition("_")[2]) if self.several else 0
