"""Equations one by one: definitions, linear solves, differentials."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.core import messages, symbols
from semidirect.equations import Let, Program, Solve
from semidirect.expressions import expression_sizes
from semidirect.pages.notation import SUPERSCRIPT, component_name, split_tags
from semidirect.pages.vectors import AXES
from semidirect.pages.writer import UNFOLDED, Writer

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE


class Lines:
    """Writes single equations of one SDE of a system."""

    def __init__(self, system: SystemDefinition, sde: StratonovichSDE, *, latex: bool):
        self.constants = sde.setting.constants
        self.system, self.sde = system, sde.replaced(self.constants)
        self.written_amplitudes: set[sp.Symbol] = set()  # of formal noise, which the page defines apart
        self.writer = Writer(system, self.sde, latex=latex)
        self._stems = _stems(sde)
        self._defined_apart = {x for letter in sde.setting.letters for x in letter.symbols} | {
            x
            for letter in sde.setting.letters
            for slope in letter.slopes
            for x in slope.entries.flat
            if slope.is_symbol
        }

    def statements(self, program: Program, expressions: Sequence[sp.Expr]) -> list[str]:
        """The definitions that some expressions need, in order; a family of symbols name1 … name3 is one equation."""
        names = program.with_outputs(wanted=expressions).needed()
        self.writer.tangents(program)
        lines: list[str] = []
        for statement in program.statements:
            if not names.intersection(statement.names):
                continue
            if isinstance(statement, Solve):
                lines += self.solve(statement)
                continue
            for stem, family in self._families(statement).items():
                members = {x: e for x, e in family.items() if x not in self.written_amplitudes | self._defined_apart}
                if members and re.match(r"~L\d+_", stem) is None:  # the locked inertia is known by its letter
                    lines += self.definition(stem, members)
        return lines

    def definition(self, stem: str, members: Mapping[sp.Symbol, sp.Expr]) -> list[str]:
        """One equation, or one for each component. Multiples m Y and 𝕀Ω of a letter get no name of their own."""
        if stem.startswith(("~change", "~pulled")) and (lines := self.product(stem, members)) is not None:
            return lines
        if stem.startswith("~pulled"):
            self.writer.multiples |= {x: e.xreplace(self.writer.multiples) for x, e in members.items()}
            return []
        if [x.name for x in members] == [component_name(stem, i) for i in (1, 2, 3)]:
            values = list(members.values())
            terms = self.writer.recognised([e.xreplace(self.writer.multiples) for e in values])
            alias = self.writer.matrix_letter(values)
            if alias is not None or (terms and len(terms) == 1 and isinstance(terms[0].shape, str)):
                name = alias or str(terms[0].shape)  # type: ignore[index]
                factor = sp.Integer(1) if alias else terms[0].coefficient * terms[0].scalar  # type: ignore[index]
                if name not in self.writer.families and name not in AXES:
                    self.writer.letter(name, [sp.Symbol(component_name(name, i), real=True) for i in (1, 2, 3)])
                self.writer.multiples |= {s: factor * self.writer.component(name, i) for i, s in enumerate(members)}
                return []
            if terms == []:
                self.writer.multiples |= dict.fromkeys(members, sp.Integer(0))
                return []
            lines, values = self.factored(stem, values)
            lines += self.writer.equation(stem, values)
            self.writer.letter(stem, tuple(members))
            return lines
        lines = []
        for symbol, e in members.items():
            if e.is_Symbol or e.is_Number or (e.is_Mul and stem.startswith("~p_")):
                self.writer.multiples[symbol] = e.xreplace(self.writer.multiples)
                continue
            lines.append(self.writer.line(self.writer.symbol(symbol.name), self.block([e])))
        return lines

    def factored(self, stem: str, rows: Sequence[sp.Expr]) -> tuple[list[str], list[sp.Expr]]:
        """Rows in which every product with a ∂s/∂x is one with a letter: what is no vector expression gets a name, κ_s or dx."""
        rows, lines, tags = [e.xreplace(self.writer.multiples) for e in rows], list[str](), split_tags(stem)[1]
        products, rest = self.writer.products(rows)
        for matrix, transposed, factor in products:
            entry = self.writer.slopes[matrix]
            letter, slope = entry.letter, entry.slope
            entries = entry.entries.T if transposed else entry.entries
            if self.writer.value(factor) is None:
                name = (f"~kappa_{letter.stem[1:]}" if transposed else f"~d{slope.argument}") + "".join(tags)
                lines += self.writer.equation(name, factor)
                factor = [symbols.real(component_name(name, i)) for i in (1, 2, 3)]
                self.writer.letter(name, factor)
            rest = [e + sp.Add(*(x * y for x, y in zip(row, factor, strict=True)))
                    for e, row in zip(rest, entries, strict=True)]  # fmt: skip
        return lines, rest

    def product(self, stem: str, members: Mapping[sp.Symbol, sp.Expr]) -> list[str] | None:
        """A single product with a ∂s/∂x is written where it stands; ``None`` where it is not."""
        lines, rows = self.factored(stem, list(members.values()))
        products, rest = self.writer.products(rows)
        if any(rest) or len(products) > 1:
            return None
        text = self.writer.product(*products[0]) if products else "0"
        if text == "0":
            self.writer.multiples |= dict.fromkeys(members, sp.Integer(0))
            return []
        self.writer.letter(stem, tuple(members))
        self.writer.phrases[stem] = text or ""
        return [*lines, f"{UNFOLDED}{stem}"]

    def solve(self, statement: Solve) -> list[str]:
        """``u = L⁻¹ rhs``: velocities from their momenta, or their rates from forces."""
        stems = list(dict.fromkeys(map(self._stem, statement.names)))
        parts = {stem: [i for i, n in enumerate(statement.names) if self._stem(n) == stem] for stem in stems}
        for stem, part in parts.items():
            self.writer.family(stem, [statement.names[i] for i in part])
        sides = [expression_sizes.expanded(e, expression_sizes.MOST_SHOWN) for e in statement.rhs]
        terms = [t for e in sides for t in sp.Add.make_args(e) if self._turns(t)]
        rhs = [self._rest(e) for e in sides]
        if not terms and all(self.writer.vanishes(e) for e in rhs):
            self.writer.multiples |= dict.fromkeys(statement.names, sp.Integer(0))
            return []
        unknown = self._listed([self.unknown(s, len(part)) for s, part in parts.items()])
        blocks = [self.block([rhs[i] for i in part]) for part in parts.values()]
        if any(block == "0" for block in blocks):  # of any size, so that the others show theirs
            blocks = [
                f"({x})" if len(part) > 1 and ", " in x else x for x, part in zip(blocks, parts.values(), strict=True)
            ]
        text = self._listed(blocks)
        if terms:
            tag = next(split_tags(s.name)[1][-1] for s in terms[0].free_symbols if self._turns(s))
            old = [self.unknown(s.removesuffix(tag), len(part)) for s, part in parts.items()]
            text += f" - ({self.writer.name('~L' + tag)}) {self._listed(old)}"
        matrix, meaning = self._matrix(statement)
        inverse = f"{matrix}^{{-1}}" if self.writer.tex else f"{matrix}⁻¹"
        right = f"{inverse} {text if _is_closed(text) else f'({text})'}"
        return [self.writer.line(unknown, right + meaning)]

    def unknown(self, stem: str, size: int) -> str:
        """The unknown of a linear system: a number, or a vector of any size."""
        return self.writer.symbol(stem) if size == 1 else self.writer.name(stem, vector=True)

    def _listed(self, texts: Sequence[str]) -> str:
        """One text, or several in brackets."""
        text = ", ".join(texts)
        return f"({text})" if ", " in text else text

    def _matrix(self, statement: Solve) -> tuple[str, str]:
        """The matrix of a linear system, and what a letter for it means."""
        tex, fixed = self.writer.tex, self.writer.fixed
        if self.sde.form == "A":
            H, C, A = (self.writer.name(fixed[k]) for k in "HCA")
            return (rf"\begin{{pmatrix}}{H} & -{C} \\ {A} & 0\end{{pmatrix}}" if tex else f"[{H} −{C}; {A} 0]"), ""
        H, B = (self.writer.name(fixed[k]) for k in "HB")
        test = "" if statement.symmetric else "_V"
        product = rf"{B}{test}^{{\mathsf T}} {H} {B}" if tex else f"{B}{test}ᵀ{H}{B}"
        if not statement.symmetric or not all(e.is_Symbol or e.is_Number for row in statement.matrix for e in row):
            return f"({product})", ""
        L = self.writer.name(fixed["L"])
        tagged = any(split_tags(n.name)[1] for n in statement.names)
        return L, "" if tagged else (rf",\quad {L} = {product}" if tex else f",  {L} = {product}")

    def _families(self, statement: Let) -> dict[str, dict[sp.Symbol, sp.Expr]]:
        """Names grouped by stem: ``Y1, Y2, Y3`` → ``Y``; ``Y1@0`` … → ``Y@0``."""
        groups: dict[str, dict[sp.Symbol, sp.Expr]] = {}
        for name, e in zip(statement.names, statement.expressions, strict=True):
            groups.setdefault(self._stem(name), {})[name] = e
        return groups

    def _stem(self, symbol: sp.Symbol) -> str:
        base, tags = split_tags(symbol.name)
        return self._stems.get(base, re.sub(r"\d+$", "", base)) + "".join(tags)

    def _rest(self, e: sp.Expr) -> sp.Expr:
        """A right-hand side without the change of the locked inertia, in which it is linear."""
        rest = sp.Add(*(t for t in sp.Add.make_args(e) if not self._turns(t)))
        parts = [
            t for t in sp.Add.make_args(e) if self._turns(t) and t.has(sp.Add)
        ]  # what was too large to be expanded
        return rest + sp.Add(*(t.xreplace({x: sp.Integer(0) for x in t.free_symbols if self._turns(x)}) for t in parts))

    @staticmethod
    def _turns(e: sp.Expr) -> bool:
        """Whether a term carries the change of the locked inertia."""
        return any(re.match(r"~L\d+_\d+['\"]", s.name) for s in e.free_symbols)

    def differential(self, name: str, columns: Sequence[Sequence[sp.Expr]], *, stratonovich: bool = True, left: str = "",
                     pushed: Sequence[tuple[Sequence[sp.Expr], str]] = ()) -> list[str]:  # fmt: skip
        """``dX = … dt + … ∘dW¹``, columns that vanish left out; ``pushed`` are further ones, with their measures."""
        size = len(columns[0])
        if size == 4 and name in self.writer.families:  # a point and the number 1
            return self.differential(name, [list(c[:3]) for c in columns], stratonovich=stratonovich, left=left)
        vector = size == 3
        d, prefix = (r"\mathrm{d}" if self.writer.tex else "d"), left
        left = d + (prefix or (self.writer.name(name, vector=True) if vector else self.writer.symbol(name)))
        measures = [*(self.measure(k, stratonovich) for k in range(len(columns))), *(m for _, m in pushed)]
        columns = [*columns, *(c for c, _ in pushed)]
        values = [self.writer.value(c) for c in columns] if vector else [None]
        if all(v is not None for v in values):
            return [self.writer.line(left, self.sum_of([v or "0" for v in values], measures))]
        lines = []
        for i in range(size):
            if name in self.sde.definition.advected and self.components(name)[i] in self.constants:
                continue
            messages.stage(f"component {i + 1} of {size} of {name}")
            row = [self.block([c[i]]) for c in columns]
            label = (
                left + self.writer.index(str(i + 1)) if prefix else d + self.writer.symbol(component_name(name, i + 1))
            )
            label = left if size == 1 else label
            lines.append(self.writer.line(label, self.sum_of(row, measures)))
        return lines

    def components(self, name: str) -> Sequence[sp.Symbol]:
        """The symbols of a part of the state."""
        return next(v.symbols for v in self.sde.variables if v.name == name)

    def sum_of(self, columns: Sequence[str], measures: Sequence[str] = ()) -> str:
        """Columns times their measures, those that vanish left out."""
        measures = measures or [self.measure(k, True) for k in range(len(columns))]
        text = ""
        for column, measure in zip(columns, measures, strict=True):
            if column == "0":
                continue
            term = (f"({column})" if _is_sum(column) else column) + measure
            if column in ("1", "-1"):
                term = column[:-1] + re.sub(r"^( |∘|\\,|\\circ)", "", measure)
            if not text:
                text = term
            else:
                text += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
        return text or "0"

    def measure(self, k: int, stratonovich: bool) -> str:
        """dt or ∘dW^k."""
        if k == 0:
            return r"\,\mathrm{d}t" if self.writer.tex else " dt"
        if self.writer.tex:
            return (r"\circ" if stratonovich else r"\,") + rf"\mathrm{{d}}W^{{{k}}}"
        return f"{'∘' if stratonovich else ' '}dW{str(k).translate(SUPERSCRIPT)}"

    def block(self, components: Sequence[sp.Expr]) -> str:
        """A block of a field: a vector or a scalar, else its components."""
        value = self.writer.value(components) if len(components) in (1, 3) else None
        return value or ", ".join(map(self.writer.scalar, components))

    def by_blocks(self, letter: str, i: int, components: Sequence[sp.Expr] | np.ndarray) -> str:
        """``N₁ = (…, …)``, a field or a covector by the blocks of the algebra."""
        blocks = ", ".join(self.block(list(components[part])) for part in self.sde.definition.group.blocks.values())
        return self.writer.line(self.numbered(letter, i), f"({blocks})" if ", " in blocks else blocks)

    def numbered(self, letter: str, i: int) -> str:
        """N₁ for the field 0."""
        return self.writer.name(f"{self.writer.fixed[letter]}{i + 1}")


def _is_closed(text: str) -> bool:
    """Whether a text is one name or stands in one pair of brackets."""
    if text.startswith("-"):
        return False
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}")
        if depth == 0 and (letter == " " or (letter == ")" and i < len(text) - 1)):
            return False
    return True


def _is_sum(text: str) -> bool:
    """Whether a text is a sum, outside of its brackets."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}")
        if depth == 0 and text[i : i + 3] in (" + ", " - "):
            return True
    return False


def _stems(sde: StratonovichSDE) -> dict[str, str]:
    """The stem of each component of what the definition names and of what equations make of it: ``~dE11`` is of ``~dE1``."""
    d = sde.definition
    sizes = {
        k: part.stop - part.start for k, part in {**d.group.blocks, **d.advected_layout, **d.internal_layout}.items()
    }
    sizes |= d.constraint.coordinates(d.group) | {v.name: v.dimension for v in sde.variables}
    stems: dict[str, str] = {}
    for letter in sde.setting.letters:
        for stem in (letter.stem, f"~change_{letter.name}", f"~kappa_{letter.stem[1:]}"):
            stems |= {x.name: stem for x in symbols.vector(stem, len(letter.symbols))}
        for slope in letter.slopes:
            stem = f"~pulled{slope.stem[1:]}"
            stems |= {x.name: stem for x in symbols.vector(stem, len(slope.along))}
    for name, size in sizes.items():
        for prefix in ("", "~d", "~p_", "~dp_", "~v_", "~kappa_", "~u_"):
            stems[f"{prefix}{name}"] = f"{prefix}{name}"
            stems |= {f"{prefix}{name}{i + 1}": f"{prefix}{name}" for i in range(size if size > 1 else 0)}
    return stems
