"""A function whose loops are written by hand around the bodies of a program."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, final

from semidirect.compile.lane_code import LaneCode
from semidirect.compile.llvm_printer import Rows, WrittenBody

__all__ = ["EVERY_LANE", "LoopFunction", "body_calls", "indented", "library", "on_lanes"]

EVERY_LANE = "for j in range(LANES):"


@final
@dataclass(frozen=True)
class LoopFunction:
    """A function ``run`` that can be compiled.

    Attributes
    ----------
    text : str
        Its loops, in the part of Python that :func:`semidirect.machine.llvm_functions.llvm_text` describes; in them,
        :func:`body_calls` stand for the bodies.
    code : LaneCode
        Of its program.
    places : dict
        Kind of a place → where those of the kind are.
    facts : dict
        What those who call it have to know: numbers, texts and lists of them.
    more : dict
        The name of a body in the text → another program, of one body.
    """

    text: str
    code: LaneCode
    places: Mapping[str, Rows]
    facts: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, LaneCode] = field(default_factory=dict)

    @cached_property
    def bodies(self) -> dict[str, WrittenBody]:
        """The bodies by the names that the text calls."""
        every = (body for phase in self.code.phases for body in phase.bodies)
        own = {f"body{k}": WrittenBody(body, self.code.program, self.places) for k, body in enumerate(every)}
        return own | {
            name: WrittenBody(code.phases[0].bodies[0], code.program, self.places) for name, code in self.more.items()
        }

    @cached_property
    def digest(self) -> str:
        """A digest of all that its assembly depends on but for the compiler, the same in all processes."""
        programs = [self.code.program, *(code.program for code in self.more.values())]
        numbers = [(k, x.data) for p in programs for k, x in enumerate(p.instructions) if x.operation == "number"]
        lines = [[(n, tuple(x)) for n, x in body.body.lines] + [body.body.results] for body in self.bodies.values()]
        content = repr((self.text, sorted(self.places.items()), numbers, lines, library()))
        return hashlib.sha256(content.encode()).hexdigest()

    @property
    def described(self) -> str:
        """The facts with the digest, from which :func:`~.load_function.loaded` finds the machine code."""
        return json.dumps({"digest": self.digest, **self.facts})

    def source(self) -> tuple[str, Mapping[str, Any]]:
        """Its text and the values of the names in it, for the compiler."""
        return self.text, {**vocabulary(), **self.bodies}


def body_calls(code: LaneCode) -> list[list[str]]:
    """For each phase, the calls that stand for its bodies."""
    numbers = iter(range(sum(len(phase.bodies) for phase in code.phases)))
    return [[f"body{next(numbers)}()" for _ in phase.bodies] for phase in code.phases]


def on_lanes(lines: Sequence[str]) -> list[str]:
    """A loop that runs straight lines on every lane."""
    return [EVERY_LANE, *(f"    {line}" for line in lines)]


def indented(n: int, lines: Iterable[str]) -> str:
    """Lines that begin with so many spaces."""
    return "".join(f"{' ' * n}{line}\n" for line in lines)


@cache
def library() -> str:
    """The text of the functions that such functions call, and of the printer of bodies."""
    from semidirect.compile import lane_functions, llvm_printer, table_functions
    from semidirect.random import generator_of_normals

    return "".join(
        [generator_of_normals()[0], *map(inspect.getsource, (lane_functions, table_functions, llvm_printer))]
    )


@cache
def vocabulary() -> Mapping[str, Any]:
    """The values of the global names of such functions."""
    from semidirect.random import generator_of_normals

    return generator_of_normals()[1]
