"""10⁵ steps of the geometric methods: what they keep is kept to round-off, without dividing by a norm.

A step is array code, so it can be run once on scalars that write down what is done to them; compiled, the same operations
in the same order give the same bits, sooner.
"""

import math

import numba
import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.ensemble.state import initial_state
from semidirect.integrators import integrator

STEPS = 100_000
DT = 0.01
SWEEPS = 12


class Traced(ops.Scalar):
    """A scalar that writes its operations into ``lines``."""

    __array_ufunc__ = None

    def __init__(self, lines, name):
        self.lines, self.name = lines, name

    def note(self, code):
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {code}")
        return Traced(self.lines, name)

    def elementary(self, name):
        return self.note(f"{name}({self.name})")

    def __neg__(self):
        return self.note(f"-{self.name}")

    def __abs__(self):
        return self.elementary("abs")


def name_of(x):
    return x.name if isinstance(x, Traced) else repr(int(x) if isinstance(x, (int, np.integer)) else float(x))


for symbol, method in {"+": "add", "-": "sub", "*": "mul", "/": "truediv"}.items():
    setattr(Traced, f"__{method}__", lambda a, b, s=symbol: a.note(f"{a.name} {s} {name_of(b)}"))
    setattr(Traced, f"__r{method}__", lambda a, b, s=symbol: a.note(f"{name_of(b)} {s} {a.name}"))


def compiled(method, model, monkeypatch):
    """``run(y, dW, k)``: states (d, steps/k) of one path, by the step of a method traced once; implicit ones by a fixed
    number of sweeps."""

    def sweeps(function, start, scale, **_):
        for _ in range(SWEEPS):
            start = function(start)
        return start, None

    monkeypatch.setattr(ops, "fixed_point", sweeps)
    for module in ("lie", "implicit_midpoint"):
        monkeypatch.setattr(f"semidirect.integrators.{module}.scale", lambda y: None)
    lines, d, m = [], model.dimension, model.wieners
    y, dW = (
        np.array([Traced(lines, f"{letter}{i}") for i in range(count)], dtype=object)
        for letter, count in (("y", d), ("w", m))
    )
    result = method.step(model, y, 0.0, DT, dW).y
    monkeypatch.undo()
    body = [f"w{i} = dW[n, {i}]" for i in range(m)] + lines
    body += [f"{', '.join(f'y{i}' for i in range(d))} = {', '.join(name_of(x) for x in result)}"]
    body += [f"if n % k == k - 1: {'; '.join(f'out[{i}, n // k] = y{i}' for i in range(d))}"]
    source = f"def run(start, dW, k):\n    {', '.join(f'y{i}' for i in range(d))} = start\n"
    source += f"    out = empty(({d}, len(dW) // k))\n    for n in range(len(dW)):\n"
    source += "".join(f"        {line}\n" for line in body) + "    return out\n"
    scope = {"empty": np.empty, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos}
    exec(source, scope)
    return numba.njit(scope["run"])


SYSTEMS = {
    "rigid-body": {"advect_gamma": True},
    "heavy-top": {"noise": [[0.1, 0, 0.2], [0, 0.3, -0.1]]},
    "routh-sphere": {"noise": [[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]},
}
CASES = [
    ("rigid-body", "lie-heun"),
    ("rigid-body", "lie-heun(exp)"),
    ("rigid-body", "lie-midpoint"),
    ("rigid-body", "implicit-midpoint"),
    ("heavy-top", "lie-heun"),
    ("routh-sphere", "lie-heun"),
]


@pytest.fixture(params=CASES, ids="-".join)
def stepper(request, monkeypatch):
    """(system, method by name, model, start, increments of four paths, compiled run)."""
    name, by = request.param
    system, method = sd.load(name, **SYSTEMS[name]), integrator(by)
    model = system.model()
    y = initial_state(system, None).vector(model, 0.0)[:, 0]
    dW = sd.WienerNoise(0, model.wieners, DT).block(range(4), 0, STEPS, DT)
    return name, method, model, y, np.ascontiguousarray(np.moveaxis(dW, 2, 0)), compiled(method, model, monkeypatch)


def worst_drift(invariant):
    """The largest relative change of an invariant (paths, times)."""
    return float(np.max(np.abs(invariant / invariant[:, :1] - 1)))


def test_invariants_over_100_000_steps(stepper, record_property):
    """|Γ| stays what it was, 1 or (unvalidated) 2, and so do the Casimirs |M|² and M·Γ where they are; and the step as
    NumPy runs it is this step."""
    name, method, model, y, dW, run = stepper
    errors = {}
    for length in (1.0, 2.0):
        start = y.copy()
        start[3:6] *= length
        ends = np.stack([np.column_stack([start, run(start, w, 100)]) for w in dW])
        M, Gamma = ends[:, :3], ends[:, 3:6]
        norm = np.sqrt(np.sum(Gamma**2, axis=1))
        assert abs(norm[:, 0] - length).max() < 1e-15 * length
        errors[length] = worst_drift(norm)
        if name != "routh-sphere":
            assert worst_drift(np.sum(M * Gamma, axis=1)) < 2e-12  # measured 6.7e-13
        if name == "rigid-body":
            assert worst_drift(np.sum(M**2, axis=1)) < 5e-13  # measured 1e-13
    record_property(f"| |Γ| − |Γ₀| |/|Γ₀| over 10⁵ steps, {name}, {method.label}", errors)
    assert max(errors.values()) < 1e-13  # measured 1.8e-14 to 3.2e-14

    state, reference = y[:, None], run(y, dW[0, :25], 25)[:, -1]
    for w in dW[0, :25]:
        state = method.step(model, state, 0.0, DT, w[:, None]).y
    if method.implicit:  # NumPy stops its sweeps at 4e-15
        np.testing.assert_allclose(state[:, 0], reference, rtol=0, atol=5e-14)
    else:
        np.testing.assert_array_equal(state[:, 0], reference)
