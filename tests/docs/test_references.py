"""Nothing in the repository cites a page outside it, and the files that pages name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SEARCHED = ("src", "plugins", "tests", "docs", "examples", ".ci")
OUTSIDE = re.compile(
    r"\b(MATHEMATICS|ARCHITECTURE|LAYOUT|WORDS|STYLE)\b(?!\s*[=\[:])|\bSYSTEMS(\.md\b|, section)|\.\./shared\b|/work/"
)
NAMED = re.compile(r"`((?:[\w-]+/)+[\w.-]+\.(?:py|md|toml|json))`")
PAGES = [ROOT / "README.md", *(p for p in sorted((ROOT / "docs").glob("*.md")) if p.name != "changelog.md")]


def texts():
    """Every file of code, documentation and configuration, with its path from the root."""
    files = [ROOT / "README.md", ROOT / "pyproject.toml", ROOT / "CITATION.cff"]
    for folder in SEARCHED:
        files += [
            p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in {".py", ".md", ".toml", ".js", ".h", ".c", ""}
        ]
    for path in files:
        if path.is_file() and path != Path(__file__) and "_build" not in path.parts:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def cited(text):
    """The citations of pages outside the repository in a text, each with its line number."""
    return [(n, m[0]) for n, line in enumerate(text.splitlines(), 1) for m in OUTSIDE.finditer(line)]


def test_no_page_outside_the_repository_is_cited():
    found = [f"{path}:{n}: {what}" for path, text in texts() for n, what in cited(text)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    ["see MATHEMATICS, section 1", "(SYSTEMS.md)", "# ARCHITECTURE, section 4", "../shared/oracles", "as LAYOUT says"],
)
def test_a_citation_would_be_found(text):
    assert cited(text)


@pytest.mark.parametrize(
    "text", ["SYSTEMS = {", "for name in SYSTEMS:", "SYSTEMS[name]", "STYLE = 1", "/shared/run.zarr"]
)
def test_names_of_variables_are_no_citations(text):
    assert not cited(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_that_a_page_names_exist(page):
    if page.name == "changelog.md":
        pytest.skip("it names files of earlier versions")
    places = (ROOT, ROOT / "src" / "semidirect")
    named = NAMED.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
