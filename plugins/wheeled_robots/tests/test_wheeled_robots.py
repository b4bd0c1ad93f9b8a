"""The differential drive and the roller racer against references derived by free bodies with multipliers."""

import json
from pathlib import Path

import numpy as np
import pytest
from semidirect_wheeled_robots import DifferentialDrive, RollerRacer

import semidirect as sd

ORACLES = Path(__file__).parents[3] / "tests" / "oracles"
DRIVE, RACER = (json.loads((ORACLES / f"{name}.json").read_text()) for name in ("differential_drive", "roller_racer"))
START = {"t_end": 1e-3, "dt": 1e-3, "method": "rk4", "save": "every:1"}


def drive(case):
    """The robot of a reference; what a level robot does not feel of its inertia, I₁₁, I₂₂ and I₁₂, is made that of a body."""
    p, s = case["params"], case["state"]
    inertia = np.array(p["I_body"])
    inertia[:2, :2] = 0.2 * np.eye(2)
    return DifferentialDrive(
        mass=p["m_body"], inertia=inertia, centre=(p["a"], p["d"], p["h"] - p["r"]), wheel_mass=p["m_wheel"],
        axial=p["J_axial"], across=p["J_diam"], width=p["w"], radius=p["r"], caster=p["caster"], gravity=p["g"],
        torque=(s["tau_L"], s["tau_R"]), noise=(),
    )  # fmt: skip


@pytest.mark.parametrize("case", DRIVE["cases"])
def test_forces_and_accelerations_of_the_drive(case):
    """Longitudinal and normal forces of both wheels and of the caster, and the sideways sum, are those of three free bodies."""
    state, forces, rates = case["state"], case["forces"], case["rates"]
    robot = drive(case)
    start = {"left": state["theta_L_dot"], "right": state["theta_R_dot"]}
    result = robot.evaluate(start)
    assert abs(result["drift"]["left"] / rates["theta_L_ddot"] - 1) < 1e-12
    assert abs(result["drift"]["right"] / rates["theta_R_ddot"] - 1) < 1e-12
    quantities = result["derived"]
    expected = {
        "left_wheel-contact-force1": forces["longitudinal_L"], "right_wheel-contact-force1": forces["longitudinal_R"],
        "left_wheel-normal-force": forces["normal_L"], "right_wheel-normal-force": forces["normal_R"],
        "caster-normal-force": forces["normal_caster"],
    }  # fmt: skip
    for name, value in expected.items():
        assert abs(quantities[name] - value) < 1e-11, name
    assert abs(quantities["contact-force"][1] - forces["lateral_sum"]) < 1e-11
    assert abs(result["observables"]["energy"]["value"] - case["kinetic_energy"]) < 1e-13


def test_of_the_sideways_forces_the_sum_alone_is_determined():
    """The sideways force of one wheel of the drive is not determined, and asking for it says so."""
    robot = DifferentialDrive()
    run = robot.simulate(**START, paths=2, seed=1)
    for name in (
        "left_wheel-contact-force",
        "right_wheel-contact-force2",
        "left_wheel-tangential-force",
        "left_wheel-multiplier",
    ):
        with pytest.raises(
            sd.errors.InputError,
            match="left_wheel and right_wheel are redundant; determined is left_wheel2 \\+ right_wheel2",
        ):
            run[name]
    assert run["right_wheel-contact-force3"].shape == (2, 2)


def test_noise_of_the_wheels_rolls_and_slip_does_not():
    robot = DifferentialDrive(slip=(0.1,))
    fields = [np.concatenate([np.ravel(column[k]) for k in ("x",)]) for column in robot.evaluate()["noise"]]
    assert abs(fields[0][1]) < 1e-15
    assert abs(fields[2][1] - 0.1) < 1e-15


