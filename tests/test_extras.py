"""Each extra of the package is complete by itself: what its files import comes with it or with the package."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
MODULES = {"ipython": "IPython", "sphinxcontrib-bibtex": "sphinxcontrib", "pytest-xdist": "xdist"}
"""Distributions whose module is not their name with ``_`` for ``-``."""
COMES_WITH = {
    "packaging": "pytest",
    "docutils": "sphinx",
    "dask": "distributed",
    "mpl_toolkits": "matplotlib",
    "PIL": "matplotlib",
}
"""Modules of distributions that another one always brings along."""


def module(requirement: str) -> str:
    """The module that a requirement is imported by."""
    name = re.match(r"[\w.-]+", requirement)[0].lower()
    return MODULES.get(name, name.replace("-", "_"))


BY_TEXT = re.compile(r"""\bimportorskip\(\s*["'](\w+)|["']-m["'],\s*["'](\w+)["']""")
"""Where a module is named by a text, and is needed as if it were imported: ``importorskip("jax")``, ``"-m", "hatchling"``."""

NEEDED = {module(one) for one in PROJECT["dependencies"]}
PROVIDED = {extra: {module(one) for one in requirements} for extra, requirements in EXTRAS.items()}


def imported(file: Path, *, everywhere: bool) -> set[str]:
    """The first names of the modules that a file imports, or only those that it cannot be imported without."""
    return names_of(file)[0 if everywhere else 1]


@cache
def names_of(file: Path) -> tuple[set[str], set[str]]:
    """The first names of all modules that a file imports, and of those at its start."""
    text = code_of(file)
    by_text = {name for match in BY_TEXT.findall(text) for name in match if name}
    words = set(re.findall(r"^\s*(?:import|from)\s+(\w+)", text, re.MULTILINE))
    if words <= {
        *sys.stdlib_module_names,
        *NEEDED,
        "semidirect",
    }:
        return by_text | (words & NEEDED), set()  # nothing else, whatever of it is code
    tree = ast.parse(text)
    every = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return first_names(every) | by_text, first_names(tree.body)


def code_of(file: Path) -> str:
    """The Python of a file: a module, the cells of a notebook, or the blocks of a page."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".ipynb":
        cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
        return "\n".join(re.sub(r"^[%!].*", "", "".join(cell["source"]), flags=re.MULTILINE) for cell in cells)
    if file.suffix == ".md":
        imports = re.findall(
            r"^ *((?:import|from) [\w.]+(?: import .*?)?)(?= *(?:#|$))", python_blocks(text), re.MULTILINE
        )
        return "\n".join(one.partition(" import ")[0].replace("from", "import") for one in imports)
    return text


def python_blocks(page: str) -> str:
    """The blocks of a page that are Python."""
    return "\n".join(re.findall(r"^```(?:python|py)\n(.*?)^```", page, re.MULTILINE | re.DOTALL))


def first_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The first names of the modules of some statements."""
    names = {alias.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = (node for node in nodes if isinstance(node, ast.ImportFrom) and not node.level)
    return names | {str(node.module).partition(".")[0] for node in froms}


def foreign(files: list[Path], *, everywhere: bool = False) -> dict[str, Path]:
    """Modules of other distributions that files import, and the first file that does."""
    own = {"semidirect", *(p.name for p in ROOT.glob("plugins/*/semidirect_*"))}
    folders = {file.parent for file in files}
    beside = {folder.name for folder in folders} | {p.stem for folder in folders for p in folder.glob("*.py")}
    beside |= {p.parent.name for folder in folders for p in folder.glob("*/__init__.py")}
    found: dict[str, Path] = {}
    for file in files:
        for name in imported(file, everywhere=everywhere) - own - beside - set(sys.stdlib_module_names):
            found.setdefault(COMES_WITH.get(name, name).replace("-", "_"), file)
    return found


def files(*patterns: str) -> list[Path]:
    """Files of the project that match one of some patterns."""
    return sorted(p for pattern in patterns for p in ROOT.glob(pattern) if "node_modules" not in p.parts)


def test_the_package_imports_what_it_needs_and_nothing_else_at_its_start():
    assert foreign(files("src/**/*.py", "plugins/*/semidirect_*/**/*.py")).keys() <= NEEDED | PROVIDED["test"]
    anywhere = foreign(files("src/**/*.py"), everywhere=True).keys()
    optional = set().union(*(PROVIDED[extra] for extra in ("cloud", "dask", "export", "particles", "test")))
    assert anywhere <= NEEDED | optional, anywhere - NEEDED - optional


def test_the_tests_import_what_their_extra_has():
    """But for scripts that no test runs, competitors of benchmarks and recipes for clusters, and a server of S3."""
    apart = {"competitors", "recipes", "s3_server.py"}
    tests = [p for p in files("tests/**/*.py", "plugins/*/tests/*.py", "plugins/conftest.py") if not apart & {*p.parts}]
    of_project = {p.stem for p in files("tests/**/*.py", "docs/**/*.py")} | {
        p.parent.name for p in files("tests/**/*.py")
    }
    assert foreign(tests).keys() <= NEEDED | PROVIDED["test"] | of_project
    anywhere = {name: file for name, file in foreign(tests, everywhere=True).items() if name not in of_project}
    some_extra = set().union(*PROVIDED.values())  # of a test that is skipped without it, and run by those who have it
    assert anywhere.keys() <= NEEDED | some_extra, {k: anywhere[k] for k in anywhere.keys() - NEEDED - some_extra}
    started = {
        "build",
        "hatchling",
        "nbclient",
        "ipykernel",
        "pip",
        "pytest",
        "zarr",
        "distributed",
        "fsspec",
    } & anywhere.keys()
    assert started <= PROVIDED["test"]  # whose tests a newcomer shall not see skipped
    assert "xdist" in PROVIDED["test"]  # of `pytest -n`, which the README shows


def test_the_pages_import_what_their_extra_has():
    names = ast.literal_eval(re.search(r"^extensions = (\[.*?\])", (ROOT / "docs/conf.py").read_text(encoding="utf-8"),
                                       re.MULTILINE | re.DOTALL)[1])  # fmt: skip
    own = {p.stem for p in ROOT.glob("docs/extensions/*.py")}
    from_extensions = {name.partition(".")[0].replace("-", "_") for name in names} - own
    assert from_extensions <= {one.replace("-", "_") for one in PROVIDED["docs"]}
    theme = re.search(r'^html_theme = "(\w+)"', (ROOT / "docs/conf.py").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert theme in PROVIDED["docs"]
    assert foreign(files("docs/*.py", "docs/extensions/*.py")).keys() <= NEEDED | PROVIDED["docs"]
    # semidirect.testing, whose pages are made from its docstrings
    assert foreign(files("src/semidirect/testing/**/*.py")).keys() <= NEEDED | PROVIDED["docs"]


@pytest.mark.parametrize(("extra", "modules"), [
    ("dask", {"distributed", "dask_jobqueue"}), ("particles", {"particles"}), ("cloud", {"fsspec"}),
    ("export", {"jax", "casadi", "diffrax", "optax"}),
])  # fmt: skip
def test_an_extra_has_what_its_part_of_the_package_names(extra, modules):
    assert modules <= PROVIDED[extra]


@pytest.mark.parametrize("pattern", ["examples/*.py", "examples/*.ipynb", "docs/**/*.md", "README.md"])
def test_what_a_reader_copies_imports_what_some_extra_has(pattern):
    of_pages = {"skate", "my_top", "my_dynamics"}  # modules that a page tells to write
    found = foreign(files(pattern), everywhere=True).keys() - of_pages
    assert found <= NEEDED.union(*(PROVIDED[extra] for extra in ("export", "particles", "dask", "cloud", "test"))), (
        found
    )


def test_nothing_is_required_in_vain():
    """Each requirement is imported somewhere, named as an extension of pages, or started as a program."""
    code = files("src/**/*.py", "tests/**/*.py", "plugins/*/**/*.py", "examples/*.py", "docs/**/*.py", "docs/*.md")
    used = {name for file in code for name in imported(file, everywhere=True)}
    texts = "".join(
        (ROOT / place).read_text(encoding="utf-8")
        for place in (".ci/run", "docs/conf.py", "README.md", "tests/benchmarks/run.py")
    )
    texts += "xdist" if "pytest -n" in texts else ""
    required = NEEDED.union(*PROVIDED.values())
    assert {name for name in required - used if not re.search(rf"\b{name}\b", texts.replace("-", "_"))} == set()


def test_every_extra_is_explained():
    page = (ROOT / "docs/installation.md").read_text(encoding="utf-8")
    assert all(f"`.[{extra}]`" in page for extra in EXTRAS)


def test_classifiers_name_interpreters_that_are_allowed():
    versions = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert versions[0] == oldest
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in versions
    page = (ROOT / "docs/installation.md").read_text(encoding="utf-8")
    assert all(f"Python {version}" in page for version in versions)
