"""Printed derivations held against the definition: every line, with random numbers for every letter."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import numpy as np
import sympy as sp
from latex_reader import lines_of
from latex_width import TEXT_POINTS, widest
from library_pages import start_turned
from page_reader import SUBSCRIPTS, SUPERSCRIPTS, Reader, component

import semidirect as sd
from semidirect.equations.kinematics import SymbolicDefinition
from semidirect.pages.derivation import Derivation
from semidirect.pages.notation import unicode_name
from semidirect.testing.laws.derivations import exact_parameters


class PrintedDerivation:
    """A derivation, and the truth about its lines from bracket, representations and the expressions of the definition."""

    def __init__(self, system: sd.System, within: float = 1e-13):
        self.system, self.within, self.worst = system, within, 0.0
        self.derivation = Derivation(system)
        self.plain = SymbolicDefinition.of(system.workings.symbolic_definition())
        s, d, random = self.plain, self.plain.definition, Random(2)
        x = self.derivation
        every = [
            *x.variation.p,
            *x.variation.v,
            *x.variation.eta,
            *x.variation.deta,
            *x.variation.slope,
            *x.variation.w,
            *s.xi,
            *s.a,
            *s.z,
            s.t,
            s.dt,
            *s.dW,
            *s.formal[0],
            *s.p,
            *d.parameters,
        ]
        self.numbers = {symbol: random.uniform(0.3, 1.2) for symbol in dict.fromkeys(every)}
        self.numbers |= {symbol: float(x) for symbol, x in s.constants.items()}
        if d.by_hamiltonian:
            self.numbers |= {x: float(v) for x, v in exact_parameters(system).items() if x in self.numbers}
            self.numbers |= {
                x: float(v) for x, v in zip(self.derivation.variation.p, start_turned(system), strict=True)
            }
        self.numbers |= {symbol: self.numbers[y] for symbol, y in zip(s.p, x.variation.p, strict=False)}
        if s.velocity is not None:
            self.numbers |= {y: self.of(e) for y, e in zip(s.xi, s.velocity, strict=True)}
        for letter in x.variation.setting.letters:
            self.numbers |= {y: self.of(e) for y, e in zip(letter.symbols, letter.expressions, strict=True)}
        formal = dict(zip(s.formal[0], s.formal[1], strict=True))
        self.numbers |= {k: self.of(e) for k, e in formal.items()}
        self.sizes = [part.stop - part.start for part in d.group.blocks.values()]
        self._truth()

    def of(self, expression: Any) -> float:
        """The value of an expression of the plain definition."""
        e = sp.sympify(expression)
        return float(e.xreplace({x: sp.Float(self.numbers[x], 30) for x in e.free_symbols}))

    def all(self, array: Any) -> np.ndarray:
        """The values of an array of expressions."""
        flat = [self.of(e) for e in np.ravel(np.asarray(array, dtype=object))]
        return np.array(flat).reshape(np.shape(array))

    def slope(self, expressions: Any, along: dict[sp.Symbol, float]) -> np.ndarray:
        """The change of expressions along rates of their symbols."""
        flat = [sum(self.of(sp.diff(e, x)) * rate for x, rate in along.items() if sp.sympify(e).has(x))
                for e in np.ravel(np.asarray(expressions, dtype=object))]  # fmt: skip
        return np.array(flat, dtype=float).reshape(np.shape(expressions))

    def _truth(self) -> None:
        x, s, d = self.derivation.variation, self.plain, self.plain.definition
        self.p, self.v, self.eta, self.deta, self.l_a, self.w = map(self.all, (x.p, x.v, x.eta, x.deta, x.slope, x.w))
        a, rates = self.all(s.a), self.all([s.dt, *s.dW])
        self.force = sum((self.all(f) * r for f, r in zip(s.forces, rates, strict=True)), np.zeros(len(self.eta)))

        def acted(eta: np.ndarray) -> np.ndarray:
            parts = [-np.asarray(d.advected[k].representation.action(eta, a[part]), dtype=float)
                     for k, part in d.advected_layout.items()]  # fmt: skip
            return np.concatenate(parts) if parts else np.zeros(0)

        self.delta_a, self.da = acted(self.eta), acted(self.v)
        self.fields = [self.slope(f, dict(zip(s.a, self.delta_a, strict=True))) for f in s.fields]

        def integrand(eta: np.ndarray, deta: np.ndarray) -> float:
            change = acted(eta)
            moved = deta + np.asarray(d.group.bracket(self.v, eta), dtype=float)
            sign, along, random = 1 if s.hamiltonian is None else -1, dict(zip(s.a, change, strict=True)), 0.0
            for field, h, rate in zip(s.fields, s.noise_hamiltonians, rates[1:], strict=True):
                if h is None:
                    moved = moved - self.slope(field, along) * rate
                else:
                    random = random - self.slope([h], along)[0] * rate
            return float(self.p @ moved + sign * self.l_a @ change * rates[0] + self.force @ eta + random)

        self.integrand = integrand(self.eta, self.deta)
        self.f = np.array([integrand(e, np.zeros(len(e))) for e in np.eye(len(self.eta))])
        B = s.distribution.basis
        dz = sum((self.all(c) * r for c, r in zip(s.internal, rates, strict=True)), np.zeros(len(s.z)))
        moving = dict(zip((*s.a, *s.z, s.t), (*self.da, *dz, rates[0]), strict=True))
        self.B, self.dB = self.all(B), self.slope(B, moving)
        self.V = self.B if s.distribution.test is None else self.all(s.distribution.test)
        self.varied = self.deta + np.asarray(d.group.bracket(self.v, self.eta), dtype=float)

    # -- names -----------------------------------------------------------------------------------------------------

    def _known(self) -> dict[str, Any]:
        x, s = self.derivation, self.plain
        known: dict[str, Any] = {}
        x.writer.page(latex=False)
        vectors: dict[str, dict[int, float]] = {}
        for symbol, (letter, i) in x.writer.letters.items():
            if symbol in self.numbers:
                vectors.setdefault(letter, {})[i] = self.numbers[symbol]
        known |= {k: np.array([v[i] for i in range(3)]) for k, v in vectors.items() if len(v) == 3}
        for symbol, value in self.numbers.items():
            if symbol is s.dt or symbol in set(s.dW):
                continue
            name = x.names.plain[symbol][0]
            assert name not in known or known[name] == value, f"{name} is two things"
            known[name] = value
        for block, part in s.definition.group.blocks.items():
            if part.stop - part.start > 1:
                staged = (
                    (x.variation.p, "p"),
                    (x.variation.v, "v"),
                    (x.variation.eta, "eta"),
                    (x.variation.deta, "deta"),
                )
                known |= {x.names.of(f"~{prefix}_{block}", False): self.all(rows[part]) for rows, prefix in staged}
        known |= {"dt": self.numbers[s.dt]}
        if s.hamiltonian is not None:
            known[x.names.letter("h", False)] = self.of(s.hamiltonian)
        known |= {x.names.of(f"{x.names.letters['h']}{i}", False): self.of(h)
                  for i, h in enumerate(s.noise_hamiltonians, 1) if h is not None}  # fmt: skip
        known |= {f"dW{str(i + 1).translate(SUPERSCRIPTS)}": self.numbers[y] for i, y in enumerate(s.dW)}
        known |= {f"E{k}": e for k, e in zip("₁₂₃", np.eye(3), strict=True) if f"E{k}" not in known}
        varied = dict(zip(s.a, self.delta_a, strict=True))
        self.jacobians: dict[str, np.ndarray] = {}
        for letter in x.variation.setting.letters:
            shown, parts = x.names.letter_names[letter.name], []
            for slope in letter.slopes:
                argument = x.names.letter_names.get(slope.argument.removeprefix("~named_"), slope.argument)
                name = f"∂{unicode_name(shown)}/∂{unicode_name(argument)}"
                jacobian = np.array([[self.of(sp.diff(e, y)) for y in slope.along] for e in letter.expressions])
                parts.append(jacobian @ [varied.get(y, 0.0) for y in slope.along])
                self.jacobians[name] = jacobian
                for (i, j), value in np.ndenumerate(jacobian):
                    above = f"{shown}{i + 1}" if len(jacobian) > 1 else shown
                    known[f"∂{unicode_name(above)}/∂{x.names.plain[slope.along[j]][0]}"] = value
            varied |= dict(zip(letter.symbols, sum(parts), strict=True))
            values = {unicode_name(shown): self.all(letter.symbols), f"δ{unicode_name(shown)}": sum(parts)}
            known |= {k: v if len(v) > 1 else float(v[0]) for k, v in values.items()}
        known |= {f"δ{x.names.block(k, False)}": self.delta_a[part][: 3 if s.definition.advected[k].is_point else None]
                  for k, part in s.definition.advected_layout.items()}  # fmt: skip
        return known

    # -- reading ---------------------------------------------------------------------------------------------------

    def read(self) -> PrintedDerivation:
        """Read every line of the text, then of the LaTeX."""
        blocks = [block.splitlines() for block in str(self.derivation).split("\n\n")]
        text = [line.strip() for block in blocks for line in block[1:]]
        latex = self.derivation.latex()
        found = re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}", latex, re.DOTALL)
        assert max(map(widest, found)) <= TEXT_POINTS
        self._lines(text, str(self.derivation))
        self._lines([line for part in found for line in lines_of(part)], latex)
        return self

    def _lines(self, lines: list[str], page: str) -> None:
        d, x = self.plain.definition, self.derivation
        assert lines
        self.reader, self.integrated = Reader(self._known()), False
        self.reader.slope = lambda name: self.jacobians[name]
        self.reader.sizes = self.sizes
        self.defined: dict[str, str] = {}
        for line in lines:
            try:
                self._line(line.strip())
            except (ValueError, AssertionError, KeyError, TypeError, IndexError) as error:
                raise AssertionError(f"{line}\n{error}\n{page}") from error
        assert self.integrated
        for k in d.group.blocks:
            assert f"d{x.names.of(f'~p_{k}', False)}" in self.defined
        if not x.variation.is_free and self.plain.distribution.test is None:
            moved = {f"d{x.names.block(d.momentum_name(k), False)}" for k in x.variation.coordinates}
            assert moved <= self.defined.keys(), moved - self.defined.keys()

    def same(self, value: Any, expected: Any) -> None:
        value = np.concatenate([np.atleast_1d(v) for v in value]) if isinstance(value, list) else np.atleast_1d(value)
        expected = np.atleast_1d(expected)
        assert value.shape == expected.shape or value.size == 1, (value, expected)
        error = float(np.max(np.abs(value - expected) / np.maximum(1, np.abs(expected)), initial=0))
        self.worst = max(self.worst, error)
        assert error < self.within, f"{value} is not {expected}"

    def _line(self, line: str) -> None:
        x, d = self.derivation, self.plain.definition
        value = self.reader.value
        if line.startswith("∫"):
            self.integrated = True
            self.same(value(line[1:]), self.integrand)
            return
        if " also " in line:
            left, rest = re.split(r" = ", line)[0], line.rpartition(" = ")[2]
            found = re.match(r"δ\(?(\S+?)(?: dt\))? +also +[−-] +δ(\D+)([₀-₉]+) *∘ *dW([⁰¹²³⁴-⁹]+), +δ\2\3$", left)
            assert found, line
            assert found[3].translate(SUBSCRIPTS) == found[4].translate(
                {above: chr(digit) for digit, above in SUPERSCRIPTS.items()}
            )
            i, block = int(found[3].translate(SUBSCRIPTS)) - 1, self._moving(found[1])
            assert found[2] == x.names.letter("N", False)
            self.same(value(rest), self.fields[i][d.group.blocks[block]])
            return
        left, _, right = line.partition(" = ")
        right, _, against = right.partition("against")
        assert left not in self.defined, f"{left} is defined twice"
        self.defined[left] = right
        varied = (
            re.fullmatch(r"δ\((\S+) dt\)", left)
            if self.plain.hamiltonian is None
            else re.fullmatch("δ(\\S+\u0303\\S*)", left)
        )
        if varied:
            self.same(value(right), self.varied[d.group.blocks[self._moving(varied[1])]])
        elif left.startswith("δ") and left[1:] in {unicode_name(y) for y in x.names.letter_names.values()}:
            self.same(self._applied(right), self.reader.known[left])
        elif left.startswith("δ"):
            name = self._block(left[1:], d.advected_layout)
            part = d.advected_layout[name]
            part = slice(part.start, part.start + 3) if d.advected[name].is_point else part
            self.same(value(right), self.delta_a[part])
        elif against:
            block = self._block(left[1:], d.group.blocks, "~p_")
            assert against.strip() == x.names.of(f"~eta_{block}", False)
            self.same(value(right), self.f[d.group.blocks[block]])
        elif left in (names := {x.names.of(f"~eta_{b}", False): b for b in d.group.blocks}):
            self.same(value(right), (self.V @ self.w)[d.group.blocks[names[left]]])
        elif left in (names := {x.names.block(d.momentum_name(k), False): k for k in x.variation.coordinates}):
            self.same(value(right), (self.B.T @ self.p)[x.variation.coordinates[names[left]]])
        elif left.startswith("d") and left[1:] in names:
            self.same(value(right), (self.B.T @ self.f + self.dB.T @ self.p)[x.variation.coordinates[names[left[1:]]]])
        elif left in self.reader.known or component(left)[0] in self.reader.known:
            self.same(value(right), self.reader.lookup(left))
        else:  # of dp, where the balance is tested
            for name, part in d.group.blocks.items():
                shown = x.names.of(f"~p_{name}", False)
                self.reader.known[f"d{shown}"] = self.f[part] if len(self.f[part]) > 1 else float(self.f[part][0])
                self.reader.known |= {
                    f"{x.names.plain[y][0]}": float(f) for y, f in zip(x.variation.dp[part], self.f[part], strict=True)
                }
            assert self.plain.distribution.test is not None, line
            self.same(value(left), value(right))

    def _moving(self, shown: str) -> str:
        """The block of ξ dt, or of the transport where p is free."""
        return self._block(shown, self.plain.definition.group.blocks, "" if self.plain.hamiltonian is None else "~v_")

    def _applied(self, right: str) -> Any:
        """∂s/∂Γ δΓ + …"""
        total: Any = 0.0
        for part in right.split(" + "):
            slope, argument = re.fullmatch(r"(\S+?)[ ·]+(δ\S+)", part).groups()
            total = (
                total
                + self.jacobians[slope] @ np.atleast_1d(self.reader.known[argument])[: self.jacobians[slope].shape[1]]
            )
        return total

    def _block(self, shown: str, layout: Any, prefix: str = "") -> str:
        names = {
            self.derivation.names.of(f"{prefix}{k}", False) if prefix else self.derivation.names.block(k, False): k
            for k in layout
        }
        return names[shown]
