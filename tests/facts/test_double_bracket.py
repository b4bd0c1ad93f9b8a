"""Double bracket dissipation: orbits stay, energy falls as the principle says, and the law with noise is Gibbs'."""

import numpy as np
import pytest
from dissipative import INERTIA, THETA, Body, Top, chi_square, energies, gibbs_energy
from scipy.stats import chi2

import semidirect as sd
from semidirect import ops
from semidirect.testing import system_contract

TestBody = system_contract(Body)
TestTop = system_contract(Top)


class Skate(sd.System):
    """Chaplygin's sleigh on a slope with w in D: a constraint that is linear and ideal, and a potential."""

    theta: sd.Parameter = sd.parameter(((0.3, 0.1), (0.0, 0.2)))
    group = sd.SE2()
    advected = {"down": sd.Advected(sd.VectorRepresentation(group), reference=(1, 0, 0))}
    initial = {"nu": 0.7, "speed": 1.0, "down": (0.6, 0.8, 0)}

    def lagrangian(self, xi, a):
        return (xi.nu**2 + ops.dot(xi.v, xi.v)) / 2 + xi.nu * xi.v[1] / 3 - a.down[0] ** 2 / 2

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("nu", "speed"), noise=[[0.2, 0, 0]])

    def dissipation(self):
        return sd.DoubleBracket(self.theta, advected=0.1)


TestSkate = system_contract(Skate)  # the energy law is dE = −⟨f, θf⟩ − ⟨ρ(ξ)a, θ_a ρ(ξ)a⟩ + noise, exactly

METHODS = ("lie-heun", "lie-midpoint", "rkmk4", "lift(heun)", "coadjoint-midpoint")


@pytest.mark.parametrize("method", METHODS)
def test_orbits_stay_in_every_geometric_method(method):
    """|M|² of the body; |Γ|² and M·Γ of the top; with noise, 200 steps (1e5 below)."""
    body = Body().simulate(t_end=2, dt=0.01, seed=1, method=method, save="every:20")
    assert np.ptp(body["momentum-squared"]) / 5.09 < 3e-14  # measured 1.1e-14 over five times as many steps
    top = Top().simulate(t_end=2, dt=0.01, seed=1, method=method, save="every:20")
    for name in ("gamma-squared", "vertical-momentum"):
        assert np.ptp(top[name]) < 3e-14, name  # measured 8e-15


@pytest.mark.parametrize("method", ["lie-heun", "coadjoint-midpoint"])
def test_a_hundred_thousand_steps_leave_a_random_walk_of_roundings(method, record_property):
    """Changes of |M|², |Γ|² and M·Γ over 64 paths have no mean, and grow as 1.3e-16 √n, so 4e-14 after 10⁵ steps.

    Of a body by ``coadjoint-midpoint`` |M|² does not walk.
    """
    how = {"t_end": 1000, "dt": 0.01, "paths": 64, "seed": 2, "method": method}
    for system, names in ((Body(), ["momentum-squared"]), (Top(), ["gamma-squared", "vertical-momentum"])):
        run = system.simulate(
            save=sd.Save("every:25000", names=names), execution=sd.Execution(engine="compiled"), **how
        )
        for name in names:
            change = run[name] / run[name][:, :1] - 1
            if not system.advected and method == "coadjoint-midpoint":
                assert np.abs(change).max() < 5e-15  # 48 bits of |M|², and its rounding; measured 6e-16
                continue
            mean, width = change[:, -1].mean(), change[:, -1].std()
            record_property(f"{name} after 10⁵ steps of {method}: mean, standard deviation", f"{mean:.1e}, {width:.1e}")
            assert width < 6e-14  # measured 3.1e-14 to 4.2e-14
            assert abs(mean) < 4 * width / 8  # measured up to 1.9 of these standard errors
            quarter = change[:, 1].std()
            assert 1.3 < width / quarter < 3.1  # a random walk: 2; a bias: 4. Measured 1.7 to 2.1
            assert (
                np.abs(change).max() < 2e-13
            )  # measured 1.2e-13, the largest of 64 paths; the median path has 4.5e-14


def test_what_stays_is_proved_and_the_momentum_of_a_top_does_not():
    assert Body().is_conserved("momentum-squared")
    assert Top().is_conserved("gamma-squared")
    assert Top().is_conserved("vertical-momentum")
    assert not Top().is_conserved("dot(M, M)")


