"""What a page is written in is what is shown: formulas are not cut, and code fits the column that ``site.css`` gives it."""

import re
from pathlib import Path

import pytest
from notebook_cells import NOTEBOOKS, as_page

ROOT = Path(__file__).parents[2]
PAGES = {
    p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8")
    for p in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "api").glob("*.md")))
}
PAGES |= {p.relative_to(ROOT).as_posix(): as_page(p) for p in NOTEBOOKS}
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
BEGINS_A_BLOCK = re.compile(r"^(?= *(?:[-+*:] |\d+[.)] |#+ |\|))|\n\s*\n", re.MULTILINE)
COLUMNS = 120


def cut_formulas(page):
    """The blocks of a page in which a formula begins and does not end, as where a line of it reads like an item of a list."""
    text = re.sub(r"\$\$.*?\$\$", "", FENCE.sub("", page), flags=re.DOTALL)
    blocks = (re.sub(r"(`+).*?\1", "", block, flags=re.DOTALL) for block in BEGINS_A_BLOCK.split(text))
    return [block for block in blocks if len(re.findall(r"(?<!\\)\$", block)) % 2]


def wide_lines(page):
    """Lines of code that are longer than the column; what commands print is as long as it is."""
    code = [code for _, language, code in FENCE.findall(page) if language in ("python", "bash", "toml")]
    return [line for part in code for line in part.split("\n") if len(line) > COLUMNS]


@pytest.mark.parametrize("page", PAGES)
def test_no_formula_is_cut(page):
    assert cut_formulas(PAGES[page]) == []


@pytest.mark.parametrize("page", PAGES)
def test_code_fits_its_column(page):
    assert wide_lines(PAGES[page]) == []


def test_faults_are_seen():
    assert len(cut_formulas("The covector $R = a\n- F$ of the drift.\n")) == 2
    assert not cut_formulas("The covector\n$R = a - F$, `cost in $`.\n\n$$\na\n- b\n$$\n")
    assert wide_lines(f"```python\n{'x' * (COLUMNS + 1)}\n```\n")
    assert not wide_lines(f"```text\n{'x' * (COLUMNS + 1)}\n```\n")
    assert any("$" in page for page in PAGES.values())
