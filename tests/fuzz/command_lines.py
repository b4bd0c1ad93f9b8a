# ruff: noqa: E501
"""Random command lines, made from the parser itself so that every command and every option takes part.

``python tests/fuzz/command_lines.py 1500 --seed 1`` runs many of them; the tests run a fixed slice. A command line passes where
it ends within its time in an exit code that is documented, and where what it says of an error is ours.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import os
import random
import shlex
import tempfile
import warnings
from pathlib import Path

from limits import TooLong, large_run, time_limit

from semidirect.cli.entry import main, make_parser
from semidirect.engines.built_in import kernel_engine

SECONDS = 60
"""For one command line; the slowest that was seen takes 20 on a busy machine."""
CODES = {0, 1, 2}
SYSTEMS = ("rigid-body",) * 6 + ("heavy-top", "heavy-top", "chaplygin-sleigh", "rolling-disk")


def tower(depth: int, form: str) -> str:
    """An expression inside itself."""
    text = "M[0]"
    for _ in range(depth):
        text = form.format(text)
    return text


TEXTS = [
    "", " ", "\0", "a\0b", "\n", "é∞", "-1", "0", "1", "2.5", "nan", "inf", "-inf", "1e400", "1e-400", "9" * 40, "9" * 400, "9" * 5000,
    "99999999999999999999", "-99999999999999999999", "18446744073709551616", "true", "null", "[]", "{}", '""', "[[1],[2,3]]", "[1,",
    "=", "==", "a=b", "a=", "=1", ":", ",", ",,", "x:y:z", "..", "/", "/dev/null", "/proc/self/mem", "a" * 300, "a/" * 3000, "--",
    "semidirect:System", "os:system", "json:", ":x", "1:2", "%s%n", "{0}", "${HOME}", "\ud800", "\x1b[2J", "0x10", "1_000", "٣", "½",
]  # fmt: skip
EXPRESSIONS = [
    "M", "M[0]", "Omega", "Omega[0]", "energy", "dot(M, M)", "norm(M)", "M[0]**64", "(M[0]+M[1]+M[2])**64", tower(4, "({})**64"),
    tower(8, "({})**8"), tower(7, "(1+{})**2"), tower(30, "1/(1+{})"), tower(30, "sqrt(1+{})"), tower(90, "-{}"), tower(2000, "({})"),
    tower(60, "sin({})"), "2**64**64**64", "1e2500*M[0]", "1" * 5000, "10**400*M[0]", "M[99]", "M[-1]", "M[1e3]", "M+1", "M*M", "M/0",
    "0**0", "0**-1", "M[0]**M[1]", "M[0]**0.3333", "M[0]**1e300", "cross(M, 1)", "norm(1)", "sqrt(-1)", "sqrt(M[0])**63", "energy**20",
    "cross(cross(M,Omega),cross(M,cross(M,Omega)))", "__import__('os')", "M.real", "M if M else 0", "[M[0],M[1]]", "[[1]]", "lambda: 0",
    "*".join(["(M[0]+M[1]+1)"] * 60), "+".join(["M[0]"] * 99), "energy-energy", "dot(M,M)-dot(M,M)", "1", "t", "t**64", "sin(t)",
    "[sin(t), t, 0]", "exp(exp(exp(t)))", "1/(t-0.01)", "log(t)", "10**10**10", "(t+1)**1e9", "sqrt(2)*M[0]", "1/(1-1)", "1/(M[0]-M[0])",
]  # fmt: skip
STATE = [
    "Omega=[1,0,0]",
    "Omega=1e200",
    "Omega=[1e200,1,1]",
    "Gamma=[0,0,0]",
    "M=[1,2]",
    "g=[1,0,0]",
    "x=9",
    "Omega=[[1,2,3],[4,5,6]]",
]
BY_NAME: dict[str, list[str]] = {
    "settings": ["mass=2", "mass=1e300", "mass=1e-300", "inertia=[1,1,1]", "inertia=[1e-200,1e-200,1e-200]", "noise=[[0,0,0.1]]", "noise=[]",
                 "noise=[[1e200,0,0]]", "noise=[[]]", "advect_gamma=true", "gravity=0", "noise=" + "[" * 99 + "]" * 99],
    "state": STATE, "method": ["heun", "lie-heun", "rk4", "gauss(2)", "gauss(99999999999)", "gauss(0)", "sdelab(1e400)", "sdelab(.5)", "lift(heun)",
                               "lift(lift(heun))", "dop853", "dop853(1e-400,1)", "milstein(areas)", "rs1", "implicit-midpoint", "heun("],
    "methods": ["heun,lie-heun", "heun", "heun,heun", ",", "heun,nope", "dop853,heun", "rs1,rs2"],
    "reduce": ["moments", "covariance", "extremes", "moments:energy", "moments:energy,energy", "covariance:energy,Omega", "moments:",
               "histogram:energy,low=0,high=2,bins=5", "histogram:energy,low=0,high=2,bins=1e30", "histogram:energy,low=2,high=0,bins=5",
               "histogram:energy,low=0,low=1,high=2,bins=5", "histogram:energy,low=nan,high=inf,bins=5", "histogram:energy,low=[],high={},bins=5",
               "first-passage:energy,level=1", "first-passage:energy,level=[1]", "first-passage:Omega,level=1,component=1.5",
               "first-passage:energy,level=1,level=2", "moments:energy,kind=3", "covariance:quantities=3", "moments:quantities=[1]",
               "histogram:energy,low=0,high=1,bins=99999999999", "histogram:energy,low=0,high=1e-320,bins=4"],
    "stop": ["energy>=1", "Omega[0]<=0", "Omega>=1", "Omega[9]>=1", "energy>=nan", "energy>=1e999", "energy>=", "nope>=1", "Omega[99999999999999999999]>=0"],
    "bound": ["energy=10", "energy=0", "energy=-1", "energy=[1]", "Omega=1e400", "energy=1e-300", "energy=null", "energy=Infinity", "energy=-Infinity", "energy=NaN", "nope=1", "energy=" + "9" * 400],
    "keep": ["energy", "energy,Omega", "Omega,Omega", ",", "nope", "energy, "], "save": ["all", "final", "every:2", "every:99999999999999999999",
              "times:0.01", "times:nan", "times:1e300", "times:" + "9" * 400, "every:-1", "times:0.01,0.01", "times:0.02,0.01"],
    "driver": ["0", "sin(t)", "[sin(t), 0, 0]", "[0,0,0]", "1e400", "t**t", "1/t"], "noise_covariance": ["[[1]]", "[[1,0,0],[0,1,0],[0,0,1]]",
              "[[1,2,0],[2,1,0],[0,0,1]]", "[[1,0],[0]]", "[[1e200,0,0],[0,1,0],[0,0,1]]", "[]", "[[]]", "1"],
    "output": ["new.zarr", "run.zarr", "x.pgf", "x.png", "x.svg", "x.pdf", "x.txt", "x.", ".png", "nodir/x.png", "folder", "x.PNG", "x.png\0"],
    "source": [*["run.zarr"] * 4, "folder", "nope.zarr"], "run": [*["run.zarr"] * 8, "folder", "nope.zarr", "file.txt"], "config": ["run.toml", "run.toml", "file.txt", "folder", "nope.toml"], "write_config": ["new.toml", "run.toml", "folder", "nodir/x.toml"],
    "t_end": ["0.02", "0.01", "0", "-0.01", "0.015"], "t_start": ["0", "0.01", "-0.01", "0.005"], "dt": ["0.01", "0.005", "0", "-1", "1e-320"],
    "noise_dt": ["0.01", "0.005", "0.02", "0", "1e-9", "1e-300"], "levels": ["5", "6", "1", "0", "-1", "64"], "paths": ["2", "1", "0", "3"],
    "seed": ["0", "7", "-1", "-99"], "threads": ["1", "2", "0"], "degree": ["1", "2", "0", "-1", "300"], "stop_every": ["1", "0", "-2"],
    "restrict": ["Omega", "Omega1", "M", "nope", "Omega,M"], "times": ["sqrt(dot(M,M))", "1/energy", "0"], "factor": ["1", "energy", "0"],
    "rmse": ["0.5", "1", "0", "-1", "1e-320", "nan"], "along": ["drift", "noise", "both", "noise1", "noise9"], "t": ["0", "1e300", "1"], "label": ["(EP)", "nope"],
    "save_at": ["final"], "reduce_at": ["final", "all", "times:0.01", "every:0"], "reference": ["rk4", "dop853", "heun", "gauss(2)"],
}  # fmt: skip
QUANTITIES = ("quantity", "observable", "prove", "times", "factor", "driver")
_STUDY = {"t_end": "0.08", "dt": "0.04", "levels": "5", "paths": "2"}
SMALL = {"run": {"t_end": "0.02", "paths": "2"}, "convergence": _STUDY, "compare": _STUDY,
         "multilevel": {"t_end": "0.08", "dt": "0.02", "rmse": "0.5"},
         "lyapunov": {"t_end": "0.02", "dt": "0.01", "every": "1"}}  # fmt: skip
LARGE = {"reproduce": ("config",), "audit": ("label",), "multilevel": ("quantity",)}
"""Commands that do much where nothing is wrong: what is given to them is not what they know."""
OFTEN = ("run",) * 6 + ("convergence", "compare", "invariants", "evolution", "plot") * 2
"""Commands with many options, drawn more often than others."""
ALONE = ("help", "debug", "version")


class CommandLines:
    """An endless sequence of command lines, the same for the same seed."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._commands = make_parser().commands

    def __iter__(self):
        return self

    def __next__(self) -> list[str]:
        draw = self._random
        name = draw.choice([*sorted(self._commands), *OFTEN])
        actions = [a for a in self._commands[name].arguments() if a.dest not in ALONE]
        chosen: list[tuple[argparse.Action, str | None]] = []
        options = [a for a in actions if a.option_strings]
        for action in draw.sample(options, min(len(options), draw.choice((0, 1, 1, 1, 1, 2, 2, 3)))):
            chosen.append((action, None if action.nargs == 0 else self._value(name, action)))
        given = {a.dest for a, _ in chosen}
        for dest, value in SMALL.get(name, {}).items():
            if dest not in given:
                chosen.append((next(a for a in options if a.dest == dest), value))
        required = [a for a in options if a.required and a.dest not in given]
        chosen += [(a, self._value(name, a)) for a in required if draw.random() < 0.9]
        if name == "check":
            chosen += [(a, None) for a in options if a.dest == "quick" and a.dest not in given]
        line = [name]
        for action, value in chosen:
            flag = draw.choice(action.option_strings)
            line += [flag] if value is None else [f"{flag}={value}"] if flag.startswith("--") else [flag, value]
        line += [self._value(name, a) for a in actions if not a.option_strings and a.nargs != "*"]
        if name in LARGE and not set(LARGE[name]) & {a.dest for a, _ in chosen}:
            line.append(draw.choice(TEXTS))  # not all of it again and again
        return line

    def _value(self, command: str, action: argparse.Action) -> str:
        draw, dest = self._random, action.dest
        if action.choices and draw.random() < 0.9:
            return str(draw.choice(list(action.choices)))
        if draw.random() < (0.04 if not action.option_strings else 0.2):
            return draw.choice(TEXTS)
        if dest == "name" and command != "new":
            return draw.choice(SYSTEMS)
        if dest in QUANTITIES and draw.random() < 0.9:
            return draw.choice(EXPRESSIONS)
        value = draw.choice(BY_NAME.get(dest, TEXTS))
        if dest in ("settings", "state", "bound") and draw.random() < 0.2:
            return f"{value.partition('=')[0]}={draw.choice(TEXTS)}"
        return value