def test_the_equation_is_that_of_arnaudon_de_castro_and_holm():
    """dM = (M × Ω + θ M × (M × Ω)) dt, and the energy falls by θ|M × Ω|²."""
    found = Body().evaluate()
    Omega = np.array([0.4, 1.0, -0.7])
    M = INERTIA * Omega
    np.testing.assert_allclose(
        found["drift"]["M"], np.cross(M, Omega) + THETA * np.cross(M, np.cross(M, Omega)), atol=1e-15
    )
    rate = -THETA * np.sum(np.cross(M, Omega) ** 2)
    np.testing.assert_allclose(found["observables"]["energy"]["drift"], rate, rtol=1e-14)


def test_without_noise_a_body_comes_to_rest_at_the_lowest_energy_of_its_orbit():
    """On |M| = const that is a rotation about the axis of the largest moment, E = |M|²/2I₃."""
    run = Body().simulate(t_end=60, dt=0.02, driver=0, save="every:50")
    energy = run["energy"][0]
    assert np.all(np.diff(energy) < 1e-14)
    np.testing.assert_allclose(energy[-1], run["momentum-squared"][0, 0] / (2 * INERTIA[2]), rtol=1e-9)


def test_the_gibbs_density_is_stationary_and_others_are_not():
    found = sd.invariants.gibbs_density(Body())
    assert found.stationary
    assert float(found.beta) == pytest.approx(3.2)  # 2θ/σ²
    assert not sd.invariants.gibbs_density(Body(), beta=3).stationary
    assert sd.invariants.gibbs_density(Top(damping=0)).stationary
    assert not sd.invariants.gibbs_density(Body(theta=0), beta=1).stationary
    for wrong in ("3", [3], range(0), np.nan, np.inf, {}):
        with pytest.raises(sd.errors.InputError, match="beta"):
            sd.invariants.gibbs_density(Body(), beta=wrong)
    with pytest.raises(sd.errors.InputError, match="balance"):
        sd.invariants.gibbs_density(Top())


def test_paths_have_gibbs_law():
    """Of 10⁶ paths with `python tests/facts/dissipative.py`: within 1.3 standard errors, χ² = 108, 100 and 104 of 95 degrees."""
    mean, error, M = energies(20_000, 0.2)
    assert abs(mean - gibbs_energy()) < 4 * error  # a force in the place of transport is four of these off at 1e5 paths
    value, freedom = chi_square(M)
    assert chi2.sf(value, freedom) > 1e-4


def test_engines_agree_to_the_bit():
    one, other = (
        Top().simulate(t_end=1, dt=0.1, paths=5, execution=sd.Execution(engine=engine))
        for engine in ("numpy", "compiled")
    )
    for name in ("M", "Gamma", "g"):
        np.testing.assert_array_equal(one[name], other[name])


def changed(**what):
    return type("Changed", (Skate,), what)()


@pytest.mark.parametrize(
    ("constraint", "theta", "message"),
    [
        (sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], ("nu", "speed"), offset=(0, 0, 1)), 1, "linear and ideal"),
        (
            sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], ("nu", "speed"), test=[[1, 0], [0, 1], [0, 1]]),
            1,
            "linear",
        ),
        (sd.CovectorConstraint([[0, 0, 1]]), 1, "with a basis B"),
        (sd.PrescribedVelocity((0, 0, 1)), 1, "with a basis B"),
        (sd.Unconstrained(), [1, 2], r"\(3,\)"),
    ],
)
def test_dissipation_is_refused_where_reactions_would_work(constraint, theta, message):
    system = changed(constraint=lambda self: constraint, dissipation=lambda self: sd.DoubleBracket(theta), initial={})
    with pytest.raises(sd.errors.DefinitionError, match=message):
        system.sde()


@pytest.mark.parametrize(
    "wrong", [[[]], [], [[[]]], [[[[1]]]], [[1], [1, 2]], [[1, 2]], "θ", ["θ"], {}, None, True, np.nan, [np.inf]]
)
def test_a_theta_that_is_not_numbers_is_refused(wrong):
    with pytest.raises(sd.errors.DefinitionError, match="θ of"):
        sd.DoubleBracket(wrong)
    with pytest.raises(sd.errors.DefinitionError, match="θ_a"):
        sd.DoubleBracket(1.0, {"Gamma": wrong})


@pytest.mark.parametrize("theta", [-1.0, [1.0, -1e-3], [[1.0, 3.0], [0.0, 1.0]]])
def test_a_theta_that_feeds_energy_is_refused(theta):
    with pytest.raises(sd.errors.DefinitionError, match="energy falls"):
        sd.DoubleBracket(theta)
    with pytest.raises(sd.errors.DefinitionError, match="dissipation"):
        changed(dissipation=theta).workings.definition()
