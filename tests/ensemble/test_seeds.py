"""The seed of a run: a number, the default, or one that is drawn and said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.specification.seeds import number_of_seed

BODY = sd.load("rigid-body")
BASE = {"t_end": 0.02, "dt": 0.01, "paths": 2, "execution": sd.Execution(engine="numpy")}


def same(first, second):
    return first["M"].tobytes() == second["M"].tobytes()


def test_a_drawn_seed_is_said_and_gives_the_run_again(tmp_path):
    run, other = (BODY.simulate(**BASE, seed=None) for _ in range(2))
    assert not same(run, other)
    assert run.seed == run.config["seed"] == run.final.seed != other.seed
    assert same(BODY.simulate(**BASE, seed=run.seed), run)
    assert str(run.seed) in run._repr_html_()
    assert sd.Run.load(run.save(tmp_path / "run.zarr")).seed == run.seed
    assert float(run.seed) == run.seed  # exact in programs that read JSON's numbers as floats


def test_without_a_seed_nothing_is_drawn():
    run = BODY.simulate(**BASE)
    assert run.seed == 0
    assert same(run, BODY.simulate(**BASE, seed=0))
    later = {**BASE, "t_end": 0.04, "state": BODY.simulate(**BASE, seed=7).final}
    assert BODY.simulate(**later).seed == 7
    assert BODY.simulate(**later, seed=None).seed not in (0, 7)


def test_a_run_that_resumes_has_the_seed_of_its_store(tmp_path):
    call = {**BASE, "seed": None, "save": sd.Save(store=tmp_path / "run.zarr", resume=True)}
    run = BODY.simulate(**call)
    assert same(BODY.simulate(**call), run)
    assert BODY.simulate(**call).seed == run.seed


def test_an_ensemble_draws_one_too():
    one, other = (BODY.ensemble(dt=0.01, paths=2, seed=None).advance(steps=2) for _ in range(2))
    assert not np.array_equal(one.read("M")["M"], other.read("M")["M"])


@given(
    st.one_of(
        st.text(),
        st.floats(),
        st.booleans(),
        st.integers(max_value=-1),
        st.integers(min_value=2**64),
        st.tuples(st.integers()),
    ).filter(lambda seed: seed != "default")
)
def test_invalid_seeds_raise_errors(seed):
    with pytest.raises(sd.errors.InputError, match="None, which draws one"):
        number_of_seed(seed, None)


@given(st.integers(0, 2**64 - 1))
def test_numbers_are_seeds(seed):
    assert number_of_seed(seed, None) == number_of_seed(np.uint64(seed), None) == seed
