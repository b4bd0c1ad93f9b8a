# ruff: noqa: E501
"""The page that the record makes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from what_works_with_what.refusals import IMPOSSIBLE, NOT_BUILT, rule_of

PAGE = Path(__file__).resolve().parents[3] / "docs" / "what_works_with_what.md"
SIGNS = {"verified": "✓", IMPOSSIBLE: "∅", NOT_BUILT: "·", "failed": "✗"}

Record = Mapping[str, Mapping[str, Mapping[str, str]]]
Layout = tuple[str, Sequence[str], Sequence[str]]
"""A title, rows and columns."""


def verdict(cell: Mapping[str, str]) -> str:
    """``verified``, ``impossible``, ``not built`` or ``failed``."""
    if cell["outcome"] == "refused":
        rule = rule_of(cell["text"])
        return "failed" if rule is None else rule.verdict
    return cell["outcome"]


def counts(record: Record) -> Counter[str]:
    """How many cells there are of each verdict."""
    return Counter(verdict(cell) for row in record.values() for cell in row.values())


HEAD = """# What works with what

Every feature works with every other, or says why not. Each cell of these tables is a check that runs: a short run, proof or fit of a small system,
compared with a value that does not come by the same way. That is another statement of the system (covectors for directions, another
group, other axes, an internal state for a time), the same system in other units, a formula, differences of runs, or the other engine,
bit for bit.

| | means | cells |
|---|---|---:|
| ✓ | verified | {verified} |
| ∅ | impossible: an error says the mathematical reason | {impossible} |
| · | not built: an error says what to do instead | {not_built} |

`python tests/verification/what_works_with_what` runs the checks and writes this page; a test runs a sample that covers every row and
column. A new kind of system or a new capability adds a row or a column, see {{doc}}`contributing`.
"""


def page(record: Record, tables: Sequence[Layout]) -> str:
    """The page in Markdown."""
    found = counts(record)
    parts = [HEAD.format(verified=found["verified"], impossible=found[IMPOSSIBLE], not_built=found[NOT_BUILT])]
    for title, rows, columns in tables:
        parts.append(f"## {title}\n\n{_table(record, rows, columns)}")
    parts.append(f"## Why not\n\nThe first message of each kind, with the number of its cells.\n\n{_reasons(record)}")
    return "\n".join(parts)


def _table(record: Record, rows: Sequence[str], columns: Sequence[str]) -> str:
    """Capabilities below each other, kinds side by side by their numbers."""
    legend = "\n".join(f"{i}. {_shown(row)}" for i, row in enumerate(rows, 1))
    numbers = [str(i) for i in range(1, len(rows) + 1)]
    lines = [f"| | {' | '.join(numbers)} |", f"|---|{':-:|' * len(rows)}"]
    for column in columns:
        signs = [SIGNS[verdict(record[row][column])] if column in record.get(row, {}) else "" for row in rows]
        lines.append(f"| {column} | {' | '.join(signs)} |")
    return f"{legend}\n\n" + "\n".join(lines) + "\n"


def _shown(row: str) -> str:
    return row.removeprefix("run: ")


def _reasons(record: Record) -> str:
    found: dict[str, tuple[str, str, int]] = {}
    for row in record.values():
        for cell in row.values():
            rule = rule_of(cell["text"]) if cell["outcome"] == "refused" else None
            if rule is not None:
                text, _, number = found.get(rule.pattern, (cell["text"], rule.pattern, 0))
                found[rule.pattern] = (text, rule.pattern, number + 1)
    lines = ["| | cells | why, or what to do | message |", "|---|---:|---|---|"]
    for text, _, number in sorted(found.values(), key=lambda x: -x[2]):
        rule = rule_of(text)
        assert rule is not None
        lines.append(f"| {SIGNS[rule.verdict]} | {number} | {rule.why} | {_short(text)} |")
    return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    """A message without what differs from one run to the next."""
    text = re.sub(r"/tmp/\S+/", "", text.removeprefix("error: "))
    text = text.replace("|", "¦").replace("\n", " ")
    return f"`{text.replace('`', '')}`"
