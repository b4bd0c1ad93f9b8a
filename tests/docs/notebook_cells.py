"""The cells of the notebooks, for tests of their words and their code."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def cells(place, kind):
    """The sources of the cells of a kind, ``"markdown"`` or ``"code"``."""
    notebook = json.loads(place.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def as_page(place):
    """A notebook as a page in MyST."""
    notebook = json.loads(place.read_text(encoding="utf-8"))
    parts = (("".join(cell["source"]), cell["cell_type"]) for cell in notebook["cells"])
    return "\n\n".join(text if kind == "markdown" else f"```python\n{text}\n```" for text, kind in parts) + "\n"
