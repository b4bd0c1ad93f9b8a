"""Events that stop a path."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError

BODY = sd.load("rigid-body", advect_gamma=True)
ASKED = {"t_end": 1, "dt": 0.01, "paths": 100, "seed": 1}


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize(
    ("criterion", "every"), [({"above": 0.95}, 1), ({"below": 0.82}, 1), ({"above": 0.97, "below": 0.8}, 5)]
)
def test_a_path_is_frozen_from_the_first_look_beyond(engine, criterion, every):
    free = BODY.simulate(**ASKED)
    run = BODY.simulate(
        **ASKED,
        stop=sd.Stop("energy", **criterion, every=every),
        execution=sd.Execution(engine=engine),
        reduce="moments",
    )
    looks = np.arange(101) % every == 0
    E = free["energy"]
    beyond = ((E >= criterion.get("above", np.inf)) | (E <= criterion.get("below", -np.inf))) & looks
    assert 20 < beyond.any(axis=1).sum() < 100
    assert run.good.all()
    assert run.failures() == []
    for p in range(100):
        if beyond[p].any():
            n = int(beyond[p].argmax())
            assert run.data.status[p] == 3
            assert run.stopped.time[p] == free.times[n]
        else:
            n = 100
            assert run.data.status[p] == 0
            assert np.isnan(run.stopped.time[p])
        for name in run:
            assert run[name][p, : n + 1].tobytes() == free[name][p, : n + 1].tobytes(), (p, name)
            frozen = run[name][p, n::every] if every > 1 else run[name][p, n:]
            assert (frozen == run[name][p, n]).all(), (p, name)
        assert (run.final["g"][p] == run["g"][p, -1]).all()
    moments = run.reductions["moments"]
    np.testing.assert_allclose(moments.mean["energy"], run["energy"].mean(axis=0), rtol=1e-13)
    assert (moments.count["energy"] == 100).all()


def test_the_bits_do_not_depend_on_what_is_saved():
    stop = sd.Stop("M", above=1.15, component=0)
    runs = [BODY.simulate(**ASKED, stop=stop, save=save, execution=sd.Execution(engine=engine))
            for save, engine in (("all", "numpy"), ("final", "numpy"), ("every:7", "compiled"))]  # fmt: skip
    for run in runs[1:]:
        assert run.stopped.time.tobytes() == runs[0].stopped.time.tobytes()
        assert all(run.final[k].tobytes() == runs[0].final[k].tobytes() for k in run.final)
    assert runs[0].config["stop"] == {"name": "M1", "above": 1.15, "every": 1}
    assert 0 < (runs[0].data.status == 3).sum() < 100


def test_at_the_start():
    run = BODY.simulate(**ASKED, stop=sd.Stop("energy", above=0.1), save="final")
    assert (run.stopped.time == 0).all()


def test_a_stopped_path_cannot_fail():
    class Growing(sd.System):
        """z' = z²."""

        group = sd.SO2()

        def lagrangian(self, xi):
            return xi.omega**2 / 2

        def internal(self):
            return [sd.InternalState("z", 0.0, drift=lambda z: [z.z**2])]

    for engine in ("numpy", "compiled"):
        run = Growing().simulate(
            t_end=2,
            dt=0.01,
            state={"z": [1.0, 0.1]},
            stop=sd.Stop("z", above=10),
            execution=sd.Execution(engine=engine),
        )
        np.testing.assert_array_equal(run.data.status, [3, 0])
        assert 10 <= run["z"][0, -1] < 15
        assert run.stopped.time[0] == pytest.approx(0.91, abs=0.02)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: sd.Stop("energy"), "above= or below="),
        (lambda: sd.Stop("energy", above=np.nan), "finite"),
        (lambda: sd.Stop("energy", above=1, every=0), "at least 1"),
        (lambda: BODY.simulate(**ASKED, stop="energy > 1"), "such as sd.Stop"),
        (lambda: BODY.simulate(**ASKED, stop=sd.Stop("M", above=1)), "component="),
    ],
)
def test_invalid_stop_conditions_raise_errors(make, error):
    with pytest.raises(InputError, match=error):
        make()


def test_unknown_quantities():
    with pytest.raises(UnknownNameError, match="Did you mean 'energy'"):
        BODY.simulate(**ASKED, stop=sd.Stop("enrgy", above=1))
