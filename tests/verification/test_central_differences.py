"""Derivatives against central differences: the figures of all pairs of methods and systems, and some pairs measured again."""

import central_differences as script
import pages
import pytest

import semidirect as sd
from semidirect.core.errors import MethodError
from semidirect.definition import plugins

MEASURED = script.load()
SYSTEMS = list(plugins.available())


def test_the_page_is_written_from_what_was_measured():
    text = script.PAGE.read_text(encoding="utf-8")
    assert pages.between(text, "central differences", script.table(MEASURED)) == text


def test_all_pairs_are_as_exact_as_claimed():
    assert set(SYSTEMS) == set(MEASURED)
    for name, known in MEASURED.items():
        assert list(known["methods"]) == script.METHOD_NAMES
        found = [x for x in known["methods"].values() if x]
        assert len(found) >= 20, name  # the others are for other classes of equations
        assert max(x["difference"] for x in found) < script.ALLOWED, name  # measured: 3.2e-10 at most
        assert known["kernels"]["differ"] == 0 < known["kernels"]["numbers"]


def pairs():
    """Each system and each method at least once."""
    for i in range(max(len(SYSTEMS), len(script.METHOD_NAMES))):
        yield SYSTEMS[i % len(SYSTEMS)], i % len(script.METHOD_NAMES)


@pytest.mark.parametrize(("name", "first"), list(pairs()))
def test_derivatives_equal_central_differences_on_one_noise(name, first, record_property):
    system = sd.load(name)
    for label in (*script.METHOD_NAMES[first:], *script.METHOD_NAMES[:first]):
        try:
            found = script.worst(system, label, parameters=2)
            break
        except MethodError:  # the method is for other equations
            continue
    record_property("largest relative difference", max(found.values()))
    assert len(found) >= 3
    assert max(found.values()) < script.ALLOWED, (label, found)  # measured: 3e-10 at most
