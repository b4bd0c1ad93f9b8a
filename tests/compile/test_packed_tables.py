"""Interpolants in kernels are those of array code, bit by bit, also next to nodes and outside of them."""

import numpy as np
import pytest

from semidirect.compile import table_functions
from semidirect.compile.loop_function import library
from semidirect.compile.packed_tables import PackedTables
from semidirect.core.interpolation import LAST_ORDER, Interpolant, Table
from semidirect.machine.cache.compiled_function import CompiledFunction

HALVED = 16
FORMS = [(kind, order) for kind, last in LAST_ORDER.items() for order in range(last + 1)]


@pytest.fixture(scope="module")
def looked_up():
    """A compiled function (x, T, place, out) that evaluates all forms, with more halvings than these tables need."""
    calls = "".join(
        f"        out[j, {i}] = {kind}_{order}(T, place, i, x[j])\n" for i, (kind, order) in enumerate(FORMS)
    )
    text = (
        f"def run(x: f8[:], T: f8[:], place: f8, out: f8[:, {len(FORMS)}], n: i8):\n    for j in range(n):\n"
        f"        i = interval(T, place, x[j], {HALVED})\n{calls}"
    )
    return CompiledFunction.of_text(text, "run", vars(table_functions), library=library())


def nodes_of(kind):
    rng = np.random.default_rng(5)
    return {
        "equal": np.linspace(-1.0, 2.0, 31), "two": np.array([0.0, 0.1]), "random": np.sort(rng.uniform(-1, 1, 300)),
        "geometric": np.geomspace(1e-12, 1.0, 200),
        "clustered": np.concatenate([[-1e6], np.nextafter(1, 2) ** np.arange(50), [1e6]]),
    }[kind]  # fmt: skip


@pytest.mark.parametrize("kind", ["equal", "two", "random", "geometric", "clustered"])
def test_kernels_look_up_what_array_code_does(kind, looked_up):
    nodes = nodes_of(kind)
    assert np.all(np.diff(nodes) > 0)
    values = np.random.default_rng(1).normal(size=len(nodes))
    ends = [
        np.nextafter(nodes, -np.inf),
        np.nextafter(nodes, np.inf),
        [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, -1e308],
    ]
    x = np.concatenate([nodes, *ends, np.random.default_rng(2).uniform(nodes[0], nodes[-1], 500)])
    tables = [Table("nodes", nodes), Table("values", values)]
    assert PackedTables.halvings(tables) <= HALVED
    out = np.empty((len(x), len(FORMS)))
    for form, last in LAST_ORDER.items():
        packed = PackedTables.of(tables, [(0, 1, form, "natural" if form == "cubic" else "not-a-knot")])
        looked_up(x, packed.numbers, packed.places[0, 0], out, len(x))
        for order in range(last + 1):
            function = Interpolant(*tables, form, "natural" if form == "cubic" else "not-a-knot", order)
            np.testing.assert_array_equal(out[:, FORMS.index((form, order))], function.at(x))


def test_few_halvings_suffice_for_equal_distances():
    for n in (2, 10, 1000, 100_000):
        assert PackedTables.halvings([Table("", np.linspace(-3.0, 4.0, n))]) <= 2
    assert PackedTables.halvings([Table("", np.geomspace(1e-12, 1.0, 200))]) == 8
    assert PackedTables.halvings([Table("", np.array([1.0, 0.0, 2.0])), 3.0]) == 0
