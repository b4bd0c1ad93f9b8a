"""The page says what the record says, the record has every cell, and a sample that covers every row and column holds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from what_works_with_what import record
from what_works_with_what.page import PAGE, page, verdict
from what_works_with_what.table import cells, layouts

FOUND = record.read()
SLOW = (
    "method",
    "advise",
    "fit",
    "convergence",
    "compare",
    "animate",
    "multilevel",
    "sensitivities",
    "data set",
    "Lyapunov",
)
"""Columns that take seconds for systems with many equations, which are tried on small ones."""
SMALL = ("line", "group of one dimension")


def sample():
    """Cells that cover every row and every column of both tables."""
    rows, columns = {}, {}
    for row, column, check in cells():
        rows.setdefault(row, []).append((row, column, check))
        columns.setdefault((row.startswith("run: "), column), []).append((row, column, check))
    chosen, seen = {}, set()
    for i, ((_, column), found) in enumerate(columns.items()):
        slow = column.startswith(SLOW)
        small = [cell for cell in found if cell[0] in SMALL]
        row, column, check = small[i % len(small)] if slow and small else found[(5 * i) % len(found)]
        chosen[row, column] = check
        seen.add(row)
    for row, found in rows.items():
        if row not in seen:
            quick = [cell for cell in found if not cell[1].startswith(SLOW)]
            _, column, check = quick[len(row) % len(quick)]
            chosen[row, column] = check
    return chosen


SAMPLE = sample()


def test_the_record_has_every_cell():
    wanted = {(row, column) for row, column, _ in cells()}
    assert {(row, column) for row, of in FOUND.items() for column in of} == wanted, (
        "run the script: empty or unknown cells"
    )


def test_no_cell_failed():
    failed = [
        f"{row} × {column}: {cell['text'][:200]}"
        for row, of in FOUND.items()
        for column, cell in of.items()
        if verdict(cell) == "failed"
    ]
    assert failed == []


def test_the_page_is_what_the_record_says():
    assert PAGE.read_text("utf-8") == page(FOUND, layouts())


def test_the_sample_covers_every_row_and_column():
    assert {row for row, _ in SAMPLE} == {row for row, _, _ in cells()}
    assert {(row.startswith("run: "), column) for row, column in SAMPLE} == {
        (row.startswith("run: "), column) for row, column, _ in cells()
    }


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("rolling: directions that depend on the state", "smoothing, extended Kalman filter"),
        ("formal noise", "smoothing, extended Kalman filter"),
        ("`Kinematics`", "smoothing, particles"),
        ("`PrescribedVelocity`", "smoothing, particles"),
        ("constraint by covectors", "smoothing, particles"),
    ],
)
def test_smoothing_where_noise_hardly_moves_some_directions(row, column):
    """Inverses of covariances that are nearly singular gave means that were off by more than what data moved them."""
    check = next(check for r, c, check in cells() if (r, c) == (row, column))
    found, known = record.outcome(check), FOUND[row][column]
    assert (found["outcome"], verdict(found)) == (known["outcome"], verdict(known)), found["text"]


@pytest.mark.parametrize(("row", "column"), list(SAMPLE))
def test_a_cell(row, column):
    """What the record says: the same verdict, and of a refusal the same kind of message."""
    found, known = record.outcome(SAMPLE[row, column]), FOUND[row][column]
    assert (found["outcome"], verdict(found)) == (known["outcome"], verdict(known)), found["text"]
