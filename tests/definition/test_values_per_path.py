"""Parameters per path stand wherever a definition puts them, also where it is checked with numbers."""

import sys
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd

sys.path.insert(0, str(Path(__file__).parents[1] / "verification"))
from what_works_with_what.kind import is_hybrid
from what_works_with_what.kinds import KINDS

CASES = [(kind, name) for kind in KINDS
         if not is_hybrid(kind.made.system) and not kind.made.system.workings.paths and not kind.state
         for name, v in kind.made.system.values.items() if np.size(v)
         and name not in kind.made.system.workings.table_names]  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{k.name} {n}" for k, n in CASES])
def test_equal_values_per_path_are_one_value(kind, name):
    """Noise of a constraint, θ of a double bracket, Υ of a noise: all values of all kinds, bit for bit."""
    call = {
        "t_end": 0.125,
        "dt": 1 / 16,
        "paths": 2,
        "seed": 1,
        "method": "heun",
        "execution": sd.Execution(engine="numpy", threads=1),
    }
    system = kind.made.system
    plain, varied = (
        one.simulate(**call) for one in (system, system.replace(**{name: sd.PerPath([system.values[name]] * 2)}))
    )
    for quantity in kind.names:
        np.testing.assert_array_equal(varied[quantity], plain[quantity])


def test_modes_may_have_values_per_path():
    from what_works_with_what.systems import Flying, Sliding

    noise = sd.PerPath([((0.1, 0.0),), ((0.2, 0.0),)])
    lands = sd.Switch("flight", "floor", sd.Crossing("height", 0.4, "falling"))
    hybrid = sd.Hybrid({"flight": Flying(noise=noise), "floor": Sliding(noise=noise)}, [lands])
    assert hybrid.simulate(mode="flight", t_end=0.125, dt=1 / 16, paths=2).paths == 2
