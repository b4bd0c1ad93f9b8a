"""The kernels run once on scalars that refuse every decision, and then give the numbers that NumPy gives."""

import operator

import numpy as np
import pytest

from semidirect import ops
from semidirect.core import elementary
from semidirect.groups import SE2, SE3, SO, SO2, SO3, DirectProduct, Heisenberg, MatrixGroup, RealSpace, Torus
from semidirect.representations import (
    AdjointRepresentation,
    CoadjointRepresentation,
    DirectSum,
    DualRepresentation,
    SemidirectProduct,
    SymmetricSquare,
    VectorRepresentation,
)

SL2 = MatrixGroup([[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]], name="SL2", form=[[0, 1], [-1, 0]])
GROUPS = [
    SO2(), SO3(), SE2(), SE3(), SO(4), Torus(2), RealSpace(2), Heisenberg(), SL2, DirectProduct(SE3(), Torus(2)),
    SemidirectProduct(SO3(), VectorRepresentation(SO3())),
]  # fmt: skip


class Traced(ops.Scalar):
    """A float that can be computed with but not decided on."""

    __array_ufunc__ = None

    def __init__(self, value):
        self.value = value

    def elementary(self, name):
        return Traced(getattr(elementary, name)(self.value))

    def select(self, if_true, if_false):
        return Traced(float(value_of(if_true if self.value else if_false)))

    def __neg__(self):
        return Traced(-self.value)

    def __bool__(self):
        raise TypeError("a traced scalar was decided on")


def value_of(x):
    return x.value if isinstance(x, Traced) else x


for symbol in ("add", "sub", "mul", "truediv", "lt", "gt", "le", "ge"):
    compute = getattr(operator, symbol)

    def forward(self, other, compute=compute):
        return Traced(compute(self.value, value_of(other)))

    def backward(self, other, compute=compute):
        return Traced(compute(value_of(other), self.value))

    setattr(Traced, f"__{symbol}__", forward)
    setattr(Traced, f"__r{symbol}__", backward)


def traced(array):
    return np.array([Traced(float(x)) for x in array.ravel()], dtype=object).reshape(array.shape)


def numbers(array):
    return np.array([float(value_of(x)) for x in np.ravel(array)]).reshape(np.shape(array))


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: g.name)
def test_kernels_of_groups_and_representations_decide_nothing(group):
    rng = np.random.default_rng(0)
    xi, eta, mu = 0.4 * rng.standard_normal((3, group.dimension))
    g = group.exp(eta)
    stored = group.store(g)
    vector = VectorRepresentation(group)
    representations = [vector, AdjointRepresentation(group), CoadjointRepresentation(group), DualRepresentation(vector),
                       SymmetricSquare(vector), DirectSum(vector, vector)]  # fmt: skip
    calls = [
        (group.exp_entries, xi), (group.cayley_entries, xi), (group.inverse_entries, g), (group.bracket, xi, eta),
        (group.cobracket, xi, mu), (group.hat_entries, xi), (group.vee_entries, group.hat(xi)), (group.element, stored),
        (group.flow_entries, stored, xi), *((lambda s, x, r=r: group.move(s, x, r), stored, xi) for r in ("exp", "cayley")),
    ]  # fmt: skip
    for rep in representations:
        v, kappa = rng.standard_normal((2, rep.dimension))
        calls += [(rep.act_entries, g, v), (rep.inverse_act_entries, g, v), (rep.action, xi, v), (rep.diamond, kappa, v),
                  (rep.coaction, xi, kappa)]  # fmt: skip
    for kernel, *arguments in calls:
        expected = kernel(*arguments)
        np.testing.assert_array_equal(numbers(kernel(*(traced(a) for a in arguments))), expected, err_msg=str(kernel))


def test_a_zero_increment_is_exact_in_every_kernel():
    for group in GROUPS:
        for kernel in (group.exp_entries, group.cayley_entries):
            np.testing.assert_array_equal(kernel(np.zeros(group.dimension)), group.identity)
            np.testing.assert_array_equal(kernel(np.zeros((group.dimension, 2)))[..., 1], group.identity)
