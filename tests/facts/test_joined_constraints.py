"""Several constraints at once: motions and forces against references derived by Newton's equations, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from joined_systems import Blades, Plates, Round, Steered, blade, groove

import semidirect as sd

REFERENCES = json.loads((Path(__file__).parents[1] / "oracles" / "joined_constraints.json").read_text())
SHORT = {"t_end": 1e-3, "dt": 1e-3, "method": "rk4", "save": "every:1"}


def blades(case, **more):
    p, f = case["params"], case.get("force", {"moment_about_origin": 0.0, "force_body": (0.0, 0.0)})
    return Blades(mass=p["m"], inertia=p["I"], centre=p["c"], points=p["points"], angles=p["angles"],
                  moment=f["moment_about_origin"], push=f["force_body"], **more)  # fmt: skip


def at_start(run, *names):
    return [np.squeeze(run[name][0, 0]) for name in names]


@pytest.mark.parametrize("case", [*REFERENCES["se2_two_knife_edges"]["cases"], REFERENCES["se2_parallel_blades"]])
def test_forces_of_two_blades(case):
    system = blades(case)
    unit = system.simulate(**SHORT, state={"u": 1.0})
    scale = np.dot(case["xi"], np.append(unit["nu"][0, 0], unit["v"][0, 0])) / (
        unit["nu"][0, 0] ** 2 + np.sum(unit["v"][0, 0] ** 2)
    )
    run = system.simulate(**SHORT, state={"u": scale})
    assert np.allclose(np.append(run["nu"][0, 0], run["v"][0, 0]), case["xi"], atol=1e-14)  # 4e-16
    assert np.allclose(at_start(run, "front-multiplier", "rear-multiplier"), case["lambda_"], atol=1e-13)  # 2e-15


def test_of_redundant_blades_the_sum_of_the_forces_is_determined():
    case = REFERENCES["se2_redundant"]
    system = blades(case, **{"floors": case["consistent_b"]})
    assert system.workings.definition().constraint.joining.redundant == (("front", "rear"),)
    system = blades(case)
    run = system.simulate(**SHORT, state={"v": case["xi"][1:]})
    assert abs(run["nu"][0, 0] - case["xi"][0]) < 1e-15
    row = np.array(case["covectors"][0])
    total = run["reaction"][0, 0] @ row / (row @ row)
    assert abs(total - case["lambda_sum"]) < 1e-14  # 1e-16
    for name in ("front-multiplier", "rear-multiplier", "front-reaction"):
        with pytest.raises(
            sd.errors.InputError, match="constraints front and rear are redundant; determined is front \\+ rear"
        ):
            run[name]
        with pytest.raises(sd.errors.InputError, match="redundant"):
            system.simulate(**{**SHORT, "save": sd.Save("every:1", (name,))})


def test_contradictions_are_refused_by_name():
    case = REFERENCES["se2_redundant"]
    with pytest.raises(sd.errors.DefinitionError, match="front and rear contradict each other"):
        blades(case, floors=case["contradictory_b"])
    three = REFERENCES["se2_three_blades"]

    class Three(Blades):
        """Three blades whose normals do not meet."""

        def constraint(self):
            return tuple(blade(p, angle) for p, angle in zip(three["points"], three["angles"], strict=True))

    with pytest.raises(sd.errors.DefinitionError, match="c1, c2 and c3 leave no direction free"):
        Three()


def test_in_a_groove_neither_normal_force_is_determined():
    case = REFERENCES["ball_in_groove"]
    p = case["params"]
    ball = groove((p["n1"], p["n2"]), p["gravity"])(mass=p["m"], radius=p["r"], inertia=p["I"])
    d = p["r"] * (np.array(p["n2"]) - p["n1"])
    run = ball.simulate(**SHORT, state={"u": np.dot(case["omega"], d) / (d @ d)})
    omega, speed, total = at_start(run, "Omega", "Y", "contact-force")
    assert np.allclose(omega, case["omega"], atol=1e-14)
    assert np.allclose(speed, case["v"], atol=1e-14)
    assert np.allclose(total, case["sum"], atol=1e-13)  # 4e-15
    late = np.linalg.norm(run["Y"][0, 1])
    assert abs((late - 0.6) / 1e-3 - case["u_dot"]) < 1e-9
    text = "constraints left and right are redundant; determined is the sum of the contact forces of left and right"
    for name in (
        "left-normal-force",
        "right-normal-force",
        "left-contact-force",
        "left-tangential-force",
        "right-friction-needed",
    ):
        with pytest.raises(sd.errors.InputError, match=text):
            run[name]


@pytest.fixture(scope="module")
def plates():
    p = REFERENCES["ball_between_plates"]["params"]
    return Plates(
        mass=p["m"],
        radius=p["r"],
        inertia=p["I"],
        below=p["Omega_below"],
        above=p["Omega_above"],
        along=p["u_above"][:2],
    )


def test_between_plates_friction_is_determined_and_the_vertical_sum(plates):
    case = REFERENCES["ball_between_plates"]
    state = {"u": -case["omega_3"] / (2 * plates.radius), "x": case["x"]}
    run = plates.simulate(t_end=3, dt=0.02, method="rk4", save="every:1", state=state)
    omega, total, below, above = at_start(
        run, "Omega", "contact-force", "below-tangential-force", "above-tangential-force"
    )
    assert np.allclose(omega, case["omega"], atol=1e-14)
    assert np.allclose(total, np.add(case["f_below"], case["f_above"]) + [0, 0, case["vertical_sum"]], atol=1e-13)
    assert np.allclose([below, above], [np.linalg.norm(case["f_below"]), np.linalg.norm(case["f_above"])], atol=1e-13)
    assert np.abs(run["x"][0, -1] - case["trajectory"]["x"]).max() < 1e-6  # 7e-8, at dt = .02
    for name in ("below-normal-force", "above-normal-force", "above-contact-force"):
        with pytest.raises(sd.errors.InputError, match="below and above are redundant"):
            run[name]


def test_noise_that_one_constraint_lifts_may_not_break_another(plates):
    with pytest.raises(
        sd.errors.DefinitionError, match="amplitude 1 of the noise of 'below' breaks the constraint 'above'"
    ):
        plates.replace(noise=[[0.1, 0.0, 0.0]])

    class Turned(Plates):
        """Noise about the vertical rolls on both plates."""

        def constraint(self):
            return {
                **super().constraint(),
                "turns": sd.Unconstrained(sd.StateNoise(lambda a: [[*(0.3 * a.Gamma), 0, 0, 0]])),
            }

    turned = Turned()
    assert list(turned.workings.definition().constraint.parts) == ["below", "above", "turns"]
    run = turned.simulate(t_end=1, dt=0.1, paths=3, seed=1, state={"u": 1.0})
    assert np.allclose(run["Y"], 0.0, atol=1e-12)
    assert run.good.all()


def test_a_rank_that_changes_ends_the_path():
    run = Steered().simulate(t_end=2, dt=0.01, method="rk4", save="every:1", state={"alpha": [[-1.0], [0.5]], "u": 1.0})
    (failure,) = run.failures()
    assert (failure.path, failure.component) == (0, "constraint-dependence")
    assert abs(failure.time - 1.0) < 1e-12

    class Floors(Blades):
        """Redundant blades on floors one of which starts to move."""

        def constraint(self):
            late = sd.CovectorConstraint([[1, 0, 1]], values=lambda t: [sd.ops.where(t < 4, 0, t - 4)])
            return {"front": sd.CovectorConstraint([[1, 0, 1]]), "rear": late}

    run = Floors().simulate(t_end=5, dt=0.1, method="rk4", save="every:1", state={"v": (1.0, 0.5)})
    (failure,) = run.failures()
    assert failure.component == "constraint-contradiction"
    assert abs(failure.time - 4.1) < 1e-12


@pytest.mark.parametrize(
    ("several", "message"),
    [
        ({}, "one or more, got none"),
        ({"a b": sd.CovectorConstraint([[1] * 6])}, "an identifier"),
        ({"a": 3}, "the constraint 'a': expected a constraint"),
        ({"a": sd.PrescribedVelocity()}, "'a' gives the whole velocity"),
        ((sd.CovectorConstraint([[1] * 5]),), "'c1' have the wrong shape"),
        ({"a": sd.CovectorConstraint([[np.nan] * 6])}, "'a' has no value at generic states.*finite numbers.*nan or inf"),
        ({"a": sd.CovectorConstraint([[1] * 6], values="x")}, "'a' has no value.*could not convert"),
        ({"a": sd.CovectorConstraint([[1] * 6], values=[np.inf])}, "'a' has no value.*nan or inf"),
        ({"a": sd.CovectorConstraint([[1] * 6], values=[1, 2])}, r"values of the constraint 'a'.*expected \(1,\), got \(2,\)"),
        ({"a": sd.CovectorConstraint([[1] * 6], directions=[[1]])}, r"directions of the constraint 'a'.*expected \(6, 1\)"),
        ({"a": sd.Rolling(lambda a: [0, 0])}, "the contact vector s of rolling has the wrong shape"),
        ({"a": sd.CovectorConstraint(lambda a: 1 / 0)}, "'a' has no value.*division by zero"),
        ((sd.StochasticConstraint.__subclasses__ and sd.DistributionConstraint(lambda a: [[1]] * 5),), "shape|rows|6"),
    ],
)  # fmt: skip
def test_what_is_no_list_of_constraints(several, message):
    class Wrong(Round):
        """Wrong."""

        def constraint(self):
            return several

    with pytest.raises(sd.errors.DefinitionError, match=message):
        Wrong()


def test_redundant_constraints_with_reactions_of_friction_are_refused():
    class Rubbing(Blades):
        """Twice the same blade, one of which rubs."""

        def constraint(self):
            return sd.CovectorConstraint([[1, 0, 1]]), sd.CovectorConstraint([[1, 0, 1]], directions=[[1], [0.2], [1]])

    with pytest.raises(sd.errors.DefinitionError, match="c1 and c2 are redundant, and a reaction does not point along"):
        Rubbing()


@pytest.mark.parametrize(
    "several", [sd.CovectorConstraint(np.zeros((0, 6))), [sd.CovectorConstraint(np.zeros((0, 6)))]]
)
def test_a_constraint_without_rows_leaves_all_free(several):
    free = type("Free", (Round,), {"__doc__": "Free.", "constraint": lambda self: several})()
    run = free.simulate(**SHORT, state={"Omega": (1, 2, 3), "Y": (0, 0, 1)})
    assert np.abs(run["Omega"][0, -1] - (1, 2, 3)).max() < 1e-14


@pytest.mark.parametrize("name", ["angles1", "points2_1", "floors2"])
def test_a_parameter_that_makes_redundant_constraints_independent_has_no_derivative(name):
    """The motion jumps there: beside angles that agree two blades at one point leave no velocity at all."""
    one = Blades(points=((1, 0), (1, 0)), angles=(0.3, 0.3), floors=(0.1, 0.1), push=(1, 0))
    with pytest.raises(
        sd.errors.MethodError, match=rf"derivative with respect to '{name}'.*the motion jumps.*Leave one of"
    ):
        one.simulate(**SHORT, formulation=sd.Formulation(sensitivity=[name]))
    assert one.workings.stays_redundant("mass", ())
    assert Blades().workings.stays_redundant("angles", (0,))


def test_parameters_that_change_the_steps_need_another_ensemble():
    ensemble = Blades(points=((1, 0), (1, 0)), angles=(0.3, 0.3)).ensemble(dt=0.1, paths=1)
    with pytest.raises(sd.errors.InputError, match="become redundant or independent"):
        ensemble.replace(angles=(0.3, 0.4))


def test_both_plates_stay_redundant_for_every_radius(plates):
    assert plates.workings.stays_redundant("radius", ())
