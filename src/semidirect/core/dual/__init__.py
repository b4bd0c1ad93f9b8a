"""Numbers with derivatives along several directions, over rows of paths, tracer scalars and exact numbers.

Code written with :mod:`semidirect.core.ops` runs on them unchanged: values get the same operations in the same order as
without derivatives, so the same bits, and slopes follow by the chain rule.
"""

from semidirect.core.dual.functions import largest, rows
from semidirect.core.dual.numbers import TOLERANCE, Condition, Directions, Dual, Slopes, derivative, slope, value

__all__ = ["Condition", "Directions", "Dual", "Slopes", "TOLERANCE", "derivative", "largest", "rows", "slope", "value"]
