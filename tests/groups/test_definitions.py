"""What groups refuse, what they are called, and how they are taken apart."""

from fractions import Fraction

import numpy as np
import pytest

from semidirect.core.errors import DefinitionError, InputError, MethodError, NoRealLogarithmError, NotOnGroupError
from semidirect.groups import (
    SE2,
    SE3,
    SO,
    SO2,
    SO3,
    DirectProduct,
    Geometry,
    Heisenberg,
    MatrixGroup,
    RealSpace,
    Torus,
    group_of,
)
from semidirect.representations import SemidirectProduct, SymmetricSquare, VectorRepresentation

SL2 = [[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]]


def test_conventions():
    so3, se3 = SO3(), SE3()
    a, b, c, d = np.random.default_rng(0).standard_normal((4, 3))
    np.testing.assert_array_equal(so3.ad(a, b), np.cross(a, b))
    np.testing.assert_array_equal(so3.ad_star(a, b), np.cross(b, a))
    np.testing.assert_allclose(so3.hat(a) @ b, np.cross(a, b), rtol=0, atol=1e-15)
    both = np.concatenate([a, b]), np.concatenate([c, d])
    np.testing.assert_allclose(se3.ad(*both), [*np.cross(a, c), *(np.cross(a, d) - np.cross(c, b))], rtol=0, atol=1e-15)
    np.testing.assert_allclose(
        se3.ad_star(*both), [*(np.cross(c, a) + np.cross(d, b)), *np.cross(d, a)], rtol=0, atol=1e-15
    )
    assert Heisenberg().brackets == ((0, 1, 2, -1), (1, 0, 2, 1))


def test_brackets_are_exact():
    assert all(type(value) is int for group in (SO3(), SE3(), SE2(), SO(4)) for *_, value in group.brackets)
    half = MatrixGroup(np.array(SL2) / np.array([2, 1, 1])[:, None, None])
    assert (0, 1, 1, 1) in half.brackets
    assert (1, 2, 0, 2) in half.brackets
    thirds = MatrixGroup(np.array(SL2) / np.array([3, 1, 1])[:, None, None])
    assert (0, 1, 1, Fraction(2, 3)) in thirds.brackets
    turned = np.einsum("ij,jab->iab", SO3().random(0), SO3().basis)
    irrational = MatrixGroup(turned)
    assert {type(value) for *_, value in irrational.brackets} == {float}
    assert len(irrational.brackets) == 6
    np.testing.assert_allclose(irrational.structure_constants, SO3().structure_constants, rtol=0, atol=1e-15)


def test_a_basis_must_be_closed_independent_square_and_finite():
    with pytest.raises(DefinitionError, match=r"not closed.*residual of 1\.00e\+00, at the pair \(0, 1\)"):
        MatrixGroup(SL2[1:])
    with pytest.raises(DefinitionError, match="linearly dependent"):
        MatrixGroup([SL2[0], SL2[1], [[1, 1], [0, -1]], SL2[2]])
    for basis in (np.zeros((2, 3)), np.zeros((1, 2, 3)), np.zeros((0, 2, 2))):
        with pytest.raises(DefinitionError, match="not a list of square matrices"):
            MatrixGroup(basis)
    with pytest.raises(DefinitionError, match="not finite"):
        MatrixGroup([[[np.nan]]])
    with pytest.raises(DefinitionError, match="does not preserve its form"):
        MatrixGroup(SL2, form=np.eye(2))
    with pytest.raises(DefinitionError, match="do not fill"):
        MatrixGroup(SL2, blocks={"a": 1, "b": 1})
    with pytest.raises(DefinitionError, match=r"n of SO\(n\): expected a whole number, at least 2"):
        SO(1)


def test_cayley_is_decided_by_mathematics():
    aff = MatrixGroup([[[1, 0], [0, 0]], [[0, 1], [0, 0]]])
    sl3 = [np.outer(np.eye(3)[i], np.eye(3)[j]) for i in range(3) for j in range(3) if i != j]
    sl3 += [np.diag([1, -1, 0]), np.diag([0, 1, -1])]
    assert MatrixGroup(SL2).quadratic
    assert aff.quadratic
    assert not MatrixGroup(sl3).quadratic
    tensors = SemidirectProduct(SO3(), SymmetricSquare(VectorRepresentation(SO3())))
    assert not tensors.quadratic
    assert not DirectProduct(SO2(), tensors).quadratic
    for group in (MatrixGroup(sl3), tensors, DirectProduct(SO2(), tensors)):
        with pytest.raises(MethodError, match="Cayley map leaves"):
            group.cayley(np.zeros(group.dimension))
    # What is refused would indeed leave SL(3).
    a = np.diag([0.5, 0.5, -1.0])
    assert abs(np.linalg.det(np.linalg.solve(np.eye(3) - a / 2, np.eye(3) + a / 2)) - 1) > 0.05


