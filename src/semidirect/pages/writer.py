"""Expressions in words and signs: vectors of R³ as letters, everything else by components."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.core import symbols
from semidirect.equations import Program, letters, quantity_expressions
from semidirect.expressions import component_names, expression_sizes
from semidirect.pages.names import Names
from semidirect.pages.notation import component_name, latex_name, readable, split_tags, unicode_name
from semidirect.pages.vectors import AXES, Term, recognise

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE

LETTERS = {
    "L": ("Lambda", "J"), "H": ("K",), "B": ("T",), "C": ("Q", "Z"), "A": ("G", "X"), "N": ("Z", "Q"), "F": ("Q", "Z"),
    "lambda": ("mu", "nu"), "b": ("c", "beta"), "R": ("Q", "Z"),
}  # fmt: skip
"""What equations bring with them: locked inertia, ∂²l/∂ξ², basis, directions of reactions, covectors and their values, noise
fields, forces, multipliers, the reaction; and what stands for one of them that is taken."""
UNFOLDED = "\0"
"""Before the stem of a phrase, in place of the line that defines it if single components of it are written."""


@final
@dataclass(frozen=True, eq=False)
class SlopeMatrix:
    """∂s/∂x as a matrix of symbols, or its change."""

    letter: letters.Letter
    slope: letters.Slope
    entries: np.ndarray


Product = tuple[str, bool, Sequence[sp.Expr]]
"""The stem of a matrix ∂s/∂x, whether it is transposed, and what it is applied to."""
MOST_OPERATIONS = 60
"""Of an expression that is multiplied out to see whether that is shorter."""


def extended(name: str, stem: str) -> bool:
    """Whether a name is a stem with indices and tags behind it."""
    return name.startswith(stem) and re.fullmatch(r"""[\d_]*(?:[@'"°]\d*)*""", name[len(stem) :]) is not None


class Writer:
    """Writes expressions of one SDE as text or LaTeX.

    Vectors of R³ are letters; ``multiples`` are names that are written by what they stand for (p_Y as mY), ``aliases`` stems
    that are written by another name, ``phrases`` letters that are written by more than a name.
    """

    def __init__(self, system: SystemDefinition, sde: StratonovichSDE, *, latex: bool):
        self.system, self.sde, self.tex = system, sde, latex
        self.names = Names(system, sde.setting)
        self.printed_names: set[str] = set()
        self.families: dict[str, tuple[sp.Symbol, ...]] = {}
        self.letters: dict[sp.Symbol, tuple[str, int]] = {}
        self.diagonal: dict[sp.Symbol, int] = {}
        self.inertia = next(
            (n for n in system.workings.parameter_symbols if system.workings.parameters()[n].symmetric), None
        )
        for name, array in system.workings.parameter_symbols.items():
            stem = system.workings.symbol_stem(name)
            if name == self.inertia:
                self.diagonal |= {s: i for i, s in enumerate(array)} if array.ndim == 1 else {}
            elif system.workings.parameters()[name].symmetric:  # the letter 𝕀 belongs to the first one
                continue
            elif array.shape == (3,):
                self.letter(stem, tuple(array))
            elif array.ndim == 2 and array.shape[1] == 3:
                for i, row in enumerate(array):
                    self.letter(f"{stem}{i + 1}", tuple(row))
            elif array.ndim == 2 and array.shape[1] == sde.definition.group.dimension:
                for i, row in enumerate(array):
                    for block, part in sde.definition.group.blocks.items():
                        self.family(f"{stem}{i + 1}_{block}", tuple(row[part]))
        for variable in sde.variables:
            self.family(variable.name, variable.symbols)
            if variable.kind == "advected" and sde.definition.advected[variable.name].is_point:
                self.letter(variable.name, variable.symbols[:3])
        for i, part in enumerate(sde.setting.amplitudes):
            self.family(f"~xi{i + 1}", tuple(sde.setting.formal[0][part]))
        self.multiples: dict[sp.Symbol, sp.Expr] = {}
        self.axes = () if any(unicode_name(axis) in self.names.unavailable for axis in AXES) else AXES
        self.aliases: dict[str, str] = self._momenta()
        if sde.setting.amplitudes:
            self.aliases["~xi"] = self.names.free("xi", "sigma", "zeta", "amplitude")
        if not self.names.is_free("kappa"):
            self.aliases |= {f"~kappa_{a}": f"~varkappa_{a}" for a in sde.definition.advected}
        self.fixed = {letter: self.names.free(letter, *others) for letter, others in LETTERS.items()}
        if len(sde.setting.p):
            self.fixed["h"] = self.names.free("h", "H")
        self.aliases |= {"~L": self.fixed["L"], "~dlambda": f"~d{self.fixed['lambda']}"}
        self.phrases: dict[str, str] = {}
        self.slopes: dict[str, SlopeMatrix] = {}
        self.contacts: dict[str, list[Term]] = {}
        self.sums: dict[str, dict[sp.Expr, sp.Symbol]] = {}
        self.shorter: dict[str, dict[sp.Expr, sp.Symbol]] = {}
        self.definitions: dict[str, list[sp.Expr]] = {}
        self.folds = self._contact_vectors()

    def _contact_vectors(self) -> list[dict[sp.Expr, sp.Expr]]:
        """Rules that write a derived vector such as s = rΓ + ℓχ by its name: ℓχ → s − rΓ."""
        rules = []
        names_in_code = self._letters()
        for name, quantity in self.system.workings.quantities(derived=True).items():
            if component_names.identifier(name) in names_in_code:
                continue
            components = quantity_expressions.component_expressions(self.system, quantity, self.sde)
            if len(components) not in (1, 3) or not any(e.free_symbols for e in components):
                continue
            letter = letters.letter_stem(name)
            its = list(symbols.vector(letter, len(components)))
            label = self.names.free(name)
            self.aliases |= {letter: label, f"~d{letter[1:]}": f"~d{label}"}
            terms = self.recognised(components) if len(components) == 3 else None
            if terms is None or len(terms) < 2 or not all(isinstance(t.shape, str) for t in terms):
                self.shorter[letter] = dict(zip(components, its, strict=True))
                continue
            self.contacts[letter] = terms
            self.sums[letter] = {e: x for e, x in zip(components, its, strict=True) if e.is_Add}
            self.letter(letter, its)
            last = next(t for t in reversed(terms) if t.shape not in AXES)
            others = [t for t in terms if t is not last]
            rule = {}
            for i in range(3):
                rest = [t.coefficient * t.scalar * self.component(str(t.shape), i) for t in others]
                factor = last.coefficient * last.scalar
                rule[self.families[str(last.shape)][i]] = (its[i] - sp.Add(*rest)) / factor
            rules.append(rule)
        return rules

    def _letters(self) -> set[str]:
        """Give what is a letter of the equations its names, and those of its change and slopes; the names in code."""
        letters = self.sde.setting.letters
        tau = self.names.free("tau", "theta", "zeta") if letters else ""
        for letter in letters:
            label = self.names.free(letter.name, *(["sigma", "q"] if letter.name == "s" else []))
            self.aliases |= {letter.stem: label, f"~change_{letter.name}": f"~d{label}"}
            self.aliases |= {f"~kappa_{letter.stem[1:]}": f"~kappa_{label}"}
            self.family(letter.stem, tuple(letter.symbols))
            for i, slope in enumerate(letter.slopes, 1):
                index = str(i) if len(letter.slopes) > 1 else ""
                self.aliases[f"~pulled{slope.stem[1:]}"] = f"~{tau}{index}_{label}"
                if slope.is_symbol and slope.entries.shape == (3, 3):
                    self.slopes[slope.stem] = SlopeMatrix(letter, slope, slope.entries)
                elif slope.is_symbol and slope.entries.size == 3:
                    self.letter(slope.stem, tuple(slope.entries.flat))
        return {letter.name for letter in letters}

    def _momenta(self) -> dict[str, str]:
        """Names of ∂l/∂ξ: of one that is a momentum of D its name, of others p, or π where p is the name of one of D."""
        d, distribution = self.sde.definition, self.sde.setting.distribution
        if self.sde.form == "A" or distribution is None:
            return {}
        p = symbols.staged_blocks("p_", d.group.blocks)
        names: dict[str, str] = {}
        of_D = symbols.matvec(distribution.basis.T, p)
        for name, part in component_names.layout(d.constraint.coordinates(d.group)).items():
            same = [block for block, rows in d.group.blocks.items() if list(p[rows]) == list(of_D[part])]
            names |= {f"~p_{block}": d.momentum_name(name) for block in same}
        others = [block for block in d.group.blocks if f"~p_{block}" not in names]
        labels = [
            unicode_name(self.names.symbol(x.name))
            for block in others
            for x in (sp.Symbol(f"~p_{block}"), *p[d.group.blocks[block]])
        ]
        if self.names.unavailable.intersection(labels):
            names |= {f"~p_{block}": f"~pi_{block}" for block in others}
        return names

    def component(self, letter: str, i: int) -> sp.Expr:
        """The component i = 0, 1, 2 of a letter, a number where that is an axis of the body."""
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

    def recognised(self, components: Sequence[sp.Expr]) -> list[Term] | None:
        """Components in vector notation."""
        return recognise(components, self.letters, self.diagonal, self.axes)

    def name(self, name: str, *, vector: bool = False) -> str:
        """The name of a vector, a block, a quantity as readers know it."""
        self.printed_names.add(name)
        name = self.names.stem(self.aliased(name))
        return latex_name(name, bold=vector) if self.tex else unicode_name(name)

    def symbol(self, name: str) -> str:
        """The name of a number as readers know it."""
        return latex_name(self.known(name)) if self.tex else unicode_name(self.known(name))

    def known(self, name: str) -> str:
        """The name by which a symbol is printed."""
        self.printed_names.add(name)
        return self.names.symbol(self.aliased(name))

    def aliased(self, name: str) -> str:
        """The name by which something is known that has several."""
        if name.startswith("~∂"):
            base, tags = split_tags(name)
            above, _, below = base[2:].partition("/")
            return f"~∂{self.aliased(f'~{above}')}/{self.names.stem(self.names.symbol(self.aliased(below)))}{''.join(tags)}"
        for stem, other in self.aliases.items():
            if extended(name, stem):
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
            component = self.phrases.get(a) or self.symbol(component_name(a, int(b[-1])))
            component += self.index(b[-1]) if a in self.phrases else ""
            return f"{component} {self.shape(rest[0], inner=True)}" if rest else component
        dot = f"({left} {chr(92)}cdot {right})" if self.tex else f"({left} · {right})"
        return f"{dot} {self.shape(rest[0], inner=True)}" if rest else (dot if inner else dot[1:-1])

    def terms(self, terms: Sequence[Term]) -> str:
        """A sum of terms."""
        text = ""
        first = next((t for t in terms if not (t.coefficient * t.scalar).could_extract_minus_sign()), None)
        for t in sorted(terms, key=lambda t: t is not first):
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
        products, plain = self.products(plain)
        if products:
            texts = [self.product(*x) for x in products]
            rest = "0" if not any(plain) else self.value(plain)
            if rest is None or not all(texts):
                return None
            parts = [x for x in (*texts, rest) if x not in ("0", None)]
            return " + ".join(parts) or "0"
        options = [self.recognised(plain)]
        options += [
            self.recognised([expression_sizes.expanded(e, expression_sizes.MOST_SHOWN).subs(rules) for e in plain])
            for rules in self.folds
        ]
        candidates = [o for o in options if o is not None]
        best = min(candidates, key=len) if candidates else None
        if best is None or (len(components) == 1 and all(t.shape == 1 for t in best) and best):
            return None
        return self.terms(best)

    def unfolded(self, line: str) -> list[str]:
        """The line, or the definition of the phrase in whose place it is; none where the phrase is never taken apart."""
        if not line.startswith(UNFOLDED):
            return [line]
        name = line.removeprefix(UNFOLDED)
        if self.printed_names.isdisjoint(component_name(name, i) for i in (1, 2, 3)):
            return []
        return [self.line(self.name(name, vector=True), self.phrases[name])]

    def tangents(self, program: Program) -> None:
        """Know the changes of slopes that a program has, as matrices."""
        names = {n.name: n for s in program.statements for n in s.names if n.name.startswith("~∂")}
        for tags in {"".join(split_tags(name)[1]) for name in names} - {""}:
            for letter in self.sde.setting.letters:
                for slope in letter.slopes:
                    stem = slope.stem + tags
                    if slope.is_symbol and slope.entries.shape == (3, 3) and stem not in self.slopes:
                        entries = np.vectorize(lambda x: names.get(x.name + tags, sp.Integer(0)), otypes=[object])  # noqa: B023
                        self.slopes[stem] = SlopeMatrix(letter, slope, entries(slope.entries))

    def products(self, rows: Sequence[sp.Expr]) -> tuple[list[Product], list[sp.Expr]]:
        """Products of a matrix ∂s/∂x, or its transpose, with a vector, as far as rows are such, and what is left of them."""
        products: list[Product] = []
        rest = list(rows)
        free = set().union(*(e.free_symbols for e in rest))
        for stem, matrix in self.slopes.items() if len(rest) == 3 else ():
            own = {x for x in matrix.entries.flat if x.is_Symbol}
            if not free & own:
                continue
            for transposed in (False, True):
                entries = matrix.entries.T if transposed else matrix.entries
                vector = self._factor(rest, entries)
                if vector is None:
                    continue
                left = [
                    sp.expand(e - sp.Add(*(x * v for x, v in zip(row, vector, strict=True))))
                    for e, row in zip(rest, entries, strict=True)
                ]
                if not any(e.free_symbols & own for e in (*left, *vector)):
                    products.append((stem, transposed, vector))
                    rest = left
                    break
        return products, rest

    def _factor(self, rows: Sequence[sp.Expr], entries: np.ndarray) -> list[sp.Expr] | None:
        """The factor of a matrix, if rows are its product; where a column is 0, a letter with the other components."""
        places = [next((i for i in range(3) if entries[i, j].is_Symbol), None) for j in range(3)]
        vector = [None if i is None else sp.diff(rows[i], entries[i, j]) for j, i in enumerate(places)]
        if None not in vector:
            return vector
        letters = (list(x) for x in self.families.values())
        return next((x for x in letters if all(e in (None, y) for e, y in zip(vector, x, strict=True))), None)

    def product(self, stem: str, transposed: bool, vector: Sequence[sp.Expr]) -> str | None:
        """``∂s/∂Γ(…)`` or ``(∂s/∂Γ)ᵀ(…)``, if the vector has a vector expression."""
        text = self.value(vector)
        if text is None or text == "0":
            return text
        name = self.name(stem, vector=True)
        if not transposed:
            return rf"{name}\left({text}\right)" if self.tex else f"{name}({text})"
        if self.tex:
            return rf"\left({name}\right)^{{\mathsf T}}\left({text}\right)"
        return f"({name})ᵀ({text})"

    def equation(self, name: str, components: Sequence[sp.Expr], *, left: str = "") -> list[str]:
        """``name = …``: in vector notation, else by components."""
        if len(components) == 3:
            value = self.value(components)
            if value is not None:
                return [self.line(left or self.name(name, vector=True), value)]
        lines = []
        for i, e in enumerate(components):
            index = f"{i + 1}" if len(components) > 1 else ""
            component = component_name(name, i + 1) if index else name
            label = f"{left}{self.index(index)}" if left else self.symbol(component)
            lines.append(self.line(label, self.value([e]) or self.scalar(e)))
        return lines

    def index(self, index: str) -> str:
        """A subscript."""
        return (f"_{{{index}}}" if self.tex else unicode_name(f"x{index}")[1:]) if index else ""

    def matrix_letter(self, components: Sequence[sp.Expr]) -> str | None:
        """``𝕀a`` where the components are those of an inertia, moments or a matrix, times a letter a."""
        if self.inertia is None:
            return None
        moments = self.system.workings.parameter_symbols[self.inertia]
        tensor = np.diag(moments) if moments.ndim == 1 else moments
        for letter, vector in list(self.families.items()):
            product = [sp.Add(*(tensor[i, j] * vector[j] for j in range(3))) for i in range(3)]
            pairs = list(zip(product, components, strict=True))
            if all(a.free_symbols == b.free_symbols and sp.expand(a - b) == 0 for a, b in pairs):
                return f"𝕀{letter}"
        return None

    def _in_derived_vectors(self, e: sp.Expr) -> sp.Expr:
        """An expression with the names of derived vectors where their components stand in it."""
        for name, components in self.shorter.items():
            shorter = e.xreplace(components)
            if shorter != e and not shorter.is_Symbol:
                self.definitions[name], e = list(components), shorter
        for name, components in self.sums.items():
            shorter = e.xreplace(components)
            if shorter != e and not shorter.is_Symbol:
                self.printed_names.add(name)
                e = shorter
        return e

    def named_vectors(self) -> list[str]:
        """The definitions of the derived vectors whose names were used."""
        letters = self._defined_letters()
        for name, components in self.shorter.items():  # also those that stand in a product, found by its terms
            if name not in self.definitions and not self.printed_names.isdisjoint(x.name for x in components.values()):
                self.definitions[name] = list(components)
        lines = [line for name, components in self.definitions.items() for line in self.equation(name, components)]
        contacts = [k for k in self.contacts if k in self.printed_names]
        return [
            *(self.line(self.name(k, vector=True), self.terms(self.contacts[k])) for k in contacts),
            *lines,
            *letters,
        ]

    def _defined_letters(self) -> list[str]:
        """The letters whose names were used, in their order, with those slopes that are written by components."""
        lines: list[str] = []
        for letter in reversed(self.sde.setting.letters):
            own: list[str] = []
            for slope in letter.slopes if any(letter.stem[1:] in name for name in self.printed_names) else ():
                pairs = zip(slope.entries.flat, slope.expressions.flat, strict=True)
                entries = [(x, e) for x, e in pairs if slope.is_symbol and x.name in self.printed_names]
                own += [self.line(self.symbol(x.name), self.value([e]) or self.scalar(e)) for x, e in entries]
            if any(letter.stem[1:] in name for name in self.printed_names):
                own = [*self.equation(letter.stem, list(letter.expressions)), *own]
            lines = [*own, *lines]
        return lines

    def scalar(self, e: sp.Expr) -> str:
        """A component, in the shortest of its usual forms."""
        return readable(shortest(self._in_derived_vectors(e.xreplace(self.multiples))), self.known, latex=self.tex)


@lru_cache(maxsize=4096)  # text and LaTeX, and the pages of a system, have most of their terms in common
def shortest(e: sp.Expr) -> sp.Expr:
    """The shortest of the usual forms of an expression."""
    forms = [e, sp.factor_terms(e)]
    if e.is_polynomial() and e.count_ops() < MOST_OPERATIONS:
        forms.append(expression_sizes.expanded(e, expression_sizes.MOST_SHOWN))
    return min(forms, key=sp.count_ops)
