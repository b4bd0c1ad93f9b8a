"""Elementary functions as straight-line IEEE code, so that the bits of an element are the same on every machine.

A library's ``sin`` differs between SIMD widths, between the body and the tail of an array and between machines. Here
only ``+ - * /``, ``sqrt``, ``rint``, ``floor``, comparisons, selections and views of the bits are used, each of them
exact or correctly rounded by IEEE 754: an element's bits depend on that element alone, and compiled code that repeats
the operations gives the same bits.

The polynomials are those of fdlibm (Sun Microsystems 1993; K. C. Ng), the reduction is Cody and Waite's with exact
products. Arguments of any shape are converted to ``float64``; a 0-d argument gives a NumPy scalar. Warnings are NumPy's
own ("divide by zero" at ``log(0)``, "invalid value" at ``sin(inf)``); an angle beyond :data:`ANGLE_LIMIT` is invalid.
"""

from semidirect.core.elementary.angles import ANGLE_LIMIT, cos, sin
from semidirect.core.elementary.powers import absolute, exp, log, sqrt

__all__ = ["ANGLE_LIMIT", "absolute", "cos", "exp", "log", "sin", "sqrt"]
