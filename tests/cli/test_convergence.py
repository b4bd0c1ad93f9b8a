"""``semidirect convergence``, ``compare`` and ``run --error-check``: the numbers are those of the functions they call."""

import pytest

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence

SMALL = ("--t-end", "0.125", "--dt", "0.125", "--levels", "5", "--paths", "4")
OPTIONS = {"t_end": 0.125, "dt": 0.125, "levels": 5, "paths": 4}


def test_a_study_as_json(semidirect):
    done = semidirect("convergence", "heavy-top", *SMALL, "--method", "heun", "--seed", "3", "--set", "arm=0.5",
                      "--state", "Omega=[0, 1, 2]", "--quantity", "energy", "--format", "json")  # fmt: skip
    assert (done.code, done.err) == (0, "")
    study = convergence(
        sd.load("heavy-top", arm=0.5), "heun", seed=3, state={"Omega": [0, 1, 2]}, quantities=["energy"], **OPTIONS
    )
    result = done.json
    assert result["quantities"]["energy"]["errors"] == study["energy"].errors.tolist()
    assert result["quantities"]["state"]["order"]["value"] == study["state"].fit.slope
    assert (result["verdict"], result["noise_class"]) == (study.verdict, "single")


def test_a_study_for_people(semidirect, tmp_path):
    picture = tmp_path / "order.png"
    done = semidirect("convergence", "heavy-top", *SMALL, "--deterministic", "--method", "heun", "-o", picture)
    assert (done.code, done.err) == (0, "")
    assert "HeavyTop by heun: deterministic order to t = 0.125 s, 4 paths, seed 0" in done.out
    assert "declared order 2: met, measured 2.0" in done.out
    assert "limit: that of dop853" in done.out
    assert done.out.endswith(f"drawn in {picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_weak_errors_with_their_chance(semidirect):
    done = semidirect("convergence", "heavy-top", *SMALL, "--weak", "--method", "heun")
    assert "bias ± standard error against its own solution" in done.out
    assert " ± " in done.out.split("\n\n")[1]
    assert "no order is declared for single noise" in done.out or "declared order 1" in done.out


def test_the_noise_class_with_its_reason(semidirect):
    done = semidirect("convergence", "rigid-body", *SMALL)
    assert "noise: general, since the noises 1 and 2 do not commute" in done.out


def test_an_order_that_is_not_met_is_a_failed_check(semidirect, monkeypatch):
    from types import MappingProxyType

    from semidirect.integrators import Heun

    monkeypatch.setattr(Heun, "deterministic_order", 4)
    monkeypatch.setattr(Heun, "strong_order", MappingProxyType({"single": 1.0}))
    done = semidirect("convergence", "heavy-top", *SMALL, "--deterministic", "--method", "heun")
    assert done.code == 1
    assert "declared order 4: NOT met, measured 2.0" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "dop853"], "dop853 chooses its steps by its own error control"),
        (
            ["--method", "heun", "--strong", "--increment-law", "three-point"],
            "Use normal increments, or a weak study (--weak)",
        ),
        (["--method", "rs2"], "rs2 declares no strong order for single noise"),
        (["--levels", "3"], "from 5 to 40, got 3"),
        (["-o", "order.doc"], "cannot draw order.doc: expected a name that ends in one of .eps"),
        (["-o", "nowhere/order.png"], "there is no folder nowhere"),
        (["--strong", "--weak"], "not allowed with argument"),
    ],
)
def test_refusals(semidirect, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = semidirect("convergence", "heavy-top", "--t-end", "0.25", "--dt", "0.125", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


COMPARED = ("--t-end", "0.25", "--dt", "0.125", "--levels", "2", "--paths", "3")


def test_a_comparison_as_json(semidirect):
    done = semidirect("compare", "routh-sphere", *COMPARED, "--methods", "heun, sdelab(0.5)", "--format", "json")
    assert (done.code, done.err) == (0, "")
    found = compare(
        sd.load("routh-sphere"), ["heun", "sdelab(0.5)"], t_end=0.25, dt=0.125, levels=2, paths=3, timed=False
    )
    result = done.json
    assert [(p["method"], p["dt"]) for p in result["points"]] == [(p.method, p.dt) for p in found.points]
    assert result["points"][0]["errors"] == dict(found.points[0].errors)
    assert result["points"][3]["ledger"]["routh"]["slope"] == found.points[3].ledger["routh"].slope
    assert result["model"]["energy"]["slope"] == found.motions["energy"].slope
    assert result["points"][0]["time"] == 1


def test_a_comparison_for_people(semidirect, tmp_path):
    picture = tmp_path / "compare.svg"
    done = semidirect("compare", "routh-sphere", *COMPARED, "--methods", "heun,lie-midpoint", "--observable", "gamma-norm",
                      "--observable", "energy", "-o", picture)  # fmt: skip
    assert (done.code, done.err) == (0, "")
    assert "gamma-norm: conserved by the model, 1; any change comes from the method" in done.out
    assert "energy [J]: changed by the model" in done.out
    assert "jellett" not in done.out
    assert picture.stat().st_size > 1000


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (" , ", "--methods: expected names of methods, such as heun,lie-midpoint"),
        ("heun,hein", "unknown method 'hein'. Did you mean 'heun'?"),
        ("heun,dop853", "cannot follow a Wiener process"),
    ],
)
def test_impossible_comparisons_raise_errors(semidirect, methods, message):
    done = semidirect("compare", "routh-sphere", *COMPARED, "--methods", methods)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_the_error_check_of_a_run(semidirect, tmp_path):
    options = ("run", "heavy-top", "--t-end", "0.2", "--dt", "0.02", "--paths", "3")
    target = tmp_path / "run.zarr"
    plain = semidirect(*options, "--format", "json").json
    checked = semidirect(*options, "--format", "json", "--error-check").json
    run = sd.load("heavy-top").simulate(t_end=0.2, dt=0.02, paths=3, save="final", checks=sd.Checks(error_check=True))
    assert checked.pop("error_check") == run.error_check.described()
    assert checked == plain
    done = semidirect(*options, "--error-check", "-o", target)
    assert done.code == 0
    assert "error check against half the step, 0.01 s, on the same noise: 3 paths, over 11 times" in done.out
    assert any(line.split()[:1] == ["angle(g)"] and line.endswith("rad") for line in done.out.splitlines())
    refused = semidirect("run", "heavy-top", "--extend", "--error-check", "--paths", "4", "-o", target)
    assert refused.code == 2
    assert "--error-check with --extend" in refused.err
