"""Words that only the authors understood do not return to code, messages or pages: see docs/writing.md."""

import re
from pathlib import Path

import pytest
from notebook_cells import NOTEBOOKS, as_page

ROOT = Path(__file__).parents[2]
REPLACEMENTS = {
    r"\b(two|three) lives\b|TwoLives|lives_differ": "the same code runs on symbols and on numbers",
    r"\bheld (to|by|against)\b": "tolerance, verified by, compared with",
    r"\bgoes on going\b": "keeps drifting",
    r"\btold\b": "distinguished, estimated, decided; on_progress for a callback",
    r"\bin the place of\b": "instead of",
    r"fixed-point sweeps?\b|\bby sweeps\b|\bsweeps (of an? |do not |converge|contract|are |stop)": "fixed-point iteration",
    r"\bCompiledMarch\b|\bclass March\b": "KernelEngine, NumpyEngine",
    r"\bis not known so late\b": "is defined for at most … steps",
    r"\bwhat has cases\b": "piecewise expressions",
    r"\bdoes less than it may\b": "is stricter than declared",
    r"\bby a little\b": "slightly",
    r"\bnothing determines\b": "is undetermined",
    r"\bcan be put in their place\b": "could be restarted",
    r"\b(go(es)? on|going on)\b": "continue",
    r"\bsooner\b": "faster",
    r"\bkept times\b": "saved times",
    r"\bis refused\b|\bare refused\b": "raises an error",
    r"\bmay be to blame\b": "may be the cause",
    r"\bis of use\b": "is needed",
    r"\bwhat is there\b|\bif it is not there\b": "the existing …; if it does not exist",
    r"\bthree-point increments are no\b": "three-point increments do not form a path",
    r"\bwhat (reduce|constraint|simulate|compare|internal) gives\b": "the value returned by …",
    r"\bkeeps? what (it|they) declares?\b": "agrees with its declared status",
    r"\bwith what is known\b": "with its …",
    r"\bone a (path|noise|node|component|step)\b": "one per …, one for each …",
}


def texts():
    """Code, pages and notebooks, with their paths; the changelog and the page that lists the words are left out."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "docs" / "notebooks" / "index.md"]
    for folder in ("src", "plugins", "examples", "docs/extensions"):
        files += sorted((ROOT / folder).rglob("*.py"))
    for path in files:
        if path.name not in {"changelog.md", "writing.md"}:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        yield path.relative_to(ROOT), as_page(path)


TEXTS = dict(texts())


@pytest.mark.parametrize("word", REPLACEMENTS)
def test_word_does_not_return(word):
    pattern = re.compile(word.replace(" ", r"\s+"), re.IGNORECASE)
    found = [
        f"{path}:{text[: m.start()].count(chr(10)) + 1}: {m[0]}"
        for path, text in TEXTS.items()
        for m in pattern.finditer(text)
    ]
    assert not found, f"write: {REPLACEMENTS[word]}\n" + "\n".join(found)
