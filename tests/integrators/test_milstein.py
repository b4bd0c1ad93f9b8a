"""Milstein's method and its geometric form: to their own limit in their order, that is the right limit, and what they refuse."""

from typing import Any

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, MethodError
from semidirect.integrators import integrator

NOISE = [[0.36, -0.24, 0.48], [0.24, 0.42, 0], [-0.18, 0.12, 0.36]]
FINEST = 2.0**-10
EXPONENTS = (4, 6)
OTHER = (5, 7, 10)
PATHS = 100


class TwoBodies(sd.System):
    """Two rigid bodies that feel each other's spin, each with a noise of its own: commuting noise fields."""

    group = sd.DirectProduct(sd.SO3(), sd.SO3(), names=("A", "B"))
    initial = {"A_Omega": (1.0, 0.5, -0.3), "B_Omega": (0.4, -0.8, 0.6)}

    def lagrangian(self, xi: Any) -> Any:
        inertia = ops.array((1, 2, 3))
        own = ops.dot(xi.A_Omega, inertia * xi.A_Omega) + ops.dot(xi.B_Omega, inertia * xi.B_Omega)
        return (own + xi.A_Omega[0] * xi.B_Omega[1]) / 2

    def constraint(self) -> sd.Unconstrained:
        return sd.Unconstrained(noise=[[0.5, 0.25, -0.5, 0, 0, 0], [0, 0, 0, 0.25, 0.5, 0.5]])


class Varied(sd.System):
    """A top whose noise amplitudes depend on Γ and are varied with it: κ ◇ a in the noise, brackets with all of that."""

    group = sd.SO3()
    momentum_names = {"Omega": "M"}
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}
    initial = {"Omega": (0.5, -0.3, 1.0), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        return ops.dot(xi.Omega, ops.array((1, 2, 3)) * xi.Omega) / 2 - a.Gamma[0]

    def constraint(self) -> sd.Unconstrained:
        def fields(a: Any) -> Any:
            x, y, z = a.Gamma
            return [ops.array((0.3 + 0.4 * y, 0.2, 0.3 * z)), ops.array((0.5 * z, 0.3 * x * y, 0.4))]

        return sd.Unconstrained(noise=sd.StateNoise(fields))


class Shaken(sd.System):
    """A rigid body under constant random torques: additive noise."""

    group = sd.SO3()
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (1.0, -0.5, 0.8)}

    def lagrangian(self, xi: Any) -> Any:
        return ops.dot(xi.Omega, ops.array((1, 2, 3)) * xi.Omega) / 2

    def independent_force(self) -> Any:
        return [ops.array((0.8, 0.4, -0.4)), ops.array((0, 0.4, 0.8))]


CASES = {
    "random torques, additive": (Shaken, "milstein", ("M", "g")),
    "varied noise, general, by the group": (Varied, "lie-milstein", ("M", "Gamma", "g")),
    "heavy top, general": (lambda: top(NOISE), "milstein(areas)", ("M", "Gamma", "g")),
    "rigid body, general": (lambda: sd.load("rigid-body", noise=NOISE), "milstein(areas)", ("M", "g")),
    "Routh sphere, general": (lambda: sd.load("routh-sphere", noise=NOISE), "milstein(areas)", ("M", "Gamma", "g")),
    "heavy top, general, by the group": (lambda: top(NOISE), "lie-milstein", ("M", "Gamma", "g")),
    "heavy top, single": (lambda: top(NOISE[:1]), "milstein", ("M", "Gamma", "g")),
    "two bodies, commutative": (TwoBodies, "milstein", ("p_A_Omega", "p_B_Omega", "A_g", "B_g")),
}


def top(noise):
    return sd.load("heavy-top", inertia=(1.0, 1.5, 0.8), axis=(0.36, -0.48, 0.8), noise=noise)


def ends(system, h, method, names):
    """The named quantities at T = 1, shape (paths, all components), on one Brownian path for every h."""
    run = system.simulate(
        t_end=1,
        dt=h,
        method=method,
        save=sd.Save("final", names=list(names)),
        driver=sd.Wiener(FINEST),
        paths=PATHS,
        seed=3,
        execution=sd.Execution(engine="compiled"),
    )
    assert run.good.all()
    return {k: run[k][:, 0].reshape(PATHS, -1) for k in names}


def distance(a, b):
    return {k: np.sqrt(np.mean(np.sum((a[k] - b[k]) ** 2, axis=-1))) for k in a}


def slope(exponents, errors):
    return float(-np.polyfit(exponents, np.log2(errors), 1)[0])


@pytest.mark.parametrize("case", CASES)
def test_strong_order_1(case, record_property):
    """In every variable, the configuration too; and Heun's method, of another order, goes to the same limit."""
    make, method, names = CASES[case]
    system = make()
    limit = ends(system, FINEST, method, names)
    errors = [distance(ends(system, 2.0**-k, method, names), limit) for k in EXPONENTS]
    orders = {k: slope(EXPONENTS, [e[k] for e in errors]) for k in names}
    record_property(f"strong order of {method}, {case}", " ".join(f"{k} {v:.2f}" for k, v in orders.items()))
    for order in orders.values():
        assert abs(order - 1) < 0.15  # measured 0.99 to 1.14
    other = [distance(ends(system, 2.0**-k, "lie-heun", names), limit) for k in OTHER]
    for k in names:
        if "general" in case:
            order = slope(OTHER, [e[k] for e in other])
            record_property(f"lie-heun to that limit, {case}, {k}", f"{order:.2f}")
            assert abs(order - 0.5) < 0.15  # measured 0.45 to 0.55
        else:  # Heun's method is closer to the solution than the limit, which errs by its own error at the finest step
            assert other[-1][k] < 1.5 * errors[-1][k] * FINEST * 2.0 ** EXPONENTS[-1]


