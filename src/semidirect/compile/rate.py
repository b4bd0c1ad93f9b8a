"""The rate of a system's state and configuration as one compiled function of one state, for solvers that choose their steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from semidirect.compile.load_function import loaded as loaded_function
from semidirect.compile.of_equations import OfEquations
from semidirect.compile.packed_tables import PackedTables, Pair
from semidirect.model import NumericalSDE

if TYPE_CHECKING:
    from semidirect.compile.loop_function import LoopFunction

_LABEL = "rate"
RATES: OfEquations[tuple[Callable[..., None], tuple[Pair, ...]]] = OfEquations()


def compiled_rate(model: NumericalSDE) -> Callable[..., None]:
    """:meth:`.NumericalSDE.flat_rate`, compiled, with the same bits: ``run(t, x, p, dW, out)`` with the
    parameters ``p`` of the path.
    """

    def make() -> tuple[Callable[..., None], tuple[Pair, ...]]:
        @cache
        def rate() -> LoopFunction:
            from semidirect.compile.rate_function import rate_function

            return rate_function(model, _key(model)[1])

        code, facts = loaded_function(model.structure.text(_label(model), lambda: rate().described), rate, "rates")
        return code, tuple(map(tuple, facts["tables"]))

    code, pairs = RATES.get(model.structure, _key(model), make)
    if not pairs:
        return code
    tables = PackedTables.of(model.parameters, pairs)
    return partial(code, tables.numbers, np.ascontiguousarray(tables.places[:, 0]))


def loaded(model: NumericalSDE) -> bool:
    """Whether the function is loaded."""
    return RATES.knows(model.structure, _key(model))


def known(model: NumericalSDE) -> bool:
    """Whether it was compiled before, so that it can be loaded in a fraction of a second."""
    return model.structure.knows(_label(model))


def _key(model: NumericalSDE) -> tuple[bool, int]:
    return model.reconstructs, model.known("halvings", lambda: PackedTables.halvings(model.parameters))


def _label(model: NumericalSDE) -> str:
    label, halved = _LABEL if model.reconstructs else f"{_LABEL}, reduced", _key(model)[1]
    return f"{label}, {halved} halvings" if halved else label
