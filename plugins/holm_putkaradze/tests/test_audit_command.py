"""``semidirect audit``."""


def test_table(semidirect, findings, monkeypatch):
    calls = []
    monkeypatch.setattr(
        "semidirect_holm_putkaradze.audit.audit", lambda *labels, **how: calls.append((labels, how)) or findings
    )
    result = semidirect("audit")
    assert calls == [((), {})]  # all of them, which the fixture judged
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("equation")
    assert "holds: 32, holds for one model: 6, typo: 4, wrong: 10" in result.out


def test_one_equation(semidirect):
    result = semidirect("audit", "Jellet_non_cons")
    assert "verdict: typo" in result.out
    assert "right for the printed model: d(M·Γ) = M·dΓ + Γ·dM = mr²(ξ dW·(Ω × Γ))" in result.out
    report = semidirect("audit", "dE0", "energy", "--format", "json").json
    assert report["counts"]["wrong"] == report["counts"]["holds"] == 1
    line = report["equations"][0]["lines"][0]
    assert line["holds"] == {"variational": ["dt"], "printed": ["dt"]}
    assert line["corrected"]["variational"] == "dE = −ξ dW·K"
    assert line["counterexample"]["derived"] != line["counterexample"]["printed"]


def test_unknown_label(semidirect):
    result = semidirect("audit", "dE1")
    assert result.code == 2
    assert "dE0" in result.err
