"""Pages of equations: what defines velocities and momenta, then what moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.core import symbols, user_code
from semidirect.equations import Let, Program, Solve, derived_sde
from semidirect.expressions import component_names, expression_sizes
from semidirect.pages.balance_rows import BalanceRows, without_transport
from semidirect.pages.legend import Legend
from semidirect.pages.line_breaks import aligned
from semidirect.pages.lines import Lines
from semidirect.pages.notation import split_tags

if TYPE_CHECKING:
    from semidirect.equations import Evolution


FEW = 9
"""Operations of a block that is written where it stands."""
SHORT = 1000
"""The largest denominator of a number that is written as a fraction."""


class Page(Lines):
    """Writes one SDE of a system."""

    def page(self, form: str, *, legend: bool = True) -> str:
        """The whole page; in LaTeX without what follows the display, if there is to be no legend."""
        momenta = self.momenta()
        moving = self.columns() if form == "stratonovich" else self.ito()
        sections = [momenta, self.constraint(form), moving, self.contact() if form == "stratonovich" else []]
        sections = [self.surface(), *sections]  # when all is written that may use it
        return self.header() + self.joined([line for section in sections for line in section], legend)

    def joined(self, lines: Sequence[str], legend: bool) -> str:
        """Lines, each once, and what they do not define."""
        lines = [part for line in lines for part in self.writer.unfolded(line)]
        lines = list(dict.fromkeys(line for line in lines if not self.writer.trivial(line)))
        words = Legend(self.writer)
        if self.writer.tex:
            return "\n".join(filter(None, (aligned(lines), words.where() if legend else "")))
        return "\n".join([*lines, *words.lines()])

    @staticmethod
    def aligned(lines: Sequence[str]) -> str:
        """Equations of this page in LaTeX, an ``align*`` environment."""
        return aligned(lines)

    @staticmethod
    def without_transport(program: Program) -> Program:
        """A program with transport, advection and κ put in where they are used."""
        return without_transport(program)

    def header(self) -> str:
        """Group, velocity, advected quantities, principle."""
        if self.writer.tex:
            return ""
        d = self.sde.definition
        parts = [f"S = {d.group.name}", f"velocity {self.velocity()}"]
        if d.advected:
            parts.append("advected " + ", ".join(self.writer.name(k) for k in d.advected))
        internal = [self.writer.name(v.name) for v in self.sde.variables if v.kind == "internal"]
        if internal:
            parts.append(f"internal {', '.join(internal)}")
        by = f"{self.sde.principle}, {self.sde.form} form" if d.has_energy else self.kinematics()
        return f"{type(self.system).__name__}: {'; '.join(parts)}; {by}\n"

    def kinematics(self) -> str:
        """The equation of motion of a system without a Lagrangian."""
        element = self.writer.names.free("s", "q")
        noisy = any(any(field) for field in self.sde.setting.fields)
        motion = self.velocity("~v_") if noisy else f"{self.velocity()} dt"
        return f"kinematics alone, d{element} = {element} {motion}"

    def velocity(self, prefix: str = "") -> str:
        """All blocks of ξ, or of ξ̃ where ``prefix`` is that of transport."""
        return self._listed([self._block_name(f"{prefix}{name}", name) for name in self.sde.definition.group.blocks])

    def _block_name(self, name: str, block: str) -> str:
        part = self.sde.definition.group.blocks[block]
        return self.unknown(name, part.stop - part.start)

    def momenta(self) -> list[str]:
        """Velocities and momenta: what is defined before anything moves."""
        page = self.of_velocities() if self.sde.form == "P" else self
        velocity = page.sde
        outputs = velocity.program.outputs
        parts = {name: [outputs["p"][i] for i in range(len(outputs["p"]))[part]]
                 for name, part in velocity.definition.group.blocks.items()}  # fmt: skip
        momenta = {f"p_{name}": part for name, part in parts.items()}
        if self.sde.form != "A":
            coordinates = component_names.layout(self.sde.definition.constraint.coordinates(self.sde.definition.group))
            momenta = {
                self.sde.definition.momentum_name(k): list(outputs["P"][part]) for k, part in coordinates.items()
            }
        expressions = [*outputs["xi"], *(e for part in momenta.values() for e in part)]
        for name, where in velocity.definition.group.blocks.items() if page.sde.definition.by_hamiltonian else ():
            page.writer.family(name, list(velocity.setting.xi[where]))
        lines = page.statements(velocity.program, expressions)
        lines = [*page.velocities(), *lines]
        for name, part in momenta.items():
            lines += page.writer.equation(name, part)
        for name, family in page.writer.families.items():
            if name not in self.writer.families:
                self.writer.letter(name, family)
        self.writer.multiples |= page.writer.multiples
        self.writer.printed_names |= page.writer.printed_names
        if self.sde.form == "P" and outputs["u"] and not self.sde.definition.by_hamiltonian:
            lines += self.inverse_legendre()
        lines += self.amplitudes()
        for v in velocity.variables:
            self.writer.family(v.name, v.symbols)
        return [*self.hamiltonians(), *lines]

    def hamiltonians(self) -> list[str]:
        """h and the h_i."""
        s, lines = self.sde.setting, list[str]()
        if s.hamiltonian is not None:
            lines += self.writer.equation(self.writer.fixed["h"], [s.hamiltonian])
        for i, h in enumerate(s.noise_hamiltonians):
            if h is not None:
                lines += self.writer.equation(f"{self.writer.fixed['h']}{i + 1}", [h])
        return lines

    def amplitudes(self) -> list[str]:
        """The formal amplitudes."""
        lines = []
        for i, where in enumerate(self.sde.setting.amplitudes):
            values = list(self.sde.setting.formal[1][where])
            lines += self.writer.equation(f"~xi{i + 1}" + "_" * (len(values) != 3), values)
        self.written_amplitudes |= set(self.sde.setting.formal[0])
        return lines

    def velocities(self) -> list[str]:
        """Blocks of ξ = Bu + c as far as they are numbers or coordinates: Ω = (w₁, w₂, 0)."""
        lines: list[str] = []
        for name, (own, entries) in self.inlined.items():
            if any(x == e for x, e in zip(own, entries, strict=True)):  # others have equations of their own
                pairs = [(x, e) for x, e in zip(own, entries, strict=True) if x != e]
                lines += [self.writer.line(self.writer.symbol(x.name), self.block([e])) for x, e in pairs]
            else:
                components = self._listed([self.writer.scalar(e) for e in entries])
                lines.append(self.writer.line(self._block_name(name, name), components))
        return lines

    @cached_property
    def inlined(self) -> dict[str, tuple[list[sp.Symbol], list[sp.Expr]]]:
        """Blocks of ξ with components that are other names or numbers: their own symbols, and what stands in their place."""
        s, xi, blocks = self.sde.setting, self.sde.program.outputs["xi"], {}
        for name, part in s.definition.group.blocks.items():
            own, entries = list(s.xi[part]), list(xi[part])
            if own != entries:
                blocks[name] = own, entries
        return blocks

    def definition(self, stem: str, members: Mapping[sp.Symbol, sp.Expr]) -> list[str]:
        """One equation; a momentum by the velocity of its block where that has a vector expression: p_Ω = 𝕀Ω."""
        block = stem.removeprefix("~p_")
        if stem.startswith("~p_") and len(members) == len(self.inlined.get(block, ((),))[0]) == 3:
            part = self.sde.definition.group.blocks[block]
            plain = list(self.sde.setting.momentum[part])
            self.writer.family(block, self.inlined[block][0])
            letter = self.writer.matrix_letter(plain)
            text = self.writer.name(letter, vector=True) if letter else self.writer.value(plain)
            if text is not None:
                self.writer.letter(stem, tuple(members))
                return [self.writer.line(self.writer.name(stem, vector=True), text)]
        return super().definition(stem, members)

    def constraint(self, form: str) -> list[str]:
        """In A form A ξ = b, row by row; where reactions are not written out, their directions.

        A text also says which of several constraints each row belongs to. LaTeX states them once, solved for velocities.
        """
        d, annihilator = self.sde.definition, self.sde.setting.annihilator
        if self.sde.setting.parts is not None:
            return [] if self.writer.tex and self.sde.form != "A" else self.named_constraints()
        if self.sde.form != "A" or annihilator is None:
            return []
        xi = [x for name in d.group.blocks for x in np.ravel(self.sde.named[name])]
        lines = []
        for row, value in zip(annihilator.covectors, annihilator.values, strict=True):
            sides = [[sp.Add(*(a * x for a, x in zip(row, xi, strict=True)))], [sp.sympify(value)]]
            lines.append(self.writer.line(*(self.writer.value(side) or self.writer.scalar(side[0]) for side in sides)))
        if form == "ito":
            lines += [self.by_blocks("C", i, c) for i, c in enumerate(annihilator.directions.T)]
        return lines

    def named_constraints(self) -> list[str]:
        """Each row A ξ = b of several constraints, with the name of its constraint."""
        lines, parts = list[str](), self.sde.setting.parts
        assert parts is not None
        for name, where in parts.rows.items():
            label = name.replace("_", r"\_")
            of = rf",\quad (\mathrm{{{label}}})" if self.writer.tex else f",  ({name})"
            for row, value in zip(parts.covectors[where], parts.values[where], strict=True):
                left = sp.Add(*(a * x for a, x in zip(row, self.sde.setting.xi, strict=True)))
                sides = [self.writer.value([e]) or self.writer.scalar(e) for e in (left, sp.sympify(value))]
                lines.append(self.writer.line(sides[0], f"{sides[1]}{of}"))
        return lines

    def inverse_legendre(self) -> list[str]:
        """``Ω = L⁻¹ M``: the linear solve by which velocities follow from momenta, and what these are at u = 0."""
        u = set(self.sde.program.outputs["u"])
        return self.solve(next(s for s in self.sde.program.statements if isinstance(s, Solve) and u <= {*s.names}))

    def contact(self) -> list[str]:
        """The force f of a contact from the reaction, and its normal part N."""
        terms = self.sde.setting.contact
        if terms is None or terms.absent or terms.normal is None:
            return []
        blocks = self.sde.definition.group.blocks
        name = next(k for k, part in blocks.items() if part == terms.part)
        size = terms.part.stop - terms.part.start
        force, reaction = (self._letters(f"{letter}_{name}", size) for letter in ("f", self.writer.fixed["R"]))
        load = [sp.Integer(0)] * size if terms.load is None else list(terms.load)
        total = [r - x for r, x in zip(reaction, load, strict=True)]
        normal = sp.Add(*(f * n for f, n in zip(force, terms.normal, strict=True)))
        return [*self.writer.equation(f"f_{name}", total), *self.writer.equation(f"N_{name}", [normal])]

    def _letters(self, name: str, size: int) -> list[sp.Symbol]:
        symbols = [sp.Symbol(f"{name}{i + 1}" if size > 1 else name, real=True) for i in range(size)]
        self.writer.family(name, symbols)
        return symbols

    def of_velocities(self) -> Page:
        """The page of the same equations in velocities."""
        return Page(
            self.system,
            derived_sde(self.system, self._principle, variables="velocity", lettered=True),
            latex=self.writer.tex,
        )

    def surface(self) -> list[str]:
        """The known data of the surface of a body that rolls."""
        return self.writer.named_vectors()

    @property
    def _principle(self) -> str:
        from semidirect.equations import PRINCIPLES

        return next(k for k, v in PRINCIPLES.items() if v.name == self.sde.principle)

    def columns(self) -> list[str]:
        """Drift and noise of momenta and of what is advected, transport and advection put in."""
        rows = BalanceRows(self.sde, self._stays)
        rates = [rows.moved(k) for k in range(self.sde.wieners + 1)]
        letters = [*self.dissipation(rows, rates), *self.letters(rows, rates)]
        lines = [*self.external(rows), *self.balance(rows)]
        start = 0
        for variable in self.sde.variables:
            part = slice(start, start + variable.dimension)
            start += variable.dimension
            if variable.name in self.positions:
                lines.append(self.positions[variable.name])
            elif variable.kind != "velocity" and variable in self.sde.variables:
                lines += self.differential(variable.name, [m[part] for m in rates])
        if self.named_coordinates:
            for i, name in enumerate(self.sde.coordinates):
                lines += self.differential(name, [[p.outputs["coordinates"][i]] for p in rows.programs])
        else:
            lines += self.transport()
        return [*letters, *lines]

    def dissipation(self, rows: BalanceRows, rates: Sequence[Sequence[sp.Expr]]) -> list[str]:
        """f = ad*_ξ p + ∂l/∂a ◇ a and the velocity w = BθBᵀf that it gives."""
        if self.sde.setting.dissipation is None:
            return []
        program = rows.programs[0]
        staged = tuple(s for s in program.statements if s.names[0].name.startswith(("~f_", "~w_")))
        lines = self.statements(Program(program.inputs, staged, {}), [*rates[0], *program.outputs["v"]])
        w = [v - x for v, x in zip(program.outputs["v"], program.outputs["xi"], strict=True)]
        for name, part in self.sde.definition.group.blocks.items():
            if self.writer.multiples.keys() & set(w[part]):  # θ f, which has no line of its own
                lines += self.writer.equation(f"~w_{name}", w[part])
        return lines

    def letters(self, rows: BalanceRows, rates: Sequence[Sequence[sp.Expr]]) -> list[str]:
        """The symbols of changes of letters, and of their contributions to κ, column by column."""
        lines: list[str] = []
        for k, program in enumerate(rows.programs if self.sde.setting.letters else ()):
            expressions = [*rates[k], *rows.forces(k)] if self.sde.form != "P" else rates[k]
            if self.sde.form == "B":
                expressions = [*expressions, *rows.projected(k)]
            staged = [s for s in program.statements if s.names[0].name.startswith(("~change", "~pulled", "~kappa"))]
            lines += self.statements(Program(program.inputs, tuple(staged), {}), expressions)
        return lines

    def _stays(self, statement: Let) -> bool:
        """Whether something keeps its name: a part of κ that is no vector expression, beside letters."""
        stem = split_tags(statement.names[0].name)[0]
        if not self.sde.setting.letters or len(statement.names) != 3:
            return False
        if stem.startswith(("~change", "~pulled")):
            self.writer.letter(self._stem(statement.names[0]), statement.names)
        return stem.startswith("~kappa") and self.writer.value(statement.expressions) is None

    @cached_property
    def positions(self) -> dict[str, str]:
        """Advected quantities as functions of the configuration, a = (-y, 1), where its coordinates have names of their own."""
        if not self.named_coordinates:
            return {}
        d, stored, texts = self.sde.definition, np.array(list(self.sde.coordinates.values()), dtype=object), {}
        with user_code.tracing():
            element = d.group.element(stored)
            for name, quantity in d.advected.items():
                if all(Fraction(x).denominator <= SHORT for x in quantity.exact_reference):
                    count = 3 if name in self.writer.families else None  # of a point (b, 1)
                    rows = ", ".join(self.writer.scalar(sp.sympify(x)) for x in quantity.at_entries(element)[:count])
                    texts[name] = self.writer.line(self.writer.name(name, vector=True), f"({rows})")
        return texts

    def named(self, name: str, components: list[sp.Expr], lines: list[str]) -> list[sp.Expr]:
        """A block; one of three that is neither a vector nor short becomes a letter, with its equation after ``lines``."""
        if len(components) != 3 or self.writer.value(components) is not None or sp.count_ops(components) <= FEW:
            return components
        lines += self.writer.equation(name, components)
        letters = list(symbols.vector(name, 3))
        self.writer.letter(name, letters)
        return letters

    def external(self, rows: BalanceRows) -> list[str]:
        """External forces that are no vector expressions get names, F for dt and F₁ for W¹."""
        lines: list[str] = []
        for k, force in enumerate(rows.named):
            for block, part in self.sde.definition.group.blocks.items():
                force[part] = self.named(f"~{self.writer.fixed['F']}{k or ''}_{block}", list(force[part]), lines)
        return lines

    def balance(self, rows: BalanceRows) -> list[str]:
        """The rates of momenta, where the state is a velocity."""
        d, s, columns = self.sde.definition, self.sde.setting, range(self.sde.wieners + 1)
        if self.sde.form == "P":
            return []
        if self.sde.form == "A":
            return self.reactions(rows)
        assert s.distribution is not None
        if s.distribution.test is None:
            rates = [list(rows.projected(k)) for k in columns]
            parts = {
                d.momentum_name(k): part
                for k, part in component_names.layout(d.constraint.coordinates(d.group)).items()
            }
            return [line for k, part in parts.items() for line in self.differential(k, [m[part] for m in rates])]
        for name, part in d.group.blocks.items():
            self.writer.family(f"~dp_{name}", list(rows.dp[part]))
            self.writer.aliases[f"~dp_{name}"] = f"~d{self.writer.aliased(f'~p_{name}').removeprefix('~')}"
        left, right = rows.tested(rows.dp), [rows.tested(rows.forces(k)) for k in columns]
        vectors = [self.writer.value(list(f)) for f in (left, *right)] if len(left) == 3 else [None]
        if all(vectors):
            return [self.writer.line(vectors[0] or "0", self.sum_of([v or "0" for v in vectors[1:]]))]
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
                reaction = self.named(f"~{self.writer.fixed['C']}{index}_{name}", list(direction[part]), lines)
                measure = self.writer.name(f"~dlambda{index}")
                pushed.append((reaction, r"\," + measure if self.writer.tex else f" {measure}"))
            columns = [list(rows.forces(k)[part]) for k in range(self.sde.wieners + 1)]
            lines += self.differential(f"~p_{name}", columns, pushed=pushed)
        return lines

    @property
    def named_coordinates(self) -> bool:
        """Whether s is stored by coordinates with names of their own (angles, positions), which then have equations."""
        return not any(name[-1].isdigit() for name in self.sde.coordinates)

    def transport(self) -> list[str]:
        """ξ̃ = ξ dt + Σ N_i∘dW^i and each field, by blocks."""
        lines, velocity = list[str](), self.velocity()
        if self.sde.setting.dissipation is not None:
            velocity = f"({velocity} + {self.velocity('~w_')})"
        terms = [velocity + self.measure(0, True)]
        for i, field in enumerate(self.sde.setting.fields):
            if any(field):
                lines.append(self.by_blocks("N", i, field))
                terms.append(self.numbered("N", i) + self.measure(i + 1, True))
        if not lines and self.sde.setting.dissipation is None:
            return []
        return [*lines, self.writer.line(self.velocity("~v_"), " + ".join(terms))]

    def flattened(self, program: Program, expressions: Sequence[sp.Expr]) -> list[sp.Expr]:
        """Expressions with transport, advection and κ put in; velocities and momenta keep their names."""
        return list(without_transport(program.with_outputs(e=expressions)).outputs["e"])

    def ito(self) -> list[str]:
        """Fields and the Itô correction, each in stages."""
        moving = {v.name: v.symbols for v in self.sde.variables}
        if self.named_coordinates:
            moving |= {name: (symbol,) for name, symbol in self.sde.coordinates.items()}
        evolution = self.sde.evolution({name: x for name, x in moving.items() if name not in self.positions})
        lines = self._staged(evolution, ("ito", *evolution.columns[2:-1]), stratonovich=False)
        return [*self.positions.values(), *lines]

    def evolution(self, evolution: Evolution, form: str = "stratonovich", *, legend: bool = True) -> str:
        """Drift and noise of quantities, in either form."""
        simplified = replace(evolution, program=without_transport(evolution.program.replaced(self.constants)))
        first, stratonovich = ("drift", True) if form == "stratonovich" else ("ito", False)
        lines = self._staged(simplified, (first, *evolution.columns[2:-1]), stratonovich=stratonovich)
        amplitudes = self.amplitudes()
        return self.joined([*self.surface(), *amplitudes, *lines], legend)

    def _staged(self, evolution: Evolution, columns: Sequence[str], *, stratonovich: bool) -> list[str]:
        program = evolution.program
        expressions = [
            expression_sizes.expanded(e, expression_sizes.MOST_SHOWN)
            for q in evolution.quantities
            for c in columns
            for e in evolution.of(q, c)
        ]
        lines = self.statements(program, expressions)
        for quantity in evolution.quantities:
            rows = [evolution.of(quantity, c) for c in columns]
            has_name = quantity in self.sde.named or quantity in self.sde.coordinates
            left = "" if has_name else self.quantity(quantity)
            lines += self.differential(quantity, rows, stratonovich=stratonovich, left=left)
        return lines

    def quantity(self, name: str) -> str:
        """How an observable is called: by its name."""
        if self.writer.tex:
            parts = re.sub(r"([\^&%#$])", r"\\\1", name).split("_")  # MathJax shows the backslash of \_ in a text
            return "({})".format(r"\_".join(rf"\text{{{part}}}" for part in parts))
        return f" {name}" if name.isidentifier() else f"({name})"
