"""A digest of the code that an object reaches: functions, the names that they use in their modules, closures, defaults, values.

It describes the code as this process has it, wherever and whenever it was written or changed: in a
helper module, a notebook, by ``exec``, by an assignment to an attribute. A file read when a module was imported shows in the
values of the module. Data that a function reads during a call do not show here, but in its results.

Code of the standard library, of this package and its libraries, and of installed packages that define no class
of the system, is identified by name and version.
"""

from semidirect.machine.reached_code.packages import EQUATIONS, package_digest
from semidirect.machine.reached_code.walk import LIBRARIES, UnknownCodeError, reached_code

__all__ = ["EQUATIONS", "LIBRARIES", "UnknownCodeError", "package_digest", "reached_code"]
