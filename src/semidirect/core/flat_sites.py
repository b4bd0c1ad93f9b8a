"""Values at the sites of a lattice as rows of numbers: how states, runs and names of components see them."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from semidirect.core.arguments.numbers import numeric
from semidirect.core.errors import InputError
from semidirect.core.flat_matrices import FlatMatrix
from semidirect.core.per_path import PerPath


class FlatSites(NamedTuple):
    """A number or a vector at each of n sites as n d real numbers: the first component of all sites, then the second.

    Attributes
    ----------
    sites : int
        n.
    components : int
        d.
    of : str
        The name of the kind of sites, if a lattice has several.
    """

    sites: int
    components: int
    of: str = ""

    @property
    def kind(self) -> str:
        """The kind of the rows."""
        return "sites"

    @property
    def rows(self) -> int:
        """The number of rows of a state that it takes."""
        return self.sites * self.components

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the values of one path, ``(n,)`` or ``(n, d)``."""
        return (self.sites,) if self.components == 1 else (self.sites, self.components)

    def flattened(self, values: np.ndarray) -> np.ndarray:
        """Values ``(…, n, d)``, or ``(…, n)`` of numbers, as numbers ``(…, rows)``."""
        if self.components == 1:
            return values
        return np.swapaxes(values, -1, -2).reshape(*values.shape[:-2], -1)

    def shaped(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers ``(…, rows)`` as values ``(…, n, d)``, or ``(…, n)`` of numbers."""
        if self.components == 1:
            return numbers
        return np.swapaxes(numbers.reshape(*numbers.shape[:-1], self.components, self.sites), -1, -2)

    def described(self) -> list[Any]:
        """The record of it, which :func:`flat_array` reads."""
        return [self.kind, self.sites, self.components, *([self.of] if self.of else [])]

    @property
    def axis(self) -> str:
        """The name of the axis of the sites."""
        return f"site_{self.of}" if self.of else "site"

    def component_names(self, name: str) -> tuple[str, ...]:
        """``M4_2`` is the second component at the fourth site, ``x4`` a number there."""
        sites = range(1, self.sites + 1)
        if self.components == 1:
            return tuple(f"{name}{i}" for i in sites)
        return tuple(f"{name}{i}_{k + 1}" for k in range(self.components) for i in sites)

    def read(self, what: str, value: Any) -> np.ndarray:
        """The value of a user, as numbers ``(rows,)`` or ``(paths, rows)``: values at all sites, or one value for all of them.

        Raises
        ------
        InputError
            For anything else.
        """
        content = value.values if isinstance(value, PerPath) else value
        try:
            array = numeric(content)
        except (TypeError, ValueError):
            raise InputError(what, expected="numbers", got=reprlib.repr(value)) from None
        one = self.shape[1:]
        if array.shape == one:
            return self.flattened(np.broadcast_to(array, self.shape))
        for lead in (0, 1):
            if array.ndim == lead + len(self.shape) and array.shape[lead:] == self.shape:
                return self.flattened(array)
        if array.ndim in (1, 2) and array.shape[-1] == self.rows:
            return array
        raise InputError(
            what, expected=f"shape {self.shape}, or one per path, or one value for all sites, {one or 'a number'}",
            got=f"shape {array.shape}",
        )  # fmt: skip


def flat_array(record: Sequence[Any]) -> FlatMatrix | FlatSites:
    """The flat array of a record."""
    return FlatSites(*record[1:]) if record[0] == "sites" else FlatMatrix(*record)
