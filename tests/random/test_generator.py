"""The compiled generator against exact arithmetic, and its bits and its cache on other machines."""

import json
import math
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

import semidirect
from semidirect.machine.cache.compiled_function import CompiledFunction
from semidirect.random import philox_normal as generator
from semidirect.random.normal_numbers import standard_normals
from semidirect.random.philox import philox4x32

PACKAGE = Path(semidirect.__file__).parent

# The same on every machine; a change of these is a change of every stored run.
KNOWN_NORMALS = {
    (0, 0, 0, 0): ["-0x1.0a610df0b2811p+0", "-0x1.09c440e599f65p-1"],
    (1, 1, 1, 0): ["0x1.7001b7c55a1c5p-4", "-0x1.bf26a48adf803p-2"],
    (18446744073709551615, 18446744073709551615, 70368744177663, 63): [
        "-0x1.34b63caa78ae4p+0",
        "-0x1.b97e83e30bac5p-1",
    ],
    (123456789, 8589934599, 34359738372, 5): ["-0x1.929ff02820f05p-1", "0x1.88bd89cc188c2p-1"],
}


def uniforms(words):
    """u 2⁵³ and θ/(π/2), exactly, as in the docstring of the generator."""
    w0, w1, w2, w3 = (int(w) for w in words)
    k = (w0 << 21 | w1 >> 11) + 1
    return k, (w2 >> 30) + Fraction((w2 & 0x3FFFFFFF) << 22 | w3 >> 10, 2**52) - Fraction(1, 2)


def exact_pair(words):
    k, turn = uniforms(words)
    theta = mpmath.pi / 2 * mpmath.mpf(turn.numerator) / turn.denominator
    r = mpmath.sqrt(-2 * mpmath.log(mpmath.mpf(k) / 2**53))
    return r * mpmath.cos(theta), r * mpmath.sin(theta)


def fma(a, b, c):
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def horner(coefficients, z):
    value = coefficients[-1]
    for c in coefficients[-2::-1]:
        value = fma(value, z, c)
    return value


def emulated_pair(words):
    """The generator's operations one by one, each rounded by Python: contraction or reassociation would show."""
    g = generator
    k, turn = uniforms(words)
    m, e = math.frexp(k * 2.0**-53)
    if m < float(np.uint64(g.HALF_SQRT_2).view(np.float64)):
        m, e = 2 * m, e - 1
    s = (1.0 - m) / (1.0 + m)
    z = s * s
    p = horner([g.L0, g.L1, g.L2, g.L3, g.L4, g.L5, g.L6], z)
    r = math.sqrt(fma(-float(e), g.TWO_LN_2, s * fma(p, z, 4.0)))
    q = math.floor(turn + Fraction(1, 2))
    f = float(turn - q)
    z = f * f
    sine = f * horner([g.H, g.SIN_0, g.SIN_1, g.SIN_2, g.SIN_3, g.SIN_4, g.SIN_5], z)
    cosine = horner([1.0, g.COS_0, g.COS_1, g.COS_2, g.COS_3, g.COS_4, g.COS_5], z)
    x, y = [(cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine)][q]
    return r * x, r * y


def sampled_words(n):
    counters = np.zeros((n, 4), dtype=np.uint64)
    counters[:, 1] = np.arange(n)
    return philox4x32(counters, (20, 24))


def of_words(call, results, a, b):
    """The results of a compiled function of two words."""
    places = ", ".join(f"out[{i}]" for i in range(results))
    text = f"def run(out: f8[:], a: u8, b: u8):\n    {places} = {call}(a, b)\n"
    out = np.zeros(results)
    CompiledFunction.of_text(text, "run", vars(generator))(out, int(a), int(b))
    return out.tolist()


def radius(w0, w1):
    return of_words("radius", 1, w0, w1)[0]


def direction(w2, w3):
    return tuple(of_words("direction", 2, w2, w3))