def test_areas_do_not_leave_the_orbits():
    """Over T = 20 in steps of 0.1: s, Γ = g⁻¹e₃ and the Casimirs at round-off, at an order that needs brackets."""
    run = top(NOISE).simulate(
        t_end=20, dt=0.1, paths=50, seed=2, method="lie-milstein", save=sd.Save(names=["M", "Gamma", "g"])
    )
    assert run.good.all()
    g, Gamma, M = run["g"].reshape(50, -1, 3, 3), run["Gamma"], run["M"]
    assert np.abs(np.einsum("...ji,...jk->...ik", g, g) - np.eye(3)).max() < 5e-14  # measured 5.1e-15
    assert np.abs(g[..., 2, :] - Gamma).max() < 5e-14  # measured 0
    along = np.einsum("...i,...i->...", M, Gamma)
    assert np.abs(along - along[:, :1]).max() < 5e-14  # measured 9.5e-15
    body = sd.load("rigid-body", noise=NOISE).simulate(
        t_end=20, dt=0.1, paths=50, seed=2, method="lie-milstein", save=sd.Save(names=["M"])
    )
    square = (body["M"] ** 2).sum(axis=-1)
    assert np.abs(square / square[:, :1] - 1).max() < 5e-14  # measured 4.4e-15


def test_without_areas_it_is_refused_where_noises_do_not_commute():
    with pytest.raises(
        MethodError, match=r"milstein has no strong order for general noise.*do not commute.*milstein\(areas\)"
    ):
        top(NOISE).simulate(t_end=1, dt=0.1, method="milstein")
    run = top(NOISE).simulate(t_end=0.5, dt=0.1, method="milstein", driver=sd.Wiener(increment_law="three-point"))
    assert run.good.all()


def test_methods_with_areas_reject_unsuitable_drivers():
    system = top(NOISE)
    with pytest.raises(MethodError, match=r"areas of Brownian paths.*three-point increments"):
        system.simulate(t_end=1, dt=0.1, method="milstein(areas)", driver=sd.Wiener(increment_law="three-point"))
    with pytest.raises(MethodError, match=r"needs areas of a Wiener process.*a driving path"):
        system.simulate(t_end=1, dt=0.1, method="milstein(areas)", driver=["t", "0", "sin(t)"])
    with pytest.raises(MethodError, match=r"defined at its resolution and above.*smaller resolution"):
        system.simulate(t_end=1, dt=0.125, driver=sd.Wiener(0.25), method="milstein(areas)")
    with pytest.raises(InputError, match=r"milstein\(areas\).*got 'area'"):
        integrator("milstein(area)")


def test_the_label_gives_the_method_back():
    for name in ("milstein", "milstein(areas)"):
        assert integrator(name).label == name
        assert integrator(integrator(name).label) == integrator(name)


def test_one_noise_needs_no_areas():
    """With one Wiener process both are the same method, bit for bit."""
    runs = [
        top(NOISE[:1]).simulate(t_end=1, dt=0.125, method=m, paths=5, seed=2) for m in ("milstein", "milstein(areas)")
    ]
    assert runs[0]["M"].tobytes() == runs[1]["M"].tobytes()


@pytest.mark.parametrize(
    ("method", "noise_dt"), [("milstein(areas)", 2.0**-5), ("milstein(areas)", 2.0**-7), ("lie-milstein", 2.0**-7)]
)
def test_the_kernel_gives_the_bits_of_numpy(method, noise_dt):
    """At the resolution of the noise and above; and a path does not depend on those beside it."""
    system, options = (
        sd.load("rigid-body", noise=NOISE),
        {"t_end": 0.5, "dt": 2.0**-5, "driver": sd.Wiener(noise_dt), "seed": 4},
    )
    runs = [
        system.simulate(paths=70, method=method, execution=sd.Execution(engine=engine), **options)
        for engine in ("numpy", "compiled")
    ]
    few = system.simulate(paths=3, method=method, execution=sd.Execution(engine="numpy"), **options)
    for name in ("M", "g"):
        assert runs[0][name].tobytes() == runs[1][name].tobytes()
        assert runs[0][name][:3].tobytes() == few[name].tobytes()


def test_order_1_without_noise():
    exact = top(()).simulate(t_end=1, dt=1, method="dop853", save="final")["M"]
    errors = [
        np.abs(
            top(NOISE).simulate(t_end=1, dt=2.0**-k, method="milstein(areas)", driver=0, save="final")["M"] - exact
        ).max()
        for k in range(5, 9)
    ]
    assert abs(slope(range(5, 9), errors) - 1) < 0.15
