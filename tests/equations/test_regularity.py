"""What can be solved with: leading minors, against SymPy's determinants."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.core.errors import DefinitionError
from semidirect.equations.emission import evaluate_exact
from semidirect.equations.regularity import leading_minors

X, Y = sp.symbols("x y", real=True)
ENTRIES = st.sampled_from([sp.Integer(0), sp.Integer(1), sp.Integer(-2), X, Y, X + Y, X * Y, sp.Rational(1, 2), X**2])


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(ENTRIES, min_size=n, max_size=n), min_size=n, max_size=n)))
def test_a_minor_vanishes_where_its_determinant_is_zero(rows):
    matrix = sp.Matrix(rows)
    assert leading_minors(rows) == [sp.expand(matrix[: k + 1, : k + 1].det()) != 0 for k in range(len(rows))]


def test_irrational_minors_are_not_judged():
    assert leading_minors([[sp.sin(X)]]) is None
    assert leading_minors([[sp.sqrt(X**2)]]) == [True]  # |x|, a fraction where x is one


def plane(lagrangian, n=3):
    return sd.equations.HamiltonPontryagin().derive(
        sd.definition.Definition(sd.RealSpace(n), lagrangian, sd.Unconstrained())
    )


@pytest.mark.parametrize(
    "lagrangian",
    [lambda xi: (xi.v[0] + xi.v[1]) ** 2 + xi.v[2] ** 2, lambda xi, t: t * (xi.v[0] - xi.v[1]) ** 2 + xi.v[2] ** 2],
)
def test_an_inertia_that_is_singular_everywhere_is_refused(lagrangian):
    with pytest.raises(DefinitionError, match=r"v1, v2, v3 are not all determined, their matrix.*singular everywhere"):
        plane(lagrangian)


def test_a_leading_minor_that_vanishes_is_passed_by_an_exchange_of_rows():
    """[[1, 1, 0], [1, 1, 1], [0, 1, 1]] is regular, its second minor is 0."""
    sde = plane(lambda xi: (xi.v[0] ** 2 + xi.v[1] ** 2 + xi.v[2] ** 2) / 2 + xi.v[0] * xi.v[1] + xi.v[1] * xi.v[2])
    (solve,) = [s for s in sde.program.statements if hasattr(s, "matrix")]
    assert not solve.symmetric
    found = evaluate_exact(sde.program, dict(zip(sde.program.inputs, (3, 4, 5, 0, 0, 0, 0, 1), strict=True)))
    u = sp.Matrix([[1, 1, 0], [1, 1, 1], [0, 1, 1]]).inv() * sp.Matrix([3, 4, 5])
    assert found["u"] == list(u)
