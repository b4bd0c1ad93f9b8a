"""A body cut into pieces does over all lanes what it did lane by lane."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.compile import loop_splitting as module
from semidirect.compile.line import STORE, Line, load
from semidirect.compile.loop_splitting import LONGEST, SHORTEST, WIDE, pieces
from semidirect.instructions.instruction import Instruction

LANES, ROWS = 3, 4


def store(number, place):
    return Line(-1, Instruction(STORE, (number,), place))


@st.composite
def bodies(draw):
    """Straight lines of loads, constants, differences and selections, then stores: each value once, as a trace records it."""
    lines = []
    for k in range(draw(st.integers(1, 40))):
        kind = draw(st.sampled_from(["load", "uniform", "subtract", "greater-or"] if k else ["load", "uniform"]))
        if kind == "load":
            instruction = load(("row", draw(st.integers(0, ROWS - 1))))
        elif kind == "uniform":
            instruction = Instruction("argument", (), draw(st.sampled_from(["q0", "q1"])))
        else:
            operands = tuple(draw(st.integers(0, k - 1)) for _ in range(2 if kind == "subtract" else 3))
            instruction = Instruction(kind, operands)
        lines.append(Line(k, instruction))
    last = len(lines) - 1
    rows = draw(st.lists(st.integers(0, ROWS - 1), unique=True))
    return lines + [store(draw(st.integers(0, last)), ("row", row)) for row in rows]


def run(bodies):
    """Each body over all lanes, one after the other; the rows at the end."""
    drawn = np.random.default_rng(0).normal(size=(ROWS, LANES))
    memory = {("row", k): row for k, row in enumerate(drawn)} | {
        ("cell", k): np.full(LANES, np.nan) for k in range(1000)
    }
    do = {
        "argument": lambda data: {"q0": 1.25, "q1": -0.75}[data], "subtract": lambda data, a, b: a - b,
        "multiply": lambda data, a, b: a * b, "greater-or": lambda data, a, b, c: a if b > c else b,
    }  # fmt: skip
    for body in bodies:
        for j in range(LANES):
            values = {}
            for number, (operation, operands, data) in body:
                if operation == "load":
                    values[number] = memory[data][j]
                elif operation == STORE:
                    memory[data][j] = values[operands[0]]
                else:
                    values[number] = do[operation](data, *(values[k] for k in operands))
    return drawn


class Cells:
    """Rows for values that are carried over; one that is taken while it holds a value that is still read loses it."""

    def __init__(self):
        self.count, self.spare, self.lent = 0, [], set()

    def take(self):
        if not self.spare:
            self.spare.append(("cell", self.count))
            self.count += 1
        self.lent.add(place := self.spare.pop())
        return place

    def give(self, place):
        self.lent.remove(place)
        self.spare.append(place)


@given(lines=bodies(), shortest=st.integers(1, 4), length=st.sampled_from([0.5, 1.0, 3.0]))
def test_pieces_do_what_the_whole_does(lines, shortest, length):
    cells = Cells()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SHORTEST", shortest)
        patch.setattr(module, "LENGTH", length)
        cut = pieces(lines, cells)
    np.testing.assert_array_equal(run(cut), run([lines]))
    assert not cells.lent  # all are given back
    stores = [
        line.instruction for body in cut for line in body if line.number < 0 and line.instruction.data[0] == "cell"
    ]
    assert cells.count <= len(stores)
    assert len({instruction.operands for instruction in stores}) == len(stores)  # a value is stored once
    [whole] = pieces(lines, cells)
    read = {k for line in whole for k in line.instruction.operands}
    assert {line.number for line in whole if line.number >= 0} <= read  # what is computed is read
    np.testing.assert_array_equal(run([whole]), run([lines]))


def chain(count):
    """A row to the powers 1, 2, … count."""
    return [Line(0, load(("row", 0))), *(Line(k, Instruction("multiply", (k - 1, 0))) for k in range(1, count))]


def test_short_bodies_stay_whole_and_long_ones_do_not():
    lines, cells = [*chain(700), store(699, ("row", 3))], Cells()
    assert pieces(lines[:60], cells, [59]) == [lines[:60]]
    assert pieces(lines[:60], cells, [39]) == [lines[:40]]  # what nobody reads is left out
    cut = pieces(lines, cells)
    assert all(SHORTEST <= len(body) <= LONGEST + 4 for body in cut)
    assert len(cut) > 3
    assert cells.count == 1  # the end of the chain, from piece to piece in one row; the first value is loaded again
    np.testing.assert_array_equal(run(cut), run([lines]))


def test_lines_after_the_last_piece_have_their_values():
    *_, last = pieces(chain(300), Cells(), [1, 0, 299])
    assert {0, 1, 299} <= {line.number for line in last}


def test_a_body_of_many_independent_chains_stays_whole():
    def chains(count, length):
        """Chains of this length, of each a line in turn, and their ends."""
        lines = [Line(c, load(("row", c % ROWS))) for c in range(count)]
        lines += [Line(k, Instruction("multiply", (k - count, k - count))) for k in range(count, count * length)]
        return lines, [count * length - 1 - c for c in range(count)]

    lines, ends = chains(WIDE + 5, 30)
    assert pieces(lines, Cells(), ends) == [lines]
    lines, ends = chains(WIDE - 5, 50)
    assert len(pieces(lines, Cells(), ends)) > 1
