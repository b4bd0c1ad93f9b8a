# ruff: noqa: E501
"""What a hybrid system and its run do not have raises an error of ours that says what to do instead."""

import sys
from pathlib import Path

import pytest

import semidirect as sd
from semidirect.core.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "verification"))
from what_works_with_what.systems import floor

RUN = {"mode": "flight", "t_end": 0.1, "dt": 0.05}
PUBLIC = [name for name in dir(sd.System) if not name.startswith("_") and name not in dir(sd.Hybrid)]


@pytest.mark.parametrize("name", PUBLIC)
def test_what_a_mode_has(name):
    """Every public attribute of a system, of which ``hasattr`` says that a hybrid system lacks it."""
    hybrid = floor()
    assert not hasattr(hybrid, name)
    with pytest.raises(InputError, match=rf"hybrid\.modes\['flight'\]\.{name}"):
        getattr(hybrid, name)


def test_other_attributes_are_unknown_as_usual():
    with pytest.raises(AttributeError, match="no attribute 'foo'"):
        getattr(floor(), "foo")  # noqa: B009
    with pytest.raises(AttributeError):
        floor()._repr_html_()


@pytest.mark.parametrize(("name", "words"), [("monitor", "in whose impacts"), ("level", "Take the level of a mode")])
def test_what_a_run_of_one_system_has(name, words):
    run = floor().simulate(**RUN)
    with pytest.raises(InputError, match=words):
        getattr(run, name)()


@pytest.mark.parametrize("name", ["stop", "checks", "driver"])
def test_arguments_of_other_runs(name):
    with pytest.raises(InputError, match=rf"hybrid\.modes\[…\]\.simulate\({name}=…\)"):
        floor().simulate(**RUN, **{name: None})


@pytest.mark.parametrize("call", [
    lambda h: sd.lyapunov(h, t_end=1, dt=0.1), lambda h: sd.multilevel(h, "energy", t_end=1, dt=0.1, rmse=0.1), lambda h: sd.noise.noise_class(h),
    lambda h: sd.filter(h, sd.Observation("x", noise=1), [[1.0]], dt=0.1),
])  # fmt: skip
def test_functions_of_one_system(call):
    with pytest.raises(InputError, match="one of its modes"):
        call(floor())
