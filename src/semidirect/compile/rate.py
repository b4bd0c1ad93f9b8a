"""The rate of a system's state and configuration as one compiled function of one state, for solvers that choose their steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from semidirect.compile.kernel import TABLES, library, tables_of, vocabulary
from semidirect.compile.packed_tables import PackedTables, Pair, halvings
from semidirect.compile.tracer import Trace, inputs, with_tables
from semidirect.core.locks import ForkSafeLock
from semidirect.integrators.dop853 import flat_rate
from semidirect.model.derived_equations import DerivedEquations
from semidirect.model.numerical_sde import NumericalSDE

_LABEL = "rate"
_Loaded: TypeAlias = tuple[Callable[..., None], tuple[Pair, ...]]
_loaded: WeakKeyDictionary[DerivedEquations, dict[tuple[bool, int], _Loaded]] = WeakKeyDictionary()
_one_at_a_time = ForkSafeLock()


def compiled_rate(model: NumericalSDE) -> Callable[..., None]:
    """:func:`~semidirect.integrators.dop853.flat_rate`, compiled, with the same bits: ``run(t, x, p, dW, out)`` with the
    parameters ``p`` of the path.
    """
    key = _key(model)
    with _one_at_a_time:
        known = _loaded.setdefault(model.structure, {})
        if key not in known:
            from semidirect.core.cache.machine_code import compiled

            text = model.structure.text(_label(model), lambda: source(model))
            made = compiled(text, "run", vocabulary(), library=library(), purpose="rates")
            known[key] = made, tables_of(text)
        code, pairs = known[key]
    if not pairs:
        return code
    tables = PackedTables.of(model.parameters, pairs)
    return partial(code, tables.numbers, np.ascontiguousarray(tables.places[:, 0]))


def loaded(model: NumericalSDE) -> bool:
    """Whether the function is loaded."""
    return _key(model) in _loaded.get(model.structure, {})


def known(model: NumericalSDE) -> bool:
    """Whether it was compiled before, so that it can be loaded in a fraction of a second."""
    return model.structure.knows(_label(model))


def _key(model: NumericalSDE) -> tuple[bool, int]:
    return model.reconstructs, model.known("halvings", lambda: halvings(model.parameters))


def _label(model: NumericalSDE) -> str:
    label, halved = _LABEL if model.reconstructs else f"{_LABEL}, reduced", _key(model)[1]
    return f"{label}, {halved} halvings" if halved else label


def source(model: NumericalSDE) -> str:
    """The text of the function."""
    trace = Trace(_key(model)[1], "places[{}]")
    numbers = inputs(trace, "p[{}]", len(model.parameters))
    traced = model.with_parameters(with_tables(trace, model.parameters, numbers))
    x = inputs(trace, "x[{}]", model.dimension + len(model.coordinates))
    t, dW = trace.input("t"), inputs(trace, "dW[{}]", model.wieners)
    values = [trace.use(value) for value in flat_rate(traced, t, x, dW)]  # type: ignore[arg-type]
    (phase,) = trace.phases
    lines = [*phase.lines, *(f"out[{i}] = {value}" for i, value in enumerate(values))]
    tables = "T: f8[:], places: f8[:], " if trace.tables else ""
    head = f"{TABLES}{tuple(trace.tables)!r}\ndef run({tables}t: f8, x: f8[:], p: f8[:], dW: f8[:], out: f8[:]):\n"
    return head + "".join(f"    {line}\n" for line in lines or ["0"])
