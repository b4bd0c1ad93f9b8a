"""``semidirect invariants`` and ``structure``."""

import pytest

import semidirect as sd
from semidirect.invariants import find_invariants, find_relations, nonholonomic_momenta, prove


def test_search(semidirect):
    done = semidirect("invariants", "routh-sphere", "--degree", 4)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{find_invariants(sd.load('routh-sphere'), 4)}\n"
    found = semidirect(
        "invariants", "routh-sphere", "--degree", 4, "--along", "both", "--rank", "--format", "json"
    ).json
    assert found["dimension"] == 0
    assert found["lie_algebra"]["rank"] == found["lie_algebra"]["dimension"] == 5
    assert found["along"] == ["drift", "noise1"]


def test_what_is_found_can_be_given_to_prove(semidirect):
    found = semidirect("invariants", "routh-sphere", "--degree", 1, "--times", "sqrt(Q)", "--format", "json").json
    assert found["generators"] == ["routh"]
    (text,) = found["basis"]
    assert text == "Omega3*(sqrt(Q))"
    assert semidirect("invariants", "routh-sphere", "--prove", text, "--along", "drift").code == 0


def test_prove(semidirect):
    done = semidirect("invariants", "routh-sphere", "--prove", "energy")
    assert done.code == 1
    assert done.out == f"{prove(sd.load('routh-sphere'), 'energy')}\n"
    same = semidirect("invariants", "routh-sphere", "--prove", "energy", "--format", "json")
    assert same.code == 1
    assert same.json["columns"]["drift"]["certificate"] is True
    example = same.json["columns"]["noise1"]["counterexample"]
    assert example["value"] == "-43/169"
    assert example["state"]["Gamma"] == ["-12/13", "4/13", "-3/13"]
    generic = semidirect(
        "invariants", "routh-sphere", "--prove", "jellett", "--along", "drift", "--parameters", "generic"
    )
    assert generic.code == 0


@pytest.mark.parametrize(("arguments", "message"), [
    (["--prove", "__import__('os')"], "not allowed in an expression"),
    (["--prove", "enrgy"], "Did you mean 'energy'"),
    (["--along", "noise7"], "unknown column"),
    (["--degree", "0"], "degree"),
    (["--restrict", "Omicron"], "state variable"),
    (["--degree", "two"], "whole number"),
    (["--degree", "3", "--prove", "energy"], "not allowed with"),
])  # fmt: skip
def test_wrong_usage(semidirect, arguments, message):
    done = semidirect("invariants", "routh-sphere", *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_evolution_of_expressions(semidirect):
    done = semidirect("evolution", "heavy-top", "dot(M, Gamma)/norm(Gamma)")
    assert done.out == "  d(dot(M, Gamma)/norm(Gamma)) = 0\n"
    ito = semidirect("evolution", "heavy-top", "momentum-axis", "--form", "ito", "--set", "noise=[[0.1, 0.2, 0.3]]")
    assert "dW¹" in ito.out
    assert "∘" not in ito.out
    assert semidirect("evolution", "heavy-top", "eval(1)").code == 2


def test_structure(semidirect):
    done = semidirect("structure", "rolling-disk")
    assert (done.code, done.err) == (0, "")
    for line in ("growth (2, 3, 4) in dimension 4", "preserved measure: 1", "off by 0"):
        assert line in done.out
    found = semidirect("structure", "heavy-top", "--part", "casimirs", "--part", "principles", "--format", "json").json
    assert found["casimirs"][0].endswith("2 Casimirs")
    assert "without one" in found["principles"][0]
    ball = semidirect("structure", "routh-sphere", "--part", "measure", "--factor", "Q")
    assert ball.out.splitlines()[0] == "preserved measure: (Q)**(-1/2) dM dGamma, along drift"


def test_momenta(semidirect):
    """As text, in JSON and in LaTeX; what has no LaTeX is refused."""
    done = semidirect("structure", "suslov", "--part", "momenta")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{nonholonomic_momenta(sd.load('suslov'))}\n"
    (first, second) = semidirect("structure", "suslov", "--part", "momenta", "--format", "json").json["momenta"]
    assert (first["momentum"], first["section"], first["symmetry"]) == ("M1", ["1", "0", "0"], "space")
    assert (second["rates"]["drift"], second["kinds"], second["conserved"]["drift"]) == ("p_Omega3*w1", ["JJ"], False)
    assert first["equation"]["holds"]
    assert 0 < first["equation"]["error"] < 1e-27  # 2.8e-32
    latex = semidirect("structure", "suslov", "--latex").out
    assert latex == f"{nonholonomic_momenta(sd.load('suslov')).latex()}\n"
    for wrong in (["--part", "rank"], ["--part", "momenta", "--format", "json"]):
        refused = semidirect("structure", "suslov", "--latex", *wrong)
        assert refused.code == 2
        assert "--part momenta alone" in refused.err


def test_relations(semidirect, monkeypatch, once):
    """The search is done once."""
    search = once(find_relations)
    monkeypatch.setattr("semidirect.invariants.find_relations", search)
    done = semidirect("invariants", "routh-sphere", "--relations", "--degree", 1)
    assert done.code == 0
    assert done.out == f"{search(sd.load('routh-sphere'), 1)}\n"
    (found,) = semidirect("invariants", "routh-sphere", "--relations", "--degree", 1, "--format", "json").json[
        "relations"
    ]
    assert len(search.known) == 1
    assert (found["polynomial"], found["cofactor"]) == ("Omega3", None)
    assert found["proved"]["holds"] is True
    for other in (("--prove", "energy"), ("--rank",), ("--along", "noise"), ("--times", "sqrt(Q)")):
        refused = semidirect("invariants", "routh-sphere", "--relations", *other)
        assert (refused.code, other[0] in refused.err) == (2, True)
