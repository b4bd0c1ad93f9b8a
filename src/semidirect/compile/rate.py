"""The rate of a system's state and configuration as one compiled function of one state, for solvers that choose their steps."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from semidirect.compile.kernel import library
from semidirect.compile.straight_blocks import StraightBlocks
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
            from semidirect.core.cache.machine_code import load_module

            text = model.structure.text(_label(model), lambda: source(model))
            _loaded[key] = load_module(text, library(), "rates").run
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
    """The text of the function's module, which needs NumPy and Numba only."""
    trace = Trace()
    traced = model.with_parameters(inputs(trace, "p[{}]", len(model.parameters)))
    x = inputs(trace, "x[{}]", model.dimension + len(model.coordinates))
    t, dW = trace.input("t"), inputs(trace, "dW[{}]", model.wieners)
    values = [trace.use(value) for value in flat_rate(traced, t, x, dW)]  # type: ignore[arg-type]
    (phase,) = trace.phases
    blocks = StraightBlocks()
    call = blocks.call([*phase.lines, *(f"out[{i}] = {value}" for i, value in enumerate(values))])
    return f"""{library()}

SIGNATURE = "void(f8, f8[::1], f8[::1], f8[::1], f8[::1])"

{blocks.text}

@nb.njit(nogil=True, error_model="numpy")
def run(t, x, p, dW, out):
    {call}
"""
