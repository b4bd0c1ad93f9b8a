"""Programs as statements of C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, final

from semidirect.instructions import LEAVES, Form, Instruction, Iteration, Phase, TextPrinter

__all__ = ["CText", "number"]

CONDITIONS = frozenset(("less", "less-equal", "greater", "greater-equal", "equal", "not-equal", "and", "or", "not"))
_NUMBERS = {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN", "True": "1", "False": "0"}


def number(_: Sequence[str], text: str) -> str:
    """A number as C writes it."""
    plain = _NUMBERS.get(text, text)
    return f"({plain})" if plain.startswith("-") else plain


def _input(_: Sequence[str], data: tuple[str, int | None]) -> str:
    name, index = data
    return name if index is None else f"{name}[{index}]"


def _variable(_: Sequence[str], which: tuple[int, int]) -> str:
    return f"x{which[0]}_{which[1]}"


@final
class CText(TextPrinter):
    """Writes an expression for each operation."""

    FORMS: ClassVar[Mapping[str, Form[str]]] = MappingProxyType({
        **TextPrinter.SIGNS,
        "number": number, "input": _input, "variable": _variable, "solution": _variable,
        "converged": lambda _, which: f"ok{which[0]}",
        "not": lambda operands, _: f"!{operands[0]}", "select": lambda x, _: f"{x[0]} ? {x[1]} : {x[2]}",
        "sqrt": TextPrinter.called("sqrt"), "absolute": TextPrinter.called("fabs"),
        **{k: TextPrinter.called(f"sd_{k}") for k in ("sin", "cos", "exp", "log")},
    })  # fmt: skip

    @property
    def forms(self) -> Mapping[str, Form[str]]:
        """Operation → its form."""
        return self.FORMS

    def assignment(self, name: str, instruction: Instruction, code: str) -> str | None:
        """A constant of its type."""
        if instruction.operation in LEAVES:
            return None
        return f"const {'int' if instruction.operation in CONDITIONS else 'double'} {name} = {code};"

    def iteration(self, phase: Phase, loop: Iteration, body: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """A loop: a point that has converged is iterated ``after`` more times."""
        n, count = loop.label, len(loop.start)
        start, new = ([names[k] for k in numbers] for numbers in (loop.start, loop.new))
        x = [f"x{n}_{i}" for i in range(count)]
        return [
            f"double {', '.join(f'{a} = {b}' for a, b in zip(x, start, strict=True))};",
            f"double before{n} = INFINITY;",
            f"int ok{n} = 0, fixed{n} = 1, left{n} = {loop.after + 1}, count{n} = 0, expanding{n} = 0;",
            f"sd_newton_state it{n} = {{SD_IMAGE, 0, 0, 0, 0, 0.0}};", f"double work{n}[{count * (count + 4)}];", "for (;;) {",
            *(f"  {line}" for line in (*body, *_fixed(loop, n, x, new, names[loop.scale]))),
            "}", f"sd_good &= ok{n};",
        ]  # fmt: skip


def _fixed(loop: Iteration, n: int, x: Sequence[str], new: Sequence[str], scale: str) -> list[str]:
    """The code after the body of an iteration: in place, since it costs as much as a short body; Newton's method is a call."""
    count, after, values = len(x), loop.after, [f"new{n}_{i}" for i in range(len(x))]
    newton = f"sd_newton(&it{n}, {count}, point{n}, image{n}, {loop.tolerance!r}, {after}, work{n})"
    return [
        f"const double {', '.join(f'{a} = {b}' for a, b in zip(values, new, strict=True))};",
        f"if (fixed{n}) {{", f"  double change{n} = 0.0, sum{n} = 0.0, by{n};",
        *(f"  by{n} = fabs({b} - {a}), change{n} = change{n} > by{n} ? change{n} : by{n}, sum{n} += by{n}, {a} = {b};"
          for a, b in zip(x, values, strict=True)),
        f"  if (!(change{n} < INFINITY) || sum{n} != sum{n}) break;",
        f"  const int close{n} = left{n} <= {after} || change{n} <= {loop.tolerance!r} * {scale};",
        f"  if (!close{n}) expanding{n} = change{n} >= before{n};",
        f"  before{n} = change{n}, left{n} -= close{n}, ok{n} = left{n} == 0;",
        f"  if (ok{n}) break;", f"  if (++count{n} < {loop.limit + after}) continue;", f"  if (expanding{n}) break;",
        f"  fixed{n} = 0, it{n}.scale = {scale};",
        "} else {",
        f"  double point{n}[{count}] = {{{', '.join(x)}}};", f"  const double image{n}[{count}] = {{{', '.join(values)}}};",
        f"  const int more{n} = {newton};", *(f"  {a} = point{n}[{i}];" for i, a in enumerate(x)),
        f"  ok{n} = it{n}.ok;", f"  if (!more{n}) break;", "}",
    ]  # fmt: skip
