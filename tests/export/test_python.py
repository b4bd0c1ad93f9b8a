"""Systems as modules of Python: the bits of the library in NumPy; JAX and CasADi, where they are installed."""

from __future__ import annotations

import ast
import re
import sys

import compiling
import numpy as np
import pairs
import pytest

import semidirect as sd
from semidirect.core import errors
from semidirect.integrators import integrator
from semidirect.noise import WienerNoise

DT, STEPS, SEED, PATHS = 1 / 32, 24, 7, 3
CASES = {
    "an iteration": ("suslov", "implicit-midpoint", DT),
    "an iteration that Newton's method continues": ("heavy-top", "implicit-midpoint", 0.5),
    "areas": ("rolling-disk", "lie-milstein", DT),
}


def made(case, to):
    """The module of a case, its parameters, the increments and the run of the library."""
    name, method, dt = CASES[case]
    system = sd.load(name)
    module = sd.runs.export(system, to, method=method).load()
    run = system.simulate(t_end=STEPS * dt, dt=dt, paths=PATHS, seed=SEED, method=method, save="final")
    noise = WienerNoise(SEED, module.NOISES, dt, integrals=integrator(method).integrals)
    return module, module.defaults(), noise.block(range(PATHS), 0, STEPS, dt), run, dt


@pytest.mark.parametrize("case", CASES)
def test_numpy_gives_the_bits_of_the_library(case):
    module, q, noise, run, dt = made(case, "numpy")
    y = np.repeat(module.start()[:, None], PATHS, axis=1)
    for k, w in enumerate(noise):
        y = module.step(k * dt, y, q, dt, w)
    np.testing.assert_array_equal(y, pairs.ends_of(run))
    values = [np.ravel(v[0, -1]) for v in run.data.values()]
    np.testing.assert_array_equal(module.observe(STEPS * dt, y, q)[:, 0], np.concatenate(values))


@pytest.mark.parametrize("case", CASES)
def test_the_fields_are_what_steps_tend_to(case):
    """Central differences of steps of length h, and of steps with increments h alone: measured 2e-9 at h = 2⁻¹³."""
    module, q, _, run, _ = made(case, "numpy")
    y, h, size = pairs.ends_of(run)[:, 0], 2.0**-13, module.NOISES
    rest = np.zeros(module.ROWS_OF_W)
    forward, back = (module.step(0.5, y, q, dt, rest) for dt in (h, -h))
    np.testing.assert_allclose((forward - back) / (2 * h), module.drift(0.5, y, q), rtol=0, atol=1e-6)
    for i in range(size):
        w = np.zeros(module.ROWS_OF_W)
        w[i] = h
        forward, back = (module.step(0.5, y, q, 0.0, sign * w) for sign in (1, -1))
        np.testing.assert_allclose((forward - back) / (2 * h), module.diffusion(0.5, y, q)[:, i], rtol=0, atol=1e-6)


def test_a_step_that_the_library_does_not_find_is_nan():
    module, q, noise, *_ = made("an iteration that Newton's method continues", "numpy")
    y = np.repeat(module.start()[:, None], PATHS, axis=1)
    assert np.isnan(module.step(0.0, y, q, 1e3, noise[0])).all()


def test_the_file_of_numpy_needs_numpy_alone(tmp_path):
    exported = sd.runs.export(sd.load("suslov"), "numpy")
    nodes = ast.walk(ast.parse(exported.save(tmp_path / "suslov.py").read_text(encoding="utf-8")))
    imported = {x.module if isinstance(x, ast.ImportFrom) else x.names[0].name for x in nodes
                if isinstance(x, ast.Import | ast.ImportFrom)}  # fmt: skip
    assert imported == {"__future__", "numpy"}
    module = exported.load()
    assert (module.__name__, exported.name) == ("suslov", "suslov.py")
    assert module.QUANTITIES
    assert len(module.start()) == len(module.STATE + module.CONFIGURATION)


def test_what_cannot_be_loaded_is_refused(monkeypatch):
    with pytest.raises(errors.InputError, match="a target in Python"):
        sd.runs.export(sd.load("suslov"), "c").load()
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(errors.InputError, match=r"semidirect\[export\]"):
        sd.runs.export(sd.load("suslov"), "casadi").load()


def test_casadi_has_fields_steps_and_derivatives():
    """Fields of NumPy to 1e-15, relatively; steps to 1e-13; Jacobians against differences."""
    casadi = pytest.importorskip("casadi")
    for case in CASES:
        module, q, noise, run, dt = made(case, "casadi")
        other = made(case, "numpy")[0]
        y = np.array(module.start()).ravel()
        for name in ("drift", "diffusion", "observe"):
            mine, theirs = (np.array(getattr(m, name)(0.3, y, np.array(q).ravel())) for m in (module, other))
            theirs = theirs.reshape(mine.shape)
            np.testing.assert_allclose(mine, theirs, rtol=1e-15, atol=1e-15 * np.abs(theirs).max())
        for k, w in enumerate(noise[:, :, 0]):
            y = module.step(k * dt, y, q, dt, w)
        y = np.array(y).ravel()
        np.testing.assert_allclose(y, pairs.ends_of(run)[:, 0], rtol=0, atol=1e-13)
        at = casadi.MX.sym("y", len(y))
        slope = casadi.Function("slope", [at], [casadi.jacobian(module.step(0.0, at, q, dt, noise[0, :, 0]), at)])
        h = 2.0**-18
        for j, e in enumerate(np.eye(len(y))):
            forward, back = (np.array(module.step(0.0, y + s * h * e, q, dt, noise[0, :, 0])).ravel() for s in (1, -1))
            np.testing.assert_allclose(np.array(slope(y))[:, j], (forward - back) / (2 * h), rtol=0, atol=1e-8)


