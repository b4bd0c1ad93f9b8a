"""What ``pairs.py`` measured of every system by every method: bits in C and NumPy, differences in JAX and CasADi."""

from __future__ import annotations

import json

import fields
import numpy as np
import pairs
import pytest
import times

from semidirect.export.targets.c import FLAGS
from semidirect.integrators import METHODS

RECORD = pairs.load()
LARGEST = {"gcc": 0, "clang": 0, "numpy": 0, "jax": 1e-14, "casadi": 5e-12}
"""Largest differences, relative to numbers above 1. CasADi has its own Newton's method and simplifies sums; the stiff contact of
the tippe-top makes round-off grow to 3e-12 in 100 steps, all other systems stay below 6e-13. JAX
is measured without fused operations, which let round-off of the tippe-top grow to 9e-13."""
COMPLETE = ("gcc", "clang", "numpy", "jax", "casadi")
FEWEST = {"gcc": 428, "clang": 428, "numpy": 428, "jax": 428, "casadi": 428}


def rows(target):
    return [(system, method, row) for system, methods in RECORD[target].items() for method, row in methods.items()]


@pytest.mark.parametrize("target", LARGEST)
def test_no_pair_differs_by_more(target):
    """Refused is what a run refuses, and what chooses its steps."""
    measured = [row for *_, row in rows(target) if "difference" in row]
    assert len(measured) >= FEWEST[target]
    assert np.max([row["difference"] for row in measured]) <= LARGEST[target]  # nan is not
    rest = [(system, method, row) for system, method, row in rows(target) if "difference" not in row]
    assert [x for x in rest if not ("by a run" in x[2] or "chooses its steps" in x[2].get("refused", ""))] == []


@pytest.mark.parametrize("target", COMPLETE)
def test_every_method_was_tried_on_every_system(target):
    """A system that came later is measured by the script; those on record are all that there were, and still there."""
    assert len(RECORD[target]) >= 25
    assert set(RECORD[target]) <= set(pairs.systems())
    assert {
        name: set(METHODS) - set(methods) for name, methods in RECORD[target].items() if set(METHODS) - set(methods)
    } == {}


@pytest.mark.parametrize(("name", "method"), [("suslov", "implicit-midpoint"), ("rolling-disk", "lie-milstein")])
def test_the_record_is_of_the_instructions_of_today(name, method):
    digest = pairs.digest_of(pairs.program_of(pairs.loaded(name), method))
    assert {digest} == {RECORD[t][name][method]["digest"] for t in LARGEST if method in RECORD[t].get(name, {})}


def test_a_path_takes_the_time_of_the_compiled_engine():
    """What ``times.py`` measured, with the flags that the file names; the documents say its least and largest ratio."""
    record = json.loads(times.MEASURED.read_text(encoding="utf-8"))
    assert record["measured on"]["flags"] == FLAGS
    assert [*record["ratios"]] == sorted(times.SYSTEMS)
    assert {tuple(methods) for methods in record["ratios"].values()} == {tuple(sorted(times.METHODS))}
    rows = [row for methods in record["ratios"].values() for row in methods.values()]
    named = [row[name] for row in rows for name in times.COMPILERS]
    assert max(named) <= 1.5
    text = " ".join((pairs.ROOT / "docs" / "export.md").read_text(encoding="utf-8").split())
    assert f"takes {min(named)} to {max(named)} times as long as with the compiled engine" in text
    assert FLAGS in text


def test_casadi_has_the_fields_and_their_jacobians():
    """What ``fields.py`` measured: values to 4e-16, of the bicycle 1.3e-15, Jacobians to 1e-9, as differences are rough."""
    record = json.loads(fields.MEASURED.read_text(encoding="utf-8"))
    assert set(record) <= set(pairs.systems())
    assert len(record) >= 25
    rows = [row for functions in record.values() for row in functions.values()]
    assert len(rows) == 3 * len(record)
    assert max(row[0] for row in rows) <= 2e-15
    assert max(row[1] for row in rows if len(row) > 1) <= 1e-9
