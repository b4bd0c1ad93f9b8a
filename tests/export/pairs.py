"""Every system by every method, in every target: what is written, against the paths of the library.

Usage: python tests/export/pairs.py [--targets gcc clang numpy jax casadi] [--only SYSTEM …] [--methods METHOD …] [--again]

What is measured goes into ``pairs.json`` beside this file, pair by pair, so that it can be stopped and resumed: what is there is
left out unless ``--again`` is given. ``CLANG`` may name the command of a compiler. All of it takes an hour, most of it compiling.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import tomllib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import semidirect as sd
from semidirect.core import errors
from semidirect.export.export import program_of
from semidirect.export.program import ExportedProgram
from semidirect.integrators import METHODS, integrator
from semidirect.model import NumericalSDE, sensitivities
from semidirect.noise import WienerNoise
from semidirect.state import InitialState, start_slopes

ROOT = Path(__file__).parents[2]
MEASURED = Path(__file__).with_name("pairs.json")
SEED, PATHS = 7, 2
STEPS = {"gcc": 24, "clang": 24, "numpy": 24, "jax": 100, "casadi": 100}
LENGTHS = (1 / 32, 1 / 256, 1 / 4096, 1 / 65536)
"""Steps [s]: the first one with which all paths are good is taken."""
FINER = ("rattleback",)
"""Systems of which the first step is left out: explicit methods do not follow their rocking, and round-off grows to anything."""
BY_PATH = {"whipple-bicycle": ("semidirect_whipple_bicycle", "WhippleBicycle")}
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


def systems() -> list[str]:
    """The systems of the library, also one that is loaded by its path."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return [*tomllib.load(file)["project"]["entry-points"]["semidirect.systems"], *BY_PATH]


def loaded(name: str) -> Any:
    """The system of this name."""
    if name in BY_PATH:
        module, kind = BY_PATH[name]
        return getattr(import_module(module), kind)()
    return sd.load(name)


