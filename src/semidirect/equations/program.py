"""The staged program: equations as a sequence of definitions and linear solves, never flattened through a solve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from semidirect.core import display
from semidirect.equations.replacement import Replacement
from semidirect.equations.slopes import Slopes
from semidirect.expressions import expression_sizes


@dataclass(frozen=True, repr=False)
class Let(display.Brief):
    """``names = expressions``, all at once.

    ``partials`` are the derivatives of each expression by all that it depends on, where these have names: then they stand in
    place of what is differentiated.
    """

    names: tuple[sp.Symbol, ...]
    expressions: tuple[sp.Expr, ...]
    partials: tuple[tuple[tuple[sp.Symbol, sp.Expr], ...], ...] = ()

    def replaced(self, rules: Mapping[sp.Symbol, sp.Expr]) -> Let:
        """The same definition with symbols replaced on both sides."""
        return self.rewritten(Replacement(rules))

    def rewritten(self, new: Replacement) -> Let:
        """The same definition by a replacement that other statements share."""
        partials = tuple(tuple(zip((x for x, _ in row), new(d for _, d in row), strict=True)) for row in self.partials)
        return Let(new(self.names), new(self.expressions), partials)

    def differentials(self, tangents: Mapping[sp.Symbol, sp.Expr], slopes: Slopes) -> list[sp.Expr]:
        """The derivatives of the expressions along tangents of what they depend on."""
        if self.partials:
            return [sp.Add(*(d * tangents[x] for x, d in row if x in tangents)) for row in self.partials]
        return [slopes.differential(e, tangents) for e in self.expressions]

    @property
    def written(self) -> tuple[sp.Expr, ...]:
        """The expressions that it consists of."""
        return self.expressions

    @cached_property
    def reads(self) -> frozenset[sp.Symbol]:
        """The symbols that the right-hand side needs."""
        return frozenset(_free(self.written))


@dataclass(frozen=True, repr=False)
class Solve(display.Brief):
    """``matrix · names = rhs``. ``symmetric`` promises a symmetric matrix with regular leading minors."""

    names: tuple[sp.Symbol, ...]
    matrix: tuple[tuple[sp.Expr, ...], ...]
    rhs: tuple[sp.Expr, ...]
    symmetric: bool = False

    def replaced(self, rules: Mapping[sp.Symbol, sp.Expr]) -> Solve:
        """The same solve with symbols replaced everywhere."""
        return self.rewritten(Replacement(rules))

    def rewritten(self, new: Replacement) -> Solve:
        """The same solve by a replacement that other statements share."""
        return Solve(new(self.names), tuple(map(new, self.matrix)), new(self.rhs), self.symmetric)

    @property
    def written(self) -> tuple[sp.Expr, ...]:
        """The expressions that it consists of."""
        return (*(e for row in self.matrix for e in row), *self.rhs)

    @cached_property
    def reads(self) -> frozenset[sp.Symbol]:
        """The symbols that matrix and right-hand side need."""
        return frozenset(_free(self.written))


Statement = Let | Solve


@dataclass(frozen=True, repr=False)
class Program(display.Brief):
    """Inputs, statements in order, named outputs.

    Attributes
    ----------
    inputs : tuple of Symbol
        The inputs.
    statements : tuple of Let or Solve
        Each defines names from inputs and earlier names.
    outputs : dict name → tuple of Expr
        Expressions in inputs and names.
    """

    inputs: tuple[sp.Symbol, ...]
    statements: tuple[Statement, ...]
    outputs: Mapping[str, tuple[sp.Expr, ...]]

    def with_outputs(self, **outputs: Sequence[sp.Expr]) -> Program:
        """The same program with these outputs instead."""
        return Program(self.inputs, self.statements, {k: tuple(v) for k, v in outputs.items()})

    def replaced(self, rules: Mapping[sp.Symbol, sp.Expr]) -> Program:
        """The same program with inputs replaced by values or other symbols."""
        new = Replacement(rules)
        statements = tuple(s.rewritten(new) for s in self.statements)
        outputs = {k: new(v) for k, v in self.outputs.items()}
        return Program(tuple(i for i in self.inputs if i not in rules), statements, outputs)

    def call(self, arguments: Mapping[sp.Symbol, Any], tag: str) -> Program:
        """Instantiate inputs by expressions; names that depend on them are made fresh by the suffix ``tag``.

        Names that do not depend on the arguments keep their names, so programs instantiated side by side share them.
        """
        rules: dict[sp.Symbol, sp.Expr] = {k: sp.sympify(v) for k, v in arguments.items()}
        new, changed, statements = Replacement(rules), set(rules), []
        for statement in self.statements:
            if statement.reads & changed:
                new.add({n: _tagged(n, tag) for n in statement.names})
                changed.update(statement.names)
                statements.append(statement.rewritten(new))
            else:
                statements.append(statement)
        outputs = {k: new(v) for k, v in self.outputs.items()}
        return Program(tuple(i for i in self.inputs if i not in arguments), tuple(statements), outputs)

    def joined(self, other: Program) -> Program:
        """Both programs, shared statements once; outputs of ``other`` win where names collide."""
        own = set(self.statements)
        extra = tuple(s for s in other.statements if s not in own)
        inputs = self.inputs + tuple(i for i in other.inputs if i not in self.inputs)
        return Program(inputs, self.statements + extra, {**self.outputs, **other.outputs})

    def jvp(self, directions: Mapping[sp.Symbol, sp.Expr], tag: str) -> Program:
        """Derivative of all outputs along a direction of the inputs, exactly, stage by stage.

        Parameters
        ----------
        directions : dict Symbol → Expr
            Tangent of each input (absent: zero); may use the names of this program.
        tag : str
            Suffix of the tangents' names.

        Returns
        -------
        Program
            This program, then the tangent of each statement that matters; outputs are the derivatives.
        """
        tangents: dict[sp.Symbol, sp.Expr] = {k: v for k, v in directions.items() if v != 0}
        live, slopes = self.needed(), Slopes()
        extra: list[Statement] = []
        for statement in self.statements:
            if not live.intersection(statement.names) or not statement.reads & tangents.keys():
                continue
            names = tuple(_tagged(n, tag) for n in statement.names)
            if isinstance(statement, Let):
                values = statement.differentials(tangents, slopes)
                pairs = [(n, v) for n, v in zip(names, values, strict=True) if v != 0 and not v.is_Number]
                if pairs:
                    extra.append(Let(*map(tuple, zip(*pairs, strict=True))))
                fresh = {n for n, _ in pairs}
                for name, new, value in zip(statement.names, names, values, strict=True):
                    if value != 0:
                        tangents[name] = new if new in fresh else value
            else:
                rhs = []
                for row, b in zip(statement.matrix, statement.rhs, strict=True):
                    change = [-slopes.differential(e, tangents) * x for e, x in zip(row, statement.names, strict=True)]
                    rhs.append(sp.Add(slopes.differential(b, tangents), *change))
                extra.append(Solve(names, statement.matrix, tuple(rhs), statement.symmetric))
                tangents |= dict(zip(statement.names, names, strict=True))
        outputs = {k: tuple(slopes.differential(e, tangents) for e in v) for k, v in self.outputs.items()}
        return Program(self.inputs, self.statements + tuple(extra), outputs)

    def depends(self, expressions: Sequence[Any], inputs: Iterable[sp.Symbol]) -> bool:
        """Whether expressions depend on some inputs, directly or through the statements."""
        return not self.with_outputs(e=expressions).needed().isdisjoint(inputs)

    def operations(self) -> int:
        """The number of operations in the outputs and everything that they need."""
        names, sizes = self.needed(), dict[sp.Basic, expression_sizes.Size]()
        expressions = [e for s in self.statements if names.intersection(s.names) for e in s.written]
        return sum(
            expression_sizes.expanded_size(e, sizes).operations
            for e in (*expressions, *(e for v in self.outputs.values() for e in v))
        )

    def needed(self) -> set[sp.Symbol]:
        """Names that the outputs depend on."""
        names = _free(sp.sympify(e) for v in self.outputs.values() for e in v)
        for statement in reversed(self.statements):
            if names.intersection(statement.names):
                names |= statement.reads
        return names


def _tagged(name: sp.Symbol, tag: str) -> sp.Symbol:
    return sp.Symbol(f"{name.name}{tag}", real=True)


def _free(expressions: Iterable[sp.Expr]) -> set[sp.Symbol]:
    """The symbols in expressions, each part of which is looked at once, wherever it stands."""
    symbols, visited, todo = set(), set(), list[sp.Basic](expressions)
    while todo:
        e = todo.pop()
        if e.is_Symbol:
            symbols.add(e)
        elif e not in visited:
            visited.add(e)
            todo += e.args
    return symbols
