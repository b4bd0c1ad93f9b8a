"""Momentum equations as text and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from semidirect.equations import quantity_expressions
from semidirect.invariants.momenta.contact_form import ContactForm
from semidirect.invariants.momenta.short_forms import shortest, structural_zeros
from semidirect.pages import Page

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import Evolution
    from semidirect.invariants.momenta.nonholonomic_momentum import NonholonomicMomentum

ACTS = {"space": "of space", "body": "of the body", "both": "of space and body"}


def momentum_page(
    system: SystemDefinition, momenta: Sequence[NonholonomicMomentum], evolution: Evolution, *, latex: bool
) -> str:
    """Each J with its section and its proofs, then the equations; in LaTeX only the formulas."""
    writer = _Laws(system, momenta, evolution, latex=latex)
    laws = writer.laws()
    if latex:
        lines = [rf"{name} &= {value} = \langle p, ({eta})\rangle" for name, value, eta in map(writer.formula, momenta)]
        return writer.page.aligned([*lines, *laws])
    lines = [f"nonholonomic momenta: {len(momenta)}"]
    for j in momenta:
        name, value, eta = writer.formula(j)
        lines.append(f"  {name} = {value} along ({eta}), by a symmetry {ACTS[j.section.kind]}: {_known(j)}")
    if momenta:
        laws.append(_proof(momenta))
    return "\n".join([*lines, *laws])


def described(
    system: SystemDefinition, momenta: Sequence[NonholonomicMomentum], evolution: Evolution
) -> list[dict[str, Any]]:
    """The same in JSON's types; expressions as text."""
    page = Page(system, evolution.sde, latex=False)
    out = []
    for j in momenta:
        columns = {
            c: _text(page.flattened(evolution.program, evolution.of(j.name, c))[0]) for c in evolution.columns[1:-1]
        }
        out.append({
            "name": j.name,
            "symmetry": j.section.kind,
            "section": [_text(x) for x in j.section.direction],
            "momentum": _text(evolution.of(j.name, "value")[0]),
            "rates": columns,
            "kinds": None if j.kinds is None else list(j.kinds),
            "conserved": {v.column: v.holds for v in j.conservation.verdicts},
            "equation": {"holds": j.equation.holds, "certificate": j.equation.certified, "error": j.equation.error},
        })  # fmt: skip
    return out


def _text(e: sp.Expr) -> str:
    """An expression by the names of the printed equations."""
    return str(e.xreplace({x: sp.Symbol(x.name.replace("~", "")) for x in e.free_symbols}))


class _Laws:
    """Writes values, sections and laws in one notation."""

    def __init__(
        self, system: SystemDefinition, momenta: Sequence[NonholonomicMomentum], evolution: Evolution, *, latex: bool
    ):
        self.evolution = evolution
        self.page = Page(system, self.evolution.sde, latex=latex)
        s = self.evolution.sde.setting
        self.substitution = structural_zeros(system, s) | s.constants
        vectors = {
            name: quantity_expressions.component_expressions(system, q, self.page.sde)
            for name, q in system.workings.quantities(derived=True).items()
        }
        self.forms: dict[str, ContactForm] = {}
        for j in momenta:
            for name, contact in vectors.items():
                form = None
                if len(contact) == 3 and self.page.sde.setting.distribution is not None:
                    form = ContactForm.of(self.page.sde, j.section, name, contact, self.substitution)
                if form is not None:
                    self.forms.setdefault(j.name, form)

    def formula(self, j: NonholonomicMomentum) -> tuple[str, str, str]:
        """The name, the value, and η by its blocks."""
        blocks = [list(j.section.direction[part]) for part in self.page.sde.definition.group.blocks.values()]
        form = self.forms.get(j.name)
        alone = len(blocks) == 1
        parts = [self._listed(block, alone=alone) for block in blocks]
        if form is not None:
            angular = self._listed(list(j.section.direction[form.angular]), alone=False)
            at = [part == form.linear for part in self.page.sde.definition.group.blocks.values()].index(True)
            parts[at] = f"{angular} {self.times} {self.page.writer.name(form.letter, vector=True)}"
        value = self.page.block(self.evolution.of(j.name, "value"))
        return self.page.writer.name(j.name), value, ", ".join(parts)

    def _listed(self, components: list[sp.Expr], *, alone: bool) -> str:
        """A block of η in vector notation, else its components."""
        value = self.page.writer.value(components) if len(components) in (1, 3) else None
        text = ", ".join(map(self.page.writer.scalar, components))
        return value or (text if alone or len(components) == 1 else f"({text})")

    @property
    def times(self) -> str:
        """The sign of a cross product."""
        return r"\times" if self.page.writer.tex else "×"

    def laws(self) -> list[str]:
        """The stages that the rates use, and dJ for each J."""
        program, columns = self.page.without_transport(self.evolution.program), self.evolution.columns[1:-1]
        rows = {q: [program.outputs[f"{c}:{q}"] for c in columns] for q in self.evolution.quantities}
        expressions = [sp.expand(e) for columns in rows.values() for row in columns for e in row]
        lines = self.page.statements(program, expressions)  # which also gives the writer its letters
        laws: list[str] = []
        forms: dict[tuple[str, int], ContactForm] = {}
        for quantity, rates in rows.items():
            pairs = [self._short(row[0], quantity, k) for k, row in enumerate(rates)]
            forms |= {(form.name, k): form for k, (_, form) in enumerate(pairs) if form is not None}
            laws += self.page.differential(quantity, [[e] for e, _ in pairs])
        for (name, k), form in sorted(forms.items(), key=lambda item: item[0]):
            if k == min(column for other, column in forms if other == name) and not self.page.writer.folds:
                lines += self.page.writer.equation(form.letter, list(form.contact))
            lines += self.page.writer.equation(
                form.change_letter(k), [shortest(e, self.substitution) for e in form.change(k)]
            )
        return lines + laws

    def _short(self, e: sp.Expr, quantity: str, k: int) -> tuple[sp.Expr, ContactForm | None]:
        """An expression without vector notation in its shortest form, perhaps with the contact vector of rolling."""
        writer = self.page.writer
        if writer.value([e]):
            return e, None
        short, form = shortest(e.xreplace(writer.multiples), self.substitution), self.forms.get(quantity)
        if form is None:
            return short, None
        writer.letter(form.letter, tuple(form.s))
        writer.letter(form.change_letter(k), tuple(form.ds(k)))
        rolled = form.rate(k)
        if writer.value([rolled]) is None:
            rolled = shortest(rolled.xreplace(writer.multiples), {})
        return (rolled, form) if sp.count_ops(rolled) < sp.count_ops(short) else (short, None)


def _known(j: NonholonomicMomentum) -> str:
    kinds = f"; dJ/dt of kind {', '.join(j.kinds)}" if j.kinds else ""
    return f"conserved by {j.conservation.kept_by}{kinds}"


def _proof(momenta: Sequence[NonholonomicMomentum]) -> str:
    columns = ", ".join(v.column for v in momenta[0].equation.verdicts)
    if any(j.equation.holds is not True for j in momenta):
        return f"dJ along {columns}: undecided whether the equations of motion give the same"
    if all(j.equation.certified for j in momenta):
        return f"dJ along {columns} agrees with the equations of motion, proved symbolically"
    error = sum(j.equation.error for j in momenta)
    return f"dJ along {columns} agrees with the equations of motion, error < {error:.0e}"
