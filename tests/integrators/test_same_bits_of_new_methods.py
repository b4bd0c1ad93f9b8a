"""NumPy and the compiled kernel give the same bits for methods of every family, with noise, a smooth path and internal states."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops

BODY = sd.load("rigid-body", advect_gamma=True)
TOP = sd.load("heavy-top", noise=[[0.1, 0, 0.2], [0, 0.3, -0.1]])
BALL = sd.load("routh-sphere", noise=[[0.05, 0, 0.1]])


class Volatile(sd.System):
    """Amplitudes of the noise with a dynamics of their own, and time in the Lagrangian."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    initial = {"Omega": (0.3, -0.4, 1.0), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a, t):
        return (ops.dot(xi.Omega, xi.Omega) + xi.Omega[2] ** 2) / 2 - ops.cos(2 * t) * a.Gamma[0] ** 2

    def constraint(self):
        drift, diffusion = (lambda t: [[t, 0, 1], [0, 1, 0]]), [[0.1, 0, 0], [0, 0.2, 0.1]]
        return sd.Unconstrained(noise=sd.noise.VolatilityNoise([[0.1, 0, 0], [0, 0.1, 0.2]], drift, diffusion))


CASES = {
    "rk4": (BODY, {"driver": ["sin(3*t)", "t", "t**2"], "paths": 1}),
    "gauss(2)": (BODY, {"paths": 5}),
    "rkmk4": (TOP, {}),
    "variational": (TOP, {}),
    "coadjoint-midpoint": (Volatile(), {"paths": 5}),
    "nonholonomic": (BALL, {"paths": 5}),
    "nonholonomic(exp)": (sd.load("rolling-disk"), {}),
}


@pytest.mark.parametrize("method", CASES)
def test_same_bits(method):
    system, options = CASES[method]
    options = {"t_end": 0.3, "dt": 0.02, "paths": 70, "seed": 11, "save": "every:7", "method": method, **options}
    first, second = (
        system.simulate(execution=sd.Execution(engine=engine), **options) for engine in ("numpy", "compiled")
    )
    assert not second.failures()
    assert list(first.data) == list(second.data)
    for name in first.data:
        assert first[name].tobytes() == second[name].tobytes(), name
    moving = "phi" if "phi" in first.data else "Omega"
    assert options["paths"] == 1 or len({x.tobytes() for x in second[moving]}) == options["paths"]


def test_internal_states_and_time_are_stepped_to_second_order():
    """z, t and Γ together, along a smooth path, by the methods that take them at the middle and at both ends."""

    def end(method, h):
        run = Volatile().simulate(
            t_end=1, dt=h, method=method, save="final", driver=["sin(t)", "t"], execution=sd.Execution(engine="numpy")
        )
        return np.concatenate([run.final[n].ravel() for n in ("Omega", "Gamma", "g")])

    exact = end("dop853", 1.0)
    for method in ("variational", "coadjoint-midpoint"):
        errors = [np.abs(end(method, 2.0**-k) - exact).max() for k in (4, 6)]
        assert abs(np.log2(errors[0] / errors[1]) / 2 - 2) < 0.1  # measured within 0.008
