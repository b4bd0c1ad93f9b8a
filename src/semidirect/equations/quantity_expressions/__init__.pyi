"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .components import component_expressions as component_expressions
from .texts import REACTION as REACTION
from .texts import absent_quantities as absent_quantities
from .texts import names_in_text as names_in_text
from .texts import text_expressions as text_expressions
