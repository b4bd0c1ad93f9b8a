"""The quantities that the modes of a hybrid system have, all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, final

from semidirect.core import errors
from semidirect.hybrid.saved_values import MODE
from semidirect.quantities import Quantities, unit_of_quantity
from semidirect.specification import RunSpec

__all__ = ["QuantitiesOfModes"]


@final
class QuantitiesOfModes(Mapping[str, Any]):
    """The rows of quantities and expressions by name, of the first mode that has them; statistics read names and sizes of it.

    Attributes
    ----------
    saved_names : tuple of str
        The names to save: default those that have one size in all modes that have them.
    """

    def __init__(self, specs: Mapping[str, RunSpec], saved: Sequence[str] | None):
        self._specs = specs
        names = list(dict.fromkeys(name for spec in specs.values() for name in spec.contents.everything))
        self.saved_names = tuple(name for name in names if len(self._sizes(name)) == 1 and name != MODE)
        if saved is not None:
            self.saved_names = tuple(saved)
            self.of(saved, "quantity to save")

    @property
    def everything(self) -> Self:
        """The quantities themselves, as :class:`~semidirect.quantities.quantities.Quantities` has them."""
        return self

    row_of = Quantities.row_of  # which asks for nothing but everything and unknown

    def has(self, mode: str, name: str) -> bool:
        """Whether a mode has a quantity."""
        try:
            return bool(len(self._specs[mode].contents.everything[name]))
        except (KeyError, errors.InputError):
            return False

    def names_of(self, mode: str, names: Iterable[str]) -> tuple[str, ...]:
        """Those of some names that a mode has."""
        return tuple(name for name in names if self.has(mode, name))

    def of(self, names: Sequence[str], what: str) -> dict[str, int]:
        """Their sizes.

        Raises
        ------
        UnknownNameError, InputError
            For a name that no mode has, or that has different sizes.
        """
        out = {}
        for name in names:
            sizes = self._sizes(name)
            if not sizes:
                raise self.unknown(what, name)
            if len(sizes) > 1 or name == MODE:
                raise errors.InputError(f"the quantity {name!r} of a hybrid system", expected="one size in all modes",
                                        got=", ".join(map(str, sorted(sizes))))  # fmt: skip
            out[name] = sizes.pop()
        return out

    def units(self, names: Sequence[str]) -> dict[str, str]:
        """Their units, where known."""
        out = {}
        for name in names:
            mode = next((spec for mode, spec in self._specs.items() if self.has(mode, name)), None)
            if mode is not None:
                rows = mode.contents.everything
                out[name] = unit_of_quantity(name, mode.contents.units, rows.component, rows.size)
        return {name: unit for name, unit in out.items() if unit}

    def unknown(self, what: str, name: Any) -> errors.InputError:
        """The error for a name that no mode has."""
        return errors.UnknownNameError(what, name, list(self))

    def _sizes(self, name: str) -> set[int]:
        return {len(spec.contents.everything[name]) for mode, spec in self._specs.items() if self.has(mode, name)}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(self.has(mode, name) for mode in self._specs)

    def __getitem__(self, name: str) -> Any:
        for mode, spec in self._specs.items():
            if self.has(mode, name):
                return spec.contents.everything[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for spec in self._specs.values() for name in spec.contents.everything))

    def __len__(self) -> int:
        return len(list(iter(self)))
