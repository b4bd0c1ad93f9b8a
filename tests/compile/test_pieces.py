"""A body cut into pieces does over all lanes what it did lane by lane."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.compile import loop_splitting as module
from semidirect.compile.loop_splitting import LONGEST, NAME, SHORTEST, pieces

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
    [whole] = pieces(lines, carried)
    left, right = zip(*(line.split(" = ") for line in whole), strict=True) if whole else ((), ())
    assert {name for name in left if name[0] != "B"} <= set(NAME.findall(" ".join(right)))  # what is bound is read
    np.testing.assert_array_equal(run([whole]), run([lines]))


def test_short_bodies_stay_whole_and_long_ones_do_not():
    chain = ["v0 = B[0 + j]", *(f"v{k} = v{k - 1} * v0" for k in range(1, 700)), "B[3 + j] = v699"]
    carried, places = carrier()
    assert pieces(chain[:60], carried, ["v59"]) == [chain[:60]]
    assert pieces(chain[:60], carried, ["v39"]) == [chain[:40]]  # what nobody reads is left out
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
