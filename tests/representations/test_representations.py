"""The contract of every representation."""

import numpy as np

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
from semidirect.testing.contracts.representation import representation_contract

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
