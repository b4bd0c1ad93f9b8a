"""A body cut into pieces does over all lanes what it did lane by lane."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.compile import loop_splitting as module
from semidirect.compile.loop_splitting import LONGEST, NAME, SHORTEST, WIDE, pieces

LANES, ROWS = 3, 4


@st.composite
def bodies(draw):
    """Straight-line code of loads, constants, sums and products, then stores: single assignment, as a trace writes it."""
    lines, names = [], []
    for k in range(draw(st.integers(1, 40))):
        kind = draw(st.sampled_from(["load", "uniform", "sum", "select"] if names else ["load", "uniform"]))
        name = f"v{k}"
        if kind == "load":
            lines.append(f"{name} = B[{LANES * draw(st.integers(0, ROWS - 1))} + j]")
        elif kind == "uniform":
            lines.append(f"{name} = {draw(st.sampled_from(['q0', 'q1', '0.5']))}")
        else:
            a, b, c = (draw(st.sampled_from(names)) for _ in range(3))
            lines.append(f"{name} = {a} - {b}" if kind == "sum" else f"{name} = {a} if {b} > {c} else {b}")
        names.append(name)
    rows = draw(st.lists(st.integers(0, ROWS - 1), unique=True))
    return lines + [f"B[{LANES * row} + j] = {draw(st.sampled_from(names))}" for row in rows]


def run(bodies):
    """Each body over all lanes, one after the other."""
    scope = {
        "B": np.random.default_rng(0).normal(size=LANES * ROWS),
        "C": np.full(4000, np.nan),
        "q0": 1.25,
        "q1": -0.75,
    }
    for body in bodies:
        for j in range(LANES):
            scope["j"] = j
            exec("\n".join(body), scope)
    return scope["B"]


class Cells:
    """Rows for values that are carried over; one that is taken while it holds a value that is still read loses it."""

    def __init__(self):
        self.count, self.spare, self.lent = 0, [], set()

    def take(self):
        if not self.spare:
            self.spare.append(f"C[{LANES * self.count} + j]")
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
    stores = [line for body in cut for line in body if line.startswith("C[")]
    assert cells.count <= len(stores)
    assert len({line.split(" = ")[1] for line in stores}) == len(stores)  # a value is stored once
    [whole] = pieces(lines, cells)
    left, right = zip(*(line.split(" = ") for line in whole), strict=True) if whole else ((), ())
    assert {name for name in left if name[0] != "B"} <= set(NAME.findall(" ".join(right)))  # what is bound is read
    np.testing.assert_array_equal(run([whole]), run([lines]))


def test_short_bodies_stay_whole_and_long_ones_do_not():
    chain = ["v0 = B[0 + j]", *(f"v{k} = v{k - 1} * v0" for k in range(1, 700)), "B[3 + j] = v699"]
    cells = Cells()
    assert pieces(chain[:60], cells, ["v59"]) == [chain[:60]]
    assert pieces(chain[:60], cells, ["v39"]) == [chain[:40]]  # what nobody reads is left out
    cut = pieces(chain, cells)
    assert all(SHORTEST <= len(body) <= LONGEST + 4 for body in cut)
    assert len(cut) > 3
    assert cells.count == 1  # the end of the chain, from piece to piece in one row; v0 is loaded again
    np.testing.assert_array_equal(run(cut), run([chain]))


def test_code_after_the_last_piece_has_its_inputs():
    chain = ["v0 = B[0 + j]", *(f"v{k} = v{k - 1} * v0" for k in range(1, 300))]
    *_, last = pieces(chain, Cells(), ["v1", "v0", "v299"])
    made = {line.split(" = ")[0] for line in last}
    assert {"v0", "v1", "v299"} <= made


def test_a_body_of_many_independent_chains_stays_whole():
    def chains(count, length):
        """Chains of this length, of each a line in turn, and their ends."""
        lines = [f"v{c} = B[{LANES * (c % ROWS)} + j]" for c in range(count)]
        lines += [f"v{k} = v{k - count} * v{k - count}" for k in range(count, count * length)]
        return lines, [f"v{count * length - 1 - c}" for c in range(count)]

    lines, ends = chains(WIDE + 5, 30)
    assert pieces(lines, Cells(), ends) == [lines]
    lines, ends = chains(WIDE - 5, 50)
    assert len(pieces(lines, Cells(), ends)) > 1
