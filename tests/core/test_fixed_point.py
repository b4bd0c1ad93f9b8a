"""Fixed points of implicit steps: a path is swept until it has converged, a few times after that, and then frozen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.compile.tracer import Trace, inputs
from semidirect.core.solvers.iteration import CONTRACTING, CONVERGED, fixed_point
from semidirect.integrators.implicit_midpoint import ImplicitMidpoint


@given(st.lists(st.floats(-0.8, 0.8), min_size=1, max_size=6), st.integers(0, 3))
def test_sweeps_after_convergence_are_the_next_sweeps_of_each_path(factors, after):
    q = np.array(factors)
    calls = 0

    def iteration(x):
        nonlocal calls
        calls += 1
        return q * np.cos(x) + 0.1 * x

    start, scale = np.full((2, len(q)), 0.3), np.ones(len(q))
    x, outcome = fixed_point(iteration, start, scale)
    needed, calls = calls, 0
    y, outcome_after = fixed_point(iteration, start, scale, after=after)
    assert calls == needed + after
    for _ in range(after):
        x = iteration(x)
    assert x.tobytes() == y.tobytes()
    assert set(outcome) == set(outcome_after) == {CONVERGED | CONTRACTING}


def test_sweeps_after_convergence_follow_newton_too():
    def iteration(x):
        return 0.99 * np.cos(x)

    start, scale = np.zeros((1, 2)), np.ones(2)
    x, _ = fixed_point(iteration, start, scale)
    y, outcome = fixed_point(iteration, start, scale, after=1)
    assert iteration(x).tobytes() == y.tobytes()
    np.testing.assert_array_equal(outcome, [CONVERGED | CONTRACTING] * 2)


@pytest.mark.parametrize("at", [1, 7])
def test_a_path_that_becomes_infinite_is_given_up(at):
    """Also where it does so after it has converged; the other path does not notice."""
    count = 0

    def iteration(x):
        nonlocal count
        count += 1
        new = np.ones_like(x)
        new[0, 0] = np.inf if count == at else 0.5
        return new

    _, outcome = fixed_point(iteration, np.zeros((1, 2)), np.ones(2), after=8)
    np.testing.assert_array_equal(outcome, [CONTRACTING, CONVERGED | CONTRACTING])


def test_a_step_holds_the_equations_twice_only():
    """Where its iterations start and in the iterations: a kernel is compiled in proportion to its lines."""
    trace, model = Trace(), sd.load("rigid-body", advect_gamma=True).workings.model()
    model = model.with_parameters(inputs(trace, "q", len(model.parameters)))
    y, dW = inputs(trace, "y", model.dimension), inputs(trace, "w", model.wieners)
    step = ImplicitMidpoint().step(model, y, trace.input("t"), trace.input("dt"), dW)
    before, iteration, after = (len(phase.instructions) for phase in trace.program(step.y).phases)
    assert len(step.y) == model.dimension
    assert before > 40
    assert iteration > 40
    assert after <= 4 * model.dimension