def racer(case, **more):
    p = case["params"]
    return RollerRacer(mass=p["m1"], bar_mass=p["m2"], inertia=p["I1"], bar_inertia=p["I2"], behind=p["c1"], before=p["c2"],
                       axle=p["b1"], bar_axle=p["b2"], torque=case["hinge_torque"], frequency=0.0, noise=(), **more)  # fmt: skip


@pytest.mark.parametrize("case", RACER["cases"])
def test_forces_and_accelerations_of_the_racer(case):
    """Accelerations of the racer and the forces of both axles are those of two bodies with a hinge."""
    nu, v1, _ = case["xi"]
    result = racer(case).evaluate({"nu": nu, "u": v1, "alpha": case["alpha"]})
    assert np.allclose([result["drift"]["nu"], result["drift"]["u"]], case["xi_dot"][:2], rtol=0, atol=1e-12)
    quantities = result["derived"]
    forces = [np.ravel(quantities[f"{name}-multiplier"])[0] for name in ("seat", "handlebar")]
    assert np.allclose(forces, case["lambda_"], rtol=0, atol=1e-12)
    assert abs(result["observables"]["energy"]["value"] - case["energy"]) < 1e-13


def test_the_momentum_equation_of_the_racer():
    """p = ⟨∂l/∂ξ, η⟩ on the velocity η that keeps α has dp/dt = ⟨∂l/∂ξ, [ξ, η] + ∂η/∂α α'⟩, by hand, and no part in p².

    η = (sin α; b₁ cos α + b₂, b₁ sin α), and in terms of p and α' the rate is A(α) α' p + C(α) α'².
    """
    case = RACER["cases"][0]
    system, p = racer({**case, "hinge_torque": 0.3}), case["params"]
    run = system.simulate(t_end=2, dt=0.002, method="rk4", save="every:1", state={"nu": 0.4, "u": 0.5, "alpha": 0.3})
    alpha, nu, (v1, v2), turn = run["alpha"][0], run["nu"][0], run["v"][0].T, run["steer"][0]
    sine, cosine = np.sin(alpha), np.cos(alpha)
    whole = nu + turn
    bar = v1 - p["c2"] * whole * sine, v2 + p["c2"] * whole * cosine
    seat = v2 - p["c1"] * nu
    force = p["m1"] * v1 + p["m2"] * bar[0], p["m1"] * seat + p["m2"] * bar[1]
    moment = -p["m1"] * p["c1"] * seat + p["I1"] * nu
    moment = moment + p["m2"] * p["c2"] * (bar[1] * cosine - bar[0] * sine) + p["I2"] * whole
    eta = np.array([sine, p["b1"] * cosine + p["b2"], p["b1"] * sine])
    momentum = moment * eta[0] + force[0] * eta[1] + force[1] * eta[2]
    slope = np.array([cosine, -p["b1"] * sine, p["b1"] * cosine]) * turn
    bracket = np.array([0 * nu, -nu * eta[2] + v2 * eta[0], nu * eta[1] - v1 * eta[0]])
    rate = sum(x * y for x, y in zip((moment, *force), bracket + slope, strict=True))
    measured = (momentum[4:] - 8 * momentum[3:-1] + 8 * momentum[1:-3] - momentum[:-4]) / (-12 * 0.002)
    assert np.abs(measured - rate[2:-2]).max() < 1e-8
    still = np.abs(rate / np.maximum(np.abs(turn), 1e-12))
    assert np.all(still < 50)  # the rate vanishes with α'


def test_a_torque_in_step_with_time_moves_the_racer():
    still = RollerRacer(noise=(), torque=0.3, stiffness=0.3, damping=0.02)
    run = still.simulate(t_end=20, dt=0.01, method="dop853", state={"nu": 0.0, "u": 0.0, "alpha": 0.0})
    assert np.hypot(run["x"], run["y"])[0, -1] > 0.5
    free = RollerRacer(noise=()).simulate(t_end=10, dt=0.01, method="dop853")
    assert np.ptp(free["energy"]) < 1e-10
