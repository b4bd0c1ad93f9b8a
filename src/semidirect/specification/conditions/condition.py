"""The abstract condition on a quantity of a path: where it is met, something happens."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar, final

import numpy as np

from semidirect.core import arguments, errors

if TYPE_CHECKING:
    from semidirect.quantities import Quantities

__all__ = ["Barrier", "Condition", "one_or_several", "validated_component"]

C = TypeVar("C", bound="Condition")


@final
@dataclass(frozen=True)
class Barrier:
    """A level that is reached from one side: from below where ``sign`` is 1, from above where it is −1."""

    level: float
    sign: int

    def beyond(self, x: np.ndarray) -> np.ndarray:
        """How far values are beyond the level; negative before it."""
        return self.sign * (x - self.level)


class Condition(ABC):
    """A condition on one component of a quantity.

    Attributes
    ----------
    name : str
        The quantity.
    component : int or None
        Which component of a vector.
    every : int
        Steps from one look to the next.
    locate : bool
        Whether the place within the step is looked for at which the condition is first met.
    """

    name: str
    component: int | None
    every: int
    locate: bool

    @property
    @abstractmethod
    def barriers(self) -> tuple[Barrier, ...]:
        """The levels, each with the side from which it is reached."""

    @property
    @abstractmethod
    def label(self) -> str:
        """Its text, such as ``energy ≥ 2``."""

    @abstractmethod
    def met(self, x: np.ndarray) -> np.ndarray:
        """Where a condition that is not located is met, from the values alone."""

    @abstractmethod
    def described(self) -> dict[str, Any]:
        """In JSON's types."""

    @abstractmethod
    def at_half_step(self) -> Self:
        """The same condition, looked at at the same times, of a run at half the step."""

    @final
    def by_name(self, contents: Quantities) -> Self:
        """The same condition on the component by its own name, such as ``Gamma3``.

        Raises
        ------
        UnknownNameError, InputError
            If the quantity is not there, or has other components.
        """
        from semidirect.quantities import Quantities

        arguments.validated_instance("quantities", contents, Quantities, expected="those of a run")
        contents.row_of(self.name, self.component, "the condition")
        if self.component is None:
            return self
        name = contents.everything.component_name(self.name, self.component)
        return replace(self, name=name, component=None)  # type: ignore[type-var]

    @property
    @final
    def quantity(self) -> str:
        """The quantity, or its component by the usual name; a run knows its own, see :meth:`by_name`."""
        return self.name if self.component is None else f"{self.name}{self.component + 1}"

    @final
    def of(self, values: Mapping[str, np.ndarray]) -> np.ndarray:
        """The values ``(n,)`` of the component, from those of quantities ``(d, n)``."""
        if not isinstance(values, Mapping) or self.name not in values:
            raise errors.InputError(
                "the values of a condition", expected=f"those of {self.name}", got=reprlib.repr(values)
            )
        return values[self.name][self.component or 0]


def one_or_several(what: str, conditions: Any, kinds: tuple[type[C], ...], example: str) -> tuple[C, ...]:
    """Conditions of some classes, given as one or as a list; none for ``None``."""
    several = (
        () if conditions is None else tuple(conditions) if isinstance(conditions, (list, tuple)) else (conditions,)
    )
    for one in several:
        if not isinstance(one, kinds):
            raise errors.InputError(
                what, expected=f"an object such as {example}, or a list of them", got=reprlib.repr(one)
            )
    return several


def validated_component(what: str, component: Any) -> int | None:
    """A component of a quantity, counted from 0, or none."""
    return None if component is None else arguments.validated_whole(f"component of {what}", component, least=0)
