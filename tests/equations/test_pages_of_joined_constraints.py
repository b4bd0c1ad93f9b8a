"""Pages of systems under several constraints: each row is there with the name of its constraint, and says what is run."""

import sys
from pathlib import Path

import pytest
from printed_page import Printed

sys.path.insert(0, str(Path(__file__).parents[1] / "facts"))
from joined_systems import Blades, Pierced, Steered


@pytest.mark.parametrize(("kind", "line"), [
    (Steered, "turn = rate,  (motor)"), (Pierced, "Γ · Y = 0,  (level)"), (Blades, "(front)"),
])  # fmt: skip
def test_each_row_is_printed_with_its_name(kind, line):
    system = kind()
    assert line in str(system.equations())
    assert Printed(system).read().worst < 1e-14  # 6e-16


def test_where_no_directions_exist_the_velocity_is_the_state():
    system = Pierced()
    assert system.sde().form == "A"
    assert system.prove("energy").along("drift").holds
    run = system.simulate(t_end=1, dt=0.02, seed=1, paths=2, save="every:10")
    assert abs((run["Gamma"] * run["Omega"]).sum(axis=-1)).max() < 1e-14  # 4e-16
    assert abs(run["turn-reaction"] + run["level-reaction"] - run["reaction"]).max() < 1e-15
