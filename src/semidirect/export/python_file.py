"""Files in Python: what those of NumPy, JAX and CasADi have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import final

from semidirect.core import __version__, display
from semidirect.export.program import ExportedProgram
from semidirect.instructions import ArrayText, Form, InstructionList

__all__ = ["PythonFile"]

NO_FORMS: Mapping[str, Form[str]] = MappingProxyType({})


@final
class PythonFile(display.Brief):
    """The parts of a file in Python in which y is the state and then the configuration.

    Parameters
    ----------
    program : ExportedProgram
    forms : mapping, optional
        Forms of operations other than those of array code.
    """

    def __init__(self, program: ExportedProgram, forms: Mapping[str, Form[str]] = NO_FORMS):
        self.program, self.forms = program, forms

    @property
    def iterated(self) -> bool:
        """Whether a program has an iteration."""
        p = self.program
        programs = {"fields": (p.drift, p.diffusion), "step": (p.step,), "observables": (p.observed,)}
        return any(phase.iteration for part in p.parts for program in programs[part] for phase in program.phases)

    @property
    def function_names(self) -> list[str]:
        """Those of the functions that it has."""
        names = {"fields": ("drift", "diffusion"), "step": ("step",), "observables": ("observe",)}
        return [name for part in self.program.parts for name in names[part]]

    def head(self, what: str) -> str:
        """The docstring: what the file has, the names of components, and the equations of the system."""
        p = self.program
        lines = [
            f"{p.system} by {p.method}, written by semidirect {__version__}{what}", "",
            f"y, the state and the configuration: {', '.join((*p.state, *p.stored))}",
            f"args, the parameters: {', '.join(p.parameters) or 'none'}",
            f"w, the increments of the {p.noises} Wiener processes in a step, of variance dt"
            + (f", then {p.integrals} of the noise" if p.rows > p.noises else ""),
            f"observe: {', '.join(p.quantities)}", "", *p.page.splitlines(),
        ]  # fmt: skip
        text = "\n".join(line.rstrip() for line in lines).replace("\\", "\\\\").replace('"' * 3, "'" * 3)
        return f'"""{text}\n"""\n'

    def names(self) -> str:
        """Constants: the names in their order, the sizes, the start and the parameters."""
        p = self.program
        rows = {
            "STATE": p.state, "CONFIGURATION": p.stored, "PARAMETERS": p.parameters, "QUANTITIES": p.quantities,
            "NOISES": p.noises, "ROWS_OF_W": p.rows,
        }  # fmt: skip
        return "".join(f"{name} = {value!r}\n" for name, value in rows.items())

    def values(self, array: str) -> str:
        """Functions ``defaults`` and ``start``, whose arrays are made by a function of this name."""
        p = self.program
        numbers = {"defaults": ("The parameters.", p.q), "start": ("The recommended start.", (*p.y, *p.s))}
        return "\n\n".join(
            f'def {name}():\n    """{what}"""\n    return {array}([{", ".join(map(_number, values))}])\n'
            for name, (what, values) in numbers.items()
        )

    def functions(self, decorator: str = "") -> str:
        """Those of ``drift``, ``diffusion``, ``step`` and ``observe`` that it has, after a line that decorates each."""
        p = self.program
        size = len(p.y) + len(p.s)
        step = self._body(p.step)
        conditions = [f"converged{phase.iteration.label}" for phase in p.step.phases if phase.iteration]
        if p.largest_turn is not None:
            conditions.append(f"{step[1][size]} <= {p.largest_turn**2!r}")
        good = "".join(f", {condition}" for condition in conditions)
        every = [
            _function("drift(t, y, args)", "The rates of y without noise.", *self._body(p.drift), "stack([{}])"),
            _function("diffusion(t, y, args)", "The coefficients of the noises in dy, one column each, in Stratonovich's sense.",
                      *self._body(p.diffusion), f"matrix({size}, {p.noises}, [{{}}])"),
            _function("step(t, y, args, dt, w)", "y after a step from t to t + dt; nan where the library reports a failed path.",
                      step[0], step[1][:size], f"good_or_nan(stack([{{}}]){good})"),
            _function("observe(t, y, args)", "The quantities.", *self._body(p.observed), "stack([{}])"),
        ]  # fmt: skip
        heads = tuple(f"def {name}(" for name in self.function_names)
        return "\n\n".join(decorator + function for function in every if function.startswith(heads))

    def _body(self, program: InstructionList) -> tuple[list[str], list[str]]:
        def place(data: tuple[str, int | None]) -> str:
            name, index = data
            if index is None:
                return name
            return f"y[{len(self.program.y) + index}]" if name == "s" else f"{'args' if name == 'q' else name}[{index}]"

        return ArrayText(place, self.forms).statements(program)


def _function(head: str, what: str, lines: Sequence[str], results: Sequence[str], returned: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f'def {head}:\n    """{what}"""\n{body}    return {returned.format(", ".join(results))}\n'


def _number(x: float) -> str:
    return repr(x) if abs(x) < float("inf") else f"float({str(x)!r})"
