"""Changes of a formula: all flips of one sign, and how far a correction is from what was printed."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from copy import deepcopy
from difflib import SequenceMatcher

from semidirect_holm_putkaradze.audit.formula import Formula


def flips(formula: Formula) -> Iterator[Formula]:
    """The formula with one sign changed: each + and − in it, and each member as a whole, if none of them is 0."""
    vanishes = any(isinstance(m, ast.Constant) and m.value == 0 for m in formula.members)
    for i, member in enumerate(formula.members):
        for j, node in enumerate(ast.walk(member)):
            if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
                copy = deepcopy(member)
                twin = list(ast.walk(copy))[j]
                assert isinstance(twin, ast.BinOp)
                twin.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
                yield _with(formula, i, copy)
        if i and not vanishes:
            yield _with(formula, i, ast.UnaryOp(ast.USub(), deepcopy(member)))


def one_symbol(before: Formula, corrected: Formula) -> bool:
    """Whether they differ by a slip of one symbol: a name or number put in, left out or exchanged, and no sign."""
    a, b = _tokens(before), _tokens(corrected)
    edits = [
        (a[i:j], b[k:n]) for kind, i, j, k, n in SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if kind != "equal"
    ]  # fmt: skip
    if len(edits) != 1:
        return False
    old, new = edits[0]
    symbols = [[x for x in side if x not in ("*", "**", "/")] for side in (old, new)]
    return all(len(side) <= 1 and all(x.isidentifier() or x.isdigit() for x in side) for side in symbols)


def _with(formula: Formula, i: int, member: ast.expr) -> Formula:
    members = [*formula.members]
    members[i] = member
    return Formula(" = ".join(map(ast.unparse, members)))


def _tokens(formula: Formula) -> list[str]:
    text = " = ".join(map(ast.unparse, formula.members))
    kinds = (tokenize.NAME, tokenize.NUMBER, tokenize.OP)
    return [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type in kinds]
