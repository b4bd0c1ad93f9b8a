"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .evaluation import evaluate_arrays as evaluate_arrays
from .evaluation import evaluate_expression as evaluate_expression
from .evaluation import is_expression as is_expression
from .evaluation import read_expression as read_expression
from .evaluation import refusal_of as refusal_of
from .evaluation import refuse_sites as refuse_sites
from .evaluation import spaced_difference as spaced_difference
from .units import unit_of_expression as unit_of_expression
