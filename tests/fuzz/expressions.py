# ruff: noqa: E501
"""Random expressions, of the grammar of quantities and of what stands beside it.

``python tests/fuzz/expressions.py 20000 --seed 1`` makes many of them; the tests make a fixed slice. An expression passes where it
has a value and a unit, or raises an error of :mod:`semidirect.core.errors`.
"""

from __future__ import annotations

import random
import warnings

import numpy as np
from limits import TooLong, large_run, time_limit

import semidirect as sd
from semidirect.core.errors import SemidirectError

SECONDS = 20
NAMES = [
    "M",
    "M1",
    "M3",
    "energy",
    "Omega",
    "Omega2",
    "g",
    "g12",
    "t",
    "pi",
    "inertia",
    "momentum_squared",
    "nope",
    "M9",
    "g99",
    "True",
    "None",
]
NUMBERS = [
    "0", "1", "2", "0.5", "-1", "10", "64", "65", "1/3", "0.0", ".5", "1e5", "1e308", "1e400", "1e-400", "1e2500", "1e9999999", "1e99999999999999999999",
    "9" * 400, "9" * 5000, "1j", "0x10", "1_0", "True", "'a'", "b'a'", "...",
]  # fmt: skip
FUNCTIONS = [
    "dot",
    "cross",
    "norm",
    "sqrt",
    "abs",
    "absolute",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "atan2",
    "where",
    "nope",
    "max",
]
USUAL, UNUSUAL = ["+", "-", "*", "/", "**"], ["//", "%", "@", "^", "&", "<", "=="]
INDICES = ["0", "1", "2", "3", "99", "-1", "1:2", "0,1", "0,0", "1e3", "M", "None", "True", "9" * 30]
OTHERS = [
    "lambda: 0", "(yield)", "[x for x in M]", "f'{M}'", "M:=1", "*".join(["energy"] * 300), "+".join(["M"] * 2500), "-" * 150 + "M1",
    "(" * 150 + "M1" + ")" * 150, "sqrt(" * 95 + "M1" + ")" * 95, "M1" + "[0]" * 900, "M1" + "**1" * 300, "-" * 3000 + "1*M1",
]  # fmt: skip


def expression(draw: random.Random, depth: int) -> str:
    """An expression of some depth, most of whose parts fit."""
    if depth <= 0 or draw.random() < 0.15:
        return draw.choice(NAMES if draw.random() < 0.6 else NUMBERS)

    def inner() -> str:
        return expression(draw, depth - 1)

    match draw.randrange(14):
        case 0 | 1 | 2 | 3 | 4:
            return f"({inner()}{draw.choice(UNUSUAL if draw.random() < 0.1 else USUAL)}{inner()})"
        case 5 | 6 | 7:
            return _call(draw, inner)
        case 8:
            return f"{inner()}[{draw.choice(INDICES)}]"
        case 9:
            return f"[{','.join(inner() for _ in range(draw.randrange(4)))}]"
        case 10:
            return f"{draw.choice(['-', '+', '~', 'not '])}{inner()}"
        case 11:
            return f"({inner()}**{draw.choice(NUMBERS)})"
        case 12:
            return f"({inner()}*1e308*10)"
    return draw.choice(
        [
            *OTHERS,
            f"({inner()})({inner()})",
            f"({inner()} if {inner()} else {inner()})",
            f"{inner()}.real",
            f"({inner()},)",
        ]
    )


def _call(draw: random.Random, inner) -> str:
    name, arguments = draw.choice(FUNCTIONS), [inner() for _ in range(draw.choice((0, 1, 1, 2, 2, 3, 4)))]
    if name == "where" and draw.random() < 0.8:
        arguments = [f"{inner()}{draw.choice(['<', '<=', '>', '==', '<1<'])}{inner()}", inner(), inner()]
    if draw.random() < 0.05:
        arguments.append(f"{draw.choice(['x=', '*'])}{inner()}")
    return f"{name}({','.join(arguments)})"


def outcome(function, text: str) -> str:
    """What is wrong with what a function makes of an expression: empty, or the reason."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), time_limit(SECONDS):
            warnings.simplefilter("ignore")
            value = function(text)
    except SemidirectError:
        return ""
    except TooLong as late:
        return f"does not end within {SECONDS} s: {late}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return "" if isinstance(value, (str, np.ndarray, sd.noise.DrivingPath)) else f"{type(value).__name__} as a result"


def failures(count: int, seed: int, say=lambda text: None) -> list[tuple[str, str]]:
    """The expressions, of ``count``, that do not pass, each with the reason."""
    run = sd.load("rigid-body").simulate(t_end=0.02, dt=0.01, paths=2, seed=1)
    draw, found = random.Random(seed), []
    readers = {
        "run[...]": run.__getitem__,
        "run.data.unit": run.data.unit,
        "path": lambda text: sd.noise.DrivingPath.from_expression(text.replace("M1", "t")),
    }
    for number in range(count):
        text = expression(draw, draw.choice((1, 2, 3, 4)))
        for name, function in readers.items():
            reason = outcome(function, text)
            if reason:
                found.append((f"{name} of {text[:200]}", reason))
                say(f"{number}: {name} of {text[:200]}\n    {reason[:300]}")
    return found


if __name__ == "__main__":
    large_run("expressions", failures, __doc__)
