"""``M1-M2`` is the difference of two quantities, and ``-energy`` an expression; a name with hyphens stays a name."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import UnknownNameError

HOW = {"t_end": 0.5, "dt": 0.125, "method": "heun"}


@pytest.mark.parametrize(
    ("text", "spaced"),
    [("M1-M2", "M1 - M2"), ("-M1", "0 - M1"), ("energy-M3", "energy - M3"), ("M1-1", "M1 - 1"), ("M1-M2-M3", "M1 - M2 - M3"),
     ("-M1-M2", "0 - M1 - M2"), ("-momentum_squared", "0 - momentum_squared")],
)  # fmt: skip
def test_it_means_the_same_everywhere(text, spaced):
    body = sd.load("rigid-body")
    run = body.simulate(**HOW)
    assert np.array_equal(run[text], run[spaced])
    saved = body.simulate(**HOW, save=sd.Save(names=["M", text]), reduce=sd.Moments([text]))
    assert np.allclose(saved[text], run[spaced], rtol=0, atol=1e-15)
    assert np.allclose(saved.reductions["moments"].mean[text], run[spaced][0], rtol=0, atol=1e-15)
    level = float(run[spaced][0, 1])
    stops = [
        body.simulate(**HOW, stop=kind(name)).stopped.time
        for name in (text, spaced)
        for kind in (lambda q: sd.Crossing(q, level + 1e-9), lambda q: sd.Stop(q, above=level - 1e-9, locate=True))
    ]
    assert np.array_equal(stops[0], stops[2], equal_nan=True)
    assert np.array_equal(stops[1], stops[3], equal_nan=True)
    assert np.isfinite(stops[1]).all()
    assert body.prove(text, along="drift").holds == body.prove(spaced, along="drift").holds


def test_a_name_with_hyphens_stays_a_name():
    run = sd.load("rigid-body").simulate(**HOW)
    assert np.allclose(run["momentum-squared"], (run["M"] ** 2).sum(axis=-1))
    for wrong in ("momentum-squard", "M1-M9", "energy-", "energy--M1", "no-such-thing"):
        with pytest.raises(UnknownNameError, match=wrong):
            run[wrong]
