"""``semidirect run --monitor``."""


def test_table_and_json(semidirect):
    arguments = ("run", "rigid-body", "--t-end", 1, "--paths", 4, "--monitor")
    done = semidirect(*arguments)
    assert (done.code, done.err) == (0, "")
    assert "momentum-squared  exact     met" in done.out
    found = semidirect(*arguments, "--format", "json").json["monitor"]
    assert found["met"] is True
    assert found["observables"]["energy"]["status"] == "random"


def test_exit_code_tells_of_a_violation(semidirect, monkeypatch):
    from semidirect_rigid_body import RigidBody

    import semidirect as sd

    monkeypatch.setattr(RigidBody, "energy", sd.observable(unit="J", status="exact")(RigidBody.energy.method))
    assert semidirect("run", "rigid-body", "--t-end", 1, "--monitor").code == 1
