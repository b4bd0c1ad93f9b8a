"""``semidirect audit``."""


def test_table(semidirect, found, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "semidirect_holm_putkaradze.audit.audit", lambda *labels, **how: asked.append((labels, how)) or found
    )
    done = semidirect("audit")
    assert asked == [((), {})]  # all of them, which the fixture judged
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("equation")
    assert "holds: 32, holds for one model: 6, typo: 4, wrong: 10" in done.out


def test_one_equation(semidirect):
    done = semidirect("audit", "Jellet_non_cons")
    assert "verdict: typo" in done.out
    assert "right for the printed model: d(M·Γ) = M·dΓ + Γ·dM = mr²(ξ dW·(Ω × Γ))" in done.out
    found = semidirect("audit", "dE0", "energy", "--format", "json").json
    assert found["counts"]["wrong"] == found["counts"]["holds"] == 1
    line = found["equations"][0]["lines"][0]
    assert line["holds"] == {"variational": ["dt"], "printed": ["dt"]}
    assert line["corrected"]["variational"] == "dE = −ξ dW·K"
    assert line["counterexample"]["derived"] != line["counterexample"]["printed"]


def test_unknown_label(semidirect):
    done = semidirect("audit", "dE1")
    assert done.code == 2
    assert "dE0" in done.err