def of_class(system: Any) -> str:
    """The name of the class, with hyphens."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(system).__name__).lower()


def run_of(system: Any, method: Any, dt: float, steps: int) -> Any:
    """A run of the library."""
    driver = sd.Wiener(increment_law="three-point") if method.weak else sd.Wiener()
    return system.simulate(t_end=steps * dt, dt=dt, paths=PATHS, seed=SEED, method=method, save="final", driver=driver)


def ends_of(run: Any) -> np.ndarray:
    """State and configuration at the end ``(rows, paths)``."""
    end = run.final.end
    return np.concatenate([end["y"].T, end["stored"].T[: len(end["stored"].T)]])


def increments_of(system: Any, method: Any, dt: float, steps: int) -> np.ndarray:
    """The rows of noise of the steps ``(steps, rows, paths)``."""
    law = "three-point" if method.weak else "normal"
    count = system.workings.model().wieners
    if not count:
        return np.zeros((steps, 0, PATHS))
    return WienerNoise(SEED, count, dt, increment_law=law, integrals=method.integrals).block(range(PATHS), 0, steps, dt)


def pointer(array: np.ndarray) -> Any:
    """The address of an array."""
    return array.ctypes.data_as(ctypes.c_void_p)


def in_c(system: Any, method: Any, dt: float, command: list[str], size: int) -> np.ndarray:
    """The ends of the paths of a file in C."""
    library = compiled(text_of(system, method), command)
    y, s, q = (np.zeros(400) for _ in range(3))
    library.one_defaults(pointer(q))
    ends = []
    for path in range(PATHS):
        library.one_start(pointer(y), pointer(s))
        library.one_run(pointer(y), pointer(s), pointer(q), ctypes.c_uint64(SEED), ctypes.c_uint64(path), ctypes.c_long(0),
                        ctypes.c_long(STEPS["gcc"]), ctypes.c_double(dt))  # fmt: skip
        d = len(system.workings.model().state_names)
        ends.append(np.concatenate([y[:d], s[: size - d]]))
    return np.array(ends).T


@lru_cache(maxsize=1)
def text_of(system: Any, method: Any) -> str:
    """The file in C, which all compilers get."""
    return sd.runs.export(system, "c", method=method, name="one").text


def compiled(text: str, command: list[str], *, without: str = "") -> Any:
    """A file in C as a library, by the flags that it names but for one."""
    flags = [x for x in flags_of(text) if x != without]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "x.c"
        source.write_text(text, encoding="utf-8")
        whole = [*command, *flags, *WARNINGS, "-o", source.with_suffix(".so"), source, "-lm"]
        made = subprocess.run(whole, capture_output=True, text=True)
        if made.returncode:
            raise RuntimeError(f"not compiled: {made.stderr[:200]}")
        library = ctypes.CDLL(str(source.with_suffix(".so")))
    library.one_run.restype = ctypes.c_long
    return library


def flags_of(text: str) -> list[str]:
    """The flags that the file names."""
    return re.findall(r"-\S+", text.split("Compile with: cc ")[1].split(" -c,")[0])


def compiler(name: str) -> list[str]:
    """The command of gcc or clang."""
    return shlex.split((os.environ.get("CLANG") if name == "clang" else None) or shutil.which(name) or name)


def in_numpy(system: Any, method: Any, dt: float) -> np.ndarray:
    """The ends by NumPy, all paths at once."""
    module = sd.runs.export(system, "numpy", method=method).load()
    y, q = np.repeat(module.start()[:, None], PATHS, axis=1), module.defaults()
    for k, w in enumerate(increments_of(system, method, dt, STEPS["numpy"])):
        y = module.step(k * dt, y, q, dt, w)
    return y


def in_jax(system: Any, method: Any, dt: float) -> np.ndarray:
    """The ends by JAX, path by path."""
    import jax

    module = sd.runs.export(system, "jax", method=method).load()
    # without what XLA fuses compiling takes a third; fused products and sums change last digits
    step, q = jax.jit(module.step, compiler_options={"xla_disable_hlo_passes": "fusion"}), module.defaults()
    return by_path(
        module.start(), increments_of(system, method, dt, STEPS["jax"]), lambda k, y, w: step(k * dt, y, q, dt, w)
    )


def in_casadi(system: Any, method: Any, dt: float) -> np.ndarray:
    """The ends by CasADi, path by path."""
    module = sd.runs.export(system, "casadi", method=method).load()
    q = module.defaults()
    return by_path(module.start(), increments_of(system, method, dt, STEPS["casadi"]),
                   lambda k, y, w: module.step(k * dt, y, q, dt, w))  # fmt: skip


def by_path(start: Any, noise: np.ndarray, step: Callable[[int, Any, np.ndarray], Any]) -> np.ndarray:
    """The ends of paths that are stepped one after the other."""
    ends = []
    for path in range(PATHS):
        y = start
        for k, w in enumerate(noise[:, :, path]):
            y = step(k, y, w)
        ends.append(np.array(y).reshape(-1))
    return np.array(ends).T


@dataclass(frozen=True)
class Slopes:
    """The end of a path, and derivatives by all parameters, one row each, of the start and of the end."""

    end: np.ndarray
    of_start: np.ndarray
    of_end: np.ndarray


def slopes(system: Any, method: str, dt: float, steps: int) -> Slopes:
    """What the library has of path 0 by ``sensitivity=``."""
    model = NumericalSDE.of(system)
    names = tuple(dict.fromkeys(name for name, _ in system.workings.symbol_places))
    lifted = model.differentiated(sensitivities.tangents_of(model, names))
    start = start_slopes.with_slopes(
        InitialState.of(system, None, model=lifted), lifted, None, 0.0, validate=True, located=True
    )
    run = system.simulate(t_end=steps * dt, dt=dt, seed=SEED, method=method, save="final",
                          formulation=sd.Formulation(sensitivity=names))  # fmt: skip
    d, size = len(model.state_names), len(model.state_names) + len(model.coordinates)
    y, end = start.vector(lifted, 0.0)[:, 0], run.final.end["y"][0]
    return Slopes(
        np.concatenate([end[:d], run.final.end["stored"][0]]), y[d:].reshape(-1, size), end[d:].reshape(-1, size)
    )


def path_of(jax: Any, module: Any, noise: np.ndarray, dt: float) -> Callable[[Any, Any], Any]:
    """The end of a path as a function of start and parameters."""

    def end(y: Any, q: Any) -> Any:
        def step(y: Any, given: Any) -> Any:
            k, w = given
            return module.step(k * dt, y, q, dt, w), None

        return jax.lax.scan(step, y, (np.arange(len(noise), dtype=float), noise))[0]

    return end


def made_by(target: str) -> Callable[..., np.ndarray]:
    """What gives the ends."""
    if target in ("gcc", "clang"):
        command = compiler(target)
        return lambda system, method, dt, size: in_c(system, method, dt, command, size)
    function = {"numpy": in_numpy, "jax": in_jax, "casadi": in_casadi}[target]
    return lambda system, method, dt, _: function(system, method, dt)


def digest_of(program: ExportedProgram) -> str:
    """A digest of the instructions of a step, of their content alone."""
    content = [(p.first, list(map(tuple, p.instructions)), p.iteration) for p in program.step.phases]
    text = repr((content, program.step.results)).replace(", phases=1)", ")")  # as when most pairs were measured
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@lru_cache(maxsize=2)
def reference(system: Any, label: str, steps: int) -> tuple[dict[str, Any], np.ndarray | None]:
    """What all targets of so many steps have in common: the record of a pair so far, and the ends of the paths, if it has any."""
    method = integrator(label)
    try:
        for dt in LENGTHS[of_class(system) in FINER :]:
            run = run_of(system, method, dt, steps)
            if run.good.all():
                break
    except errors.SemidirectError as error:
        reason = str(error).splitlines()[0]
        try:
            program_of(system, method)
        except errors.SemidirectError as same:
            return {"refused": str(same).splitlines()[0], "by a run": reason}, None
        return {"refused by a run only": reason}, None
    try:
        program = program_of(system, method)
    except errors.SemidirectError as error:
        return {"refused": str(error).splitlines()[0]}, None
    row = {"digest": digest_of(program), "dt": dt}
    return (row, ends_of(run)) if run.good.all() else (row | {"no good path": True}, None)


def measured(system: Any, label: str, target: str) -> Mapping[str, Any]:
    """The difference of a pair in a target, or why there is none."""
    row, ends = reference(system, label, STEPS[target])
    if ends is None:
        return row
    try:
        mine = made_by(target)(system, integrator(label), row["dt"], len(ends))
    except RuntimeError as error:
        return row | {"error": str(error)[:200]}
    if np.array_equal(mine, ends):
        return row | {"difference": 0}
    return row | {"difference": float(f"{np.max(np.abs(mine - ends) / np.maximum(np.abs(ends), 1)):.1e}")}


def load() -> dict[str, dict[str, dict[str, Any]]]:
    """Target → system → method → what was measured."""
    record: dict[str, dict[str, dict[str, Any]]] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return record


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="*", default=list(STEPS))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--methods", nargs="*", default=[])
    parser.add_argument("--again", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in asked.only or systems():
        system = loaded(name)
        for label in asked.methods or METHODS:
            for target in asked.targets:
                record = load() if MEASURED.exists() else {}
                rows = record.setdefault(target, {}).setdefault(name, {})
                if label in rows and not asked.again:
                    continue
                rows[label] = measured(system, label, target)
                print(target, name, label, rows[label], flush=True)
                MEASURED.write_text(
                    json.dumps(record, indent=0, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
                )


if __name__ == "__main__":
    main()
