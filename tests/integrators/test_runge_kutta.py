"""Tableaux, the engine, and names of methods with arguments."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.integrators import integrator
from semidirect.integrators.tableau import EULER_HEUN, HEUN, KUTTA, gauss_legendre

BODY = sd.load("rigid-body", advect_gamma=True)


def run(method, system=BODY, **options):
    """A short run with noise, by array code."""
    options = {
        "t_end": 0.3,
        "dt": 0.02,
        "paths": 9,
        "seed": 11,
        "save": "final",
        "execution": sd.Execution(engine="numpy"),
        **options,
    }
    return system.simulate(method=method, **options)


def same(first, second):
    return all(first[name].tobytes() == second[name].tobytes() for name in first.data)


@pytest.mark.parametrize("stages", range(1, 7))
def test_gauss_integrates_polynomials_and_keeps_quadratic_invariants(stages):
    """Σ b_j c_j^(q−1) = 1/q to q = 2s and no further, Σ a_ij c_j^(q−1) = c_i^q/q to q = s, b_i a_ij + b_j a_ji = b_i b_j."""
    method = gauss_legendre(stages)
    a, b, c = np.array(method.drift), np.array(method.weights), np.array(method.nodes)
    assert method.order == 2 * stages
    assert max(abs(b @ c ** (q - 1) - 1 / q) for q in range(1, 2 * stages + 1)) < 1e-15  # measured 2e-16
    assert abs(b @ c ** (2 * stages) - 1 / (2 * stages + 1)) > 1e-8  # measured 9e-8 at s = 6
    assert max(np.abs(a @ c ** (q - 1) - c**q / q).max() for q in range(1, stages + 1)) < 1e-15  # measured 2e-16
    assert np.abs(b[:, None] * a + (b[:, None] * a).T - np.outer(b, b)).max() < 2e-16  # measured 1.1e-16


def test_kutta_satisfies_the_conditions_of_order_four():
    a, b, c = np.array(KUTTA.drift), np.array(KUTTA.weights), np.array(KUTTA.nodes)
    conditions = [b.sum() - 1, b @ c - 1 / 2, b @ c**2 - 1 / 3, b @ a @ c - 1 / 6, b @ c**3 - 1 / 4, (b * c) @ a @ c - 1 / 8,
                  b @ a @ c**2 - 1 / 12, b @ a @ a @ c - 1 / 24]  # fmt: skip
    assert np.abs(conditions).max() < 1e-15  # measured 1.1e-16


@pytest.mark.parametrize("tableau", [HEUN, EULER_HEUN, KUTTA, gauss_legendre(1), gauss_legendre(3)])
def test_every_tableau_is_stratonovich(tableau):
    """Σ b̃_i ã_ij = ½ and Σ b̃_i = Σ b_i = 1."""
    noise, weights = np.array(tableau.noise), np.array(tableau.noise_weights)
    assert abs(weights @ noise.sum(axis=1) - 0.5) < 1e-15
    assert abs(weights.sum() - 1) < 1e-15
    assert abs(sum(tableau.weights) - 1) < 1e-15


def test_one_engine_same_method():
    """What is one method under two names has the same bits."""
    assert same(run("gauss(1)"), run("implicit-midpoint"))
    assert same(run("lift(rk4)"), run("rkmk4"))
    assert same(run("lift(heun, cayley)"), run("lift(heun)"))
    assert not same(run("lift(heun)"), run("lie-heun"))
    assert not same(run("lift(heun, exp)"), run("lift(heun)"))
    assert integrator("lift(gauss(2))").implicit
    assert not integrator("lift(heun)").implicit


def test_bits_of_heun_are_those_before_it_became_data():
    run = sd.load("rigid-body").simulate(t_end=0.3, dt=0.02, paths=9, seed=11, method="heun", save="final")
    assert [x.hex() for x in run["M"][8, -1].tolist()] == KNOWN_BITS


KNOWN_BITS = ["0x1.ee0a7e259c83ap-1", "0x1.bfb1c43e623b0p-1", "-0x1.0e3d79b9450cbp+0"]


def test_lifted_methods_agree_with_their_bases_to_the_order():
    """Flat and lifted Heun along one path differ by what both are wrong, and rk4 and rkmk4 by much less."""
    options = {"driver": ["sin(t)", "cos(2*t)", "t"], "dt": 0.01, "paths": 1}
    exact = run("dop853", **options)["M"]
    for pair, bound in (
        (("heun", "lift(heun)"), 1e-5),
        (("rk4", "rkmk4"), 1e-10),
        (("gauss(2)", "lift(gauss(2))"), 1e-10),
    ):
        for method in pair:
            assert 0 < np.abs(run(method, **options)["M"] - exact).max() < bound  # measured 4.3e-6, 3.9e-11, 1.6e-12


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["gauss(3)", "lift(heun)", "lift(gauss(2), exp)", "lift(euler-heun, cayley)", "rkmk4", "rkmk4(exp)", "sdelab(0.5)",
     "variational", "coadjoint-midpoint(exp)", "nonholonomic(cayley)", "rk4"],
)  # fmt: skip
def test_a_label_names_its_method(name):
    method = integrator(name)
    assert method.label == name
    assert integrator(f" {name.replace(chr(32), chr(32) * 2)} ") == method


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("gauss(0)", InputError, "stages from 1 to 6.*0"),
        ("gauss(7)", InputError, "stages from 1 to 6.*7"),
        ("gauss(two)", InputError, "stages from 1 to 6.*'two'"),
        ("gauss(2.0)", InputError, "stages from 1 to 6"),
        ("rk4(2)", InputError, "'rk4' takes no argument.*Write rk4"),
        ("heun(exp)", InputError, "'heun' takes no argument.*Write heun"),
        ("dop853(1)", InputError, "takes no argument"),
        ("rkmk4(log)", InputError, r"rkmk4\(retraction\).*exp or cayley.*'log'"),
        ("lift(heun, log)", InputError, "exp or cayley.*'log'"),
        ("lift(euler)", UnknownNameError, "euler"),
        ("lift(euler-maruyama)", MethodError, "no version in the moving frame.*Runge–Kutta"),
        ("lift(rkmk4)", MethodError, "rkmk4 has no version in the moving frame"),
        ("lift(lift(heun))", MethodError, "no version in the moving frame"),
        ("lift(sdelab(1))", MethodError, "no version in the moving frame"),
        ("lift()", UnknownNameError, "method"),
        ("sdelab(much)", InputError, "a number.*'much'"),
        ("sdelab(2)", InputError, "between 0 and 1"),
    ],
)
def test_arguments_that_cannot_be_used(name, error, message):
    with pytest.raises(error, match=message):
        integrator(name)


def test_orders_depend_on_arguments():
    assert [integrator(f"gauss({s})").deterministic_order for s in (1, 2, 3)] == [2, 4, 6]
    assert [integrator(f"sdelab({a})").deterministic_order for a in (0, 0.5, 1)] == [1, 2, 1]
    assert integrator("lift(euler-heun)").deterministic_order == 1
    assert integrator("lift(rk4)").strong_order == integrator("rk4").strong_order
