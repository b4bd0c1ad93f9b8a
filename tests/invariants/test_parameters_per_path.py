"""Evolutions and proofs of a system whose parameters differ from path to path: what holds for the pattern that values share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.core.errors import InputError
from semidirect.invariants.parameters import common_pattern

ROUND = [[2.0, 2.0, 1.5], [2.0, 2.0, 1.0]]
CASES = [
    ("jellett", {"offset": [0.1, 0.2]}), ("jellett", {"inertia": ROUND}), ("energy", {"mass": [1.0, 2.0]}),
    ("energy", {"axis": [[0, 0, 1], [0, 0.6, 0.8]]}), ("energy", {"axis": [[0, 0, 1], [0, 0, -1]]}),
    ("momentum-squared", {"radius": [1.0, 2.0], "offset": [0.1, 0.0]}),
]  # fmt: skip


@pytest.mark.parametrize(("quantity", "values"), CASES)
def test_evolutions_are_as_short_as_those_of_one_path(quantity, values):
    varied = {k: sd.PerPath(v) for k, v in values.items()}
    system = sd.load("rolling-ball", noise=[], **varied)
    assert str(system.evolution(quantity)) == str(system.at_path(0).evolution(quantity))


def test_what_holds_on_some_paths_only_is_not_left_out():
    system = sd.load("rolling-ball", noise=[], inertia=sd.PerPath([[2, 2, 1.5], [2, 1.9, 1.0]]))
    still = str(system.at_path(0).evolution("jellett"))
    assert still.strip() == "d jellett = 0"
    assert str(system.evolution("jellett")) == str(system.at_path(1).evolution("jellett")) != still
    assert not system.prove("jellett", parameters="generic").holds


def test_proofs_for_the_common_pattern():
    system = sd.load("rolling-ball", noise=[], inertia=sd.PerPath(ROUND))
    assert system.prove("jellett", parameters="generic").holds
    with pytest.raises(InputError, match="parameters='generic'"):
        system.prove("jellett")
    signs = sd.load("rolling-ball", noise=[], axis=sd.PerPath([[0, 0, 1], [0, 0, -1]]))
    with pytest.raises(InputError, match="one sign"):
        signs.prove("energy", parameters="generic")


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=4, max_size=4), min_size=1, max_size=3))
def test_the_pattern_is_what_all_paths_share(rows):
    values = np.array(rows).reshape(-1, 2, 2)
    pattern, entries = common_pattern(values).reshape(-1), values.reshape(len(values), -1)
    for i in range(4):
        assert (pattern[i] == 0) == (not entries[:, i].any())
        for j in range(4):
            assert (pattern[i] == pattern[j]) == np.array_equal(entries[:, i], entries[:, j])
