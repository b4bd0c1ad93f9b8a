"""C99: one file with ``<math.h>`` alone, and the noise of the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, final

from semidirect.core import __version__
from semidirect.export.program import ExportedProgram
from semidirect.export.target import Target
from semidirect.export.targets.c_functions import c_functions
from semidirect.export.targets.c_noise import AHEAD, c_noise
from semidirect.instructions import LEAVES, Form, Instruction, Iteration, Phase, TextPrinter
from semidirect.random import iterated_integrals

__all__ = ["C"]

CONDITIONS = frozenset(("less", "less-equal", "greater", "greater-equal", "equal", "not-equal", "and", "or", "not"))
FLAGS = "-std=c99 -O2 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize"
"""Those that the file names. Vectors of straight code are left out because gcc 12 fuses multiplications in them even without
contraction, and calls of ``sqrt`` become vectors only where they report no errors.
"""
LEVELS = {k: getattr(iterated_integrals, k) for k in ("FOURIER", "TAIL", "SIGN", "INTEGRAL")}
_NUMBERS = {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN", "True": "1", "False": "0"}


def _number(_: Sequence[str], text: str) -> str:
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
        "number": _number, "input": _input, "variable": _variable, "solution": _variable,
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
    """What follows the body of an iteration: in place, since it costs as much as a short body; Newton's method is a call."""
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


@final
class C(Target):
    """C99."""

    name: ClassVar[str] = "c"
    ending: ClassVar[str] = ".c"

    def text(self, program: ExportedProgram, name: str) -> str:
        """The file."""
        printer = CText()
        step, observed = printer.statements(program.step), printer.statements(program.observed)
        operations = {x.operation for p in (program.step, program.observed) for x in p.instructions}
        iterated = any(phase.iteration for p in (program.step, program.observed) for phase in p.phases)
        return "\n".join([
            _head(program, name), "#include <math.h>", "#include <stdint.h>", "#include <string.h>", "", _macros(program, name),
            c_functions(operations, iterated=iterated, bits=_normal(program)), _noise(program), _values(program, name),
            _step(program, name, step), _observe(program, name, observed), _run(program, name),
        ])  # fmt: skip

    def companions(self, program: ExportedProgram, name: str) -> Mapping[str, str]:
        """A header, and a program that runs a path."""
        guard = f"{name.upper()}_H"
        head = f"#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n"
        declared = "".join(f"{line};\n" for line in _declarations(name))
        example = EXAMPLE.replace("NAME_", f"{name.upper()}_").replace("name", name)
        return MappingProxyType(
            {f"{name}.h": f"{head}{_macros(program, name)}\n{declared}\n#endif\n", f"{name}_example.c": example}
        )


EXAMPLE = (
    f"""/* Compile with: cc {FLAGS} name.c name_example.c -lm */
"""
    + """#include <stdio.h>
#include "name.h"

int main(void) {
  const long steps = 1000;
  const double dt = 0.001;
  /* one more than there are: an array of C has at least one */
  double y[NAME_STATE + 1], s[NAME_CONFIGURATION + 1], q[NAME_PARAMETERS + 1], out[NAME_OUT + 1];
  name_defaults(q);
  name_start(y, s);
  const long good = name_run(y, s, q, 7, 0, 0, steps, dt);
  name_observe(y, s, q, (double)good * dt, out);
  printf("%ld good steps of %ld: %s =\\n", good, steps, NAME_OUT_NAMES);
  for (int i = 0; i < NAME_OUT; i++) printf("%.17g\\n", out[i]);
  return good == steps ? 0 : 1;
}
"""
)


def _declarations(name: str) -> list[str]:
    numbers = "uint64_t seed, uint64_t path, long first, long steps, double dt"
    return [
        f"void {name}_defaults(double *q)", f"void {name}_start(double *y, double *s)",
        f"int {name}_step(double *y, double *s, const double *q, double t, double dt, const double *w)",
        f"void {name}_observe(const double *y, const double *s, const double *q, double t, double *out)",
        f"long {name}_run(double *y, double *s, const double *q, {numbers})",
    ]  # fmt: skip


def _head(program: ExportedProgram, name: str) -> str:
    lines = [
        f"{program.system} by {program.method}, written by semidirect {__version__}.", "",
        f"Compile with: cc {FLAGS} -c,",
        "and link with -lm. Without -march=native it runs on other processors too, slower, with the same bits. Flags that",
        "contract or reorder operations, such as -ffast-math, give other last digits, and so does gcc where it makes vectors of",
        "straight code (-ftree-slp-vectorize, part of -O2) with -march=native.", "",
        f"y[{len(program.y)}], the state: {', '.join(program.state)}",
        f"s[{len(program.s)}], the configuration: {', '.join(program.stored) or 'none'}",
        f"q[{len(program.q)}], the parameters: {', '.join(program.parameters) or 'none'}",
        f"w[{program.rows}], {_noise_words(program)}",
        f"out[{len(program.quantities)}]: {', '.join(program.quantities)}", "",
        f"{name}_step returns 1, or 0 where the library reports a failed path: a solution was not found, a value is not finite",
        "or a step turns too far.",
        f"{name}_run takes the noise of the library with resolution dt: same seed and path, same path. It returns the number of",
        "steps that were good.", "", *program.page.splitlines(),
    ]  # fmt: skip
    return "/* " + "\n".join(f" * {line.replace('*/', '* /')}".rstrip() for line in lines).removeprefix(" * ") + "\n */"


