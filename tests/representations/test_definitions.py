"""What representations mean, refuse and compose to."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from semidirect.core.errors import DefinitionError
from semidirect.groups import SE2, SE3, SO2, SO3, DirectProduct, Heisenberg, RealSpace, Torus
from semidirect.representations import (
    AdjointRepresentation,
    Advected,
    AdvectedFrame,
    CoadjointRepresentation,
    DirectSum,
    DualRepresentation,
    HomogeneousRepresentation,
    Pullback,
    Representation,
    Subrepresentation,
    SymmetricSquare,
    TrivialRepresentation,
    VectorRepresentation,
)

RNG = np.random.default_rng(0)


def test_on_vectors_of_space_everything_is_a_vector_product():
    rep = VectorRepresentation(SO3())
    a, b = RNG.standard_normal((2, 3))
    np.testing.assert_array_equal(rep.action(a, b), np.cross(a, b))
    np.testing.assert_array_equal(rep.diamond(a, b), np.cross(a, b))
    np.testing.assert_array_equal(rep.coaction(a, b), np.cross(b, a))
    x, y = (np.array(sympy.symbols(f"{c}1:4"), dtype=object) for c in "xy")
    assert rep.diamond(x, y)[0] == x[1] * y[2] - x[2] * y[1]


def test_adjoint_and_coadjoint_are_those_of_the_group():
    group = DirectProduct(SE3(), SE2())
    g = group.random(0, 5)
    xi, mu = RNG.standard_normal((2, 5, group.dimension))
    ad, coad = AdjointRepresentation(group), CoadjointRepresentation(group)
    np.testing.assert_allclose(ad.act(g, xi), group.Ad(g, xi), rtol=0, atol=4e-14)
    np.testing.assert_allclose(coad.act(g, mu), group.Ad_star(group.inverse(g), mu), rtol=0, atol=4e-14)
    np.testing.assert_array_equal(ad.action(xi.T, mu.T).T, group.ad(xi, mu))
    np.testing.assert_array_equal(coad.action(xi.T, mu.T).T, -group.ad_star(xi, mu))
    dual = DualRepresentation(ad)
    assert np.array_equal(dual.generators, coad.generators)
    np.testing.assert_allclose(dual.act(g, mu), coad.act(g, mu), rtol=0, atol=4e-14)


def test_dual_vectors_keep_their_pairing():
    rep = HomogeneousRepresentation(SE3())
    g, (v, k) = SE3().random(0, 5), RNG.standard_normal((2, 5, 4))
    paired = np.sum(DualRepresentation(rep).act(g, k) * rep.act(g, v), axis=-1)
    np.testing.assert_allclose(paired, np.sum(k * v, axis=-1), rtol=0, atol=1e-13)


def test_symmetric_square_is_the_upper_triangle():
    rep = SymmetricSquare(VectorRepresentation(SO3()))
    assert rep.component_names == ("s11", "s12", "s13", "s22", "s23", "s33")
    g = SO3().random(0)
    s = RNG.standard_normal((3, 3))
    s = s + s.T
    upper = np.triu_indices(3)
    np.testing.assert_allclose(rep.act(g, s[upper]), (g @ s @ g.T)[upper], rtol=0, atol=4e-15)
    assert SymmetricSquare(VectorRepresentation(SO2())).act(SO2().exp([0.5]), [1.0, 0.0, 1.0]) == pytest.approx(
        [1, 0, 1]
    )


def test_points_and_vectors_of_motions():
    rep = HomogeneousRepresentation(SE3())
    assert rep.component_names == ("x1", "x2", "x3", "w")
    s, v = SE3().random(0), RNG.standard_normal(3)
    np.testing.assert_allclose(rep.act(s, [*v, 1]), [*(s[:3, :3] @ v + s[:3, 3]), 1], rtol=0, atol=1e-15)
    np.testing.assert_allclose(rep.act(s, [*v, 0]), [*(s[:3, :3] @ v), 0], rtol=0, atol=1e-15)
    shift = HomogeneousRepresentation(RealSpace(2))
    np.testing.assert_array_equal(shift.act(RealSpace(2).exp([1.0, 2.0]), [5.0, 6.0, 1.0]), [6.0, 8.0, 1.0])


def test_the_heisenberg_particle():
    group = Heisenberg()
    a = Advected(Subrepresentation(VectorRepresentation(group), (0, 1)), (0, 1))
    g = group.element(np.array([0.7, 0.3, -2.0]))
    np.testing.assert_allclose(a.at(g), [-0.3, 1], rtol=0, atol=1e-15)


def test_the_advected_frame():
    frame, s = AdvectedFrame(), SE3().random(0, 7)
    assert list(frame) == ["E1", "E2", "Gamma", "b"]
    rows = np.stack([frame[k].at(s) for k in ("E1", "E2", "Gamma")], axis=-1)
    np.testing.assert_allclose(rows, np.swapaxes(s[:, :3, :3], 1, 2), rtol=0, atol=0)
    back = -np.einsum("mji,mj->mi", s[:, :3, :3], s[:, :3, 3])
    np.testing.assert_allclose(frame["b"].at(s), np.concatenate([back, np.ones((7, 1))], axis=1), rtol=0, atol=1e-15)
    robot = DirectProduct(Torus(3), SE3())
    r = robot.random(0, 7)
    for name, a in AdvectedFrame(robot).items():
        np.testing.assert_array_equal(a.at(r), frame[name].at(robot_motion(robot, r)))
    with pytest.raises(DefinitionError, match="not of the factor"):
        AdvectedFrame(DirectProduct(SE2(coordinates=("a", "x", "y")), SO2()), rotation="omega", motion=("nu", "v"))


def robot_motion(robot, r):
    return np.moveaxis(robot.factor_entries(("Omega", "Y"), np.moveaxis(r, 0, -1)), -1, 0)


def test_advected_quantities_are_carried():
    frame, group = AdvectedFrame(), SE3()
    s, xi, h = group.random(0), RNG.standard_normal(6), 1e-5
    for a in frame.values():
        rate = (a.at(s @ group.exp(h * xi)) - a.at(s @ group.exp(-h * xi))) / (2 * h)
        np.testing.assert_allclose(rate, -a.representation.action(xi, a.at(s)), rtol=0, atol=1e-9)
    x = np.array([Fraction(k, 7) for k in range(1, 7)], dtype=object)
    exact = [frame[k].at_entries(group.cayley_entries(x)) for k in ("E1", "E2", "Gamma")]
    assert all(isinstance(e, (int, Fraction)) for v in exact for e in v)
    assert np.array(exact).dot(np.array(exact).T).tolist() == np.eye(3).tolist()


def test_advected_is_frozen_and_validated():
    gamma = AdvectedFrame()["Gamma"]
    assert gamma.dimension == 3
    assert gamma == AdvectedFrame()["Gamma"]
    assert gamma != AdvectedFrame()["E1"]
    assert hash(gamma) == hash(AdvectedFrame()["Gamma"])
    assert "reference (0.0, 0.0, 1.0)" in repr(gamma)
    with pytest.raises(AttributeError, match="frozen"):
        gamma.reference = np.zeros(3)
    with pytest.raises(ValueError, match="read-only"):
        gamma.reference[0] = 1
    with pytest.raises(DefinitionError, match="wrong shape"):
        Advected(gamma.representation, (0, 0, 1, 0))
    with pytest.raises(DefinitionError, match="not finite"):
        Advected(gamma.representation, (0, 0, np.nan))


def test_refusals():
    so3, se3 = SO3(), SE3()
    with pytest.raises(DefinitionError, match="not of the factor"):
        Pullback(HomogeneousRepresentation(se3), se3, "Omega")
    with pytest.raises(DefinitionError, match="not a factor"):
        Pullback(VectorRepresentation(so3), se3, "Y")
    with pytest.raises(DefinitionError, match="different groups"):
        DirectSum(VectorRepresentation(so3), HomogeneousRepresentation(se3))
    with pytest.raises(DefinitionError, match="no representations"):
        DirectSum()
    with pytest.raises(DefinitionError, match="not a group of affine"):
        HomogeneousRepresentation(so3)
    with pytest.raises(DefinitionError, match=r"component names of .*different names"):
        VectorRepresentation(so3, component_names=("x", "x", "y"))
    with pytest.raises(DefinitionError, match="not invariant"):
        Subrepresentation(VectorRepresentation(Heisenberg()), (2,))
    with pytest.raises(DefinitionError, match="no such components"):
        Subrepresentation(VectorRepresentation(Heisenberg()), (0, 3))


def test_generators_that_represent_nothing_are_refused():
    class Wrong(Representation):
        def act_entries(self, g, v):
            return v

    with pytest.raises(DefinitionError, match=r"not a representation of SO3.*at the pair \(0, 1\)"):
        Wrong(SO3(), -SO3().basis)
    with pytest.raises(DefinitionError, match="wrong shape"):
        Wrong(SO3(), np.zeros((2, 3, 3)))


def test_equality_is_by_definition():
    so3, se3 = SO3(), SE3()
    assert VectorRepresentation(so3) == VectorRepresentation(SO3())
    assert VectorRepresentation(so3) != VectorRepresentation(so3, component_names=("a", "b", "c"))
    assert VectorRepresentation(se3) != HomogeneousRepresentation(se3)
    assert Pullback(VectorRepresentation(so3), se3, "Omega") == Pullback(VectorRepresentation(so3), SE3(), "Omega")
    assert TrivialRepresentation(so3, 2) != TrivialRepresentation(so3, 3)
    assert len({AdjointRepresentation(so3), AdjointRepresentation(SO3()), CoadjointRepresentation(so3)}) == 2
