"""Interpolants: SciPy's splines, the same for arrays, fractions and rows of paths, and errors for tables that give none."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from semidirect import ops
from semidirect.core.errors import DefinitionError, InputError
from semidirect.core.interpolation import ENDS, Interpolant, Table, extended_tables, reads_outside

SCIPY = 1e-13
"""Relative to the largest value of the derivative. Measured over a thousand draws as below: 3.3e-14; with distances
that differ by four orders of magnitude 4.4e-13."""


@st.composite
def tables(draw, least=2, most=40):
    """Nodes whose distances differ by up to three orders of magnitude, and values."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(least, most))
    steps = 10 ** rng.uniform(-draw(st.floats(0, 3)), 0, n)
    return np.cumsum(steps) + rng.normal(), rng.normal(size=n)


def off_scipy(nodes, values, ends):
    """The largest distance of value and derivatives from SciPy's, relative to the largest of each."""
    spline = CubicSpline(nodes, values, bc_type=ends)
    x = np.sort(np.concatenate([nodes, np.linspace(nodes[0], nodes[-1], 200)]))
    x = x[x <= nodes[-1]]
    worst = []
    for order in range(3):
        ours, theirs = ops.interpolate(x, nodes, values, ends=ends, order=order), spline(x, order)
        size = max(np.max(np.abs(theirs)), np.max(np.abs(values)) / np.ptp(nodes) ** order)
        worst.append(np.max(np.abs(ours - theirs)) / size)
    return worst


@given(tables(), st.sampled_from(ENDS))
def test_cubic_splines_are_those_of_scipy(table, ends):
    assert max(off_scipy(*table, ends)) < SCIPY


def test_a_long_table_is_that_of_scipy():
    x = np.linspace(-3.0, 4.0, 20_001)
    assert max(off_scipy(x, np.sin(x**2), "not-a-knot")) < SCIPY


@given(tables())
def test_linear_interpolants_are_those_of_numpy(table):
    nodes, values = table
    x = np.linspace(nodes[0], nodes[-1], 100)
    np.testing.assert_allclose(ops.interpolate(x, *table, kind="linear"), np.interp(x, *table), rtol=0, atol=1e-13)
    np.testing.assert_array_equal(ops.interpolate(nodes[:-1], *table, kind="linear"), values[:-1])


@given(tables(), st.sampled_from([("linear", "not-a-knot", 1), *(("cubic", ends, 3) for ends in ENDS)]))
def test_fractions_and_floats_are_the_same_polynomials(table, form):
    kind, ends, last = form
    nodes, values = (Table("", x) for x in table)
    for order in range(last + 1):
        function = Interpolant(nodes, values, kind, ends, order)
        for x in (table[0][0], table[0][-1], *np.linspace(table[0][0], table[0][-1], 7)[1:-1].tolist()):
            exact = function.exactly(Fraction(x))
            c = np.abs(function.spline.coefficients).max() * max(1.0, np.ptp(table[0])) ** 3
            assert abs(float(exact) - function.at(x)) <= 1e-14 * max(1.0, c)


def test_rows_of_paths_are_those_of_each_path_alone():
    rng = np.random.default_rng(3)
    nodes, values = np.cumsum(rng.uniform(0.01, 1, (5, 12)), axis=1), rng.normal(size=(5, 12))
    x = nodes[:, 0] + rng.uniform(0, 1, 5) * np.ptp(nodes, axis=1)
    for own_nodes, own_values in ((nodes, values), (nodes[0], values), (nodes, values[0])):
        at = np.full(5, 1.0) if own_nodes.ndim == 1 else x
        whole = Interpolant(Table("", own_nodes), Table("", own_values), "cubic", "not-a-knot").at(at)
        alone = [ops.interpolate(at[i], np.atleast_2d(own_nodes)[i % len(np.atleast_2d(own_nodes))],
                                 np.atleast_2d(own_values)[i % len(np.atleast_2d(own_values))]) for i in range(5)]  # fmt: skip
        np.testing.assert_array_equal(whole, alone)


def test_outside_of_the_nodes_there_is_no_value():
    nodes, values = [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]
    x = np.array([np.nextafter(0, -1), -0.0, 0.0, 2.0, np.nextafter(2, 3), np.nan, np.inf])
    for kind in ("linear", "cubic"):
        np.testing.assert_array_equal(np.isfinite(ops.interpolate(x, nodes, values, kind=kind)), [0, 1, 1, 1, 0, 0, 0])
        with extended_tables():
            np.testing.assert_array_equal(
                np.isfinite(ops.interpolate(x, nodes, values, kind=kind)), [1, 1, 1, 1, 1, 0, 0]
            )
    noted = reads_outside(7, lambda: ops.interpolate(x, nodes, values))
    np.testing.assert_array_equal(noted, [1, 0, 0, 0, 1, 0, 1])
    with pytest.raises(ArithmeticError, match="outside of the nodes"):
        Interpolant(Table("", np.array(nodes)), Table("", np.array(values)), "cubic", "natural").exactly(
            Fraction(-1, 10**30)
        )


@pytest.mark.parametrize(("nodes", "values", "kind", "said"), [
    ([0, 1, 1], [0, 1, 2], "cubic", "numbers that increase, got 1 and then 1, at entry 1"),
    ([0, 2, 1], [0, 1, 2], "linear", "numbers that increase, got 2 and then 1, at entry 1"),
    ([0, 1, 2], [0, 1], "cubic", "one value for each of the 3 nodes of nodes, got 2 values"),
    ([0], [0], "linear", "at least two, got 1"),
    ([0, np.nan], [0, 1], "linear", "finite numbers, got nan, at entry 1"),
    ([0, 1, 2], [0, np.inf, 1], "cubic", "finite numbers, got inf, at entry 1"),
    ([-1.7e308, 1.7e308], [0, 1], "linear", "range"),
    ([0, 5e-324], [0, 1], "linear", "range"),
    ([0, 1, 2], [0, 1, 2], "quintic", "kind of an interpolant"),
    ([[0, 1, 2], [0, 2, 2]], [0, 1, 2], "cubic", "got 2 and then 2, at entry 1 of path 1"),
    ([[0, 1], [0, 2]], [[0, 1]] * 3, "linear", "one number of paths, got 2 and 3"),
])  # fmt: skip
def test_tables_that_give_no_function_raise_errors(nodes, values, kind, said):
    with pytest.raises(InputError, match=said):
        ops.interpolate(0.5, np.array(nodes), np.array(values), kind=kind)


def test_derivatives_of_functions_with_jumps_raise_errors():
    steps = (
        Interpolant("nodes", "values", "linear", "not-a-knot", 1),
        Interpolant("nodes", "values", "cubic", "natural", 3),
    )
    for function in steps:
        with pytest.raises(
            DefinitionError, match=f"the derivative of order {function.order} of the interpolant of values jumps"
        ):
            _ = function.slope
    with pytest.raises(InputError, match="of an order up to 1"):
        ops.interpolate(0.5, [0, 1], [0, 1], kind="linear", order=2)
    with pytest.raises(InputError, match="expected kind='cubic'"):
        ops.interpolate(0.5, [0, 1], [0, 1], kind="linear", ends="natural")


@pytest.mark.parametrize("wrong", ["text", None, 3.0, [[[0, 1]]], []])
def test_what_is_no_table_raises_an_error(wrong):
    with pytest.raises(DefinitionError, match="expected a table of the system"):
        ops.interpolate(0.5, wrong, [0, 1])