def _noise_words(program: ExportedProgram) -> str:
    law = "three-point increments" if program.weak else "increments"
    words = f"the {law} of the {program.noises} Wiener processes in a step, of variance dt"
    return words + (f", then {program.integrals} of the noise" if program.rows > program.noises else "")


def _macros(program: ExportedProgram, name: str) -> str:
    sizes = {"STATE": program.y, "CONFIGURATION": program.s, "PARAMETERS": program.q, "OUT": program.quantities}
    rows = [f"#define {name.upper()}_{k} {len(v)}" for k, v in sizes.items()]
    texts = {
        "STATE": program.state,
        "CONFIGURATION": program.stored,
        "PARAMETER": program.parameters,
        "OUT": program.quantities,
    }
    rows += [f"#define {name.upper()}_NOISES {program.noises}", f"#define {name.upper()}_W {program.rows}"]
    rows += [f'#define {name.upper()}_{k}_NAMES "{", ".join(v)}"' for k, v in texts.items()]
    return "\n".join(rows) + "\n"


def _normal(program: ExportedProgram) -> bool:
    return program.noises > 0 and not (program.weak and program.rows == program.noises)


def _noise(program: ExportedProgram) -> str:
    if not program.noises:
        return ""
    more = program.rows - program.noises
    return c_noise(program.noises, program.integrals if more else None, more, weak=program.weak, levels=LEVELS)


def _values(program: ExportedProgram, name: str) -> str:
    def assigned(array: str, values: Sequence[float]) -> str:
        return (
            "".join(f"  {array}[{i}] = {_number((), repr(x))};\n" for i, x in enumerate(values))
            or f"  (void){array};\n"
        )

    return (
        f"{_declarations(name)[0]} {{\n{assigned('q', program.q)}}}\n\n"
        f"{_declarations(name)[1]} {{\n{assigned('y', program.y)}{assigned('s', program.s)}}}\n"
    )


def _function(head: str, unused: Sequence[str], lines: Sequence[str]) -> str:
    body = [f"(void){x};" for x in unused] + list(lines)
    return f"{head} {{\n" + "".join(f"  {line}\n" for line in body) + "}\n"


def _step(program: ExportedProgram, name: str, code: tuple[list[str], list[str]]) -> str:
    lines, results = code
    d, r = len(program.y), len(program.s)
    ends = [f"const double r{i} = {x};" for i, x in enumerate(results)]
    ends += [f"y[{i}] = r{i};" for i in range(d)] + [f"s[{i}] = r{d + i};" for i in range(r)]
    ends.append(f"sd_good &= {' + '.join(f'(r{i} - r{i})' for i in range(d + r))} == 0.0;")
    if program.largest_turn is not None:
        ends.append(f"sd_good &= r{d + r} <= {program.largest_turn**2!r};")
    head = _declarations(name)[2]
    body = _function(head.replace(f"int {name}_step", "SD_INLINE int sd_step"), ["y", "s", "q", "t", "dt", "w"],
                     ["int sd_good = 1;", *lines, *ends, "return sd_good;"])  # fmt: skip
    return f"{body}\n{_function(head, [], ['return sd_step(y, s, q, t, dt, w);'])}"


def _observe(program: ExportedProgram, name: str, code: tuple[list[str], list[str]]) -> str:
    lines, results = code
    head = _declarations(name)[3]
    good = ["int sd_good = 1;", "(void)sd_good;"] if any(p.iteration for p in program.observed.phases) else []
    ends = [f"out[{i}] = {x};" for i, x in enumerate(results)]
    return _function(head, ["y", "s", "q", "t", "out"], [*good, *lines, *ends])


def _run(program: ExportedProgram, name: str) -> str:
    """Copies of the arrays, which no pointer of the caller can reach, let a compiler move constants of q out of the loop."""
    head = _declarations(name)[4]
    m, rows = program.noises, program.rows
    of_step, increments = "w", []
    if m:
        of_step = f"w + {rows} * (n - 2 * (long)pair)"
        increments = [
            "if (((uint64_t)n >> 1) - pair >= (uint64_t)pairs) {",
            f"  pair = (uint64_t)n >> 1, pairs = first + steps - n > 4 ? {AHEAD} : 1;",
            "  if (pairs == 1) sd_increments(seed, path, pair, 1, root, w);",
            f"  else sd_increments(seed, path, pair, {AHEAD}, root, w);", "}",
        ]  # fmt: skip
    if rows > m:
        follow = (program.integrals or "").replace("-", "_")
        increments.append(f"sd_{follow}(seed, path, (uint64_t)n, dt, {of_step});")
    start = ["const double root = sqrt(dt);", "uint64_t pair = 0;", "int pairs = 0;"] if m else []
    copies = [(a, f"of_{a}", n) for a, n in (("y", len(program.y)), ("s", len(program.s)), ("q", len(program.q))) if n]
    inner = {a: b for a, b, _ in copies}
    step = (
        f"sd_step({inner.get('y', 'y')}, {inner.get('s', 's')}, {inner.get('q', 'q')}, (double)n * dt, dt, {of_step})"
    )
    return _function(head, [] if m else ["seed", "path"], [
        f"double w[{max(2 * AHEAD * rows, 1)}] = {{0.0}};", *start,
        *(f"double {b}[{n}];" for _, b, n in copies), *(f"memcpy({b}, {a}, sizeof {b});" for a, b, _ in copies), "long done = 0;",
        "for (long n = first; n < first + steps; n++, done++) {", *(f"  {line}" for line in increments),
        f"  if (!{step}) break;", "}",
        *(f"memcpy({a}, {b}, sizeof {b});" for a, b, _ in copies if a != "q"), "return done;",
    ])  # fmt: skip