PAIRS = [
    ("suslov", "implicit-midpoint"),
    ("heavy-top", "lie-midpoint"),
    ("chaplygin-sleigh", "rk4"),
    ("rolling-disk", "heun"),
]


@pytest.mark.parametrize(("name", "method"), PAIRS)
def test_jax_has_paths_and_derivatives(name, method):
    """Over 100 steps: measured 1e-15 of paths, 2e-14 of derivatives by all parameters and the start that follows from them."""
    jax = pytest.importorskip("jax")
    steps, system = 100, sd.load(name)
    module = sd.runs.export(system, "jax", method=method).load()
    q = module.defaults()
    slopes = pairs.slopes(system, method, DT, steps)
    noise = WienerNoise(SEED, module.NOISES, DT).block(range(1), 0, steps, DT)[:, :, 0]
    end = jax.jit(pairs.path_of(jax, module, noise, DT))
    y = module.start()
    np.testing.assert_allclose(end(y, q), slopes.end, rtol=1e-13, atol=1e-13)
    along = jax.jit(jax.vmap(lambda dy, dq: jax.jvp(end, (y, q), (dy, dq))[1]))(slopes.of_start, np.eye(len(q)))
    np.testing.assert_allclose(along, slopes.of_end, rtol=1e-10, atol=1e-10)
    scaled = q * np.array([[1.0], [1.01]])
    np.testing.assert_allclose(jax.vmap(end, (None, 0))(y, scaled), [end(y, x) for x in scaled], rtol=0, atol=1e-13)


PARTS = {"fields": {"drift", "diffusion"}, "step": {"step"}, "observables": {"observe"}}


@pytest.mark.parametrize("to", ["c", "numpy", "jax", "casadi"])
def test_a_file_has_the_parts_that_are_asked_for(to):
    """Functions of the other parts are absent, and what only they call."""
    suslov = sd.load("suslov")
    head = r"^(?:int|void) suslov_(\w+)\(.*\{$" if to == "c" else r"^def (\w+)\(t, y, args"
    for part, names in PARTS.items():
        text = suslov.export(to, what=part, method="implicit-midpoint").text
        assert {*re.findall(head, text, re.MULTILINE)} - {"defaults", "start"} == names
        assert to == "casadi" or ("sd_newton" in text or "fixed_point" in text) == (part == "step")
    whole = suslov.export(to, method="implicit-midpoint").text
    assert whole == suslov.export(to, what=[*PARTS], method="implicit-midpoint").text
    assert whole == sd.runs.export(suslov, to, method="implicit-midpoint").text


@pytest.mark.parametrize("what", ["drift", ["step", "drift"], [], 3])
def test_another_part_is_refused(what):
    with pytest.raises(sd.SemidirectError, match=r"part of an export|what: expected"):
        sd.load("suslov").export("numpy", what=what)


def test_jax_continues_by_newtons_method_where_an_iteration_contracts_slowly():
    """Measured 8e-15 over 24 steps of 0.5 s; a step of 10³ s has no solution that is found, as in the library."""
    jax = pytest.importorskip("jax")
    module, q, noise, run, dt = made("an iteration that Newton's method continues", "jax")
    step, y = jax.jit(module.step), module.start()
    for k, w in enumerate(noise[:, :, 0]):
        y = step(k * dt, y, q, dt, w)
    np.testing.assert_allclose(y, pairs.ends_of(run)[:, 0], rtol=0, atol=1e-13)
    assert np.isnan(step(0.0, y, q, 1e3, noise[0, :, 0])).all()
    slope = jax.jit(jax.jacfwd(module.step, argnums=1))(0.0, y, q, dt, noise[0, :, 0])
    h = 2.0**-17
    for j, e in enumerate(np.eye(len(y))):
        forward, back = (step(0.0, y + sign * h * e, q, dt, noise[0, :, 0]) for sign in (1, -1))
        np.testing.assert_allclose(slope[:, j], (forward - back) / (2 * h), rtol=0, atol=1e-8)


def test_functions_of_jax_take_lists_and_names_and_have_second_derivatives():
    jax = pytest.importorskip("jax")
    module, q, *_ = made("an iteration", "jax")
    y = module.start()
    np.testing.assert_array_equal(
        module.step(0, list(y), list(q), dt=0.01, w=[0.02]), module.step(0.0, y, q, 0.01, [0.02])
    )
    twice = jax.jacfwd(jax.jacrev(module.drift, argnums=1), argnums=1)(0.0, y, q)
    h = 2.0**-10
    for j, e in enumerate(np.eye(len(y))):
        forward, back = (jax.jacrev(module.drift, argnums=1)(0.0, y + sign * h * e, q) for sign in (1, -1))
        np.testing.assert_allclose(twice[:, :, j], (forward - back) / (2 * h), rtol=0, atol=1e-5)


def test_compiling_a_gradient_of_the_ball_takes_at_most_twice_that_of_a_scan_by_hand():
    """Measured 9.6 s of the processor and 8.1 s; derivatives of paths are the same."""
    jax = pytest.importorskip("jax")
    module = sd.runs.export(sd.load("rolling-ball"), "jax", method="heun").load()
    compiling.compiled(jax, lambda t, y, args, dt, w: y * args[0], module)
    (hand, a), (mine, b) = (
        compiling.compiled(jax, f, module) for f in (compiling.step_by_hand(jax.numpy), module.step)
    )
    assert mine < 2 * hand
    np.testing.assert_allclose(b[1], a[1], rtol=0, atol=1e-12)