def test_names():
    disk = DirectProduct(SE2(blocks=("nu", "v"), coordinates=("phi", "x", "y")), SO2(coordinates=("theta",)))
    assert disk.blocks == {"nu": slice(0, 1), "v": slice(1, 3), "omega": slice(3, 4)}
    assert disk.stored_names == ("phi", "x", "y", "theta")
    assert disk.circles == ("phi", "theta")
    assert repr(disk) == "SE2 x SO2(nu: 1, v: 2, omega: 1)"
    assert SE3().stored_names[8:] == ("g33", "x1", "x2", "x3")
    pair = DirectProduct(SO3(), SO3(), names=("a", "b"))
    assert tuple(pair.blocks) == ("a_Omega", "b_Omega")
    assert pair.stored_names[9] == "b_g11"
    assert pair.factor("b_Omega") == SO3()
    with pytest.raises(DefinitionError, match=r"two blocks with the same name.*'Omega'.*blocks="):
        DirectProduct(SO3(), SO3())
    with pytest.raises(DefinitionError, match=r"two coordinates with the same name.*'x1'.*coordinates="):
        DirectProduct(SE3(), RealSpace(2))
    with pytest.raises(DefinitionError, match="block names"):
        SE3(blocks=("Omega",))
    with pytest.raises(DefinitionError, match="block names"):
        SO2(blocks="omega")
    with pytest.raises(DefinitionError, match="two blocks"):
        SE3(blocks=("A", "A"))
    with pytest.raises(DefinitionError, match="coordinate names"):
        SE2(coordinates=("x", "y"))
    with pytest.raises(DefinitionError, match="two coordinates"):
        SE2(coordinates=("x", "x", "y"))
    with pytest.raises(DefinitionError, match="number of prefixes"):
        DirectProduct(SO3(), SO3(), names=("a",))
    with pytest.raises(DefinitionError, match="no groups"):
        DirectProduct()


def test_equality_is_by_definition():
    assert SO3() == SO3()
    assert hash(SO3()) == hash(SO3())
    assert SO3() != SO(3)
    assert SO3(blocks=("w",)) != SO3()
    assert SE2(coordinates=("a", "x", "y")) != SE2()
    assert DirectProduct(SE3(), Torus(3)) == DirectProduct(SE3(), Torus(3))
    assert MatrixGroup(SL2) != MatrixGroup(SL2, form=[[0, 1], [-1, 0]])
    assert len({SO3(), SO3(), SE3(), Torus(2), Torus(3)}) == 4


def test_factors_of_blocks():
    se3 = SE3(blocks=("W", "V"))
    assert se3.factor("W") == SO3(blocks=("W",))
    assert se3.factor(("W", "V")) == se3
    assert SE2().factor("nu") == SO2(blocks=("nu",))
    assert Heisenberg().factor("xi") == Heisenberg()
    with pytest.raises(DefinitionError, match=r"V is not a factor of SE3: expected one of W \| W, V"):
        se3.factor("V")
    robot = DirectProduct(SO2(), SE3(), Torus(2))
    assert robot.factor("Omega") == SO3()
    assert robot.factor(("Omega", "Y")) == SE3()
    assert robot.factor("w") == Torus(2)
    assert robot.factor_slice("Omega") == slice(1, 4)
    assert robot.factor_slice(("Omega", "Y")) == slice(1, 7)
    g = robot.random(0)
    np.testing.assert_array_equal(robot.factor_entries("Omega", g), g[2:5, 2:5])
    np.testing.assert_array_equal(robot.factor_entries(("Omega", "Y"), g), g[2:6, 2:6])
    xi, eta = np.random.default_rng(0).standard_normal((2, robot.dimension))
    for block in ("Omega", ("Omega", "Y"), "w"):
        part, factor = robot.factor_slice(block), robot.factor(block)
        np.testing.assert_allclose(factor.ad(xi[part], eta[part]), robot.ad(xi, eta)[part], rtol=0, atol=1e-15)
        np.testing.assert_allclose(factor.exp(xi[part]), robot.factor_entries(block, robot.exp(xi)), rtol=0, atol=1e-15)


