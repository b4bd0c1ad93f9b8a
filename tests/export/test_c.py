"""Systems as C: the bits of the compiled engine, what a compiler says, and what is refused."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.cli.main import main
from semidirect.core import errors
from semidirect.core.elementary import cos, exp, log, sin
from semidirect.export.target import TARGETS
from semidirect.export.targets.c import FLAGS as FLAGS_OF_THE_FILE
from semidirect.export.targets.c_functions import c_functions
from semidirect.export.targets.c_noise import c_noise
from semidirect.random.normal_numbers import standard_normals

COMPILERS = [one for one in ("gcc", "clang") if shutil.which(one)]
FLAGS = (*FLAGS_OF_THE_FILE.split(), "-Wall", "-Wextra", "-Werror")
DOUBLES = ctypes.POINTER(ctypes.c_double)
STEPS, DT, SEED = 24, 1 / 32, 7
PARTS = [(0, 1), (1, 20), (21, 3)]
"""Normals of a few steps are drawn pair by pair, those of many ahead."""


class Shaken(sd.System):
    """A rigid body under two random torques."""

    group = sd.SO3()
    initial = {"Omega": (0.3, 0.1, 0.0)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.array((1, 2, 3)) * xi.Omega) / 2

    def independent_force(self, t):
        return [ops.array((1, ops.sin(t), -0.5)), ops.array((0, 0.5, 0.8))]


CASES = {
    "no constraint, an explicit method": ("rigid-body", {"advect_gamma": True}, "heun", DT),
    "directions, a geometric method": ("rolling-disk", {}, "lie-heun", DT),
    "an iteration": ("suslov", {}, "implicit-midpoint", DT),
    "an iteration that Newton's method continues": ("heavy-top", {}, "implicit-midpoint", 0.5),
    "covectors": ("nonholonomic-particle", {}, "euler-heun", DT),
    "a projection": ("chaplygin-sleigh", {}, "nonholonomic", DT),
    "forces, friction": ("spherical-robot", {}, "heun", DT),
    "areas of two noises": ("rolling-disk", {}, "lie-milstein", DT),
    "areas of many terms": ("rigid-body", {}, "milstein(areas)", 1 / 4096),
    "integrals over time": (Shaken(), {}, "sra1", DT),
    "three-point increments and signs": ("rolling-disk", {}, "rs2", DT),
}
PORTABLE = {"an iteration", "areas of two noises"}
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="there is no C compiler: install gcc or clang")


def built(text, place, compiler, *, without=""):
    (place / "x.c").write_text(text, encoding="utf-8")
    flags = [x for x in FLAGS if x != without]
    command = [compiler, *flags, "-shared", "-fPIC", "-o", place / "x.so", place / "x.c", "-lm"]
    made = subprocess.run(command, capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, "")
    return ctypes.CDLL(str(place / "x.so"))


def pointer(array):
    return array.ctypes.data_as(DOUBLES)


@needs_compiler
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("case", CASES)
def test_paths_have_the_bits_of_the_library(case, compiler, tmp_path):
    name, options, method, dt = CASES[case]
    system = sd.load(name, **options) if isinstance(name, str) else name
    driver = sd.Wiener(increment_law="three-point") if method == "rs2" else sd.Wiener()
    run = system.simulate(t_end=STEPS * dt, dt=dt, paths=2, seed=SEED, method=method, save="final", driver=driver)
    assert run.good.all()
    exported = sd.runs.export(system, "c", method=method, name="one")
    assert f"cc {FLAGS_OF_THE_FILE} -c," in exported.text
    library = built(exported.text, tmp_path, compiler, without="-march=native" if case in PORTABLE else "")
    library.one_run.argtypes = (DOUBLES, DOUBLES, DOUBLES, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_long, ctypes.c_long,
                                ctypes.c_double)  # fmt: skip
    library.one_run.restype = ctypes.c_long
    library.one_observe.argtypes = (DOUBLES, DOUBLES, DOUBLES, ctypes.c_double, DOUBLES)
    for path in range(2):
        end = {k: run.final.end[k][path] for k in ("y", "stored")}
        y, s, q, out = (np.zeros(n) for n in (len(end["y"]), max(len(end["stored"]), 1), 99, 99))
        library.one_defaults(pointer(q))
        library.one_start(pointer(y), pointer(s))
        done = [library.one_run(pointer(y), pointer(s), pointer(q), SEED, path, first, steps, dt)
                for first, steps in PARTS]  # fmt: skip
        assert done == [steps for _, steps in PARTS]
        np.testing.assert_array_equal(y, end["y"])
        np.testing.assert_array_equal(s[: len(end["stored"])], end["stored"])
        library.one_observe(pointer(y), pointer(s), pointer(q), STEPS * dt, pointer(out))
        values = np.concatenate([np.ravel(v[path, -1]) for v in run.data.values()])
        np.testing.assert_array_equal(out[: len(values)], values)


@needs_compiler
def test_fields_have_the_bits_of_numpy(tmp_path):
    """Also where nothing else is in the file."""
    ball = sd.load("rolling-ball")
    library = built(ball.export("c", what="fields", name="one").text, tmp_path, COMPILERS[0])
    module = ball.export("numpy", what="fields").load()
    y, q = module.start(), module.defaults()
    y += np.random.default_rng(0).normal(size=y.shape)
    d = len(module.STATE)
    for name in ("drift", "diffusion"):
        field = getattr(library, f"one_{name}")
        field.argtypes = (DOUBLES, DOUBLES, DOUBLES, ctypes.c_double, DOUBLES)
        exact = getattr(module, name)(0.5, y, q)
        out = np.zeros(exact.shape)
        field(pointer(y[:d].copy()), pointer(y[d:].copy()), pointer(q), 0.5, pointer(out))
        np.testing.assert_array_equal(out, exact)


@needs_compiler
def test_functions_have_the_bits_of_the_library(tmp_path):
    """Elementary functions over all sizes, and normals of any seed, path, step and component."""
    used = {"sin", "cos", "exp", "log"}
    calls = "".join(f"double f_{k}(double x) {{ return sd_{k}(x); }}\n" for k in sorted(used))
    calls += "void f_normals(uint64_t a, uint64_t b, uint64_t c, double *w) { sd_increments(a, b, c, 1, 1.0, w); }\n"
    head = "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"
    noise = c_noise(5, None, 0, weak=False, levels={})
    library = built(head + c_functions(used, iterated=False, bits=True) + noise + calls, tmp_path, COMPILERS[0])
    rng = np.random.default_rng(0)
    x = np.concatenate(
        [rng.normal(size=300) * 10.0 ** rng.integers(-12, 12, 300), [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324]]
    )
    for name, function in {"sin": sin, "cos": cos, "exp": exp, "log": log}.items():
        compiled = getattr(library, f"f_{name}")
        compiled.argtypes, compiled.restype = (ctypes.c_double,), ctypes.c_double
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal([compiled(one) for one in x], function(x))
    library.f_normals.argtypes = (ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64, DOUBLES)
    for seed, path, step in [(0, 0, 0), (2**64 - 1, 2**63 + 5, 2**45 + 3), (7, 12, 8)]:
        w = np.zeros((2, 5))
        library.f_normals(seed, path, step // 2, pointer(w))
        np.testing.assert_array_equal(w[step % 2], standard_normals(seed, [path], step, 5)[:, 0])


@needs_compiler
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_flags_of_the_file_keep_products_and_sums_apart(compiler, tmp_path):
    """As vectors gcc fuses alternating signs for any ``-ffp-contract``."""
    lines = "".join(f"r[{i}] = a[{i}] * b[{i}] {'-+'[i % 2]} c[{i}];" for i in range(4))
    library = built(f"void f(double *restrict r, double *a, double *b, double *c) {{ {lines} }}\n", tmp_path, compiler)
    for a, b, c in np.random.default_rng(0).normal(size=(30, 3, 4)):
        r = np.zeros(4)
        library.f(pointer(r), pointer(a), pointer(b), pointer(c))
        np.testing.assert_array_equal(r, a * b + np.array([-1, 1, -1, 1]) * c)


@pytest.fixture(scope="module")
def body():
    return sd.load("rigid-body")


REFUSED = {
    "an unknown target": (lambda b: sd.runs.export(b, "cobol"), "cobol"),
    "parameters per path": (
        lambda b: sd.runs.export(b.replace(inertia=sd.PerPath([[1, 2, 3], [2, 3, 4]])), "c"),
        "at_path",
    ),
    "a method that chooses its steps": (lambda b: sd.runs.export(b, "c", method="dop853"), "dop853 chooses its steps"),
    "a method that a run refuses": (lambda b: sd.runs.export(b, "c", method="isospectral-midpoint"), "matrix systems"),
    "a name that is none of C": (lambda b: sd.runs.export(b, "c", name="heavy-top"), "letters"),
    "an unknown quantity": (lambda b: sd.runs.export(b, "c", quantities=["enrgy"]), "energy"),
    "no system": (lambda b: sd.runs.export(3, "c"), "system"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_exported_is_refused_by_its_name(body, what):
    call, words = REFUSED[what]
    with pytest.raises(errors.SemidirectError, match=words):
        call(body)


def test_the_file_says_what_is_in_it_and_is_not_overwritten(body, tmp_path, capsys):
    exported = sd.runs.export(body, "c", method="heun", quantities=["energy", "Omega"])
    for words in (
        "Omega3 [rad/s], energy [J]",
        "#define RIGID_BODY_STATE 3",
        "RIGID_BODY_PARAMETER_NAMES",
        "Hamilton–Pontryagin",
        "by heun",
    ):
        assert words in exported.text
    place = exported.save(tmp_path / "a.c")
    assert place.read_text(encoding="utf-8") == exported.text
    with pytest.raises(errors.InputError, match="exists"):
        exported.save(place)
    assert (
        main(["export", "rigid-body", "--to", "c", "--method", "heun", "--quantity", "energy", "--quantity", "Omega"])
        == 0
    )
    assert capsys.readouterr().out.strip() == exported.text.strip()
    assert exported.described() == {"target": "c", "text": exported.text}
    assert set(TARGETS.built_in) == {"c", "numpy", "jax", "casadi"}


@needs_compiler
def test_a_header_and_an_example_go_with_the_file(body, tmp_path):
    """The example, compiled apart from the file, prints what the library has."""
    exported = sd.runs.export(body, "c", method="heun", quantities=["energy"])
    assert [x.name for x in exported.save_all(tmp_path)] == ["rigid_body.c", "rigid_body.h", "rigid_body_example.c"]
    made = subprocess.run([COMPILERS[0], *FLAGS, "-o", "a.out", "rigid_body.c", "rigid_body_example.c", "-lm"], cwd=tmp_path,
                          capture_output=True, text=True)  # fmt: skip
    assert (made.returncode, made.stderr) == (0, "")
    said = subprocess.run([tmp_path / "a.out"], capture_output=True, text=True).stdout.splitlines()
    run = body.simulate(t_end=1.0, dt=0.001, seed=7, method="heun", save="final")
    assert said == ["1000 good steps of 1000: energy [J] =", f"{run['energy'][0, -1]:.17g}"]
