"""The page of names that are elsewhere now; ``python docs/what_moved.py`` writes its tables into ``what_moved.md``."""

import re
from pathlib import Path

from semidirect.core import MOVED

PAGE = Path(__file__).parent / "what_moved.md"
OWNERS = {"semidirect": "sd", "Run": "run", "System": "system"}


def table(key):
    """A row for each old name of a package or a class, in the order of the new ones."""
    owner = OWNERS[key]
    rows = [
        f"| `{owner}.{old}` | `{new if new.startswith('sd.') else f'{owner}.{new}'}` |"
        for old, new in MOVED[key].items()
    ]
    return "\n".join(["| old | new |", "|---|---|", *rows])


def written(page):
    """The text of the page with the tables of the package."""
    for key in MOVED:
        marks = rf"(<!-- {key} -->\n).*?(<!-- /{key} -->)"
        page = re.sub(marks, lambda m, key=key: f"{m[1]}\n{table(key)}\n\n{m[2]}", page, flags=re.DOTALL)
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
