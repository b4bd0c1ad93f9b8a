"""Hypothesis strategies for parameters within their bounds, and for systems with them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from hypothesis import strategies as st

from semidirect import Parameter, System
from semidirect.core import errors
from semidirect.definition import plugins
from semidirect.testing.group_strategies import numbers
from semidirect.testing.state_strategies import inertias, moments, unit_vectors
from semidirect.testing.tested_class import made_by


def parameter_values(parameter: Parameter, *, rows: int = 2, bound: float = 2.0) -> st.SearchStrategy[np.ndarray]:
    """Values that a parameter accepts: of one of its shapes, within its bounds, symmetric and positive if it is an inertia.

    If it has its own check, its default is among them, and values that the check rejects are not.

    Parameters
    ----------
    parameter : Parameter
        Declared by ``sd.parameter``, ``sd.inertia`` or ``sd.unit_vector``: ``MySystem.workings.parameters()["mass"]``.
    rows : int
        Largest count, if its shape has any count.
    bound : float
        Of the entries.
    """
    if not isinstance(parameter, Parameter):
        raise errors.InputError(
            "parameter_values",
            expected="a parameter, such as MySystem.workings.parameters()['mass']",
            got=repr(parameter),
        )
    if parameter.symmetric:
        return st.one_of(moments().map(np.array), inertias()) if len(parameter.shapes) > 1 else moments().map(np.array)
    if parameter.of_length_one:
        return unit_vectors()
    values = st.sampled_from(list(parameter.shapes)).flatmap(lambda shape: _arrays(parameter, shape, rows, bound))
    if parameter.check is None:
        return values
    return st.just(np.array(parameter.default, dtype=float)) | values.filter(lambda value: _accepted(parameter, value))


def _accepted(parameter: Parameter, value: np.ndarray) -> bool:
    """Whether a parameter takes a value."""
    try:
        parameter.validated(value, "a system")
    except errors.InputError:
        return False
    return True


def _arrays(
    parameter: Parameter, shape: tuple[int | None, ...], rows: int, bound: float
) -> st.SearchStrategy[np.ndarray]:
    entries = (
        st.floats(0.1, bound)
        if parameter.positive
        else st.floats(0.0, bound)
        if parameter.nonnegative
        else numbers(bound)
    )
    counts = st.integers(0, rows) if None in shape else st.just(0)

    def filled(count: int) -> st.SearchStrategy[np.ndarray]:
        whole = tuple(count if n is None else n for n in shape)
        size = int(np.prod(whole))
        return st.lists(entries, min_size=size, max_size=size).map(
            lambda values: np.array(values, dtype=float).reshape(whole)
        )

    return counts.flatmap(filled)


@st.composite
def systems(draw: st.DrawFn, target: plugins.Loaded, **fixed: Any) -> System:
    """Systems of a class or preset with parameters within their bounds and any choice of options; they shrink to its defaults.

    ``fixed`` sets some of them. Values that the ``check`` of the system rejects together are not drawn.
    """
    kind = made_by(target, "systems")
    settings: dict[str, Any] = dict(fixed)
    for name, option in kind.workings.options().items():
        choices = (True, False) if isinstance(option.default, bool) else option.choices
        if name not in fixed and choices:
            settings[name] = draw(st.sampled_from([option.default, *(c for c in choices if c != option.default)]))
    for name, parameter in kind.workings.parameters().items():
        if name not in fixed and draw(st.booleans()):
            settings[name] = draw(parameter_values(parameter))
    try:
        return cast("System", target(**settings))
    except errors.InputError:
        from hypothesis import reject

        reject()
        raise
