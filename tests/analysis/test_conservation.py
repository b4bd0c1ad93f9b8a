import numpy as np

import semidirect as sd
from semidirect.analysis.conservation import ConservationTable, Quantity, drift


def some_run(**choices):
    return sd.load("rolling-disk").simulate(t_end=2, dt=0.5, paths=3, seed=2, method="heun", **choices)


def test_drift_is_the_largest_change_of_all_paths():
    run = some_run()
    assert drift(run, Quantity("x", "x")) == np.abs(run["x"] - run["x"][:, :1]).max() > 0
    assert drift(run, Quantity("v", "sideways", 1)) == 0
    assert drift(run, Quantity("omega", "omega")) == 0


def test_failed_paths_do_not_count():
    run = some_run(state={"omega": [1.0, 2.0, 1e308], "nu": 0.0})
    assert run.good.tolist() == [True, True, False]
    assert drift(run, Quantity("x", "x")) == np.abs(run["x"][:2]).max()
    none = some_run(state={"omega": 1e308, "nu": 0.0})
    assert np.isnan(drift(none, Quantity("x", "x")))


def test_table():
    runs = {"one": some_run(), "two": some_run(driver=0)}
    table = ConservationTable.of("disk", runs, [Quantity("omega", "omega"), Quantity("phi", "|phi|")])
    assert table.rows["omega"] == (1.0, 0.0, 0.0)
    assert table.rows["|phi|"] == (0.0, *(drift(run, Quantity("phi", "")) for run in runs.values()))
    title, header, omega, phi = table.text().splitlines()
    assert title == "disk"
    assert header.split() == ["quantity", "at", "t", "=", "0", "one", "two"]
    assert omega.split() == ["omega", "1", "0.0e+00", "0.0e+00"]
    assert len(header) == len(omega) == len(phi)
    assert table.markdown().splitlines()[-1].startswith(r"| \|phi\| | 0 | ")
