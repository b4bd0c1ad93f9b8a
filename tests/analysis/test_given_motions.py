"""What every system can be asked, asked of motions of the configuration alone: an answer, or an error of ours."""

from contextlib import suppress

import numpy as np
import pytest

import semidirect as sd
from semidirect import invariants, ops
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.core.errors import SemidirectError
from semidirect.invariants import Constants


class Turning(sd.System):
    """A circle that turns by itself."""

    group = sd.SO2()

    def constraint(self):
        return sd.PrescribedVelocity((1,))


PRODUCT = sd.DirectProduct(sd.SE2(), sd.groups.Torus(2))
MOTIONS = {
    "at rest": sd.Kinematics(sd.SO3()),
    "circle": Turning(),
    "line": sd.Kinematics(sd.RealSpace(1), velocity=[1.0], noise=[[0.5]]),
    "names of parameters": sd.Kinematics(sd.groups.Heisenberg(), noise=[[1, 0, 0]]),
    "product": sd.Kinematics(PRODUCT, velocity=[1, 2, 0, 3, 4], noise=[[0.1, 0, 0, 0.2, 0.1]]),
}
QUESTIONS = {
    "equations": lambda s: (str(s.equations()), s.equations("ito").latex()),
    "derivation": lambda s: str(s.derivation()),
    "prove": lambda s: str(s.prove(s.group.stored_names[0])),
    "invariants": lambda s: str(s.invariants(2)),
    "relations": lambda s: str(sd.invariants.find_relations(s, 2)),
    "measure": lambda s: str(invariants.find_measure(s, along="drift")),
    "gibbs": lambda s: sd.invariants.gibbs_density(s, beta=1),
    "structure": lambda s: (str(invariants.integrability(s)), str(invariants.lie_rank(s)), str(invariants.find_casimirs(s)),
                            str(invariants.find_symmetries(s)), str(invariants.nonholonomic_momenta(s))),
    "principles": invariants.compare_principles,
    "substituted": invariants.substituted,
    "vakonomic": invariants.vakonomic,
    "fields": lambda s: (s.evaluate(), s.linearise(), s.drift(np.zeros(0)), s.diffusion(np.zeros(0))),
    "best for paths": lambda s: str(s.recommend("strong")),
    "comparison": lambda s: str(compare(s, ["lie-heun", "heun"], t_end=0.4, dt=0.1, levels=3, paths=20)),
    "convergence": lambda s: str(convergence(s, "lie-heun", kind="strong", t_end=0.5, dt=0.1, levels=5, paths=20)),
    "weak": lambda s: str(convergence(s, "lie-heun", kind="weak", t_end=0.5, dt=0.1, levels=5, paths=20)),
    "lyapunov": lambda s: str(sd.lyapunov(s, t_end=1, dt=0.1, paths=2)),
}  # fmt: skip


LONG = {"best for paths", "comparison", "convergence", "weak"}
"""Questions that take seconds, asked of one motion."""


@pytest.mark.parametrize(
    ("motion", "question"), [(m, q) for m in MOTIONS for q in QUESTIONS if m == "line" or q not in LONG]
)
def test_an_answer_or_an_error_of_ours(motion, question):
    with suppress(SemidirectError):
        assert QUESTIONS[question](MOTIONS[motion]) is not None


@pytest.mark.parametrize("question", ["invariants", "relations", "measure", "gibbs", "principles"])
def test_what_has_no_answer_says_why(question):
    with pytest.raises(sd.errors.InputError, match=r"configuration alone|given"):
        QUESTIONS[question](MOTIONS["at rest"])


def test_paths_of_a_given_motion_may_fail():
    """A turn that is too large for one step, on a system that has no state variables to blame."""
    with pytest.warns(sd.errors.FailedPathsWarning):
        run = sd.Kinematics(sd.SO3(), noise=5 * np.eye(3)).simulate(t_end=10, dt=5, paths=4)
    assert len(run.failures()) == 4


def test_coordinates_of_factors_are_not_one_quantity():
    """angle of SE(2), and angle1, angle2 of the torus; x, y of the plane and x1, x2 of a space."""
    run = MOTIONS["product"].simulate(t_end=0.2, dt=0.1, paths=3)
    for name, value in {"angle": 1.0, "angle1": 3.0, "angle2": 4.0}.items():
        assert run[name].shape == (3, 3)
        still = MOTIONS["product"].simulate(t_end=0.2, dt=0.1, driver=0)
        np.testing.assert_allclose(still[name][0, -1], 0.2 * value, rtol=1e-14)
    plane = sd.Kinematics(sd.DirectProduct(sd.SE2(), sd.RealSpace(2, blocks=["w"])), velocity=[0, 1, 2, 3, 4])
    still = plane.simulate(t_end=0.2, dt=0.1)
    np.testing.assert_allclose([still[n][0, -1] for n in ("x", "y", "x1", "x2")], [0.2, 0.4, 0.6, 0.8], rtol=1e-14)


class Top(sd.System):
    """A top that declares nothing; with ``quartic`` its state are velocities."""

    quartic = sd.option(False)
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}
    initial = {"Omega": (0.3, 1, -0.5), "Gamma": (0.6, 0, 0.8)}

    def lagrangian(self, xi, a):
        plain = ops.dot(xi.Omega, ops.array([2, 1.5, 1.0]) * xi.Omega) / 2 - a.Gamma[2]
        return plain + ops.dot(xi.Omega, xi.Omega) ** 2 / 8 if self.quartic else plain

    def constraint(self):
        return sd.Unconstrained(noise=[[0.1, 0, 0], [0, 0.1, 0]])


def test_advice_knows_what_is_constant_without_being_told():
    found = Constants.of(Top())
    assert set(found.along_all) == {"dot(M, Gamma)", "norm(Gamma)"}
    assert all(Top().prove(name).holds for name in found.along_all)
    assert Constants.of(sd.load("heavy-top")).along_all == tuple(
        n for n in sd.load("heavy-top").observables() if n in Constants.of(sd.load("heavy-top")).along_all
    )  # what is declared is not said twice


def test_the_default_method_says_which_orbits_it_keeps():
    from semidirect.specification.method_choice import default_method

    assert default_method(Top()).reason.endswith("on the group and on orbits")
    moving = Top(quartic=True)
    assert "M" not in {v.name for v in moving.sde().variables}
    assert default_method(moving).reason.endswith("on the orbits of what is advected")
