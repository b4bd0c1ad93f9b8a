"""Expressions in words and signs: vectors of R³ as letters, everything else by components."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.core.expanded_size import MOST_SHOWN, expanded
from semidirect.equations.component_expressions import component_expressions
from semidirect.pages.notation import latex_name, readable, split_tags, unicode_name
from semidirect.pages.points import is_point
from semidirect.pages.vectors import AXES, Term, recognise

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE

MOST_OPERATIONS = 60
"""Of an expression that is multiplied out to see whether that is shorter."""


class Writer:
    """Writes expressions of one SDE as text or LaTeX.

    Vectors of R³ are letters; ``multiples`` are names that are written by what they stand for (p_Y as mY), ``aliases`` stems
    that are written by another name, ``phrases`` letters that are written by more than a name.
    """

    def __init__(self, system: SystemDefinition, sde: StratonovichSDE, *, latex: bool):
        self.system, self.sde, self.tex = system, sde, latex
        self.families: dict[str, tuple[sp.Symbol, ...]] = {}
        self.letters: dict[sp.Symbol, tuple[str, int]] = {}
        self.diagonal: dict[sp.Symbol, int] = {}
        for name, symbols in system.parameter_symbols.items():
            stem = system.parameters()[name].symbol or name
            if system.parameters()[name].symmetric:
                self.diagonal |= {s: i for i, s in enumerate(symbols)} if symbols.ndim == 1 else {}
            elif symbols.shape == (3,):
                self.letter(stem, tuple(symbols))
            elif symbols.ndim == 2 and symbols.shape[1] == 3:
                for i, row in enumerate(symbols):
                    self.letter(f"{stem}{i + 1}", tuple(row))
            elif symbols.ndim == 2 and symbols.shape[1] == sde.definition.group.dimension:
                for i, row in enumerate(symbols):
                    for block, part in sde.definition.group.blocks.items():
                        self.family(f"{stem}{i + 1}_{block}", tuple(row[part]))
        for variable in sde.variables:
            self.family(variable.name, variable.symbols)
            if variable.kind == "advected" and is_point(sde.definition.advected[variable.name]):
                self.letter(variable.name, variable.symbols[:3])
        for i, part in enumerate(sde.setting.amplitudes):
            self.family(f"~xi{i + 1}", tuple(sde.setting.formal[0][part]))
        self.multiples: dict[sp.Symbol, sp.Expr] = {}
        self.aliases: dict[str, str] = {"~xi": self._free_letter()} if sde.setting.amplitudes else {}
        self.phrases: dict[str, str] = {}
        self.contacts: list[str] = []
        self.shorter: dict[str, dict[sp.Expr, sp.Symbol]] = {}
        self.used: dict[str, list[sp.Expr]] = {}
        self.folds = self._contact_vectors()

    def _contact_vectors(self) -> list[dict[sp.Expr, sp.Expr]]:
        """Rules that write a derived vector such as s = rΓ + ℓχ by its name: ℓχ → s − rΓ."""
        rules = []
        for name, quantity in self.system.quantities(derived=True).items():
            components = component_expressions(self.system, quantity, self.sde)
            symbols = [sp.Symbol(f"~{name}{i + 1}", real=True) for i in range(3)]
            terms = recognise(components, self.letters, self.diagonal) if len(components) == 3 else None
            if terms is None or len(terms) < 2 or not all(isinstance(t.shape, str) for t in terms):
                if len(components) == 3:
                    self.shorter[name] = dict(zip(components, symbols, strict=True))
                continue
            self.contacts.append(self.line(self.name(name, vector=True), self.terms(terms)))
            self.letter(name, symbols)
            last = next(t for t in reversed(terms) if t.shape not in AXES)
            others = [t for t in terms if t is not last]
            rule = {}
            for i in range(3):
                rest = [t.coefficient * t.scalar * self._component(str(t.shape), i) for t in others]
                factor = last.coefficient * last.scalar
                rule[self.families[str(last.shape)][i]] = (symbols[i] - sp.Add(*rest)) / factor
            rules.append(rule)
        return rules

    def _free_letter(self) -> str:
        """The letter of formal amplitudes: ξ, unless a velocity, a parameter or something else of the system has it."""
        d, parameters = self.sde.definition, self.system.parameters()
        used = {*d.group.blocks, *d.advected, *d.internal_layout, *(p.symbol or name for name, p in parameters.items())}
        return next(letter for letter in ("xi", "sigma", "zeta", "amplitude") if letter not in used)

    def _component(self, letter: str, i: int) -> sp.Expr:
        return sp.Integer(int(AXES[i] == letter)) if letter in AXES else self.families[letter][i]

    def letter(self, name: str, symbols: Sequence[sp.Symbol]) -> None:
        """Make three symbols the components of a letter."""
        self.families[name] = tuple(symbols)
        self.letters |= {s: (name, i) for i, s in enumerate(symbols)}

    def family(self, name: str, symbols: Sequence[sp.Symbol]) -> None:
        """Make symbols a letter if there are three of them."""
        if len(symbols) == 3:
            self.letter(name, symbols)

    def vanishes(self, e: sp.Expr) -> bool:
        """Whether an expression is 0 by what was written before it."""
        return bool(e.xreplace(self.multiples) == 0)

    def name(self, name: str, *, vector: bool = False) -> str:
        """A name as readers know it."""
        name = self.known(name)
        return latex_name(name, bold=vector) if self.tex else unicode_name(name)

    def known(self, name: str) -> str:
        """The name by which something is known that has several."""
        for stem, other in self.aliases.items():
            if name.startswith(stem) and re.fullmatch(r"""[\d_]*(?:[@'"]\d*)*""", name[len(stem) :]):
                return other + name[len(stem) :]
        return name

    def line(self, left: str, right: str) -> str:
        """One equation."""
        return f"{left} &= {right}" if self.tex else f"  {left} = {right}"

    def trivial(self, line: str) -> bool:
        """Whether an equation says nothing."""
        left, _, right = line.partition(" &= " if self.tex else " = ")
        return left.strip() == right.strip()

    def shape(self, shape: object, *, inner: bool = False) -> str:
        """A product of letters, in brackets where it stands inside another."""
        if isinstance(shape, str):
            return self.phrases.get(shape) or self.name(shape, vector=True)
        assert isinstance(shape, tuple)
        kind, a, b, *rest = shape
        left, right = self.shape(a, inner=True), self.shape(b, inner=True)
        if kind == "x":
            text = f"{left} {chr(92)}times {right}" if self.tex else f"{left} × {right}"
            return f"({text})" if inner else text
        if isinstance(a, str) and isinstance(b, str) and (a in AXES or b in AXES):
            a, b = (b, a) if a in AXES else (a, b)
            component = f"{self.name(a)}{self.index(b[-1])}"
            return f"{component} {self.shape(rest[0], inner=True)}" if rest else component
        dot = f"({left} {chr(92)}cdot {right})" if self.tex else f"({left} · {right})"
        return f"{dot} {self.shape(rest[0], inner=True)}" if rest else (dot if inner else dot[1:-1])

    def terms(self, terms: Sequence[Term]) -> str:
        """A sum of terms."""
        text = ""
        for t in terms:
            factor = t.coefficient * t.scalar
            sign = "-" if factor.could_extract_minus_sign() else "+"
            factor = -factor if sign == "-" else factor
            scalar = "" if factor == 1 else readable(factor, self.known, latex=self.tex)
            if factor.is_Add:
                scalar = f"({scalar})"
            body = scalar if t.shape == 1 else f"{scalar} {self.shape(t.shape, inner=bool(scalar))}".strip()
            if t.shape == 1 and not body:
                body = "1"
            text += f" {sign} {body}" if text else (f"-{body}" if sign == "-" else body)
        return text or "0"

    def value(self, components: Sequence[sp.Expr]) -> str | None:
        """A vector or scalar expression, or ``None`` where it has no vector notation.

        A contact vector that the system names is written by its name where that is shorter.
        """
        plain = [e.xreplace(self.multiples) for e in components]
        options = [recognise(plain, self.letters, self.diagonal)]
        for rules in self.folds:
            options.append(recognise([expanded(e, MOST_SHOWN).subs(rules) for e in plain], self.letters, self.diagonal))
        found = [o for o in options if o is not None]
        best = min(found, key=len) if found else None
        if best is None or (len(components) == 1 and all(t.shape == 1 for t in best) and best):
            return None
        return self.terms(best)

    def equation(self, name: str, components: Sequence[sp.Expr], *, left: str = "") -> list[str]:
        """``name = …``: in vector notation, else by components."""
        if len(components) == 3:
            value = self.value(components)
            if value is not None:
                return [self.line(left or self.name(name, vector=True), value)]
        lines = []
        for i, e in enumerate(components):
            index = f"{i + 1}" if len(components) > 1 else ""
            base, tags = split_tags(name)
            label = f"{left}{self.index(index)}" if left else self.name(f"{base}{index}{''.join(tags)}")
            lines.append(self.line(label, self.value([e]) or self.scalar(e)))
        return lines

    def index(self, index: str) -> str:
        """A subscript."""
        return (f"_{{{index}}}" if self.tex else unicode_name(f"x{index}")[1:]) if index else ""

    def matrix_letter(self, components: Sequence[sp.Expr]) -> str | None:
        """``𝕀a`` where the components are those of an inertia, moments or a matrix, times a letter a."""
        for name, symbols in self.system.parameter_symbols.items():
            if not self.system.parameters()[name].symmetric:
                continue
            tensor = np.diag(symbols) if symbols.ndim == 1 else symbols
            for letter, vector in list(self.families.items()):
                product = [sp.Add(*(tensor[i, j] * vector[j] for j in range(3))) for i in range(3)]
                if all(sp.expand(a - b) == 0 for a, b in zip(product, components, strict=True)):
                    return f"𝕀{letter}"
        return None

    def _in_derived_vectors(self, e: sp.Expr) -> sp.Expr:
        """An expression with the names of derived vectors where their components stand in it."""
        for name, components in self.shorter.items():
            shorter = e.xreplace(components)
            if shorter != e and not shorter.is_Symbol:
                self.used[name], e = list(components), shorter
        return e

    def named_vectors(self) -> list[str]:
        """What the derived vectors are whose names were used."""
        return [line for name, components in self.used.items() for line in self.equation(name, components)]

    def scalar(self, e: sp.Expr) -> str:
        """A component, in the shortest of its usual forms."""
        plain = self._in_derived_vectors(e.xreplace(self.multiples))
        forms = [plain, sp.factor_terms(plain)]
        if plain.is_polynomial() and plain.count_ops() < MOST_OPERATIONS:
            forms.append(expanded(plain, MOST_SHOWN))
        return readable(min(forms, key=sp.count_ops), self.known, latex=self.tex)