def test_normals_are_those_of_exact_arithmetic():
    """Relative error against Box–Muller of the same uniforms, extreme ones included."""
    extremes = np.array(
        [(w0, w1, w2, w3) for w0, w1 in ((0, 0), (0, 1 << 11), (2**32 - 1, 2**32 - 1 - (1 << 11)), (1 << 31, 0))
         for w2, w3 in ((1 << 29, 1 << 10), (0, 0), (2**32 - 1, 2**32 - 1), (0xA0000001, 5))],
    )  # fmt: skip
    worst = 0.0
    with mpmath.workprec(150):
        for words in np.concatenate([extremes, sampled_words(4000)]):
            r = radius(np.uint64(words[0]), np.uint64(words[1]))
            x, y = direction(np.uint64(words[2]), np.uint64(words[3]))
            for value, exact in zip((r * x, r * y), exact_pair(words)):
                worst = max(worst, float(abs((mpmath.mpf(value) - exact) / exact)))
    assert worst < 1e-15  # measured 4.2e-16 (3.4 units in the last place)


def test_compiled_arithmetic_is_rounded_operation_by_operation():
    words = sampled_words(300)
    paths = range(300)
    compiled = np.stack([standard_normals(20 | 24 << 32, paths, step, 1)[0] for step in (0, 1)], axis=-1)
    assert compiled.tolist() == [list(emulated_pair(w)) for w in words]


def test_range_of_the_radius():
    zero, ones = np.uint64(0), np.uint64(2**32 - 1)
    assert radius(ones, ones) == 0.0
    largest = radius(zero, zero)
    assert largest == pytest.approx(math.sqrt(106 * math.log(2)), rel=3e-16)
    assert largest > 8.57


def test_every_quadrant():
    for quadrant in range(4):
        x, y = direction(np.uint64(quadrant << 30 | 1 << 29), np.uint64(0))
        expected = [(1, 0), (0, 1), (-1, 0), (0, -1)][quadrant]
        assert (x, y) == expected


PROBE = """
import json, sys
from semidirect.random import normals
assert "llvmlite" not in sys.modules
from semidirect.machine.cache import compiled_function, machine_code
if {plain}:
    _, _, kind = machine_code.processor()
    machine_code.processor = compiled_function.processor = lambda: ("generic", "", kind)
z = [normals.standard_normals(seed, [path], step, 2, level).ravel() for seed, path, step, level in {cases}]
z = [float(v).hex() for pair in z for v in pair]
print(json.dumps([z, normals._compiled(False).from_disk, normals.__file__]))
"""


def probe(root, plain=False, **environment):
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SEMIDIRECT_CACHE")}
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(cases=list(KNOWN_NORMALS), plain=plain)],
        capture_output=True,
        text=True,
        env={**clean, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )
    assert done.returncode == 0, done.stderr
    values, from_disk, file = json.loads(done.stdout)
    assert file.startswith(str(root))
    assert values == [value for pair in KNOWN_NORMALS.values() for value in pair]
    return from_disk


def test_known_bits():
    for (seed, path, step, level), expected in KNOWN_NORMALS.items():
        assert [float(z).hex() for z in standard_normals(seed, [path], step, 2, level)[:, 0]] == expected


def test_bits_without_fused_multiply_add_or_wide_registers(tmp_path):
    """Compiled for the plainest processor of this kind, where fma is done in software."""
    assert not probe(PACKAGE.parent, plain=True, SEMIDIRECT_CACHE=str(tmp_path))
    assert probe(PACKAGE.parent, plain=True, SEMIDIRECT_CACHE=str(tmp_path))
    assert not probe(PACKAGE.parent, SEMIDIRECT_CACHE=str(tmp_path))  # the processor is part of the key


def test_cache_when_the_package_is_not_writable(tmp_path):
    """Nothing is kept beside the package: a file in the place of ``__pycache__`` cannot be written into, not even by root."""
    root = tmp_path / "site-packages"
    shutil.copytree(PACKAGE, root / "semidirect", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "semidirect" / "random" / "__pycache__").touch()
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "LOCALAPPDATA": str(tmp_path / "cache")}
    assert not probe(root, **home)
    assert probe(root, **home)
    nowhere = {name: str(root / "semidirect" / "core" / "errors.py" / "no") for name in home}
    assert not probe(root, **nowhere)
