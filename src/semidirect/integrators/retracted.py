"""Methods that move on the group by a retraction which may be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from semidirect.errors import InputError, MethodError

if TYPE_CHECKING:
    from semidirect.kernels.model import Model, Retraction

By = Literal["", "exp", "cayley"]


def resolved(asked: By, model: Model) -> Retraction:
    """The retraction asked for; by default the Cayley map where it stays on the group, else the exponential.

    Raises
    ------
    MethodError
        If the Cayley map is asked for and leaves the group.
    """
    if asked == "cayley" and not model.group.quadratic:
        raise MethodError(
            f"the Cayley map leaves {model.group!r}",
            hint="It stays on quadratic groups only; use the exponential, '(exp)'.",
        )
    return "exp" if asked == "exp" or not model.group.quadratic else "cayley"


def retraction_from(text: str, method: str) -> By:
    """The retraction that the argument of a method names."""
    if text == "exp":
        return "exp"
    if text == "cayley":
        return "cayley"
    raise InputError(f"{method}(retraction)", expected="exp or cayley", got=repr(text))
