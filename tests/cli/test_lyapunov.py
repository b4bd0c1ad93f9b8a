"""``semidirect lyapunov`` prints what the function finds."""

import json

import pytest

import semidirect as sd

BODY = ["rigid-body", "--set", "noise=[[0.2, 0, 0], [0, 0.2, 0]]", "--state", "Omega=[0.1, 0.5, 1]"]
SHORT = [
    "--t-end",
    "2",
    "--dt",
    "0.05",
    "--seed",
    "3",
    "--every",
    "5",
    "--burn-in",
    "0.2",
    "--batches",
    "4",
    "--method",
    "heun",
]


def found(**more):
    body = sd.load("rigid-body", noise=[[0.2, 0, 0], [0, 0.2, 0]])
    return sd.lyapunov(body, t_end=2, dt=0.05, seed=3, every=5, burn_in=0.2, batches=4, method="heun",
                       state={"Omega": [0.1, 0.5, 1]}, **more)  # fmt: skip


def test_a_line_for_each_exponent_with_its_error(semidirect):
    done = semidirect("lyapunov", *BODY, *SHORT, "--paths", "3")
    assert (done.code, done.out) == (0, f"{found(paths=3)}\n")
    assert [line.split()[0] for line in done.out.splitlines()[2:5]] == ["λ1", "λ2", "λ3"]


def test_numbers_for_programs(semidirect):
    more = ["--exponents", "2", "--configuration", "--noise-path", "0", "--t-start", "1", "--format", "json"]
    done = semidirect("lyapunov", *BODY, *SHORT, *more)
    result = json.loads(done.out)
    expected = found(exponents=2, configuration=True, driver=sd.Wiener(path=0), t_start=1)
    assert done.code == 0
    assert [x["mean"] for x in result["exponents"]] == expected.exponents.tolist()
    assert result["exponents"][0]["standard_error"] > 0
    assert result["sum"]["mean"] == expected.averages.mean[2]
    assert result["dimension"] == 6
    assert (result["count"], result["paths"], result["failed"]) == (2, 1, 0)
    assert "divergence" not in result
    assert "too few for an error" in result["note"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["rigid-body", "--t-end", "1", "--every", "7"], "a multiple of every=7, got 100"),
        (["rigid-body", "--t-end", "1", "--exponents", "9"], "exponents"),
        (["rigid-body"], "--t-end"),
    ],
)
def test_what_cannot_be_computed_is_said(semidirect, arguments, text):
    done = semidirect("lyapunov", *arguments)
    assert (done.code, done.out) == (2, "")
    assert text in done.err