def outcome(line: list[str]) -> str:
    """What is wrong with what a command line does: empty, or the reason."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            warnings.catch_warnings(),
            time_limit(SECONDS),
        ):
            warnings.simplefilter("ignore")
            code = main(line)
    except TooLong as late:
        return f"does not end within {SECONDS} s: {late}"
    except BaseException as error:  # main returns a code whatever happens
        return f"raises {type(error).__name__}: {error}"
    said = err.getvalue()
    if "unexpected " in said:
        return said.strip()[-400:]
    if code not in CODES:
        return f"exit code {code}"
    return "" if code != 2 or said.strip() else "exit code 2 without a word"


@contextlib.contextmanager
def prepared_folder():
    """A folder with a run, a folder and a file, in which command lines are run."""
    before, worth = Path.cwd(), (kernel_engine.WORTH_COMPILING, kernel_engine.WORTH_LOADING)
    kernel_engine.WORTH_COMPILING = kernel_engine.WORTH_LOADING = (
        math.inf
    )  # array code: the same bits, and nothing is compiled
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("folder").mkdir()
            Path("file.txt").write_text("nothing = [", encoding="utf-8")
            Path("run.toml").write_text('system = "rigid-body"\nt-end = 0.02\nkeep = "energy"\n', encoding="utf-8")
            made = "run rigid-body --t-end 0.02 --paths 2 --save all -o run.zarr".split()
            with contextlib.redirect_stdout(io.StringIO()):
                assert main(made) == 0
            yield Path(folder)
        finally:
            os.chdir(before)
            kernel_engine.WORTH_COMPILING, kernel_engine.WORTH_LOADING = worth


def failures(count: int, seed: int, say=lambda text: None) -> list[tuple[list[str], str]]:
    """The command lines, of ``count``, that do not pass, each with the reason."""
    found = []
    with prepared_folder():
        for number, line in zip(range(count), CommandLines(seed), strict=False):
            reason = outcome(line)
            if reason:
                found.append((line, reason))
                say(f"{number}: semidirect {shlex.join(line)[:300]}\n    {reason}")
    return found


if __name__ == "__main__":
    large_run("command lines", failures, __doc__)
