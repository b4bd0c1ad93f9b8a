"""The tracer records what is done to its scalars: phases, common subexpressions; it refuses to be decided on."""

import numpy as np
import pytest

from semidirect import ops
from semidirect.compile.tracer import Trace, Traced, inputs
from semidirect.core.functions.from_text import build
from semidirect.core.solvers.iteration import fixed_point
from semidirect.instructions.array_printer import array_text
from semidirect.instructions.instruction import LEAVES


def run(trace, results, values):
    """The results of a trace for numbers of its inputs."""
    text = array_text(
        trace.program(results), list(values), lambda data: f"{data[0]}{'' if data[1] is None else data[1]}"
    )
    return list(build(text)(**values))


def test_arithmetic_is_that_of_numbers():
    trace = Trace()
    x, y = trace.input("x"), trace.input("y")
    results = [
        x + y,
        2 - x,
        x - 2,
        3 * y,
        x / y,
        1 / y,
        -x,
        ops.sqrt(y),
        ops.where(x < y, x, y),
        ops.maximum(x, 1.0),
        x >= y,
    ]
    found = run(trace, results, {"x": 0.75, "y": 0.3})
    a, b = 0.75, 0.3
    assert found == [a + b, 2 - a, a - 2, 3 * b, a / b, 1 / b, -a, np.sqrt(b), b, 1.0, True]


def test_arrays_of_scalars_go_through_array_code():
    trace = Trace()
    a, b = inputs(trace, "a", 3), inputs(trace, "b", 3)
    values = {f"{n}{i}": v for n, row in (("a", [1.0, 2.0, 3.0]), ("b", [0.5, -1.0, 2.0])) for i, v in enumerate(row)}
    found = run(trace, [*ops.cross(a, b), ops.dot(a, b)], values)
    assert found == [*np.cross([1.0, 2.0, 3.0], [0.5, -1.0, 2.0]), 4.5]


def test_the_same_operation_is_written_once():
    trace = Trace()
    x, y = trace.input("x"), trace.input("y")
    assert x * y is x * y
    before = len(trace.instructions)
    assert (x * y) + x is (x * y) + x
    assert len(trace.instructions) == before + 1
    assert x * y is not y * x  # no algebra: NumPy does not commute its bits either where a nan has a payload


def test_numbers_are_written_to_the_last_bit():
    trace = Trace()
    third = 1 / 3
    assert run(trace, [trace.input("x") * third], {"x": 1.0}) == [third]
    assert trace.instructions[trace.use(np.float64(third))].data == repr(third)
    assert trace.instructions[trace.use(2)].data == "2.0"
    assert trace.use(0.0) != trace.use(-0.0)
    assert trace.use(1.0) != trace.use(True)
    assert trace.use(np.nan) == trace.use(np.nan)


@pytest.mark.parametrize("decide", [bool, lambda x: 1 if x > 0 else 2, lambda x: x and 1, lambda x: max(x, 0)])
def test_values_cannot_be_decided_on(decide):
    with pytest.raises(TypeError, match=r"ops\.where"):
        decide(Trace().input("x"))


def test_a_fixed_point_is_a_phase_of_its_own():
    trace = Trace()
    y = inputs(trace, "y", 2)
    outside = y[0] * 2.0
    x, converged = fixed_point(lambda x: 0.5 * x + outside, y + 1.0, ops.maximum(ops.absolute(y[0]), 1.0))
    assert isinstance(converged, Traced)
    program = trace.program([x[0] + x[1], converged])
    before, iteration, after = program.phases
    assert before.iteration is None
    assert after.iteration is None
    assert iteration.iteration is trace.iterations[0]
    assert len(iteration.iteration.start) == len(iteration.iteration.new) == 2
    assert iteration.iteration.scale < iteration.first <= min(iteration.iteration.new)
    # what is made before the iterations and needed in them is not made again
    made = [x.operation for x in iteration.instructions if x.operation not in LEAVES]
    assert made == ["multiply", "multiply", "add", "add"]
    values, outcome = run(trace, [x[0], converged], {"y0": np.array([0.5, -3.0]), "y1": np.array([1.0, 2.0])})
    np.testing.assert_allclose(values, [2.0, -12.0], rtol=4e-15)
    assert (outcome == 3).all()


def test_values_of_an_earlier_phase_are_not_mistaken_for_those_of_this_one():
    trace = Trace()
    y = inputs(trace, "y", 1)
    first = y[0] * 3.0
    fixed_point(lambda x: 0.5 * x, y, 1.0)
    again = y[0] * 3.0
    assert again is not first
    assert again.number >= trace.first > first.number
    assert trace.use(first) == first.number


def test_an_iteration_need_not_read_all_that_it_changes():
    """x₂ ← 2 x₁: nothing reads x₂, and it is solved for all the same."""
    trace = Trace()
    y = inputs(trace, "y", 2)
    x, _ = fixed_point(lambda x: np.array([0.5 * x[0] + y[1], 2.0 * x[0]], dtype=object), y, trace.input("scale"))
    found = run(trace, x, {"y0": np.ones(1), "y1": np.ones(1), "scale": 1.0})
    np.testing.assert_allclose(np.ravel(found), [2.0, 4.0], rtol=4e-15)


def test_an_iteration_within_an_iteration_cannot_be_traced():
    y = inputs(Trace(), "y", 1)

    def outer(x):
        inner, _ = fixed_point(lambda z: 0.5 * z + x, y, 1.0)
        return inner

    with pytest.raises(TypeError, match="within an iteration"):
        fixed_point(outer, y, 1.0)


@pytest.mark.parametrize("x", [-1.0, 0.5, 2.0])
def test_conditions_are_joined_and_negated(x):
    """As definitions write them, on symbols and on arrays: ``&``, ``|``, and ``^ True`` of an emitted negation."""
    trace = Trace()
    value = trace.input("x")
    low, high = value > 0.0, value < 1.0
    found = run(trace, [ops.where(c, 1.0, 2.0) for c in (low & high, low | high, low ^ True, True & low)], {"x": x})
    low, high = x > 0, x < 1
    assert found == [1.0 if c else 2.0 for c in (low and high, low or high, not low, low)]
