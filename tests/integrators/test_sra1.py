"""SRA1, two-sided: strong order 1.5 for random torques, constant or in time, and what it refuses."""

from typing import Any

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import MethodError

FINEST = 2.0**-13
EXPONENTS = range(4, 9)
NAMES = ("M", "g")
MOVING = {"Omega": (1.0, -0.5, 0.8)}


class Shaken(sd.System):
    """A rigid body under random torques, whose axes may turn with time."""

    momentum_names = {"Omega": "M"}
    turning = sd.option(False)
    group = sd.SO3()
    initial = {"Omega": (0.0, 0.0, 0.0)}

    def lagrangian(self, xi: Any) -> Any:
        return ops.dot(xi.Omega, ops.array((1, 2, 3)) * xi.Omega) / 2

    def independent_force(self, t: Any) -> Any:
        c, s = (ops.cos(2 * t), ops.sin(2 * t)) if self.turning else (1, 0)
        return [3 * ops.array((c, s, -0.5)), 3 * ops.array((0 * c, 0.5 * c, 0.8))]


def ends(system, h, method, paths=200):
    """At T = 1/4 from rest, where what is random in the error, √T h^(3/2), is more than what is not, T h²."""
    run = system.simulate(
        t_end=0.25,
        dt=h,
        method=method,
        save=sd.Save("final", names=list(NAMES)),
        driver=sd.Wiener(FINEST),
        paths=paths,
        seed=5,
    )
    assert run.good.all()
    return {k: run[k][:, 0].reshape(paths, -1) for k in NAMES}


def distance(a, b):
    return {k: np.sqrt(np.mean(np.sum((a[k] - b[k]) ** 2, axis=-1))) for k in a}


def slope(exponents, errors):
    return float(-np.polyfit(exponents, np.log2(errors), 1)[0])


@pytest.mark.parametrize("turning", [False, True])
def test_strong_order_three_halves(turning, record_property):
    """Of momentum and configuration; and Heun's method goes to the same limit in its order 1."""
    system = Shaken(turning=turning)
    limit = ends(system, FINEST, "sra1")
    errors = [distance(ends(system, 2.0**-k, "sra1"), limit) for k in EXPONENTS]
    others = [distance(ends(system, 2.0**-k, "heun"), limit) for k in (5, 7, 9)]
    orders = {k: slope(EXPONENTS, [e[k] for e in errors]) for k in NAMES}
    other = {k: slope((5, 7, 9), [e[k] for e in others]) for k in NAMES}
    record_property(f"strong order of sra1, turning = {turning}", f"M {orders['M']:.2f}, g {orders['g']:.2f}")
    record_property("heun to that limit", f"M {other['M']:.2f}, g {other['g']:.2f}")
    assert abs(orders["M"] - 1.5) < 0.15  # measured 1.49 and 1.56
    assert 1.4 < orders["g"] < 2.2  # once more integrated, so the error of order 2 is seen: measured 1.70 and 1.95
    assert abs(other["M"] - 1.0) < 0.15


def test_deterministic_order():
    system = Shaken()
    exact = system.simulate(t_end=1, dt=1, method="dop853", driver=0, save="final", state=MOVING)["M"]
    errors = [
        np.abs(
            system.simulate(t_end=1, dt=2.0**-k, method="sra1", driver=0, save="final", state=MOVING)["M"] - exact
        ).max()
        for k in range(4, 8)
    ]
    assert abs(slope(range(4, 8), errors) - 2) < 0.15


def test_other_noise_is_refused():
    with pytest.raises(MethodError, match="sra1 has no strong order for general noise"):
        sd.load("rigid-body").simulate(t_end=1, dt=0.1, method="sra1")
    with pytest.raises(MethodError, match=r"noise that moves the configuration.*random forces"):
        sd.load("rolling-disk").simulate(t_end=1, dt=0.1, method="sra1")


def test_the_kernel_gives_the_bits_of_numpy():
    runs = [
        Shaken(turning=True).simulate(
            t_end=0.5,
            dt=2.0**-5,
            driver=sd.Wiener(2.0**-6),
            paths=70,
            seed=4,
            method="sra1",
            execution=sd.Execution(engine=engine),
        )
        for engine in ("numpy", "compiled")
    ]
    for name in NAMES:
        assert runs[0][name].tobytes() == runs[1][name].tobytes()


SPACE = sd.RealSpace(2)
CENTRAL = {
    "one process": sd.Kinematics(sd.RealSpace(1), noise=[[1.0]]),
    "space": sd.Kinematics(sd.RealSpace(3), velocity=[1, 0, 0], noise=[[1, 0, 0], [0, 1, 0.5]]),
    "torus": sd.Kinematics(sd.groups.Torus(2), velocity=[1, 2], noise=[[0.1, 0.2]]),
    "centre": sd.Kinematics(sd.groups.Heisenberg(), velocity=[1, 2, 0], noise=[[0, 0, 0.3]]),
}


@pytest.mark.parametrize("system", CENTRAL.values(), ids=CENTRAL)
def test_noise_that_commutes_with_every_motion_may_move_the_configuration(system):
    """ds = s(ξ dt + σ∘dW) with a constant ξ is solved by any method that takes the increments."""
    found = sd.noise.noise_class(system)
    assert found.central
    assert found.with_configuration == "additive"
    runs = [system.simulate(t_end=1, dt=0.25, paths=3, seed=2, method=m) for m in ("sra1", "lie-heun")]
    for name in {"x", "x1", "angle", "z"} & set(runs[0]):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-14)  # measured 2e-16


def test_order_three_halves_of_a_diffusion_in_space(record_property):
    """dx = u(x) dt + σ dW, by the motion of the origin seen from x."""
    drift = lambda a: ops.array([ops.sin(a.b[0]), a.b[0] * a.b[1] / 4])  # noqa: E731
    system = sd.Kinematics(
        SPACE, velocity=drift, noise=[[2, 0.3], [0, 1.5]],
        advected={"b": sd.Advected(sd.HomogeneousRepresentation(SPACE), reference=(0, 0, 1))},
    )  # fmt: skip
    run = {k: system.simulate(t_end=0.25, dt=2.0**-k, paths=200, seed=5, method="sra1", driver=sd.Wiener(2.0**-11),
                              save="final")["b"][:, -1] for k in (4, 5, 6, 7, 11)}  # fmt: skip
    errors = [np.sqrt(np.mean((run[k] - run[11]) ** 2)) for k in (4, 5, 6, 7)]
    order = slope((4, 5, 6, 7), errors)
    record_property("strong order of sra1 in space", f"{order:.3f}")
    assert 1.35 < order < 1.8


@pytest.mark.parametrize("group", [sd.SE2(), sd.groups.Heisenberg()])
def test_noise_that_does_not_commute_is_refused(group):
    with pytest.raises(MethodError, match=r"commutes with every motion|no strong order"):
        sd.Kinematics(group, velocity=[0.3, 0.1, 0.2], noise=[[0.1, 0, 0]]).simulate(t_end=1, dt=0.25, method="sra1")
