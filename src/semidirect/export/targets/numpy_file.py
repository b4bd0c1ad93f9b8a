"""NumPy: one file in Python, with the bits of the library."""

from __future__ import annotations

from typing import ClassVar, final

from semidirect.core import functions
from semidirect.export.program import ExportedProgram
from semidirect.export.python_file import PythonFile
from semidirect.export.target import Target

__all__ = ["NumPy"]

QUIET = '@np.errstate(all="ignore")\n'
RESULTS = """
def matrix(rows, columns, entries):
    values = stack(entries) if entries else np.zeros(0)
    return values.reshape((rows, columns, *values.shape[1:]))


def good_or_nan(values, *conditions):
    for condition in (np.isfinite(values).all(axis=0), *conditions):
        values = np.where(np.asarray(condition) & 1, values, np.nan)
    return values
"""


@final
class NumPy(Target):
    """Python with NumPy alone; arrays ``(n,)`` of one path or ``(n, paths)`` of many."""

    name: ClassVar[str] = "numpy"
    ending: ClassVar[str] = ".py"

    def text(self, program: ExportedProgram, name: str) -> str:
        """The file."""
        file = PythonFile(program)
        return "\n\n".join([
            file.head(": it needs NumPy alone. Arrays have components first, then paths."),
            "from __future__ import annotations\n\nimport numpy as np\n\n" + file.names(),
            functions.numpy_source(iterated=file.iterated) + "\n", RESULTS.lstrip("\n"), file.values("np.array"),
            file.functions(QUIET),
        ])  # fmt: skip
