"""The kernels on SymPy symbols."""

import numpy as np
import pytest
import sympy

from semidirect import ops
from semidirect.core.errors import InputError
from semidirect.groups import SE2, SE3, SO2, SO3, DirectProduct, Heisenberg, RealSpace, Torus


def symbols(prefix, n):
    return np.array(sympy.symbols(f"{prefix}1:{n + 1}", real=True), dtype=object)


def vanishes(expressions):
    return all(sympy.simplify(e) == 0 for e in np.ravel(expressions))


def test_bracket_and_cobracket_stay_small():
    x, m = symbols("x", 6), symbols("m", 6)
    se3 = SE3()
    np.testing.assert_array_equal(se3.bracket(x[:6], m)[:3], ops.cross(x[:3], m[:3]))
    expected = [*(ops.cross(m[:3], x[:3]) + ops.cross(m[3:], x[3:])), *ops.cross(m[3:], x[:3])]
    assert vanishes(se3.cobracket(x, m) - expected)
    assert sum(len(e.args) for e in se3.cobracket(x, m)) == 18
    np.testing.assert_array_equal(se3.ad_star(x, m), se3.cobracket(x, m))
    np.testing.assert_array_equal(se3.ad(x, m), se3.bracket(x, m))
    assert RealSpace(2).bracket(x[:2], m[:2]).tolist() == [0, 0]


@pytest.mark.parametrize(
    "group",
    [SO2(), SO3(), SE2(), SE3(), Heisenberg(), Torus(2), RealSpace(2), DirectProduct(SO3(), SO2())],
    ids=lambda g: g.name,
)
def test_cayley_of_symbols_is_rational_and_on_the_group(group):
    x = symbols("x", group.dimension)
    g, a = group.cayley_entries(x), group.hat_entries(x) * sympy.Rational(1, 2)
    one = ops.identity(group.size)
    assert vanishes((one - a).dot(g) - (one + a))
    assert vanishes(group.inverse_entries(g).dot(g) - one)
    assert all(e.is_rational_function(*x) for e in map(sympy.sympify, g.ravel()))


def test_elements_and_flows_of_symbols():
    stored, xi = symbols("q", 3), symbols("x", 3)
    se2 = SE2()
    g = se2.element(stored)
    assert vanishes(g - [[sympy.cos(stored[0]), -sympy.sin(stored[0]), stored[1]],
                         [sympy.sin(stored[0]), sympy.cos(stored[0]), stored[2]], [0, 0, 1]])  # fmt: skip
    rate = se2.flow_entries(stored, xi)
    derivative = sum(np.vectorize(lambda e, q=q: sympy.diff(e, q), otypes=[object])(g) * r
                     for q, r in zip(stored, rate, strict=True))  # fmt: skip
    assert vanishes(derivative - g.dot(se2.hat_entries(xi)))
    with pytest.raises(InputError, match="Give angles="):
        se2.store(g)
    assert se2.store(g, angles=stored[:1]).tolist() == stored.tolist()
    x, y, z = symbols("q", 3)
    assert Heisenberg().flow_entries([x, y, z], xi).tolist() == [xi[0], xi[1], xi[2] + xi[0] * y]


def test_exp_of_symbols_where_it_is_a_circle_or_a_polynomial():
    x = symbols("x", 3)
    assert SO2().exp_entries(x[:1]).tolist() == [
        [sympy.cos(x[0]), -sympy.sin(x[0])],
        [sympy.sin(x[0]), sympy.cos(x[0])],
    ]
    assert vanishes(Heisenberg().exp_entries(x) - sympy.Matrix(Heisenberg().hat_entries(x)).exp())
    g = SO3().exp_entries(x)
    values = dict(zip(x, (0.3, -0.7, 0.2), strict=True))
    numbers = np.array([[float(e.subs(values)) for e in row] for row in g])
    np.testing.assert_allclose(numbers, SO3().exp([0.3, -0.7, 0.2]), rtol=0, atol=1e-15)
