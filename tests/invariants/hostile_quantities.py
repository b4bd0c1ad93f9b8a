"""Quantities that are identically conserved, or not, made to deceive a proof: roots, norms, absolute values, nested radicals.

Each is known to be conserved or not by the way it is made. ``python tests/invariants/hostile_quantities.py 250 20`` asks
for 250 quantities of each of 20 seeds and prints how many verdicts were wrong and how many were left undecided; a third number
is the first seed.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from systems import RollerRacer, RollingByCovectors

import semidirect as sd
from semidirect.core.errors import InputError
from semidirect.invariants import prove


@dataclass(frozen=True)
class Setting:
    """A system with integrals of its drift, quantities that move, numbers with their squares, and positive functions."""

    system: Any
    integrals: tuple[str, ...]
    moving: tuple[str, ...]
    vectors: tuple[tuple[str, str], ...]
    """Vectors and their lengths, where these are constant."""
    positive: tuple[str, ...]
    parameters: tuple[str, ...]
    always: tuple[str, ...] = ()
    """Integrals of all columns."""


def settings() -> list[Setting]:
    """Systems of different kinds: a free body, a top, balls that roll, a sleigh, a body in a fluid."""
    gamma = (("Gamma", "1"), ("2*Gamma", "2"), ("cross(Gamma, Gamma) - 3*Gamma", "3"))
    above = ("(2 - Gamma[1])", "(3 + Gamma[0]*Gamma[1])", "(5 - 2*Gamma[2])", "(1 + Gamma[0]**2)")
    return [
        Setting(
            sd.load("rigid-body", inertia=(11, 11, 16.5)), ("energy", "dot(M, M)", "Omega[2]"), ("Omega[0]", "Omega[1]"),
            (), ("(1 + dot(Omega, Omega))", "(2 + Omega[0]**4)", "(energy + 1)"), ("inertia[0]", "inertia[2]"), ("dot(M, M)",),
        ),
        Setting(
            sd.load("rigid-body", inertia=(1.25, 2, 3)), ("energy", "dot(M, M)"), ("Omega[0]", "Omega[1]", "Omega[2]"),
            (), ("(1 + dot(Omega, Omega))", "(2 + Omega[0]**4)"), ("inertia[0]", "inertia[1]"), ("dot(M, M)",),
        ),
        Setting(
            sd.load("heavy-top"), ("energy", "dot(M, Gamma)", "Omega[2]"), ("Omega[0]", "Gamma[0]", "Gamma[2]"),
            gamma, above, ("inertia[0]", "arm", "mass"), ("dot(M, Gamma)",),
        ),
        Setting(
            sd.load("routh-sphere", radius=1.5), ("energy", "jellett", "routh"), ("Omega[0]", "Omega[2]", "Gamma[1]"),
            (*gamma, ("s - offset*axis", "3/2")), (*above, "Q"), ("radius", "offset", "inertia[0]"),
        ),
        Setting(
            sd.load("chaplygin-ball"), ("energy", "dot(M, M)", "dot(M, Gamma)"), ("Omega[0]", "Omega[1]", "Gamma[0]"),
            gamma, above, ("radius", "inertia[1]"),
        ),
        Setting(
            sd.load("chaplygin-sleigh", noise=[]), ("energy",), ("omega", "speed"),
            (), ("(1 + omega**2)", "(2 + speed**2*omega**2)"), ("mass", "inertia"),
        ),
        Setting(
            sd.load("kirchhoff-body"), ("energy", "dot(P, P)"), ("Omega[0]", "Y[1]"),
            (), ("(1 + dot(Y, Y))", "(3 + Omega[1]**2)"), ("masses[0]", "inertia[1]"), ("dot(P, P)",),
        ),
        Setting(
            RollingByCovectors(), ("energy", "jellett"), ("Omega[0]", "Omega[2]", "Gamma[1]"), gamma, above,
            ("mass", "inertia[0]", "offset"),
        ),
        *(
            Setting(
                RollerRacer(form=form), ("energy",), (*rates, "e[0]"), (("e", "1"), ("3*e", "3")),
                ("(2 - e[0])", "(1 + e[1]**2)", "(energy + 1)"), ("mass", "first"),
            ) for form, rates in (("A", ("v[0]", "steer")), ("B", ("speed", "hinge_rate")))
        ),
    ]  # fmt: skip


class Maker:
    """Makes texts that are 0 identically, or nowhere defined as 0, on one system."""

    def __init__(self, setting: Setting, draw: random.Random):
        self.setting, self.draw = setting, draw

    def pick(self, some: Any) -> Any:
        """One of several."""
        return self.draw.choice(list(some))

    def whole(self) -> int:
        """A small number that is not 0."""
        return self.pick((-1, 1)) * self.draw.randint(1, 9)

    def linear(self) -> str:
        """A function of both signs."""
        a, b = self.draw.sample(self.setting.moving, 2)
        return self.pick((a, f"({a} + {self.whole()}*{b})", f"({a} - {self.draw.randint(2, 5)})", f"({a}*{b} - 1)"))

    def vanishing(self) -> str:
        """What is 0 for a reason that has to be found."""
        x, y, n = self.linear(), self.linear(), self.draw.randint(2, 12)
        p, q = self.pick(self.setting.positive), self.pick(self.setting.positive)
        k = self.pick(self.setting.parameters)
        made = [
            f"(sqrt({p}**2) - {p})",
            f"(sqrt({p}*{q}) - sqrt({p})*sqrt({q}))",
            f"(sqrt({n * n}*{p}) - {n}*sqrt({p}))",
            f"(absolute({p}) - {p})",
            f"(sqrt({x}**2) - absolute({x}))",
            f"(absolute({x})*absolute({y}) - absolute({x}*{y}))",
            f"(absolute({x}*{p}) - absolute({x})*{p})",
            f"(sqrt({x}**2*{p}) - absolute({x})*sqrt({p}))",
            f"(sqrt({k}**2) - {k})",
            f"(sqrt({k}**2*{n}**2) - {n}*{k})",
            f"(sqrt(({x} + {y})**2) - absolute({y} + {x}))",
            f"(sqrt({x}**2 + 2*{x}*{y} + {y}**2) - absolute({x} + {y}))",
            f"(absolute({x})**2 - {x}**2)",
            f"(sqrt({n}) *sqrt({n + 1}) - sqrt({n * (n + 1)}))",
            f"(sqrt({2 * n + 1} + 2*sqrt({n * (n + 1)})) - sqrt({n}) - sqrt({n + 1}))",
            f"(sqrt({p} + {q} + 2*sqrt({p}*{q})) - sqrt({p}) - sqrt({q}))",
            f"(sqrt({p} + 1 + 2*sqrt({p})) - 1 - sqrt({p}))",
            f"(sqrt(sqrt({p}**4)) - {p})",
            f"(sqrt(sqrt({x}**4)) - absolute({x}))",
            f"(1/(sqrt({p}) + 1)*({p} - 1) - sqrt({p}) + 1)",
            f"(1/(sqrt({p}) - sqrt({p} + {n})) + (sqrt({p}) + sqrt({p} + {n}))/{n})",
            f"(sqrt({p} + sqrt({q}))**2 - {p} - sqrt({q}))",
            f"(sqrt({p}/{q}) - sqrt({p})/sqrt({q}))",
            f"(({x} + absolute({x}))*({x} - absolute({x})))",
            f"(absolute(absolute({x}) + {p}) - absolute({x}) - {p})",
            f"({p}**1.5 - {p}*sqrt({p}))",
            f"(sqrt({k}**2 + {p}**2 + 2*{k}*{p}) - {k} - {p})",
            f"(sqrt({p} + {q} + 1 + 2*sqrt({p}) + 2*sqrt({q}) + 2*sqrt({p}*{q})) - 1 - sqrt({p}) - sqrt({q}))",
            f"(sqrt({x}**2 + 2*absolute({x})*sqrt({p}) + {p}) - absolute({x}) - sqrt({p}))",
            f"(sqrt({k} + sqrt({k}**2 - ({k} - 1/{n})**2)) - sqrt({k}/2 + ({k} - 1/{n})/2) - sqrt({k}/2 - ({k} - 1/{n})/2))",
            f"(sqrt(sqrt({k}**2*{p}**2) + {n}) - sqrt({k}*{p} + {n}))",
            f"(({x} + {y} + absolute({x} - {y}))*({x} + {y} - absolute({x} - {y})) - 4*{x}*{y})",
            f"(absolute({x} + {y} + absolute({x} - {y})) + absolute({x} + {y} - absolute({x} - {y}))"
            f" - 2*absolute({x}) - 2*absolute({y}))",
            f"(absolute({x} + {y}) + absolute({x} - {y}) - absolute({x}) - absolute({y})"
            f" - absolute(absolute({x}) - absolute({y})))",
            f"(sin({x})**2 + cos({x})**2 - 1)",
            f"(sin({x} - {y}) + sin({y} - {x}))",
            f"(cos({x}*{p}) - cos(-{p}*{x}))",
            f"(sqrt(1 - sin({x})**2) - absolute(cos({x})))",
            f"(sqrt({p} + sin({y})**2 + cos({y})**2) - sqrt({p} + 1))",
            f"(1e200*1e150*({p} - sqrt({p}**2))*1e308)",
            f"(1e-300*1e-300*sqrt(1e308*{p}) - sqrt({p})*1e-300*1e-146)",
        ]
        if self.setting.vectors:
            v, length = self.pick(self.setting.vectors)
            made += [
                f"(norm({v}) - {length})", f"(norm({n}*({v})) - {n}*{length})", f"({x}*norm({v}) - {length}*{x})",
                f"(absolute(({length})**2 - dot({v}, {v}) + {p}) - {p})",
            ]  # fmt: skip
        if self.setting.vectors and self.setting.vectors[0][0] == "Gamma":
            made.append("(sqrt(1 - Gamma[0]**2 - Gamma[1]**2) - absolute(Gamma[2]))")
        return self.pick(made)

    def other(self) -> str:
        """What looks like that and is not 0, nor constant; it may be 0 in a part of the states."""
        x, y = self.draw.sample(self.setting.moving, 2)  # each takes both signs, in all combinations
        x, n = self.pick((x, f"({x} + {self.whole()}*{y})")), self.draw.randint(2, 12)
        p, q = self.pick(self.setting.positive), self.pick(self.setting.positive)
        k = self.pick(self.setting.parameters)
        made = [
            f"(sqrt({p}**2) + {p})",
            f"(sqrt({p}*{q}) + sqrt({p})*sqrt({q}))",
            f"(sqrt({n * n + 1}*{p}) - {n}*sqrt({p}))",
            f"(sqrt({x}**2) - {x})",
            f"(absolute({x}) + {x})",
            f"(absolute({y})*absolute({x}) - {y}*{x})" if x[0] != "(" else f"(absolute({x}) - {x})",
            f"(sqrt({x}**2*{p}) - {x}*sqrt({p}))",
            f"(sqrt({k}**2) + {k})",
            f"(sqrt({k}**2*{n}**2) - {n + 1}*{k})",
            f"(sqrt({n}) *sqrt({n + 1}) + sqrt({n * (n + 1)}))",
            f"(sqrt({2 * n + 1} + 2*sqrt({n * (n + 1)})) - sqrt({n}) + sqrt({n + 1}))",
            f"(sqrt({p} + 1 + 2*sqrt({p})) + 1 - sqrt({p}))",
            f"(sqrt(sqrt({x}**4)) - {x})",
            f"(1/(sqrt({p}) + 1)*({p} - 1) - sqrt({p}) - 1)",
            f"(sqrt({p} + sqrt({q}))**2 - {p} + sqrt({q}))",
            f"(absolute(absolute({x}) + {p}) - absolute({x}) + {p})",
            f"({p}**1.5 + {p}*sqrt({p}))",
            f"(sqrt({k}**2 + {p}**2 + 2*{k}*{p}) - {k} + {p})",
            f"(sqrt({p} + {q} + 1 + 2*sqrt({p}) + 2*sqrt({q}) + 2*sqrt({p}*{q})) - 1 - sqrt({p}) + sqrt({q}))",
            f"(sqrt({x}**2 + 2*absolute({x})*sqrt({p}) + {p}) - {x} - sqrt({p}))",
            f"(sqrt(sqrt({k}**2*{p}**2) + {n}) - sqrt({k}*{p} + {n + 1}))",
            f"(absolute({x} + {y} + absolute({x} - {y})) - {x} - {y} - absolute({x} - {y}))",
            f"(sqrt(sin({x})**2) - sin({x}))",
            f"(sin({x})**2 - cos({x})**2 + 1)",
            f"(1e-308*1e-308*sqrt({p}))",
            f"(1e308*1e308*({p} - sqrt({p}**2 + 1e-300)))",
            f"({self.pick(self.setting.integrals)} - {self.whole()}/7)",
        ]
        if self.setting.vectors:
            v, length = self.pick(self.setting.vectors)
            made += [f"(norm({v}) + {length})", f"(norm({n}*({v})) - {n + 1}*{length})"]
        return self.pick(made)

    def scale(self) -> str:
        """A number of any size."""
        return self.pick(("1", f"{self.whole()}", "1e200", "1e-40", "3e-200", "2407488753199333589", "0.1", "(1/7)"))

    def integral(self) -> str:
        """A conserved quantity, or a function of one."""
        i = self.pick(self.setting.integrals)
        return self.pick((i, f"{i}**2", f"sqrt(1 + {i}**2)", f"absolute({i})", "7", f"{self.scale()}*{i}"))


def quantities(setting: Setting, seed: int) -> Iterator[tuple[str, bool, str]]:
    """Endless: an expression, whether it is conserved, and along which columns."""
    make = Maker(setting, random.Random(seed))
    while True:
        kept = make.draw.random() < 0.5
        factor = make.pick((make.pick(setting.moving), make.linear(), make.pick(setting.positive) if kept else "1"))
        part = make.vanishing() if kept else f"{make.pick(setting.moving)}*{make.other()}"
        text = f"{make.scale()}*{factor}*{part}"
        along = "both" if make.draw.random() < 0.2 else "drift"
        if make.draw.random() < 0.5:
            given = make.pick(("7", *setting.always)) if along == "both" else make.integral()
            text = f"{given} + {text}"
        if kept and make.draw.random() < 0.3:
            text = f"{text} + {make.scale()}*{make.pick(setting.moving)}*{make.vanishing()}"
        yield text, kept, along


def tally(count: int, seeds: range, show: bool = True) -> Counter[str]:
    """Verdicts on ``count`` quantities of each seed, and the wrong ones printed."""
    found: Counter[str] = Counter()
    everything = settings()
    for seed in seeds:
        makers = [quantities(s, 1000 * seed + i) for i, s in enumerate(everything)]
        for i in range(count):
            setting = everything[i % len(everything)]
            while True:
                text, kept, along = next(makers[i % len(everything)])
                try:
                    kind = (
                        "generic" if i % 5 == 3 and "3/2" not in text else "given"
                    )  # a length of 3/2 is that of one radius
                    proof = prove(setting.system, text, along=along, parameters=kind, symbolic=bool(i % 2))
                    break
                except InputError as error:
                    if "too large" not in str(error):  # the work of an expression is bounded: take another
                        raise
            each = [v.holds for v in proof.verdicts]
            holds = False if False in each else None if None in each else True
            name = {None: "undecided", True: "conserved", False: "not conserved"}[holds]
            # what is not conserved moves along the drift; noises may keep it
            wrong = (holds is not None and holds is not kept) or (proof.verdicts[0].holds is True and not kept)
            found[("wrong" if wrong else name) + (", of those that are" if kept else ", of those that are not")] += 1
            if show and (wrong or holds is None):
                print(
                    f"{'WRONG' if wrong else 'undecided'}: {type(setting.system).__name__}: {text}: {proof}",
                    flush=True,
                )
    return found


def main() -> None:
    """Print the tally."""
    count, seeds, first = (*map(int, sys.argv[1:]), 0)[:3]
    started = time.perf_counter()
    found = tally(count, range(first, first + seeds))
    total = sum(found.values())
    print(f"{total} quantities, {seeds} seeds from {first}, {time.perf_counter() - started:.0f} s")
    for name, number in sorted(found.items()):
        print(f"  {name}: {number}")
    undecided = sum(n for name, n in found.items() if name.startswith("undecided"))
    print(f"  share undecided: {undecided / total:.4f}")


if __name__ == "__main__":
    main()
