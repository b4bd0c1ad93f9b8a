"""The packages and their order: no package imports one above it, and no files import each other in a circle.

Imports inside functions, those for type checkers and those of stubs count like all others.
"""

import ast
import sys
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
from import_graph import ORDER, PAGE, TOP, all_dependencies, graph, imported, package, written

from semidirect.machine.reached_code import EQUATIONS

MOST_DEPENDENCIES = 160


def test_every_package_has_a_place():
    assert {package(m) for m in graph()} - {TOP, "__main__"} == set(ORDER)


def test_no_package_imports_one_above_it(record_property):
    rank = {p: i for i, p in enumerate(ORDER)}
    dependencies = defaultdict(list)
    for one, others in graph().items():
        for other in others:
            if package(one) not in (TOP, package(other)):  # the package itself names everything
                dependencies[package(one), package(other)].append(f"{one} imports {other}")
    upward = [
        line
        for (a, b), lines in dependencies.items()
        if a in rank and rank[a] < rank.get(b, len(ORDER))
        for line in lines
    ]
    assert not upward, "\n".join(upward)


def test_there_are_few_dependencies_between_packages(record_property):
    """The package itself, which names everything, and its command are among them."""
    found = all_dependencies()
    assert {other for one, other in found if one == TOP} >= {"core", "groups", "system", "run"}  # the stub is read
    print(f"{len(found)} dependencies between packages, {len([d for d in found if d[0] == TOP])} of them of {TOP}")
    record_property("dependencies between packages", len(found))
    assert len(found) <= MOST_DEPENDENCIES


def test_the_digest_of_equations_reads_all_that_they_depend_on():
    """Equations and kernels are written by ``model`` and ``compile``: an edit elsewhere derives nothing again."""
    reached, new = set(), {"model", "compile"}
    while new:
        reached |= new
        new = {other for one, other in all_dependencies() if one in reached} - reached
    assert set(EQUATIONS) == reached - {TOP}


def test_no_files_import_each_other_in_a_circle(record_property):
    record_property("files", len(graph()))
    try:
        tuple(TopologicalSorter(graph()).static_order())
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_a_circle_and_an_upward_import_would_be_found():
    known = {"semidirect", "semidirect.core.ops", "semidirect.cli.main"}
    text = "if TYPE_CHECKING:\n    from semidirect.cli import main\ndef f():\n    from semidirect.core.ops import dot\n"
    assert set(imported(ast.parse(text), known)) == {"semidirect.cli.main", "semidirect.core.ops"}


def test_the_page_on_architecture_shows_the_import_graph():
    page = PAGE.read_text(encoding="utf-8")
    assert "<!-- packages -->" in page
    assert "<!-- imports -->" in page
    assert written(page) == page, "run `python docs/import_graph.py` and commit docs/architecture.md"


def test_a_changed_graph_would_change_the_page():
    page = PAGE.read_text(encoding="utf-8")
    changed = page.replace("| `core` |", "| `kernel` |").replace("  ×", "   ", 1)
    assert changed != page
    assert written(changed) == page
