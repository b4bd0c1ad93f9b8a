"""The import graph of semidirect; ``python docs/import_graph.py`` writes its table and its picture into ``architecture.md``.

Imports inside functions, imports for type checkers and those of stubs count like all others.
"""

import ast
import re
from functools import cache
from pathlib import Path

from semidirect.core import offers

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "semidirect"
PAGE = ROOT / "docs" / "architecture.md"
TOP = "semidirect"
ORDER = (
    "core", "machine", "expressions", "text", "instructions", "shapes", "groups", "definition", "equations",
    "pages", "model", "random", "integrators", "compile", "state", "quantities", "statistics", "specification", "export",
    "engines", "results", "ensemble", "stepper", "invariants", "analysis", "geometry", "view", "inference", "run", "hybrid",
    "system", "matrices", "lattices", "errors", "noise", "representations", "runs", "testing", "laws", "scaffold", "cli",
)  # fmt: skip
TOPICS = ("errors", "noise", "representations", "runs", "laws")
"""Names for users from several packages: like the package itself, they show names of others, which their doors offer."""


@cache
def modules():
    """Dotted name → file."""
    files = {}
    for file in sorted(SOURCE.rglob("*.py")):
        parts = (TOP, *file.relative_to(SOURCE).with_suffix("").parts)
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return files


def imported(tree, own, inside=TOP):
    """The modules of this package that a module imports, by any kind of import; a name of a package is that package."""

    def module(name):
        while name not in own and "." in name:
            name = name.rpartition(".")[0]
        return name

    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):  # relative ones only in the stub of a package, whose own modules they name
            place = ".".join([inside, *filter(None, [node.module])]) if node.level else node.module
            names = [f"{place}.{name}" for name in names]
        yield from (module(name) for name in names if name.partition(".")[0] == TOP)


@cache
def graph():
    """Module → the modules that it imports."""
    file_of = modules()
    files = {name: [f for f in (file, file.with_suffix(".pyi")) if f.exists()] for name, file in file_of.items()}
    return {
        name: {m for f in own for m in imported(ast.parse(f.read_text(encoding="utf-8")), file_of, name)} - {name}
        for name, own in files.items()
    }


def all_dependencies():
    """(package, package that it imports), where the package itself, which names everything, counts like all others."""
    pairs = {(package(one), package(other)) for one, others in graph().items() for other in others}
    return {(one, other) for one, other in pairs if one != other}


def package(name):
    """The package of a module; a module of the top level is its own."""
    return name.split(".")[1] if "." in name else TOP


def dependencies(modules_to_modules):
    """Package → the packages that it imports."""
    imports = {p: set() for p in ORDER}
    for one, others in modules_to_modules.items():
        if package(one) in imports:
            imports[package(one)] |= {package(other) for other in others} & set(ORDER) - {package(one)}
    return imports


@cache
def doors():
    """Package → what it offers: name → the module that it comes from, and whether it is for users."""
    return {p: offers(f"{TOP}.{p}") for p in ORDER if (SOURCE / p / "__init__.pyi").exists()}


def is_door(place):
    """Whether a module is a package, or a folder of one whose door offers it whole."""
    above, _, name = place.rpartition(".")
    folder = place in modules() and modules()[place].name == "__init__.py"
    return above == TOP or (folder and is_door(above) and offers(above).get(name, ("",))[0] == above)


@cache
def crossings():
    """(package, name) → {package that imports it: lines of code that do so past the door}."""
    lines = {}

    def note(one, by, place, name):
        other, *folder = place.split(".")[1:]
        past = lines.setdefault((other, folder[0] if folder and is_door(place) else name), {}).setdefault(by, [])
        if not is_door(place):
            past.append(f"{one} names {name} of {place}")

    for one, file in modules().items():
        for f in (file, file.with_suffix(".pyi")):
            text = f.read_text(encoding="utf-8") if f.exists() else ""
            by = package(one) if f.suffix == ".py" else TOP  # what a stub shows of other packages is for users
            for node in ast.walk(ast.parse(text)):
                names = [a.name for a in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
                for name in names:
                    place = (node.module or "") if isinstance(node, ast.ImportFrom) else name
                    if place.startswith(f"{TOP}.") and package(place) != package(one):
                        note(one, by, place, name)
            for place, name in re.findall(r'"(semidirect(?:\.\w+)+):(\w+)', text):  # functions behind commands
                if package(place) not in (package(one), TOP):
                    note(one, by, place, name)
    return lines


def crossing_names():
    """Package → the names that others import from it."""
    names = {p: set() for p in ORDER if p not in TOPICS}
    for (one, name), others in crossings().items():
        if {*others} - {TOP, *TOPICS} and one in names:
            names[one].add(name)
    return names


def door_table():
    """What each package offers to others, and to whom; what it offers to users is on the pages of the API."""
    rows = ["| package | offers to other packages | to |", "|---|---|---|"]
    for p, names in crossing_names().items():
        to = {one for (q, name), others in crossings().items() if q == p and name in names for one in others}
        listed = ", ".join(f"`{n}`" for n in sorted(names, key=lambda n: (n.lower(), n)))
        rows.append(f"| `{p}` | {listed or 'nothing'} | {', '.join(f'`{q}`' for q in ORDER if q in to) or 'nobody'} |")
    return "\n".join(rows)


def purpose(name):
    """The first sentence of the docstring of a package or of a module of the top level."""
    text = ast.get_docstring(ast.parse(modules()[f"{TOP}.{name}"].read_text(encoding="utf-8")))
    sentence = re.split(r"(?<=[\w)`])\.(?:\s|$)", text, maxsplit=1)[0]
    return re.sub(r"\s+", " ", sentence).replace("``", "`")


def table():
    """A row for each package, bottom to top."""
    rows = [f"| {i} | `{p}` | {purpose(p)} |" for i, p in enumerate(ORDER, 1)]
    return "\n".join(["| | package | purpose |", "|---:|---|---|", *rows])


def picture():
    """A row for each package with a mark for each package that it imports: all marks lie below the diagonal."""
    needs, width = dependencies(graph()), max(map(len, ORDER))
    lines = ["```text", " " * (width + 4) + "".join(f"{i:>3}" for i in range(1, len(ORDER) + 1))]
    for i, p in enumerate(ORDER, 1):
        marks = ("×" if q in needs[p] else "\\" if q == p else "·" if j < i else "" for j, q in enumerate(ORDER, 1))
        lines.append(f"{i:>2}  {p:<{width}}{''.join(f'{mark:>3}' for mark in marks)}".rstrip())
    return "\n".join([*lines, "```"])


def written(page):
    """The text of the page with the table and the picture of the code."""
    for name, part in (("packages", table()), ("imports", picture()), ("doors", door_table())):
        marks = rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)"
        page = re.sub(marks, lambda m, part=part: f"{m[1]}\n{part}\n\n{m[2]}", page, flags=re.DOTALL)
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
