"""Equations as text and LaTeX, in the vector notation of the paper wherever it applies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.equations.notation import latex_name, readable, split_tags, unicode_name
from semidirect.equations.program import Let, Program, Solve
from semidirect.equations.vectors import Term, recognise
from semidirect.errors import UnknownNameError

if TYPE_CHECKING:
    from semidirect.equations.evolution import Evolution
    from semidirect.equations.sde import StratonovichSDE
    from semidirect.system import System

FORMS = ("stratonovich", "ito")


@dataclass(frozen=True)
class Equations:
    """The equations of a system, to print or to set: ``print(equations)``, ``equations.latex()``."""

    system: System
    form: str = "stratonovich"
    principle: str = "hamilton-pontryagin"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UnknownNameError("form of the equations", self.form, FORMS)

    def __str__(self) -> str:
        return _Page(self.system, self.system.sde(self.principle), latex=False).page(self.form)

    def latex(self) -> str:
        """An ``align*`` environment."""
        return _Page(self.system, self.system.sde(self.principle), latex=True).page(self.form)

    def _repr_latex_(self) -> str:
        return self.latex()


def evolution_text(system: System, evolution: Evolution, *, latex: bool = False) -> str:
    """How quantities move, with the stages that the coefficients use."""
    return _Page(system, system.sde(variables="velocity"), latex=latex).evolution(evolution)


class _Page:
    """Writes one SDE. Vectors of R³ are letters; what is not a vector expression is written by components."""

    def __init__(self, system: System, sde: StratonovichSDE, *, latex: bool):
        self.system, self.sde, self.tex = system, sde, latex
        self.families: dict[str, tuple[sp.Symbol, ...]] = {}
        self.letters: dict[sp.Symbol, tuple[str, int]] = {}
        self.diagonal: dict[sp.Symbol, int] = {}
        for name, symbols in system._symbolic.items():
            stem = system.parameters()[name].symbol or name
            if system.parameters()[name].symmetric:
                self.diagonal |= {s: i for i, s in enumerate(symbols)} if symbols.ndim == 1 else {}
            elif symbols.shape == (3,):
                self._letter(stem, tuple(symbols))
            elif symbols.ndim == 2 and symbols.shape[1] == 3:
                for i, row in enumerate(symbols):
                    self._letter(f"{stem}{i + 1}", tuple(row))
        for variable in sde.variables:
            self._family(variable.name, variable.symbols)
        formal = sde.setting.formal[0]
        for i in range(0, len(formal) - len(formal) % 3, 3):
            self._letter(f"~xi{i // 3 + 1}", tuple(formal[i : i + 3]))
        self.multiples: dict[sp.Symbol, sp.Expr] = {}
        self.contacts: list[str] = []
        self.folds = self._contact_vectors()

    def _contact_vectors(self) -> list[dict[sp.Expr, sp.Expr]]:
        """Rules that write a derived vector such as s = rΓ + ℓχ by its name: ℓχ → s − rΓ."""
        rules = []
        for name, quantity in self.system._quantities(derived=True).items():
            components = self.system.expression(quantity, self.sde)
            terms = recognise(components, self.letters, self.diagonal) if len(components) == 3 else None
            if terms is None or len(terms) < 2 or not all(isinstance(t.shape, str) for t in terms):
                continue
            symbols = [sp.Symbol(f"~{name}{i + 1}", real=True) for i in range(3)]
            self.contacts.append(self.line(self.name(name, vector=True), self.terms(terms)))
            self._letter(name, symbols)
            *others, last = terms
            rule = {}
            for i in range(3):
                rest = [t.coefficient * t.scalar * self.families[str(t.shape)][i] for t in others]
                factor = last.coefficient * last.scalar
                rule[self.families[str(last.shape)][i]] = (symbols[i] - sp.Add(*rest)) / factor
            rules.append(rule)
        return rules

    def _letter(self, name: str, symbols: Sequence[sp.Symbol]) -> None:
        self.families[name] = tuple(symbols)
        self.letters |= {s: (name, i) for i, s in enumerate(symbols)}

    def _family(self, name: str, symbols: Sequence[sp.Symbol]) -> None:
        if len(symbols) == 3:
            self._letter(name, symbols)

    # -- writing ---------------------------------------------------------------------------------------------------

    def name(self, name: str, *, vector: bool = False) -> str:
        return latex_name(name, bold=vector) if self.tex else unicode_name(name)

    def line(self, left: str, right: str) -> str:
        return f"{left} &= {right}" if self.tex else f"  {left} = {right}"

    def shape(self, shape: object, *, inner: bool = False) -> str:
        if isinstance(shape, str):
            return self.name(shape, vector=True)
        assert isinstance(shape, tuple)
        kind, a, b, *rest = shape
        left, right = self.shape(a, inner=True), self.shape(b, inner=True)
        if kind == "x":
            text = f"{left} {chr(92)}times {right}" if self.tex else f"{left} × {right}"
            return f"({text})" if inner else text
        dot = f"({left} {chr(92)}cdot {right})" if self.tex else f"({left} · {right})"
        return f"{dot} {self.shape(rest[0], inner=True)}" if rest else (dot if inner else dot[1:-1])

    def terms(self, terms: Sequence[Term]) -> str:
        """A sum of terms."""
        text = ""
        for t in terms:
            factor = t.coefficient * t.scalar
            sign = "-" if factor.could_extract_minus_sign() else "+"
            factor = -factor if sign == "-" else factor
            scalar = "" if factor == 1 else readable(factor, latex=self.tex)
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
            options.append(recognise([sp.expand(e).subs(rules) for e in plain], self.letters, self.diagonal))
        found = [o for o in options if o is not None]
        return self.terms(min(found, key=len)) if found else None

    def equation(self, name: str, components: Sequence[sp.Expr], *, left: str = "") -> list[str]:
        """``name = …``: in vector notation, else by components."""
        if len(components) == 3:
            value = self.value(components)
            if value is not None:
                return [self.line(left or self.name(name, vector=True), value)]
        lines = []
        for i, e in enumerate(components):
            index = f"{i + 1}" if len(components) > 1 else ""
            label = self.name(f"{name}{index}" if not left else name) if not left else f"{left}{self._index(index)}"
            lines.append(self.line(label, self.value([e]) or self.scalar(e)))
        return lines

    def _index(self, index: str) -> str:
        return (f"_{{{index}}}" if self.tex else unicode_name(f"x{index}")[1:]) if index else ""

    def matrix_letter(self, components: Sequence[sp.Expr]) -> str | None:
        """``𝕀a`` where the components are those of an inertia, moments or a matrix, times a letter a."""
        for name, symbols in self.system._symbolic.items():
            if not self.system.parameters()[name].symmetric:
                continue
            tensor = np.diag(symbols) if symbols.ndim == 1 else symbols
            for letter, vector in list(self.families.items()):
                product = [sp.Add(*(tensor[i, j] * vector[j] for j in range(3))) for i in range(3)]
                if all(sp.expand(a - b) == 0 for a, b in zip(product, components, strict=True)):
                    return f"𝕀{letter}"
        return None

    # -- statements ------------------------------------------------------------------------------------------------

    def statements(self, program: Program, wanted: Sequence[sp.Expr]) -> list[str]:
        """The definitions that some expressions need, in order; a family of symbols name1 … name3 is one equation."""
        needed = program.with_outputs(wanted=wanted)._needed()
        lines: list[str] = []
        for statement in program.statements:
            if not needed.intersection(statement.names):
                continue
            if isinstance(statement, Solve):
                lines += self.solve(statement)
                continue
            for stem, members in _families(statement).items():
                if re.match(r"~L\d+_", stem) is None:
                    lines += self.definition(stem, members)
                elif not split_tags(stem)[1] and not lines_have_inertia(lines):
                    lines.append(self.line("L", r"B^{\mathsf T} H B" if self.tex else "BᵀHB"))
        return lines

    def definition(self, stem: str, members: Mapping[sp.Symbol, sp.Expr]) -> list[str]:
        """One equation, or one a component. Multiples m Y and 𝕀Ω of a letter get no name of their own."""
        if len(members) == 3:
            values = list(members.values())
            terms = recognise([e.xreplace(self.multiples) for e in values], self.letters, self.diagonal)
            alias = self.matrix_letter(values)
            if alias is not None or (terms and len(terms) == 1 and isinstance(terms[0].shape, str)):
                name = alias or str(terms[0].shape)  # type: ignore[index]
                factor = sp.Integer(1) if alias else terms[0].coefficient * terms[0].scalar  # type: ignore[index]
                if name not in self.families:
                    self._letter(name, [sp.Symbol(f"{name}{i + 1}", real=True) for i in range(3)])
                self.multiples |= {s: factor * self.families[name][i] for i, s in enumerate(members)}
                return []
            lines = self.equation(stem, values)
            self._letter(stem, tuple(members))
            return lines
        lines = []
        for symbol, e in members.items():
            if e.is_Symbol or e.is_Number or (e.is_Mul and stem.startswith("~p_")):
                self.multiples[symbol] = e.xreplace(self.multiples)
                continue
            lines.append(self.line(self.name(symbol.name), self.value([e]) or self.scalar(e)))
        return lines

    def scalar(self, e: sp.Expr) -> str:
        """A component."""
        return readable(e.xreplace(self.multiples), latex=self.tex)

    def solve(self, statement: Solve) -> list[str]:
        """``L u = rhs``: u from its momentum, or du from forces."""
        stems = list(dict.fromkeys(map(_stem, statement.names)))
        for stem in stems:
            self._family(stem, [n for n in statement.names if _stem(n) == stem])
        unknown = ", ".join(self.name(s, vector=len(statement.names) == 3) for s in stems)
        if len(stems) > 1:
            unknown = f"({unknown})"
        staged = statement.symmetric and all(e.is_Symbol or e.is_Number for row in statement.matrix for e in row)
        if self.sde.form == "A":
            matrix = r"\begin{pmatrix}H & -C \\ A & 0\end{pmatrix}" if self.tex else "[H −C; A 0]"
        elif staged:
            matrix = "L"
        else:
            test = "" if statement.symmetric else "_V"
            matrix = rf"(B{test}^{{\mathsf T}} H B)\," if self.tex else f"(B{test}ᵀHB)"
        moved = [e for e in statement.rhs for e in sp.Add.make_args(sp.expand(e)) if self._turns(e)]
        rhs = [sp.Add(*(t for t in sp.Add.make_args(sp.expand(e)) if not self._turns(t))) for e in statement.rhs]
        text = self.value(rhs) if len(rhs) == 3 else None
        text = text or "(" + ", ".join(self.scalar(e) for e in rhs) + ")"
        if moved:
            tag = next(split_tags(s.name)[1][-1] for s in moved[0].free_symbols if self._turns(s))
            old = ", ".join(dict.fromkeys(self.name(_stem(sp.Symbol(n.name.removesuffix(tag))), vector=len(rhs) == 3)
                                          for n in statement.names))  # fmt: skip
            text += f" - ({self.name('L' + tag)}) {old}"
        return [self.line(f"{matrix} {unknown}", text)]

    @staticmethod
    def _turns(e: sp.Expr) -> bool:
        """Whether a term carries the change of the locked inertia."""
        return any(re.match(r"~L\d+_\d+['\"]", s.name) for s in e.free_symbols)

    # -- pages -----------------------------------------------------------------------------------------------------

    def page(self, form: str) -> str:
        """The whole page."""
        sections = [self.contacts, self.momenta(), self.columns() if form == "stratonovich" else self.ito()]
        lines = list(dict.fromkeys(line for section in sections for line in section))
        if self.tex:
            return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"
        return self.header() + "\n" + "\n".join(lines)

    def header(self) -> str:
        """Group, velocity, advected quantities, principle."""
        d = self.sde.definition
        velocity = ", ".join(self.name(k) for k in d.group.blocks)
        parts = [f"S = {d.group.name}", f"ξ = ({velocity})" if len(d.group.blocks) > 1 else f"ξ = {velocity}"]
        if d.advected:
            parts.append("advected " + ", ".join(self.name(k) for k in d.advected))
        if d.internal_states:
            parts.append("internal " + ", ".join(self.name(s.name) for s in d.internal_states))
        return f"{type(self.system).__name__}: {'; '.join(parts)}; {self.sde.principle}, {self.sde.form} form"

    def momenta(self) -> list[str]:
        """Velocities and momenta: what is defined before anything moves."""
        o = self.sde.program.outputs
        if self.sde.form != "P":
            return self.statements(self.sde.program, [*o["xi"], *o["p"]])
        velocity = self.system.sde(self._principle, variables="velocity")
        page = _Page(self.system, velocity, latex=self.tex)
        lines = page.statements(velocity.program, [*velocity.program.outputs["P"]])
        start = 0
        for variable in self.sde.variables:
            if variable.kind == "momentum":
                part = velocity.program.outputs["P"][start : start + variable.dimension]
                lines += page.equation(variable.name, part)
                start += variable.dimension
        for name, symbols in page.families.items():
            if name not in self.families:
                self._letter(name, symbols)
        self.multiples |= page.multiples
        lines.append(self.inverse_legendre())
        formal = self.sde.setting.formal
        for i in range(0, len(formal[0]) - len(formal[0]) % 3, 3):
            lines += self.equation(f"xi{i // 3 + 1}", list(formal[1][i : i + 3]))
        for v in velocity.variables:
            self._family(v.name, v.symbols)
        return lines

    def inverse_legendre(self) -> str:
        """``Ω = L⁻¹M``: the linear solve by which velocities follow from momenta."""
        velocities = list(self.sde.definition.constraint.coordinates(self.sde.definition.group))
        momenta = [v.name for v in self.sde.variables if v.kind == "momentum"]
        sides = []
        for names in (velocities, momenta):
            joined = ", ".join(self.name(n, vector=len(names) == 1) for n in names)
            sides.append(f"({joined})" if len(names) > 1 else joined)
        if self.tex:
            return self.line(sides[0], rf"L^{{-1}} {sides[1]},\quad L = B^{{\mathsf T}} H B")
        return self.line(sides[0], f"L⁻¹ {sides[1]},  L = BᵀHB")

    @property
    def _principle(self) -> str:
        from semidirect.equations.principles import PRINCIPLES

        return next(k for k, v in PRINCIPLES.items() if v.name == self.sde.principle)

    def columns(self) -> list[str]:
        """Drift and noise of each state variable, transport and advection put in."""
        programs = [self.sde.column(k) for k in range(self.sde.wieners + 1)]
        lines: list[str] = []
        start = 0
        for variable in self.sde.variables:
            part = slice(start, start + variable.dimension)
            start += variable.dimension
            lines += self.differential(variable.name, [self.flattened(p, p.outputs["state"][part]) for p in programs])
        if self.named_coordinates:
            for i, name in enumerate(self.sde.coordinates):
                lines += self.differential(name, [self.flattened(p, [p.outputs["coordinates"][i]]) for p in programs])
            return lines
        return lines + self.transport()

    @property
    def named_coordinates(self) -> bool:
        """Whether s is stored by coordinates with names of their own (angles, positions), which then have equations."""
        return not any(name[-1].isdigit() for name in self.sde.coordinates)

    def transport(self) -> list[str]:
        """ξ̃ = ξ dt + Σ N_i∘dW^i, and each field by its blocks."""
        d, lines = self.sde.definition, []
        moved = r"\widetilde{\xi} = s^{-1}\mathrm{d}s" if self.tex else "ξ̃"
        terms = [("\\xi" if self.tex else "ξ") + self.measure(0, True)]
        for i, field in enumerate(self.sde.setting.fields):
            label = f"N_{{{i + 1}}}" if self.tex else unicode_name(f"N{i + 1}")
            parts = [list(field[part]) for part in d.group.blocks.values()]
            blocks = [(self.value(b) if len(b) in (1, 3) else None) or ", ".join(map(self.scalar, b)) for b in parts]
            lines.append(self.line(label, f"({', '.join(blocks)})" if len(blocks) > 1 else blocks[0]))
            terms.append(label + self.measure(i + 1, True))
        return [*lines, self.line(moved, " + ".join(terms))]

    def flattened(self, program: Program, expressions: Sequence[sp.Expr]) -> list[sp.Expr]:
        """Put in what depends on the column (transport, advection, κ); keep velocities and momenta as names."""
        kept = set(self.sde.setting.xi) | {s for f in self.families.values() for s in f}
        rules: dict[sp.Symbol, sp.Expr] = {}
        for statement in program.statements:
            if isinstance(statement, Let):
                for name, e in zip(statement.names, statement.expressions, strict=True):
                    if name not in kept and not re.match(r"~(p_|L\d|xi\d)", name.name):
                        rules[name] = e.xreplace(rules)
        return [e.xreplace(rules) for e in expressions]

    def differential(self, name: str, columns: Sequence[Sequence[sp.Expr]], *, stratonovich: bool = True,
                     left: str = "") -> list[str]:  # fmt: skip
        """``dX = … dt + … ∘dW¹``, columns that vanish left out."""
        vector = len(columns[0]) == 3
        left = (r"\mathrm{d}" if self.tex else "d") + (left or self.name(name, vector=vector))
        values = [self.value(c) if vector else None for c in columns]
        rows: list[list[str]] = [[v for v in values if v is not None]]
        if not vector or len(rows[0]) < len(columns):
            rows = [[self.value([c[i]]) or self.scalar(c[i]) for c in columns] for i in range(len(columns[0]))]
        lines = []
        for i, row in enumerate(rows):
            parts = []
            for k, text in enumerate(row):
                if text != "0":
                    parts.append(f"{_bracketed(text)}{self.measure(k, stratonovich)}")
            label = left if len(rows) == 1 else left + self._index(str(i + 1))
            lines.append(self.line(label, " + ".join(parts) or "0"))
        return lines

    def measure(self, k: int, stratonovich: bool) -> str:
        """dt or ∘dW^k."""
        if k == 0:
            return r"\,\mathrm{d}t" if self.tex else " dt"
        if self.tex:
            return (r"\circ" if stratonovich else r"\,") + rf"\mathrm{{d}}W^{{{k}}}"
        superscript = str(k).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{'∘' if stratonovich else ' '}dW{superscript}"

    def ito(self) -> list[str]:
        """Fields and the Itô correction, each in stages."""
        moving = {v.name: v.symbols for v in self.sde.variables}
        if self.named_coordinates:
            moving |= {name: (symbol,) for name, symbol in self.sde.coordinates.items()}
        evolution = self.sde.evolution(moving)
        return self._staged(evolution, ("ito", *evolution.columns[2:-1]), stratonovich=False)

    def evolution(self, evolution: Evolution) -> str:
        """Drift and noise of quantities, then the Itô drift."""
        lines = self._staged(evolution, ("drift", *evolution.columns[2:-1]), stratonovich=True)
        if self.tex:
            return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"
        return "\n".join(lines)

    def _staged(self, evolution: Evolution, columns: Sequence[str], *, stratonovich: bool) -> list[str]:
        program = evolution.program
        wanted = [e for q in evolution.quantities for c in columns for e in evolution.of(q, c)]
        lines = self.statements(program, wanted)
        for quantity in evolution.quantities:
            rows = [evolution.of(quantity, c) for c in columns]
            lines += self.differential(quantity, rows, stratonovich=stratonovich, left=self.quantity(quantity))
        return lines

    def quantity(self, name: str) -> str:
        """How a quantity is called: state variables by their symbol, observables by their name."""
        if name in self.sde.named or name in self.sde.coordinates:
            return self.name(name, vector=name in self.families)
        return rf"(\text{{{name}}})" if self.tex else f"({name})" if "-" in name else f" {name}"


def lines_have_inertia(lines: Sequence[str]) -> bool:
    """Whether the locked inertia was named already."""
    return any(line.split("=")[0].strip(" &") == "L" for line in lines)


def _bracketed(text: str) -> str:
    return f"({text})" if re.search(r" [+-] ", text) else text


def _families(statement: Let) -> dict[str, dict[sp.Symbol, sp.Expr]]:
    """Names grouped by stem: ``Y1, Y2, Y3`` → ``Y``; ``Y1@0`` … → ``Y@0``."""
    groups: dict[str, dict[sp.Symbol, sp.Expr]] = {}
    for name, e in zip(statement.names, statement.expressions, strict=True):
        groups.setdefault(_stem(name), {})[name] = e
    return groups


def _stem(symbol: sp.Symbol) -> str:
    base, tags = split_tags(symbol.name)
    return re.sub(r"\d+$", "", base) + "".join(tags)


def text(sde: StratonovichSDE) -> str:
    """A derived equation that belongs to no system, stage by stage."""
    lines = [f"{sde.principle}, {sde.form} form; state {', '.join(v.name for v in sde.variables)}"]
    for statement in sde.program.statements:
        if isinstance(statement, Let):
            lines += [f"  {n} = {e}" for n, e in zip(statement.names, statement.expressions, strict=True)]
        else:
            lines += [f"  solve {[list(r) for r in statement.matrix]} {list(statement.names)} = {list(statement.rhs)}"]
    for x, e in zip(sde.state, sde.program.outputs["state"], strict=True):
        lines.append(f"  d{x} = {e}")
    return "\n".join(lines)


def latex(sde: StratonovichSDE) -> str:
    """As :func:`text`, in LaTeX."""
    rows = []
    for statement in sde.program.statements:
        if isinstance(statement, Let):
            rows += [
                rf"{sp.latex(n)} &= {sp.latex(e)}" for n, e in zip(statement.names, statement.expressions, strict=True)
            ]
        else:
            matrix, names, rhs = (sp.latex(sp.Matrix(np.array(x, dtype=object))) for x in
                                  (statement.matrix, statement.names, statement.rhs))  # fmt: skip
            rows.append(rf"{matrix}{names} &= {rhs}")
    for x, e in zip(sde.state, sde.program.outputs["state"], strict=True):
        rows.append(rf"\mathrm{{d}}{sp.latex(x)} &= {sp.latex(e)}")
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"
