"""A body cut into pieces does over all lanes what it did lane by lane, and lines that are joined compute what they did."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.compile import loop_splitting as module
from semidirect.compile import statement_fusion as joining
from semidirect.compile.loop_splitting import LONGEST, SHORTEST, pieces
from semidirect.compile.statement_fusion import joined

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


def carrier():
    places = []

    def carried(name):
        places.append(name)
        return f"C[{LANES * (len(places) - 1)} + j]"

    return carried, places


@given(lines=bodies(), shortest=st.integers(1, 4), length=st.sampled_from([0.5, 1.0, 3.0]))
def test_pieces_do_what_the_whole_does(lines, shortest, length):
    carried, places = carrier()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SHORTEST", shortest)
        patch.setattr(module, "LENGTH", length)
        cut = pieces(lines, carried)
    np.testing.assert_array_equal(run(cut), run([lines]))
    assert len(places) == len(set(places))  # a value is stored once


def test_short_bodies_stay_whole_and_long_ones_do_not():
    chain = ["v0 = B[0 + j]", *(f"v{k} = v{k - 1} * v0" for k in range(1, 700)), "B[3 + j] = v699"]
    carried, places = carrier()
    assert pieces(chain[:60], carried) == [chain[:60]]
    cut = pieces(chain, carried)
    assert all(SHORTEST <= len(body) <= LONGEST + 4 for body in cut)
    assert len(places) == len(cut) - 1  # the end of the chain; v0 is loaded again
    np.testing.assert_array_equal(run(cut), run([chain]))


def test_what_follows_the_last_piece_finds_what_it_wants():
    chain = ["v0 = B[0 + j]", *(f"v{k} = v{k - 1} * v0" for k in range(1, 300))]
    carried, _ = carrier()
    *_, last = pieces(chain, carried, ["v1", "v0", "v299"])
    made = {line.split(" = ")[0] for line in last}
    assert {"v0", "v1", "v299"} <= made


def test_no_name_is_bound_in_two_pieces_but_what_is_wanted():
    chain = ["v0 = B[0 + j]", "v1 = q0", *(f"v{k} = v{k - 1} * v0 + v1" for k in range(2, 500))]
    cut = pieces(chain, carrier()[0], ["v0", "v499"])
    names = [[line.split(" = ")[0] for line in body] for body in cut]
    bound = [name for body in names for name in body if "[" not in name]
    assert sorted(name for name in set(bound) if bound.count(name) > 1) == ["v0"]
    assert "v0" in names[-1]


@given(lines=bodies())
def test_joined_lines_do_what_they_did(lines):
    np.testing.assert_array_equal(run([joined(lines)]), run([lines]))


@given(lines=bodies(), data=st.data())
def test_joined_lines_keep_what_is_wanted(lines, data):
    names = [line.split(" = ")[0] for line in lines if not line.startswith("B")]
    wanted = data.draw(st.lists(st.sampled_from(names), unique=True))
    assert {line.split(" = ")[0] for line in joined(lines, wanted)}.issuperset(wanted)


def test_only_what_the_next_line_alone_reads_is_joined():
    lines = ["a = x * y", "b = z - w", "c = a - b", "d = sin(c)", "e = c + d", "B[3, j] = e"]
    assert joined(lines) == ["c = (x * y) - (z - w)", "B[3, j] = (c + sin(c))"]
    assert joined(lines, ["a", "e"]) == ["a = x * y", "c = a - (z - w)", "e = c + sin(c)", "B[3, j] = e"]


def test_joined_lines_stay_short_enough_for_the_parser():
    chain = ["v0 = x", *(f"v{k} = v{k - 1} * y" for k in range(1, 400)), "B[0, j] = v399"]
    found = joined(chain)
    assert len(found) < len(chain) / 4
    assert max(map(len, found)) < joining.LONGEST + 20
    compile("\n".join(found), "", "exec")
