"""The checks of systems that are exported."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from semidirect.noise import WienerNoise
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind
from what_works_with_what.runs import DT, close

STEPS, SEED = 16, 1
FLAGS = ("-std=c99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


@capability("export to C")
def in_c(kind: Kind) -> str:
    """The bits of the library from the recommended start."""
    system = kind.made.system
    exported = system.export("c", method="heun", name="one")
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return "written; there is no C compiler here"
    run = system.simulate(t_end=STEPS * DT, dt=DT, seed=SEED, method="heun", save="final")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        exported.save(place / "x.c")
        made = subprocess.run(
            [compiler, *FLAGS, "-o", place / "x.so", place / "x.c", "-lm"], capture_output=True, text=True
        )
        assert made.returncode == 0, made.stderr[:300]
        library = ctypes.CDLL(str(place / "x.so"))
    y, s, q = (np.zeros(300) for _ in range(3))
    pointers = [x.ctypes.data_as(ctypes.c_void_p) for x in (y, s, q)]
    library.one_defaults(pointers[2])
    library.one_start(*pointers[:2])
    library.one_run.restype = ctypes.c_long
    done = library.one_run(*pointers, ctypes.c_uint64(SEED), ctypes.c_uint64(0), ctypes.c_long(0), ctypes.c_long(STEPS),
                           ctypes.c_double(DT))  # fmt: skip
    assert done == STEPS, f"{done} steps"
    state, stored = ends(kind, run)
    assert np.array_equal(y[: len(state)], state), "other bits of the state"
    assert np.array_equal(s[: len(stored)], stored), "other bits of the configuration"
    return "bits of the library" + (" at all sites" if kind.name == "lattice" else "") + ", by a C compiler"


def ends(kind: Kind, run: Any) -> tuple[np.ndarray, np.ndarray]:
    """State and configuration of the path at the end of a run; of a lattice, which is written out site after site, the state."""
    if kind.name == "matrices":
        written = kind.made.system.written_out().simulate(
            t_end=STEPS * DT, dt=DT, seed=SEED, method="heun", save="final"
        )
        close(written["W32"], run["W32"], 1e-13, "the run of arrays")
        return written.final.end["y"][0], np.zeros(0)
    if kind.name == "lattice":
        names = kind.made.system.written_out().workings.model().structure.state
        return np.array([float(run[name][0, -1]) for name in names]), np.zeros(0)
    return run.final.end["y"][0], run.final.end["stored"][0]


def by_module(kind: Kind, to: str, largest: float, prepared: Callable[[Any], Any]) -> str:
    """The path of a file in Python from the recommended start, with the increments of the library."""
    system = kind.made.system
    exported = system.export(to, method="heun")
    if find_spec(to) is None:
        return f"written; {to} is not installed here"
    module = exported.load()
    step, y, q = prepared(module.step), module.start(), module.defaults()
    noise = (
        WienerNoise(SEED, module.NOISES, DT).block(range(1), 0, STEPS, DT) if module.NOISES else np.zeros((STEPS, 0, 1))
    )
    for n, w in enumerate(noise[:, :, 0]):
        y = step(n * DT, y, q, DT, w)
    run = system.simulate(t_end=STEPS * DT, dt=DT, seed=SEED, method="heun", save="final")
    state, stored = ends(kind, run)
    mine = np.array(y).reshape(-1)[: len(state) + len(stored)]
    exact = np.concatenate([state, stored])
    error = np.max(np.abs(mine - exact) / np.maximum(np.abs(exact), 1))
    assert error <= largest, f"{error:.1e}"
    return "bits of the library" if largest == 0 else f"the path of the library to {largest:.0e}"


@capability("export to NumPy")
def in_numpy(kind: Kind) -> str:
    """The bits of the library."""
    return by_module(kind, "numpy", 0.0, lambda step: step)


@capability("export to JAX")
def in_jax(kind: Kind) -> str:
    """The path of the library to rounding, by a compiled step."""
    return by_module(kind, "jax", 1e-13, lambda step: import_module("jax").jit(step))


@capability("export to CasADi")
def in_casadi(kind: Kind) -> str:
    """The path of the library to rounding."""
    return by_module(kind, "casadi", 1e-13, lambda step: step)