def test_angles_are_not_wrapped():
    disk = DirectProduct(SE2(coordinates=("phi", "x", "y")), SO2(coordinates=("theta",)))
    stored = disk.store(disk.identity)
    for _ in range(10):
        stored = disk.move(stored, np.array([1.0, 0.5, 0.0, -2.0]), "cayley")
    np.testing.assert_allclose(stored[[0, 3]], [10.0, -20.0], rtol=1e-15)
    g = disk.element(stored)
    np.testing.assert_allclose(disk.store(g)[[0, 3]], [10 - 4 * np.pi, 6 * np.pi - 20], rtol=0, atol=1e-14)
    np.testing.assert_allclose(disk.store(g, angles=(10.0, -20.0)), stored, rtol=0, atol=1e-14)
    with pytest.raises(InputError, match="does not belong to its matrix"):
        disk.store(g, angles=(10.1, -20.0))
    with pytest.raises(InputError, match="number of angles"):
        disk.store(g, angles=(10.0,))


def test_no_real_logarithm():
    sl2 = MatrixGroup(SL2, form=[[0, 1], [-1, 0]])
    g = np.diag([-2.0, -0.5])
    assert sl2.contains(g)
    with pytest.raises(NoRealLogarithmError, match="element 1"):
        sl2.log(np.stack([np.eye(2), g]))
    with pytest.raises(NoRealLogarithmError, match="no real logarithm"):
        MatrixGroup(SL2).log(g)
    tensors = SemidirectProduct(SO2(), SymmetricSquare(VectorRepresentation(SO2())))
    g = tensors.exp([np.pi, 0, 0, 0])
    g[2, -1] = 1.0
    with pytest.raises(NoRealLogarithmError, match="has no logarithm"):
        tensors.log(g)


def test_membership_without_a_form():
    sl2 = MatrixGroup(SL2)
    assert sl2.contains(sl2.exp([0.3, 0.2, -0.1]))
    assert sl2.contains(np.diag([-2.0, -0.5]))
    assert not sl2.contains(np.diag([2.0, 2.0]))
    assert not sl2.contains(np.zeros((2, 2)))
    positive = MatrixGroup([[[1]]], residual=lambda g: 0.0 if g[0, 0] > 0 else 1.0)
    assert positive.contains([[2.0]])
    with pytest.raises(NotOnGroupError):
        positive.validate([[-2.0]])


def test_a_reflection_is_not_a_rotation():
    for group in (SO2(), SO3(), SO(4)):
        mirror = np.diag([-1.0] + [1.0] * (group.size - 1))
        with pytest.raises(NotOnGroupError, match=r"got 1\.00e\+00"):
            group.validate(mirror)
    product = DirectProduct(SO2(), SO3())
    leak = np.eye(5)
    leak[0, 4] = 1e-3
    assert product.residual(leak) == 1e-3
    assert Torus(2).residual(np.kron([[1, 1e-3], [0, 1]], np.eye(2))) == 1e-3


def test_rotations_for_labels_are_factors_that_act_alone():
    """Each label has a factor, whose algebra and stored entries have names of their own and which commutes with the others."""
    group = DirectProduct.of_rotations("ab")
    assert tuple(group.blocks) == ("wa", "wb")
    assert group.stored_names == tuple(f"g{label}{i}{j}" for label in "ab" for i in (1, 2, 3) for j in (1, 2, 3))
    assert group.factor("wb") == SO3(("wb",), group.stored_names[9:])
    assert not group.structure_constants[:3, 3:].any()


@pytest.mark.parametrize(("geometry", "n", "dimension"), [(Geometry.ROTATIONS, 2, 1), (Geometry.ROTATIONS, 5, 10),
                                                          (Geometry.MOTIONS, 2, 3), (Geometry.MOTIONS, 3, 6)])  # fmt: skip
def test_a_group_is_had_by_its_geometry(geometry, n, dimension):
    """Its matrices move R^n: those of rotations are of size n, those of motions one larger."""
    group = group_of(geometry, n)
    assert (group.geometry, group.dimension, group.size) == (geometry, dimension, n + (geometry is Geometry.MOTIONS))
    assert group_of(Geometry.MOTIONS, 4) is None
