"""Momentum equations in words and signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.equations.page import Page
from semidirect.groups.exact import exact_number

if TYPE_CHECKING:
    from semidirect.equations.evolution import Evolution
    from semidirect.invariants.momentum_sections import MomentumSection
    from semidirect.invariants.nonholonomic_momenta import NonholonomicMomenta, NonholonomicMomentum
    from semidirect.system import System

ACTS = {"space": "of space", "body": "of the body", "both": "of space and body"}


def momentum_page(found: NonholonomicMomenta, *, latex: bool) -> str:
    """Each J with its section and what is known of it, then the equations; in LaTeX the formulas alone."""
    count = len(found.momenta)
    head = f"nonholonomic momenta: {count}"
    if not count:
        return "\\begin{align*}\n\\end{align*}" if latex else head
    evolution = shortest(found.system, found.evolution, latex=latex)
    page = Page(found.system, evolution.sde, latex=latex)
    equations = page.evolution(evolution)
    formulas = []
    for j in found.momenta:
        (value,) = evolution.of(j.name, "value")
        formulas.append((page.writer.name(j.name), page.block([value]), _section(page, j.section)))
    if latex:
        lines = [rf"{name} &= {value} = \langle p, ({eta})\rangle" for name, value, eta in formulas]
        return equations.replace("\\begin{align*}\n", "\\begin{align*}\n" + " \\\\\n".join(lines) + " \\\\\n", 1)
    lines = [f"{head}"]
    for j, (name, value, eta) in zip(found.momenta, formulas, strict=True):
        lines.append(f"  {name} = {value} along ({eta}), a symmetry {ACTS[j.section.kind]}: {_known(j)}")
    return "\n".join([*lines, equations])


def _section(page: Page, section: MomentumSection) -> str:
    """η by its blocks."""
    blocks = page.sde.definition.group.blocks
    return ", ".join(page.block(list(section.direction[part])) for part in blocks.values())


def _known(j: NonholonomicMomentum) -> str:
    kept = [v.column for v in j.conservation.verdicts if v.holds]
    error = j.equation.error
    proof = "proved symbolically" if j.equation.certified else f"proved, error < {error:.0e}"
    if j.equation.holds is not True:
        proof = "undecided"
    kinds = "" if j.kinds is None or not j.kinds else f", dJ/dt made of {', '.join(j.kinds)}"
    return f"conserved by {', '.join(kept) if kept else 'no column'}{kinds}; equation {proof}"


def shortest(system: System, evolution: Evolution, *, latex: bool) -> Evolution:
    """The same laws, each in the shortest of a few forms, where it has no vector notation.

    Zeros among the entries of vectors and matrices of l and D are put in: a symmetry of the body is there because of them.
    """
    page = Page(system, evolution.sde, latex=latex)
    zeros = _zeros(system, evolution)
    outputs: dict[str, Sequence[sp.Expr]] = {}
    for name, rows in evolution.program.outputs.items():
        plain = [page.flattened(evolution.program, [e])[0] for e in rows]
        outputs[name] = [e if page.writer.value([e]) is not None else _shortened(e, zeros) for e in plain]
    return replace(evolution, program=evolution.program.with_outputs(**outputs))


def _zeros(system: System, evolution: Evolution) -> dict[sp.Symbol, sp.Expr]:
    s = evolution.sde.setting
    given: list[Any] = [s.lagrangian]
    for matrix in (s.distribution and s.distribution.basis, s.annihilator and s.annihilator.covectors):
        given += [] if matrix is None else list(matrix.flat)
    used = set().union(*(sp.sympify(e).free_symbols for e in given))
    return {
        symbol: sp.Integer(0)
        for name, symbols in system._symbolic.items() if symbols.ndim
        for symbol, x in zip(symbols.flat, np.ravel(system.values[name]), strict=True)
        if symbol in used and exact_number(x) == 0
    }  # fmt: skip


def _shortened(e: sp.Expr, zeros: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
    whole = sp.expand(e.xreplace(zeros))
    forms = [e, whole, sp.factor_terms(whole)]
    if whole.is_Add:
        named, roots = _rooted(whole)
        forms.append(sp.factor(sp.cancel(named)).xreplace(roots))
    return min(forms, key=sp.count_ops)


def _rooted(e: sp.Expr) -> tuple[sp.Expr, dict[sp.Symbol, sp.Expr]]:
    """The expression with a symbol for each square root, and what these mean."""
    known: dict[sp.Expr, sp.Symbol] = {}

    def named(power: sp.Expr) -> sp.Expr:
        root = sp.sqrt(power.base)
        known.setdefault(root, sp.Dummy("root", positive=True))
        return known[root] ** (2 * power.exp)

    replaced = e.replace(lambda x: x.is_Pow and x.exp.is_Rational and x.exp.q == 2, named)
    return replaced, {symbol: root for root, symbol in known.items()}
