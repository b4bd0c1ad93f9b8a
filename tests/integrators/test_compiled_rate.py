"""dop853 asks a compiled rate where that is worth it, and the bits are those of array code."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.compile import chosen_rate as rates
from semidirect.compile import rate as compiled
from semidirect.compile.of_equations import OfEquations


class Swing(sd.System):
    """Elementary functions, explicit time, a circle and a vertical, and noise along which a path may drive it."""

    stiffness = sd.parameter(1.3)
    group = sd.DirectProduct(sd.SO3(), sd.SO2())
    advected = {"Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1))}
    initial = {"Omega": (0.3, -0.4, 1.0), "Gamma": (0.6, 0.0, 0.8), "omega": 0.5}

    def lagrangian(self, xi, a, t):
        potential = ops.sqrt(1 + self.stiffness * a.Gamma[2] ** 2) + 0.1 * ops.cos(2 * t) * a.Gamma[0]
        inertia = 1 + ops.exp(a.Gamma[1]) / 4
        return (ops.dot(xi.Omega, xi.Omega) + xi.Omega[2] ** 2 + inertia * xi.omega**2) / 2 - potential

    def constraint(self):
        return sd.Unconstrained(noise=[[0.1, 0.0, 0.2, 0.3]])


class Veselova(sd.System):
    """Covectors: a solution with pivots at each evaluation."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    initial = {"Omega": (1.0, 0.5, 0.0), "Gamma": (0.0, 0.0, 1.0)}

    def lagrangian(self, xi):
        return (ops.dot(xi.Omega, xi.Omega) + xi.Omega[0] ** 2) / 2

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma])


CASES = {
    "driven": (Swing, {"driver": "sin(3*t)"}),
    "at rest": (Swing, {"driver": 0}),
    "parameters per path": (lambda: Swing(stiffness=sd.PerPath([0.5, 1.0, 2.0])), {"driver": "t", "paths": 3}),
    "without the configuration": (Swing, {"driver": "t", "formulation": sd.Formulation(reconstruct=False)}),
    "covectors": (Veselova, {}),
}


@pytest.mark.parametrize("label", CASES)
def test_bits_are_those_of_array_code(label):
    make, how = CASES[label]
    run, fast = (
        make().simulate(t_end=0.4, dt=0.1, method="dop853", execution=sd.Execution(engine=engine), **how)
        for engine in ("numpy", "compiled")
    )
    assert list(run.data) == list(fast.data)
    for name in run.data:
        assert run[name].tobytes() == fast[name].tobytes(), name
    assert run["Omega"][0, 0].tolist() != run["Omega"][0, -1].tolist()


def test_it_is_compiled_when_it_has_been_asked_for_often(monkeypatch):
    """The change from one to the other within a run, and a later run that has the compiled rate from the start."""
    monkeypatch.setattr(compiled, "RATES", OfEquations())
    alone = Swing().simulate(t_end=0.4, dt=0.1, method="dop853", driver="t", execution=sd.Execution(engine="numpy"))
    counts = []
    of = compiled.compiled_rate
    monkeypatch.setattr(compiled, "compiled_rate", lambda model: counts.append(model) or of(model))
    Swing().simulate(t_end=0.4, dt=0.1, method="dop853", driver="t")
    assert not counts  # a short run is not worth it
    monkeypatch.setattr(rates, "WORTH_COMPILING", 40)
    for times in (1, 2):
        run = Swing().simulate(t_end=0.4, dt=0.1, method="dop853", driver="t")
        assert len(counts) == times
        assert all(run[name].tobytes() == alone[name].tobytes() for name in alone)


def test_rates_are_those_of_the_fields():
    system = Swing()
    model, generator = system.workings.model(), np.random.default_rng(0)
    function = compiled.compiled_rate(model)
    for _ in range(20):
        x = generator.normal(size=model.dimension + len(model.coordinates))
        t, dW = generator.normal(), generator.normal(size=1)
        out = np.empty(len(x))
        function(t, x, np.array([float(p) for p in model.parameters]), dW, out)
        assert out.tobytes() == model.flat_rate(t, x, dW).tobytes()
