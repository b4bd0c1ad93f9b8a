"""An expression of the quantities of a run, evaluated for all paths and times that were saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from semidirect.core import arguments
from semidirect.expressions import component_names, expression_text


def run_expression(text: str, data: Mapping[str, np.ndarray], times: np.ndarray, paths: int, parameters: Mapping[str, Any],
                   stored: Sequence[str] = (), sites: Sequence[str] = ()) -> np.ndarray:  # fmt: skip
    """The values of an expression, ``(paths, T)`` or ``(paths, T, d)``, read-only.

    Names are those of saved quantities (``_`` for ``-``) and their components (``Omega1``, ``g12``), of parameters, and ``t``.

    Parameters
    ----------
    text : str
        The expression.
    data : dict name → array (paths, T) or (paths, T, d)
        The saved quantities.
    times : array (T,)
        Times [s].
    paths : int
        Number of paths.
    parameters : dict name → number or array
        Parameters; those that differ from path to path as :class:`PathValues`.
    stored : names
        Those of the coordinates of the configuration.
    sites : names
        Quantities that are the values at all sites of a lattice.

    Raises
    ------
    InputError, UnknownNameError
        As :func:`~semidirect.expressions.expression_text.evaluation.evaluate_expression`.
    """
    shape = (paths, len(times))
    names = _Names(data, times, paths, parameters, stored)
    names |= {name: partial(expression_text.refuse_sites, name) for name in sites}
    values = expression_text.evaluate_arrays(text, names, batch=2)
    values = np.broadcast_to(values, (*values.shape[:-2], *shape)) if values.ndim else np.full(shape, values)
    out: np.ndarray = np.ascontiguousarray(np.moveaxis(values, 0, -1) if values.ndim > 2 else values)
    out.setflags(write=False)
    return out


class _Names(dict[str, Any]):
    """The values of names: arrays with components first, paths and times last, or functions that return such arrays."""

    def __init__(self, data: Mapping[str, np.ndarray], times: np.ndarray, paths: int, parameters: Mapping[str, Any],
                 stored: Sequence[str]):  # fmt: skip
        super().__init__({name: lambda values=values: _last(values) for name, values in parameters.items()})
        self["t"] = np.broadcast_to(times, (paths, len(times)))
        for name in data:
            self[name.replace("-", "_")] = lambda name=name: _first(data[name])
        for stem, where in component_names.grouped(tuple(stored)).items():
            if stem in data and len(where) > 1:
                self |= {stored[at]: lambda stem=stem, i=i: data[stem][..., i] for i, at in enumerate(where)}


def _first(values: np.ndarray) -> np.ndarray:
    """Paths, times and components (paths, T, …) with the components first."""
    return np.moveaxis(values, (0, 1), (-2, -1))


def _last(values: Any) -> np.ndarray:
    """A parameter, common or (paths, …) of ``PathValues``, with axes of paths and times last."""
    if isinstance(values, PathValues):
        return _first(values.values[:, None])
    array = arguments.validated_array("a parameter in an expression", values)
    return array.reshape(*array.shape, 1, 1)


class PathValues:
    """The values of a parameter that differs from path to path, (paths, …)."""

    def __init__(self, values: np.ndarray):
        self.values = values
