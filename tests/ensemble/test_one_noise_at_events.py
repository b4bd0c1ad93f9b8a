"""Events located within steps where all paths have the noise of one: each has those of a run of its own on that noise."""

import numpy as np
import pytest

import semidirect as sd

STARTS = [[0.4, 1.0, -0.7], [0.5, 1.0, -0.7], [0.4, 1.02, -0.7], [0.4, 1.0, -0.7]]
HOW = {"t_end": 1.0, "dt": 1 / 32, "seed": 3, "method": "heun"}
LEVEL = 0.93
EVENTS = {
    "stop": {"stop": sd.Stop("Omega2", below=LEVEL, locate=True)},
    "stop at a crossing": {"stop": sd.Crossing("Omega2", LEVEL, "falling")},
    "two stops": {"stop": [sd.Stop("Omega2", below=LEVEL, locate=True), sd.Stop("Omega1", above=0.55, locate=True)]},
    "crossings": {"save": sd.Save(crossings=sd.Crossing("Omega2", 1.0))},
}


@pytest.mark.parametrize("events", EVENTS.values(), ids=EVENTS)
def test_each_path_has_the_events_of_a_run_of_its_own_on_that_noise(events):
    """Bits, in both engines; the run of its own has three paths, of which the last has the noise."""
    body, found = sd.load("rigid-body", noise=[[0.2, 0.1, -0.1]]), []
    for engine in ("numpy", "compiled"):
        more = {**HOW, **events, "execution": sd.Execution(engine=engine)}
        together = body.simulate(**more, state={"Omega": STARTS}, driver=sd.Wiener(path=2))
        for i, start in enumerate(STARTS):
            alone = body.simulate(**more, state={"Omega": start}, paths=3)
            assert np.array_equal(together["Omega"][i], alone["Omega"][2])
            assert np.array_equal(together.stopped.time[i], alone.stopped.time[2], equal_nan=True)
            for ours, theirs in zip(together.crossings, alone.crossings, strict=True):
                assert np.array_equal(ours.times[i], theirs.times[2], equal_nan=True)
        found.append(together)
    assert np.array_equal(found[0]["Omega"], found[1]["Omega"])
    assert np.isfinite(found[0].stopped.time).any() or found[0].crossings[0].count.any()
    assert np.array_equal(found[0]["Omega"][0], found[0]["Omega"][3])
