"""The packages and their order: no package imports one above it, and no files import each other in a circle.

Imports inside functions and those for type checkers count like all others.
"""

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "semidirect"
ORDER = (
    "core", "groups", "representations", "definition", "equations", "pages", "model", "random", "integrators", "compile",
    "state", "ensemble", "invariants", "analysis", "laws", "run", "system", "testing", "scaffold", "cli",
)  # fmt: skip
MOST_DEPENDENCIES = 130
TOP = "semidirect"


def modules():
    """Dotted name → file."""
    found = {}
    for file in sorted(SOURCE.rglob("*.py")):
        parts = (TOP, *file.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imported(tree, known):
    """The modules of this package that a module imports, by any kind of import; a name of a package is that package."""

    def module(name):
        while name not in known and "." in name:
            name = name.rpartition(".")[0]
        return name

    for node in ast.walk(tree):
        assert not (isinstance(node, ast.ImportFrom) and node.level), "relative imports are not followed here"
        names = [a.name for a in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name}" for name in names]
        yield from (module(name) for name in names if name.partition(".")[0] == TOP)


def graph():
    known = modules()
    return {
        name: set(imported(ast.parse(file.read_text(encoding="utf-8")), known)) - {name} for name, file in known.items()
    }


def package(name):
    return name.split(".")[1] if "." in name else TOP


GRAPH = graph()


def test_every_package_has_a_place():
    assert {package(m) for m in GRAPH} - {TOP, "__main__"} == set(ORDER)


def test_no_package_imports_one_above_it(record_property):
    rank = {p: i for i, p in enumerate(ORDER)}
    dependencies = defaultdict(list)
    for one, others in GRAPH.items():
        for other in others:
            if package(one) != package(other):
                dependencies[package(one), package(other)].append(f"{one} imports {other}")
    upward = [
        line
        for (a, b), lines in dependencies.items()
        if a in rank and rank[a] < rank.get(b, len(ORDER))
        for line in lines
    ]
    assert not upward, "\n".join(upward)
    record_property("dependencies between packages", len(dependencies))
    assert len(dependencies) <= MOST_DEPENDENCIES


def test_no_files_import_each_other_in_a_circle(record_property):
    record_property("files", len(GRAPH))
    try:
        tuple(TopologicalSorter(GRAPH).static_order())
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_a_circle_and_an_upward_import_would_be_found():
    known = {"semidirect", "semidirect.core.ops", "semidirect.cli.main"}
    text = "if TYPE_CHECKING:\n    from semidirect.cli import main\ndef f():\n    from semidirect.core.ops import dot\n"
    assert set(imported(ast.parse(text), known)) == {"semidirect.cli.main", "semidirect.core.ops"}
