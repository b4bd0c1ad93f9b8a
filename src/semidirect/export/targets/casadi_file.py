"""CasADi: one file that makes its functions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, final

from semidirect.export.program import ExportedProgram
from semidirect.export.python_file import PythonFile
from semidirect.export.target import Target
from semidirect.instructions import Form, TextPrinter

__all__ = ["CasADi"]

FORMS: Mapping[str, Form[str]] = MappingProxyType(
    {k: TextPrinter.called(f"logic_{k}") for k in ("and", "or", "not")} | {"absolute": TextPrinter.called("fabs")}
)
IMPORTS = """from __future__ import annotations

from casadi import DM, MX, SX, Function, rootfinder, vertcat
from casadi import cos, exp, fabs, if_else, log, logic_and, logic_not, logic_or, sin, sqrt, tan

"""
RESULTS = '''
def where(condition, if_true, if_false):
    return if_else(condition, if_true, if_false)


def stack(rows):
    return vertcat(*rows)


def matrix(rows, columns, entries):
    return vertcat(*entries).reshape((columns, rows)).T if entries else SX(rows, 0)


def good_or_nan(values, *conditions):
    for condition in conditions:
        values = if_else(condition, values, float("nan"))
    return values


roots = []


def fixed_point(function, start, **_):
    """A symbol for the solution of x = function(x), which a root finder gives where the function of the step is made."""
    x, solution = SX.sym("x", start.shape[0]), SX.sym("solution", start.shape[0])
    roots.append((x, solution, start, function(x)[0] - x))
    return solution, True


def casadi_function(python, **sizes):
    """The function of CasADi of one of Python with arguments of these sizes."""
    roots.clear()
    free = [SX.sym(name, size) for name, size in sizes.items()]
    result = python(*free)
    if not roots:
        return Function(python.__name__, free, [result], list(sizes), ["result"])
    values = [MX.sym(name, size) for name, size in sizes.items()]
    for x, solution, start, residual in roots:
        first = Function("first", free, [start])
        problem = Function("problem", [x, vertcat(*free)], [residual])
        finder = rootfinder("finder", "newton", problem, {"abstol": 1e-14, "abstolStep": 1e-15, "error_on_fail": False})
        values = [*values, finder(first(*values), vertcat(*values))]
        free = [*free, solution]
    inputs = values[: len(sizes)]
    return Function(python.__name__, inputs, [Function("last", free, [result])(*values)], list(sizes), ["result"])
'''


@final
class CasADi(Target):
    """Python with CasADi; functions of columns ``(n, 1)``."""

    name: ClassVar[str] = "casadi"
    ending: ClassVar[str] = ".py"

    def text(self, program: ExportedProgram, name: str) -> str:
        """The file."""
        file = PythonFile(program, FORMS)
        y, q = len(program.y) + len(program.s), len(program.q)
        sizes = f"t=1, y={y}, args={q}"
        extra = {"step": f", dt=1, w={program.rows}"}
        definitions = [f"{k} = casadi_function({k}, {sizes}{extra.get(k, '')})" for k in file.function_names]
        return "\n\n".join([
            file.head(": it needs CasADi alone. drift, diffusion, step and observe are casadi.Function."),
            IMPORTS + file.names(), RESULTS.lstrip("\n"), file.values("DM"), file.functions(), "\n".join(definitions) + "\n",
        ])  # fmt: skip
