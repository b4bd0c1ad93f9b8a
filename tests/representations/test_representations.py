"""The contract of every representation."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from semidirect import ops
from semidirect.groups import SE2, SE3, SO, SO2, SO3, DirectProduct, Heisenberg, MatrixGroup, RealSpace, Torus
from semidirect.representations import (
    AdjointRepresentation,
    CoadjointRepresentation,
    DirectSum,
    DualRepresentation,
    HomogeneousRepresentation,
    Pullback,
    Subrepresentation,
    SymmetricSquare,
    TrivialRepresentation,
    VectorRepresentation,
)
from semidirect.testing import exact_configuration
from semidirect.testing.contracts.representation import representation_contract
from semidirect.testing.laws.exact_points.numbers import constants, plain_array

ROTATIONS, MOTIONS = SO3(), SE3()
ROBOT = DirectProduct(SE3(), Torus(3))
LORENTZ = MatrixGroup(
    np.sqrt(0.5) * np.array([[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 1, 0], [1, 0, 0], [0, 0, 0]],
                             [[0, 0, 1], [0, 0, 0], [1, 0, 0]]]),
    name="SO(2,1)", form=np.diag([-1.0, 1.0, 1.0]),
)  # fmt: skip

TestTrivial = representation_contract(TrivialRepresentation(MOTIONS, 2))
TestVectors = representation_contract(VectorRepresentation(ROTATIONS))
TestPlaneVectors = representation_contract(VectorRepresentation(SO2()))
TestVectorsOfR4 = representation_contract(VectorRepresentation(SO(4)))
TestLorentzVectors = representation_contract(VectorRepresentation(LORENTZ))
TestPoints = representation_contract(HomogeneousRepresentation(MOTIONS))
TestPlanePoints = representation_contract(HomogeneousRepresentation(SE2()))
TestTranslatedPoints = representation_contract(HomogeneousRepresentation(RealSpace(2)))
TestHeisenbergPoints = representation_contract(HomogeneousRepresentation(Heisenberg()))
TestHeisenbergPart = representation_contract(Subrepresentation(VectorRepresentation(Heisenberg()), (0, 1)))
TestDualOfPoints = representation_contract(DualRepresentation(HomogeneousRepresentation(MOTIONS)))
TestTensors = representation_contract(SymmetricSquare(VectorRepresentation(ROTATIONS)))
TestSum = representation_contract(DirectSum(AdjointRepresentation(MOTIONS), HomogeneousRepresentation(MOTIONS)))
TestAdjoint = representation_contract(AdjointRepresentation(MOTIONS))
TestCoadjoint = representation_contract(CoadjointRepresentation(MOTIONS))
TestAdjointHeisenberg = representation_contract(AdjointRepresentation(Heisenberg()))
TestCoadjointSO4 = representation_contract(CoadjointRepresentation(SO(4)))
TestAdjointLorentz = representation_contract(AdjointRepresentation(LORENTZ))
TestGamma = representation_contract(Pullback(VectorRepresentation(ROTATIONS), MOTIONS, "Omega"))
TestRobotOrigin = representation_contract(Pullback(HomogeneousRepresentation(SE3()), ROBOT, ("Omega", "Y")))
TestRobotAngles = representation_contract(Pullback(VectorRepresentation(Torus(3)), ROBOT, "w"))


SCALED = {
    "thirds of SO3": MatrixGroup(SO3().basis.astype(int) * Fraction(1, 3)),
    "twice Heisenberg": MatrixGroup(2 * Heisenberg().basis.astype(int)),
    "thirds of SE2": MatrixGroup(SE2().basis.astype(int) * Fraction(1, 3)),
}


@pytest.mark.parametrize("label", SCALED)
def test_matrices_of_symbols_are_exact(label):
    """Fractions of generators and of dual bases are not lost on integers, of unit vectors or of products."""
    group = SCALED[label]
    adjoint, coadjoint = AdjointRepresentation(group), CoadjointRepresentation(group)
    g = group.element(np.array([sp.Symbol(x, real=True) for x in group.stored_names], dtype=object))
    turned = group.exp(np.array([0.3, -0.2, 0.5]))
    numbers = {sp.Symbol(x, real=True): v for x, v in zip(group.stored_names, group.store(turned), strict=True)}
    for rep in (
        adjoint,
        coadjoint,
        DualRepresentation(adjoint),
        SymmetricSquare(adjoint),
        DirectSum(adjoint, coadjoint),
        Subrepresentation(DirectSum(coadjoint, adjoint), (3, 4, 5)),
    ):
        entries = [sp.sympify(x) for x in rep.matrix_entries(g).flat]
        assert not any(x.atoms(sp.Float) for x in entries), rep
        assert any(x.free_symbols for x in entries)
        values = np.reshape([float(x.subs(numbers)) for x in entries], (rep.dimension, rep.dimension))
        np.testing.assert_allclose(values, rep.matrix_entries(turned), atol=1e-14)  # measured 3e-16


@pytest.mark.parametrize("label", SCALED)
def test_matrices_of_exact_numbers_are_exact(label):
    """ρ(g) ρ(g⁻¹) = 1 in fractions; a third in sixteen digits would leave 2e-16."""
    group = SCALED[label]
    turn = [Fraction(1, 2), Fraction(-1, 3), Fraction(1, 5)]
    g = group.element(constants(exact_configuration(group, turn)))
    adjoint, coadjoint = AdjointRepresentation(group), CoadjointRepresentation(group)
    for rep in (adjoint, DualRepresentation(adjoint), SymmetricSquare(adjoint), DirectSum(adjoint, coadjoint)):
        product = ops.matmul(rep.matrix_entries(g), rep.matrix_entries(group.inverse_entries(g)))
        assert np.array_equal(plain_array(product), np.eye(rep.dimension, dtype=int))
        assert not np.array_equal(plain_array(rep.matrix_entries(g)), np.eye(rep.dimension, dtype=int))
