"""A misspelled command, option or choice is an error that says which one may be meant."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("lst", ["list"]), ("Run", ["run"]), ("equation rigid-body", ["equations"]), ("lyapunow x", ["lyapunov"]),
        ("run rigid-body --t-ende 1", ["--t-end"]), ("run rigid-body --T_END=1 --metod rk4", ["--t-end", "--method"]),
        ("run rigid-body --path 3", ["--paths"]), ("structure rigid-body --part measur", ["measure"]),
        ("equations rigid-body --form Ito", ["ito"]), ("--verson", ["--version"]), ("filter x --observ y", ["--observe"]),
    ],
)  # fmt: skip
def test_the_name_that_is_meant_is_said(semidirect, arguments, meant):
    done = semidirect(*arguments.split())
    assert (done.code, done.out) == (2, "")
    last = " ".join(done.err.strip().split("\n")[-1].split())
    assert last.endswith(". " + " ".join(f"Did you mean {name!r}?" for name in meant)), last


@pytest.mark.parametrize("arguments", ["frobnicate", "run rigid-body --nothing", "run rigid-body 7"])
def test_nothing_is_said_where_nothing_is_near(semidirect, arguments):
    done = semidirect(*arguments.split())
    assert done.code == 2
    assert "Did you mean" not in done.err


@pytest.mark.parametrize(
    ("state", "text"),
    [("Omga=[1,2,3]", "Did you mean 'Omega'?"), ("Omega=[1,2]", "shape (3,)"), ("Omega=[1,2,NaN]", "NaN")],
)
@pytest.mark.parametrize("part", [(), ("--part", "principles"), ("--part", "casimirs")], ids=" ".join)
def test_structure_refuses_an_invalid_state(semidirect, state, text, part):
    done = semidirect("structure", "rigid-body", "--state", state, *part)
    assert (done.code, done.out) == (2, "")
    assert text in done.err
