"""brian2: C++ standalone, its Stratonovich method ``heun``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any, ClassVar

import brian2
import numpy as np
import sympy
from problems import AMPLITUDE, DT, Problem

from competitors.competitor import Competitor


class Brian2Heun(Competitor):
    """A group of neurons, one a path; the time is that of its loop, without the start of its program and its files."""

    label: ClassVar[str] = "brian2 C++"

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Write, compile and link the program; ``run`` executes it."""
        brian2.device.reinit()
        brian2.device.activate()
        brian2.set_device("cpp_standalone", build_on_run=False, directory=tempfile.mkdtemp(prefix="semidirect-brian2-"))
        brian2.prefs.codegen.cpp.extra_compile_args_gcc = ["-w", "-O3", "-ffast-math", "-march=native", "-std=c++11"]
        brian2.defaultclock.dt = dt * brian2.second
        group = brian2.NeuronGroup(paths, equations(problem), method="heun", name="paths",
                                    namespace=velocities(problem))  # fmt: skip
        for name, value in zip(NAMES, problem.start, strict=True):
            setattr(group, name, value)
        brian2.run(steps * dt * brian2.second)
        brian2.device.build(run=False, compile=True)

        def run(seed: int) -> Any:
            brian2.device.run()  # its program seeds itself anew
            return np.array([np.array(getattr(group, name)[:]) for name in NAMES]), brian2.device._last_run_time

        return run

    def states(self, result: Any) -> np.ndarray:
        """The first of the pair."""
        return np.asarray(result[0])

    def own_seconds(self, result: Any) -> float | None:
        """What its program measured around its loop."""
        return float(result[1])


NAMES = ("M1", "M2", "M3", "G1", "G2", "G3")
FUNCTIONS = ("velocity_1", "velocity_2", "velocity_3")


def equations(problem: Problem) -> str:
    """The equations as text; Ω by functions, since brian2 would multiply the ball's fractions out."""
    y = sympy.symbols(NAMES)
    Omega = sympy.symbols("O1 O2 O3")
    shared = _WithVelocity(problem, Omega)
    drift = shared.increment(y, sympy.Integer(1), (0, 0, 0))
    noises = [shared.increment(y, sympy.Integer(0), [AMPLITUDE * int(i == k) for i in range(3)]) for k in range(3)]
    lines = [f"{O} = {f}({', '.join(NAMES)}) : 1" for O, f in zip(Omega, FUNCTIONS, strict=True)]
    for i, name in enumerate(NAMES):
        noise = " + ".join(
            f"({sympy.sstr(g[i])})*xi_{k + 1}*second**-0.5" for k, g in enumerate(noises) if sympy.expand(g[i]) != 0
        )
        lines.append(f"d{name}/dt = ({sympy.sstr(drift[i])})/second + {noise} : 1")
    return "\n".join(lines)


def velocities(problem: Problem) -> dict[str, brian2.Function]:
    """Ω as C++ functions, which the compiler puts in line."""
    found = {}
    for name, value in zip(FUNCTIONS, problem.velocity(sympy.symbols(NAMES)), strict=True):
        shared, (result,) = sympy.cse(value)
        body = "".join(f"const double {k} = {sympy.ccode(v)}; " for k, v in shared)
        arguments = ", ".join(f"double {n}" for n in NAMES)
        code = f"static inline double {name}({arguments}) {{ {body}return {sympy.ccode(result)}; }}"
        function = brian2.Function(_never, arg_units=[1] * 6, return_unit=1)
        function.implementations.add_implementation("cpp", code)
        found[name] = function
    return found


def _never(*arguments: float) -> float:
    raise NotImplementedError("only C++ calls it")


class _WithVelocity:
    """The increments of a problem with Ω a symbol."""

    def __init__(self, problem: Problem, Omega: Any):
        self.problem, self.Omega = problem, Omega
        self.source, self.inertia = problem.source, problem.inertia

    def velocity(self, y: Any) -> Any:
        return self.Omega

    def increment(self, y: Any, dt: Any, n: Any) -> Any:
        return Problem.increment(self, y, dt, n)  # type: ignore[arg-type]


def competitors() -> dict[str, Competitor]:
    """One."""
    return {"brian2": Brian2Heun()}
