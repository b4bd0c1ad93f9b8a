"""Names that a base class looks for in its subclasses, and errors for other names that seem to be meant for them."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from semidirect.core.errors import DefinitionError
from semidirect.core.messages.near_names import nearest


class Hooked:
    """Base of abstract classes of which a subclass may define any method or attribute: a misspelled one raises an error.

    Without it the method of the base class would be used, and the new one never.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        bases = [base for base in cls.__mro__[1:] if issubclass(base, Hooked) and base is not Hooked]
        ours = [base for base in bases if base.__module__.partition(".")[0] == "semidirect"]
        if cls.__module__.partition(".")[0] != "semidirect":
            own_names = {name for base in cls.__mro__ if base not in ours for name in vars(base)}
            refuse_misspelled(cls, Hooked, public_names(ours), stated=own_names, fields=True)


def public_names(classes: Iterable[type]) -> set[str]:
    """The public attributes and annotations of classes."""
    names = {name for one in classes for name in (*vars(one), *inspect.get_annotations(one))}
    return {name for name in names if not name.startswith("_")}


def refuse_misspelled(
    cls: type,
    root: type,
    hooks: Collection[str],
    *,
    declared: Collection[str] = (),
    stated: Collection[str] = (),
    fields: bool = False,
    elsewhere: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Raise an error for a public name of a class, or of what is mixed into it, that is nearly one that its base looks for.

    Names that a base class has, declared names and private ones are left alone.

    Parameters
    ----------
    cls, root : type
        The class, and the class that all its bases descend from which were checked before.
    hooks : collection of str
        The names that the base looks for.
    declared : collection of str
        Names of parameters and the like, which have another use.
    stated : collection of str
        Hooks that the class has, so that a similar name is not meant for them.
    fields : bool
        Whether names with annotations are declared, as in dataclasses.
    elsewhere : mapping
        Names of things that belong elsewhere, and where.

    Raises
    ------
    DefinitionError
        It says the right name.
    """
    # bases of the family were checked when they were made; mixins were not
    checked = [base for base in cls.__mro__[1:] if issubclass(base, root) or issubclass(root, base)]
    inherited = public_names(base for base in checked if base is not object)
    mixed = [base for base in cls.__mro__ if base not in checked]
    for owner, name in [(one, name) for one in mixed for name in (*vars(one), *inspect.get_annotations(one))]:
        settled = (
            name in inherited
            or name in declared
            or name in hooks
            or (fields and name in inspect.get_annotations(owner))
        )
        if name.startswith("_") or settled:
            continue
        # only a near miss is an error: other public names are the author's own
        hook = nearest(name, hooks)
        if hook is not None and hook not in stated:
            raise DefinitionError(
                f"{owner.__name__}.{name} would be ignored: nothing reads an attribute of that name", expected=hook, got=name,
                hint=f"Rename it {hook}; if it is something else, give it another name, or a private one: _{name}.",
            )  # fmt: skip
        if hook is None and name in elsewhere:
            raise DefinitionError(
                f"{owner.__name__}.{name} would be ignored: nothing reads an attribute of that name",
                hint=f"{elsewhere[name]} If it is something else, give it a private name: _{name}.",
            )
