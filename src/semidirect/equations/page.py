"""Pages of equations: what defines velocities and momenta, then what moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.blocks import layout
from semidirect.equations.balance_rows import BalanceRows, without_transport
from semidirect.equations.notation import SUPERSCRIPT, split_tags, unicode_name
from semidirect.equations.program import Let, Program, Solve
from semidirect.equations.vectors import recognise
from semidirect.equations.writer import Writer

if TYPE_CHECKING:
    from semidirect.equations.evolution import Evolution
    from semidirect.equations.sde import StratonovichSDE, Variable
    from semidirect.system import System


class Page:
    """Writes one SDE of a system."""

    def __init__(self, system: System, sde: StratonovichSDE, *, latex: bool):
        self.system, self.sde = system, sde
        self.writer = Writer(system, sde, latex=latex)

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
                elif not split_tags(stem)[1] and not _names_inertia(lines):
                    lines.append(self.writer.line("L", r"B^{\mathsf T} H B" if self.writer.tex else "BᵀHB"))
        return lines

    def definition(self, stem: str, members: Mapping[sp.Symbol, sp.Expr]) -> list[str]:
        """One equation, or one a component. Multiples m Y and 𝕀Ω of a letter get no name of their own."""
        if len(members) == 3:
            values = list(members.values())
            terms = recognise(
                [e.xreplace(self.writer.multiples) for e in values], self.writer.letters, self.writer.diagonal
            )
            alias = self.writer.matrix_letter(values)
            if alias is not None or (terms and len(terms) == 1 and isinstance(terms[0].shape, str)):
                name = alias or str(terms[0].shape)  # type: ignore[index]
                factor = sp.Integer(1) if alias else terms[0].coefficient * terms[0].scalar  # type: ignore[index]
                if name not in self.writer.families:
                    base, tags = split_tags(name)
                    self.writer.letter(name, [sp.Symbol(f"{base}{i + 1}{''.join(tags)}", real=True) for i in range(3)])
                self.writer.multiples |= {s: factor * self.writer.families[name][i] for i, s in enumerate(members)}
                return []
            if terms == []:
                self.writer.multiples |= dict.fromkeys(members, sp.Integer(0))
                return []
            lines = self.writer.equation(stem, values)
            self.writer.letter(stem, tuple(members))
            return lines
        lines = []
        for symbol, e in members.items():
            if e.is_Symbol or e.is_Number or (e.is_Mul and stem.startswith("~p_")):
                self.writer.multiples[symbol] = e.xreplace(self.writer.multiples)
                continue
            lines.append(
                self.writer.line(self.writer.name(symbol.name), self.writer.value([e]) or self.writer.scalar(e))
            )
        return lines

    def solve(self, statement: Solve) -> list[str]:
        """``L u = rhs``: u from its momentum, or du from forces."""
        stems = list(dict.fromkeys(map(_stem, statement.names)))
        for stem in stems:
            self.writer.family(stem, [n for n in statement.names if _stem(n) == stem])
        unknown = ", ".join(self.writer.name(s, vector=len(statement.names) == 3) for s in stems)
        if len(stems) > 1:
            unknown = f"({unknown})"
        staged = statement.symmetric and all(e.is_Symbol or e.is_Number for row in statement.matrix for e in row)
        if self.sde.form == "A":
            matrix = r"\begin{pmatrix}H & -C \\ A & 0\end{pmatrix}" if self.writer.tex else "[H −C; A 0]"
        elif staged:
            matrix = "L"
        else:
            test = "" if statement.symmetric else "_V"
            matrix = rf"(B{test}^{{\mathsf T}} H B)\," if self.writer.tex else f"(B{test}ᵀHB)"
        moved = [e for e in statement.rhs for e in sp.Add.make_args(sp.expand(e)) if self._turns(e)]
        rhs = [sp.Add(*(t for t in sp.Add.make_args(sp.expand(e)) if not self._turns(t))) for e in statement.rhs]
        if not moved and all(self.writer.vanishes(e) for e in rhs):
            self.writer.multiples |= dict.fromkeys(statement.names, sp.Integer(0))
            return []
        parts = [[e for n, e in zip(statement.names, rhs, strict=True) if _stem(n) == stem] for stem in stems]
        text = ", ".join(map(self.block, parts))
        text = f"({text})" if len(parts) > 1 or text.count(", ") else text
        if moved:
            tag = next(split_tags(s.name)[1][-1] for s in moved[0].free_symbols if self._turns(s))
            old = ", ".join(dict.fromkeys(self.writer.name(_stem(sp.Symbol(n.name.removesuffix(tag))), vector=len(rhs) == 3)
                                          for n in statement.names))  # fmt: skip
            text += f" - ({self.writer.name('L' + tag)}) {old}"
        return [self.writer.line(f"{matrix} {unknown}", text)]

    @staticmethod
    def _turns(e: sp.Expr) -> bool:
        """Whether a term carries the change of the locked inertia."""
        return any(re.match(r"~L\d+_\d+['\"]", s.name) for s in e.free_symbols)

    def page(self, form: str) -> str:
        """The whole page."""
        momenta = self.momenta()
        moving = self.columns() if form == "stratonovich" else self.ito()
        sections = [self.surface(), momenta, self.constraint(form), moving]
        lines = list(dict.fromkeys(line for section in sections for line in section if not self.writer.trivial(line)))
        if self.writer.tex:
            return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"
        return self.header() + "\n" + "\n".join(lines)

    def header(self) -> str:
        """Group, velocity, advected quantities, principle."""
        d = self.sde.definition
        velocity = ", ".join(self.writer.name(k) for k in d.group.blocks)
        parts = [f"S = {d.group.name}", f"ξ = ({velocity})" if len(d.group.blocks) > 1 else f"ξ = {velocity}"]
        if d.advected:
            parts.append("advected " + ", ".join(self.writer.name(k) for k in d.advected))
        internal = [self.writer.name(v.name) for v in self.variables if v.kind == "internal"]
        if internal:
            parts.append(f"internal {', '.join(internal)}")
        return f"{type(self.system).__name__}: {'; '.join(parts)}; {self.sde.principle}, {self.sde.form} form"

    def momenta(self) -> list[str]:
        """Velocities and momenta: what is defined before anything moves."""
        page = self.of_velocities() if self.sde.form == "P" else self
        velocity = page.sde
        outputs = velocity.program.outputs
        parts = {name: [outputs["p"][i] for i in range(len(outputs["p"]))[part]]
                 for name, part in velocity.definition.group.blocks.items()}  # fmt: skip
        momenta = {f"p_{name}": part for name, part in parts.items()}
        if self.sde.form != "A":
            coordinates = layout(self.sde.definition.constraint.coordinates(self.sde.definition.group))
            momenta = {
                self.sde.definition.momentum_name(k): list(outputs["P"][part]) for k, part in coordinates.items()
            }
        for name, part in momenta.items():
            for block, p in parts.items():
                if part == p and all(e.is_Symbol for e in p):  # one thing with two names
                    self.writer.aliases[f"~p_{block}"] = page.writer.aliases[f"~p_{block}"] = name
        shown = [*outputs["xi"], *(e for part in momenta.values() for e in part)]
        lines = page.statements(velocity.program, shown)
        for name, part in momenta.items():
            lines += page.writer.equation(name, part)
        for name, symbols in page.writer.families.items():
            if name not in self.writer.families:
                self.writer.letter(name, symbols)
        self.writer.multiples |= page.writer.multiples
        if self.sde.form == "P":
            lines.append(self.inverse_legendre())
        formal = self.sde.setting.formal
        for i in range(0, len(formal[0]) - len(formal[0]) % 3, 3):
            lines += self.writer.equation(f"xi{i // 3 + 1}", list(formal[1][i : i + 3]))
        for v in velocity.variables:
            self.writer.family(v.name, v.symbols)
        return lines

    def constraint(self, form: str) -> list[str]:
        """In A form A ξ = b, row by row; where reactions are not written out, their directions."""
        d, given = self.sde.definition, self.sde.setting.annihilator
        if self.sde.form != "A" or given is None:
            return []
        xi = [x for name in d.group.blocks for x in np.ravel(self.sde.named[name])]
        lines = []
        for row, value in zip(given.covectors, given.values, strict=True):
            sides = [[sp.Add(*(a * x for a, x in zip(row, xi, strict=True)))], [sp.sympify(value)]]
            lines.append(self.writer.line(*(self.writer.value(side) or self.writer.scalar(side[0]) for side in sides)))
        if form == "ito":
            lines += [self.by_blocks("C", i, c) for i, c in enumerate(given.directions.T)]
        return lines

    def inverse_legendre(self) -> str:
        """``Ω = L⁻¹M``: the linear solve by which velocities follow from momenta."""
        velocities = list(self.sde.definition.constraint.coordinates(self.sde.definition.group))
        momenta = [v.name for v in self.sde.variables if v.kind == "momentum"]
        sides = []
        for names in (velocities, momenta):
            joined = ", ".join(self.writer.name(n, vector=len(names) == 1) for n in names)
            sides.append(f"({joined})" if len(names) > 1 else joined)
        if self.writer.tex:
            return self.writer.line(sides[0], rf"L^{{-1}} {sides[1]},\quad L = B^{{\mathsf T}} H B")
        return self.writer.line(sides[0], f"L⁻¹ {sides[1]},  L = BᵀHB")

    @property
    def variables(self) -> Sequence[Variable]:
        """The state."""
        return self.sde.variables

    def of_velocities(self) -> Page:
        """The page of the same equations in velocities."""
        return Page(self.system, self.system.sde(self._principle, variables="velocity"), latex=self.writer.tex)

    def surface(self) -> list[str]:
        """What is known of the surface of a body that rolls."""
        return self.writer.contacts

    @property
    def _principle(self) -> str:
        from semidirect.equations.principles import PRINCIPLES

        return next(k for k, v in PRINCIPLES.items() if v.name == self.sde.principle)

    def columns(self) -> list[str]:
        """Drift and noise of momenta and of what is advected, transport and advection put in."""
        rows = BalanceRows(self.sde)
        lines = self.balance(rows)
        start = 0
        for variable in self.sde.variables:
            part = slice(start, start + variable.dimension)
            start += variable.dimension
            if variable.kind != "velocity" and variable in self.variables:
                lines += self.differential(variable.name, [list(p.outputs["state"][part]) for p in rows.programs])
        if self.named_coordinates:
            for i, name in enumerate(self.sde.coordinates):
                lines += self.differential(name, [[p.outputs["coordinates"][i]] for p in rows.programs])
            return lines
        return lines + self.transport()

    def balance(self, rows: BalanceRows) -> list[str]:
        """What moves momenta, where the state is a velocity."""
        d, s, columns = self.sde.definition, self.sde.setting, range(self.sde.wieners + 1)
        if self.sde.form == "P":
            return []
        if self.sde.form == "A":
            return self.reactions(rows)
        assert s.distribution is not None
        if s.distribution.test is None:
            parts = layout(d.constraint.coordinates(d.group))
            return [line for name, part in parts.items()
                    for line in self.differential(d.momentum_name(name), [list(rows.projected(k)[part]) for k in columns])]  # fmt: skip
        for name, part in d.group.blocks.items():
            self.writer.family(f"~dp_{name}", list(rows.dp[part]))
        left, right = rows.tested(rows.dp), [rows.tested(rows.forces(k)) for k in columns]
        vector = self.writer.value(list(left)) if len(left) == 3 else None
        if vector and all(self.writer.value(list(f)) for f in right):
            return [self.writer.line(vector, self.sum_of([self.writer.value(list(f)) or "0" for f in right]))]
        return [self.writer.line(self.block([e]), self.sum_of([self.block([f[j]]) for f in right]))
                for j, e in enumerate(left)]  # fmt: skip

    def reactions(self, rows: BalanceRows) -> list[str]:
        """dp = f + C dλ."""
        d, s = self.sde.definition, self.sde.setting
        assert s.annihilator is not None
        lines: list[str] = []
        count = s.annihilator.directions.shape[1]
        for name, part in d.group.blocks.items():
            pushed = []
            for j, direction in enumerate(s.annihilator.directions.T):
                index = str(j + 1) if count > 1 else ""
                reaction, measure = list(direction[part]), self.writer.name(f"dlambda{index}")
                if len(reaction) == 3 and self.writer.value(reaction) is None:
                    lines += self.writer.equation(f"C{index}_{name}", reaction)
                    reaction = [sp.Symbol(f"C{index}_{name}{i}", real=True) for i in (1, 2, 3)]
                    self.writer.letter(f"C{index}_{name}", reaction)
                pushed.append((reaction, r"\," + measure if self.writer.tex else f" {measure}"))
            columns = [list(rows.forces(k)[part]) for k in range(self.sde.wieners + 1)]
            lines += self.differential(f"p_{name}", columns, pushed=pushed)
        return lines

    @property
    def named_coordinates(self) -> bool:
        """Whether s is stored by coordinates with names of their own (angles, positions), which then have equations."""
        return not any(name[-1].isdigit() for name in self.sde.coordinates)

    def transport(self) -> list[str]:
        """ξ̃ = ξ dt + Σ N_i∘dW^i, and each field by its blocks."""
        lines = []
        moved = r"\widetilde{\xi} = s^{-1}\mathrm{d}s" if self.writer.tex else "ξ̃"
        terms = [("\\xi" if self.writer.tex else "ξ") + self.measure(0, True)]
        for i, field in enumerate(self.sde.setting.fields):
            lines.append(self.by_blocks("N", i, field))
            terms.append(self.numbered("N", i) + self.measure(i + 1, True))
        return [*lines, self.writer.line(moved, " + ".join(terms))]

    def numbered(self, letter: str, i: int) -> str:
        """N₁ for the field 0."""
        return f"{letter}_{{{i + 1}}}" if self.writer.tex else unicode_name(f"{letter}{i + 1}")

    def by_blocks(self, letter: str, i: int, components: Sequence[sp.Expr]) -> str:
        """``N₁ = (…, …)``, a field or a covector by the blocks of the algebra."""
        blocks = [self.block(list(components[part])) for part in self.sde.definition.group.blocks.values()]
        return self.writer.line(self.numbered(letter, i), f"({', '.join(blocks)})" if len(blocks) > 1 else blocks[0])

    def block(self, components: Sequence[sp.Expr]) -> str:
        """A block of a field: a vector or a scalar, else its components."""
        value = self.writer.value(components) if len(components) in (1, 3) else None
        return value or ", ".join(map(self.writer.scalar, components))

    def flattened(self, program: Program, expressions: Sequence[sp.Expr]) -> list[sp.Expr]:
        """Expressions with transport, advection and κ put in; velocities and momenta keep their names."""
        return list(without_transport(program.with_outputs(e=expressions)).outputs["e"])

    def differential(self, name: str, columns: Sequence[Sequence[sp.Expr]], *, stratonovich: bool = True, left: str = "",
                     pushed: Sequence[tuple[Sequence[sp.Expr], str]] = ()) -> list[str]:  # fmt: skip
        """``dX = … dt + … ∘dW¹``, columns that vanish left out; ``pushed`` are further ones, with their measures."""
        size = len(columns[0])
        if size == 4 and name in self.writer.families:  # a point and the number 1
            first, last = ([list(c[part]) for c in columns] for part in (slice(3), slice(3, 4)))
            return [*self.differential(name, first, stratonovich=stratonovich, left=left),
                    *self.differential(f"{name}4", last, stratonovich=stratonovich)]  # fmt: skip
        vector = size == 3
        left = (r"\mathrm{d}" if self.writer.tex else "d") + (left or self.writer.name(name, vector=vector))
        measures = [*(self.measure(k, stratonovich) for k in range(len(columns))), *(m for _, m in pushed)]
        columns = [*columns, *(c for c, _ in pushed)]
        values = [self.writer.value(c) for c in columns] if vector else [None]
        if all(v is not None for v in values):
            return [self.writer.line(left, self.sum_of([v or "0" for v in values], measures))]
        lines = []
        for i in range(size):
            row = [self.writer.value([c[i]]) or self.writer.scalar(c[i]) for c in columns]
            label = left if size == 1 else left + self.writer.index(str(i + 1))
            lines.append(self.writer.line(label, self.sum_of(row, measures)))
        return lines

    def sum_of(self, columns: Sequence[str], measures: Sequence[str] = ()) -> str:
        """Columns times their measures, those that vanish left out."""
        measures = measures or [self.measure(k, True) for k in range(len(columns))]
        text = ""
        for column, measure in zip(columns, measures, strict=True):
            if column == "0":
                continue
            term = f"({column})" if _is_sum(column) else column
            if not text:
                text = term + measure
            elif term.startswith("-"):
                text += f" - {term[1:]}{measure}"
            else:
                text += f" + {term}{measure}"
        return text or "0"

    def measure(self, k: int, stratonovich: bool) -> str:
        """dt or ∘dW^k."""
        if k == 0:
            return r"\,\mathrm{d}t" if self.writer.tex else " dt"
        if self.writer.tex:
            return (r"\circ" if stratonovich else r"\,") + rf"\mathrm{{d}}W^{{{k}}}"
        return f"{'∘' if stratonovich else ' '}dW{str(k).translate(SUPERSCRIPT)}"

    def ito(self) -> list[str]:
        """Fields and the Itô correction, each in stages."""
        moving = {v.name: v.symbols for v in self.sde.variables}
        if self.named_coordinates:
            moving |= {name: (symbol,) for name, symbol in self.sde.coordinates.items()}
        evolution = self.sde.evolution(moving)
        return self._staged(evolution, ("ito", *evolution.columns[2:-1]), stratonovich=False)

    def evolution(self, evolution: Evolution, form: str = "stratonovich") -> str:
        """Drift and noise of quantities, in either form."""
        simplified = replace(evolution, program=without_transport(evolution.program))
        first, stratonovich = ("drift", True) if form == "stratonovich" else ("ito", False)
        lines = self._staged(simplified, (first, *evolution.columns[2:-1]), stratonovich=stratonovich)
        if self.writer.tex:
            return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"
        return "\n".join(lines)

    def _staged(self, evolution: Evolution, columns: Sequence[str], *, stratonovich: bool) -> list[str]:
        program = evolution.program
        wanted = [sp.expand(e) for q in evolution.quantities for c in columns for e in evolution.of(q, c)]
        lines = self.statements(program, wanted)
        for quantity in evolution.quantities:
            rows = [evolution.of(quantity, c) for c in columns]
            lines += self.differential(quantity, rows, stratonovich=stratonovich, left=self.quantity(quantity))
        return lines

    def quantity(self, name: str) -> str:
        """How a quantity is called: state variables by their symbol, observables by their name."""
        if name in self.sde.named or name in self.sde.coordinates:
            return self.writer.name(name, vector=name in self.writer.families)
        if self.writer.tex:
            return r"(\text{{{}}})".format(re.sub(r"([_^&%#$])", r"\\\1", name))
        return f" {name}" if name.isidentifier() else f"({name})"


def _names_inertia(lines: Sequence[str]) -> bool:
    """Whether the locked inertia was named already."""
    return any(line.split("=")[0].strip(" &") == "L" for line in lines)


def _is_sum(text: str) -> bool:
    """Whether a text is a sum, outside of its brackets."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}")
        if depth == 0 and text[i : i + 3] in (" + ", " - "):
            return True
    return False


def _families(statement: Let) -> dict[str, dict[sp.Symbol, sp.Expr]]:
    """Names grouped by stem: ``Y1, Y2, Y3`` → ``Y``; ``Y1@0`` … → ``Y@0``."""
    groups: dict[str, dict[sp.Symbol, sp.Expr]] = {}
    for name, e in zip(statement.names, statement.expressions, strict=True):
        groups.setdefault(_stem(name), {})[name] = e
    return groups


def _stem(symbol: sp.Symbol) -> str:
    base, tags = split_tags(symbol.name)
    return re.sub(r"\d+$", "", base) + "".join(tags)
