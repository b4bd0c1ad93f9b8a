"""Whether a definition gives the same for numbers and for symbols, tested at one point before a run.

A definition that steers by a value is another one for symbols: ``if self.offset == 0`` is silently false for them. The contract
tests many points and values; here only the parameters of a run are tested, with one call of each function.
"""

from semidirect.model.answers_of_functions.answers import answers_of_numbers, answers_of_symbols
from semidirect.model.answers_of_functions.comparison import APART, TURN, warn_where_numbers_differ

__all__ = ["APART", "TURN", "answers_of_numbers", "answers_of_symbols", "warn_where_numbers_differ"]
