"""An analysis that does not take an argument of a run says what to do instead."""

import re

import numpy as np
import pytest

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.core.errors import InputError, MethodError
from semidirect.invariants.gibbs import gibbs_density
from semidirect.invariants.measure import find_measure
from semidirect.specification.run_only import REMEDIES

FUNCTIONS = {"ensemble": sd.System.ensemble, "lyapunov": sd.lyapunov, "multilevel": sd.multilevel, "filter": sd.filter,
             "fit": sd.fit, "convergence": convergence, "compare": compare}  # fmt: skip
ARGUMENTS = ("stop", "save", "reduce", "checks", "formulation")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_argument_has_a_remedy_for_this_analysis(name):
    system, said = sd.load("rigid-body"), 0
    for argument in ARGUMENTS:
        if name == "ensemble" and argument in ("checks", "formulation"):
            continue  # it takes them
        with pytest.raises(InputError, match=re.escape(REMEDIES[name][argument])) as caught:
            FUNCTIONS[name](system, **{argument: None})
        assert "simulate takes it" not in str(caught.value)
        said += 1
    assert said == len(REMEDIES[name])


def test_several_arguments_have_their_remedies_each():
    with pytest.raises(InputError) as caught:
        sd.lyapunov(sd.load("rigid-body"), stop=None, checks=None, names=1)
    assert REMEDIES["lyapunov"]["stop"] in str(caught.value)
    assert REMEDIES["lyapunov"]["checks"] in str(caught.value)


class Falling(sd.System):
    """A point that falls."""

    group = sd.RealSpace(1, coordinates=("y",))
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 1))}
    initial = {"v": 0.5, "y": 0.5}
    noise = sd.parameter((), symbol="sigma", shape=(None, 1))

    def lagrangian(self, xi, a):
        return xi.v**2 / 2 + a.b[0]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)

    @sd.observable()
    def height(self, state):
        return -state.b[0]


def bouncing(**more):
    lands = sd.Switch("flight", "flight", sd.Crossing("height", 0.0, "falling"), sd.Impact(restitution=0.5))
    return sd.Hybrid({"flight": Falling(**more)}, [lands])


@pytest.mark.parametrize(
    ("argument", "value"),
    [("stop", sd.Stop("height", below=0.2)), ("checks", sd.Checks(bounds={"height": 9.0})),
     ("driver", 0)],
)  # fmt: skip
def test_a_hybrid_points_at_its_modes_which_take_it(argument, value):
    hybrid, how = bouncing(), {"t_end": 0.5, "dt": 0.125}
    with pytest.raises(InputError, match=rf"hybrid\.modes\[…\]\.simulate\({argument}=…\)"):
        hybrid.simulate(mode="flight", **how, **{argument: value})
    run = hybrid.modes["flight"].simulate(**how, **{argument: value})
    assert np.isfinite(run["height"]).all()


def test_an_adaptive_method_is_refused_by_a_hybrid_with_noise_and_followed_without():
    how = {"mode": "flight", "t_end": 0.5, "dt": 0.125, "method": "dop853"}
    with pytest.raises(MethodError, match="Use rkmk4 or lie-heun, or modes without noise"):
        bouncing(noise=[[0.1]]).simulate(**how)
    assert np.allclose(bouncing().simulate(**how)["height"][0, -1], 0.5 + 0.5 * 0.5 - 0.125)


def test_filters_name_particles():
    system = sd.load("rigid-body", inertia=sd.PerPath([[1.0, 2.0, 3.0]] * 4))
    with pytest.raises(
        InputError, match=r"particles: expected 4, as many as per-path values, got 32\. Give particles=4"
    ):
        sd.filter(system, sd.Observation("Omega1", noise=0.1), ([0.5], [[0.0]]), dt=0.25, particles=32)


def test_gibbs_of_a_given_motion_has_a_remedy():
    up = sd.Advected(sd.VectorRepresentation(sd.SO3()), reference=(0, 0, 1))
    motion = sd.Kinematics(sd.SO3(), velocity=(0.3, -0.5, 0.2), advected={"Gamma": up})
    with pytest.raises(InputError, match="find_measure"):
        gibbs_density(motion)
    assert find_measure(motion) is not None
