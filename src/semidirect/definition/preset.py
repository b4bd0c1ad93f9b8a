"""A system with some of its parameters and options chosen: an entry point may name it instead of a class."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

from semidirect.core import display, errors, frozen

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

__all__ = ["Preset"]

Made = TypeVar("Made", bound="SystemDefinition")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Preset(display.Brief, Generic[Made]):
    """A named choice of parameters and options of one system.

    ``preset(**overrides)`` is ``system(**{**preset.overrides, **overrides})``: the user's values win. Nothing is
    validated before that call, so that a preset costs nothing to import.

    Attributes
    ----------
    system : type[System]
        The class to construct.
    overrides : Mapping[str, Any]
        Parameters and options that replace the defaults of the class; read-only.
    doc : str
        A description of the choice and the source of its numbers; by default the docstring of the class.
    """

    system: type[Made]
    overrides: Mapping[str, Any] = field(default_factory=dict)
    doc: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.system, type):
            raise errors.DefinitionError(
                "the system of a preset", expected="the class of a system", got=repr(self.system)
            )
        if not isinstance(self.overrides, Mapping):
            raise errors.DefinitionError(
                "the overrides of a preset", expected="names and values", got=repr(self.overrides)
            )
        object.__setattr__(self, "overrides", frozen.FrozenMapping(self.overrides))
        object.__setattr__(self, "doc", self.doc or inspect.getdoc(self.system) or "")
        object.__setattr__(self, "__doc__", self.doc)

    def __call__(self, **overrides: Any) -> Made:
        """Construct the system with this preset's choices and the user's, which win."""
        return self.system(**{**self.overrides, **overrides})
