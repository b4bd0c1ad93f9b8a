"""The packages, their doors and their order: no package imports one above it, and no files import each other in a circle.

Imports inside functions, those for type checkers and those of stubs count like all others.
"""

import ast
import re
import sys
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
from import_graph import (
    ORDER,
    PAGE,
    ROOT,
    SOURCE,
    TOP,
    all_dependencies,
    crossing_names,
    crossings,
    doors,
    graph,
    imported,
    modules,
    package,
    written,
)

from semidirect.core.reached_code import EQUATIONS

CROSSING = {
    "core": 35,
    "machine": 11,
    "expressions": 6,
    "text": 3,
    "instructions": 11,
    "shapes": 2,
    "groups": 16,
    "definition": 34,
    "equations": 14,
    "pages": 6,
    "model": 11,
    "random": 11,
    "integrators": 7,
    "compile": 8,
    "state": 7,
    "quantities": 3,
    "statistics": 7,
    "specification": 15,
    "export": 2,
    "engines": 7,
    "results": 12,
    "ensemble": 7,
    "stepper": 2,
    "invariants": 7,
    "analysis": 5,
    "geometry": 0,
    "view": 3,
    "inference": 2,
    "run": 1,
    "hybrid": 0,
    "system": 1,
    "matrices": 0,
    "lattices": 0,
    "testing": 0,
    "scaffold": 2,
    "cli": 1,
}
"""Package → how many names others import from it."""


def test_every_package_has_a_place():
    assert {package(m) for m in graph()} - {TOP, "__main__"} == set(ORDER)


def test_no_package_imports_one_above_it(record_property):
    rank = {p: i for i, p in enumerate(ORDER)}
    dependencies = defaultdict(list)
    for one, others in graph().items():
        for other in others:
            if other == TOP and rank.get(package(one), 0) > rank["runs"]:  # tools beside it use names from the top
                continue
            if package(one) not in (TOP, package(other)):  # the package itself names everything
                dependencies[package(one), package(other)].append(f"{one} imports {other}")
    upward = [
        line
        for (a, b), lines in dependencies.items()
        if a in rank and rank[a] < rank.get(b, len(ORDER))
        for line in lines
    ]
    assert not upward, "\n".join(upward)


def test_others_import_a_package_by_its_door():
    """Neither its modules nor names that its stub does not list; plugins, docs and examples are others, too."""
    past = [line for others in crossings().values() for lines in others.values() for line in lines]
    for file in sorted(
        f for d in ("plugins", "docs", "examples") for f in (ROOT / d).rglob("*.py") if "_build" not in f.parts
    ):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            past += [
                f"{file.relative_to(ROOT)} imports {n}" for n in names if n.startswith(f"{TOP}.") and n.count(".") > 1
            ]
    assert not past, "\n".join(past)
    closed = [
        f"{package} offers no {name}"
        for package, name in crossings()
        if package in doors() and name not in doors()[package]
    ]
    assert not closed, "\n".join(closed)


def test_what_a_door_offers_is_used():
    """By another package, or by users."""
    used = defaultdict(set)  # by other packages, and by what shows names of packages to users
    for p, name in crossings():
        used[p].add(name)
    unused = [
        f"{p}: {n}"
        for p, names in doors().items()
        for n, (_, for_users) in names.items()
        if not for_users and n not in used[p]
    ]
    for file in sorted(f for d in ("plugins", "docs", "examples", "tests") for f in (ROOT / d).rglob("*.py") if unused):
        text = file.read_text(encoding="utf-8")
        unused = [line for line in unused if not re.search(rf"\b{line.partition(': ')[2]}\b", text)]
    assert not unused, "\n".join(unused)


def test_names_that_cross_borders_are_counted(record_property):
    """A rise needs a line here that says why."""
    counts = {p: len(names) for p, names in crossing_names().items()}
    modules_offered = sum(
        name in {m.rpartition(".")[2] for m in modules() if package(m) == p} for p, name in crossings()
    )
    width = max(map(len, counts))
    print("\n".join(f"{p:<{width}} {n:4}" for p, n in counts.items()))
    print(f"{sum(counts.values())} names cross borders, {modules_offered} of them names of modules")
    record_property("names that cross borders", sum(counts.values()))
    assert counts == CROSSING


def test_a_name_past_a_door_would_be_found():
    text = (
        "from semidirect.groups.so3 import SO3\nimport semidirect.core.ops as o\nfrom semidirect.groups import LieGroup"
    )
    known = {"semidirect", "semidirect.groups", "semidirect.groups.so3", "semidirect.core.ops"}
    assert set(imported(ast.parse(text), known)) == {
        "semidirect.groups.so3",
        "semidirect.core.ops",
        "semidirect.groups",
    }


def test_stubs_of_doors_are_read_as_type_checkers_read_them():
    """A line for each name; the door reads lines, a type checker reads Python."""
    for name, names in doors().items():
        tree = ast.parse((SOURCE / name / "__init__.pyi").read_text(encoding="utf-8"))
        stated = [(a.name, a.asname) for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names]
        assert stated
        assert all(a == b for a, b in stated)
        assert sorted(a for a, _ in stated) == sorted(names), name
        for one, (place, _) in names.items():
            value = getattr(import_module(f"{TOP}.{name}"), one)
            module = import_module(place)
            assert value is getattr(module, one, None) or value is import_module(f"{place}.{one}")


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
        # what is above the packages uses names from the top, which imports each when it is used
        tuple(TopologicalSorter({one: others - {TOP} for one, others in graph().items()}).static_order())
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_a_circle_and_an_upward_import_would_be_found():
    known = {"semidirect", "semidirect.core.ops", "semidirect.cli.entry"}
    text = (
        "if TYPE_CHECKING:\n    from semidirect.cli import entry\ndef f():\n    from semidirect.core.ops import dot\n"
    )
    assert set(imported(ast.parse(text), known)) == {"semidirect.cli.entry", "semidirect.core.ops"}


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
