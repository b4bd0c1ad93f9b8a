"""The rate of a system's state and configuration as one compiled function of one state, for solvers that choose their steps."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from semidirect.compile.kernel import library, vocabulary
from semidirect.compile.tracer import Trace, inputs
from semidirect.integrators.dop853 import flat_rate
from semidirect.model.derived_equations import DerivedEquations
from semidirect.model.numerical_sde import NumericalSDE

_LABEL = "rate"
_loaded: dict[tuple[DerivedEquations, bool], Callable[..., None]] = {}
_one_at_a_time = Lock()


def compiled_rate(model: NumericalSDE) -> Callable[..., None]:
    """:func:`~semidirect.integrators.dop853.flat_rate`, compiled, with the same bits: ``run(t, x, p, dW, out)`` with the
    parameters ``p`` of the path.
    """
    key = (model.structure, model.reconstructs)
    with _one_at_a_time:
        if key not in _loaded:
            from semidirect.core.cache.machine_code import compiled

            text = model.structure.text(_label(model), lambda: source(model))
            _loaded[key] = compiled(text, "run", vocabulary(), library=library(), purpose="rates")
        return _loaded[key]


def loaded(model: NumericalSDE) -> bool:
    """Whether the function is loaded."""
    return (model.structure, model.reconstructs) in _loaded


def known(model: NumericalSDE) -> bool:
    """Whether it was compiled before, so that it can be loaded in a fraction of a second."""
    return model.structure.knows(_label(model))


def _label(model: NumericalSDE) -> str:
    return _LABEL if model.reconstructs else f"{_LABEL}, reduced"


def source(model: NumericalSDE) -> str:
    """The text of the function."""
    trace = Trace()
    traced = model.with_parameters(inputs(trace, "p[{}]", len(model.parameters)))
    x = inputs(trace, "x[{}]", model.dimension + len(model.coordinates))
    t, dW = trace.input("t"), inputs(trace, "dW[{}]", model.wieners)
    values = [trace.use(value) for value in flat_rate(traced, t, x, dW)]  # type: ignore[arg-type]
    (phase,) = trace.phases
    lines = [*phase.lines, *(f"out[{i}] = {value}" for i, value in enumerate(values))]
    return "def run(t: f8, x: f8[:], p: f8[:], dW: f8[:], out: f8[:]):\n" + "".join(
        f"    {line}\n" for line in lines or ["0"]
    )
