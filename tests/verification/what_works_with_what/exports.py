"""The check of systems that are exported to C."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import semidirect as sd
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind
from what_works_with_what.runs import DT

STEPS, SEED = 16, 1
FLAGS = ("-std=c99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


@capability("export to C")
def in_c(kind: Kind) -> str:
    """The bits of the library from the recommended start."""
    system = kind.made.system
    exported = sd.runs.export(system, "c", method="heun", name="one")
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
    if kind.name == "lattice":  # which is written out, one site after another
        names = system.written_out().workings.model().structure.state
        state = np.array([float(run[name][0, -1]) for name in names])
        assert np.array_equal(y[: len(state)], state), "other bits of the state"
        return "bits of the library at all sites, by a C compiler"
    end = run.final.end
    assert np.array_equal(y[: end["y"].shape[1]], end["y"][0]), "other bits of the state"
    assert np.array_equal(s[: end["stored"].shape[1]], end["stored"][0]), "other bits of the configuration"
    return "bits of the library, by a C compiler"
