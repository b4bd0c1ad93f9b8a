"""How a prompt and a notebook show an object: one short line, or HTML in which everything is escaped."""

from semidirect.core.display.brief import LONGEST, OF_A_VALUE, Brief, Read, glimpse, line
from semidirect.core.display.notebook import formulas, heading, paragraph, preformatted, shown, table

__all__ = [
    "Brief",
    "LONGEST",
    "OF_A_VALUE",
    "Read",
    "formulas",
    "glimpse",
    "heading",
    "line",
    "paragraph",
    "preformatted",
    "shown",
    "table",
]
