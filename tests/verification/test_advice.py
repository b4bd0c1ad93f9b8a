"""The advice for all installed systems: measured over 10⁴ steps, and a short run of each agrees."""

import advice
import pages
import pytest

import semidirect as sd
from semidirect.definition import plugins
from semidirect.invariants import Constants

MEASURED = advice.load()


def test_the_page_is_written_from_what_was_measured():
    text = advice.PAGE.read_text(encoding="utf-8")
    assert pages.between(text, "advice", advice.table(MEASURED)) == text


def test_every_system_is_measured():
    assert set(MEASURED) == set(plugins.available())


@pytest.mark.parametrize("name", sorted(MEASURED))
def test_the_first_method_keeps_what_any_method_keeps(name):
    of = MEASURED[name]
    for quantity in of["constant"]:
        change = of["changes"][quantity]
        if quantity in of["keeps"]:
            assert change <= advice.KEPT, quantity  # measured up to 3e-12
        else:
            assert change > advice.KEPT
            assert quantity in of["drifts"]
            assert all(not other[quantity] <= advice.KEPT for other in of["others"].values())
        default = of["default_changes"][
            quantity
        ]  # nan where paths of the default fail, as those of the spherical robot
        assert default != default or (default <= advice.KEPT) == (quantity in of["keeps"])


@pytest.mark.parametrize("name", sorted(MEASURED))
def test_a_short_run_agrees(name):
    of, system = MEASURED[name], sd.load(name)
    assert list(Constants.of(system).along_all) == of["constant"]
    for method in {of["method"], None} if of["constant"] else ():
        found = advice.changes(
            system, method, of["constant"], of["dt"], steps=20, paths=2, seed=11, execution=sd.Execution(engine="numpy")
        )
        for quantity, change in found.items():
            assert (change <= 1e-13) == (quantity in of["keeps"]), (method, quantity)  # measured 9e-16 and 6e-12
