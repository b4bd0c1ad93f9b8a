"""C99: one file with ``<math.h>`` alone, and the noise of the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, final

from semidirect.core import __version__
from semidirect.export.program import ExportedProgram
from semidirect.export.target import Target
from semidirect.export.targets.c_functions import c_functions
from semidirect.export.targets.c_noise import AHEAD, c_noise
from semidirect.export.targets.c_text import CText, number
from semidirect.instructions import InstructionList
from semidirect.random import iterated_integrals

__all__ = ["C"]

FLAGS = "-std=c99 -O2 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize"
"""Those that the file names. Vectors of straight code are left out because gcc 12 fuses multiplications in them even without
contraction, and calls of ``sqrt`` become vectors only where they report no errors.
"""
LEVELS = {k: getattr(iterated_integrals, k) for k in ("FOURIER", "TAIL", "SIGN", "INTEGRAL")}


@final
class C(Target):
    """C99."""

    name: ClassVar[str] = "c"
    ending: ClassVar[str] = ".c"

    def text(self, program: ExportedProgram, name: str) -> str:
        """The file."""
        programs = [PROGRAMS[k](program) for k in _of_parts(program) if k in PROGRAMS]
        operations = {x.operation for p in programs for x in p.instructions}
        iterated = any(phase.iteration for p in programs for phase in p.phases)
        steps = "step" in program.parts
        return "\n".join([
            _head(program, name), "#include <math.h>", "#include <stdint.h>", "#include <string.h>", "", _macros(program, name),
            c_functions(operations, iterated=iterated, bits=steps and _normal(program)), _noise(program) if steps else "",
            _values(program, name), *(_function_of(program, name, k) for k in _of_parts(program)),
        ])  # fmt: skip

    def companions(self, program: ExportedProgram, name: str) -> Mapping[str, str]:
        """A header, and a program that runs a path, if it steps and observes one."""
        guard = f"{name.upper()}_H"
        head = f"#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n"
        declarations = _declarations(name)
        declared = "".join(f"{declarations[k]};\n" for k in ("defaults", "start", *_of_parts(program)))
        files = {f"{name}.h": f"{head}{_macros(program, name)}\n{declared}\n#endif\n"}
        if {"step", "observables"} <= {*program.parts}:
            files[f"{name}_example.c"] = EXAMPLE.replace("NAME_", f"{name.upper()}_").replace("name", name)
        return MappingProxyType(files)


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


PROGRAMS: Mapping[str, Callable[[ExportedProgram], InstructionList]] = MappingProxyType({
    "drift": lambda p: p.drift, "diffusion": lambda p: p.diffusion, "step": lambda p: p.step, "observe": lambda p: p.observed,
})  # fmt: skip
FUNCTIONS = MappingProxyType({"fields": ("drift", "diffusion"), "step": ("step", "run"), "observables": ("observe",)})


def _of_parts(program: ExportedProgram) -> list[str]:
    """The functions of the file that follow ``defaults`` and ``start``."""
    return [k for part in program.parts for k in FUNCTIONS[part]]


def _function_of(program: ExportedProgram, name: str, which: str) -> str:
    if which == "step":
        return _step(program, name)
    return _run(program, name) if which == "run" else _filled(PROGRAMS[which](program), _declarations(name)[which])


def _declarations(name: str) -> dict[str, str]:
    numbers = "uint64_t seed, uint64_t path, long first, long steps, double dt"
    at = "const double *y, const double *s, const double *q, double t, double *out"
    return {
        "defaults": f"void {name}_defaults(double *q)", "start": f"void {name}_start(double *y, double *s)",
        "drift": f"void {name}_drift({at})", "diffusion": f"void {name}_diffusion({at})",
        "step": f"int {name}_step(double *y, double *s, const double *q, double t, double dt, const double *w)",
        "observe": f"void {name}_observe({at})", "run": f"long {name}_run(double *y, double *s, const double *q, {numbers})",
    }  # fmt: skip


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
        *_words(program, name), "", *program.page.splitlines(),
    ]  # fmt: skip
    return "/* " + "\n".join(f" * {line.replace('*/', '* /')}".rstrip() for line in lines).removeprefix(" * ") + "\n */"


def _words(program: ExportedProgram, name: str) -> list[str]:
    """The purposes of the functions of the parts."""
    size = len(program.y) + len(program.s)
    words = {
        "fields": [f"{name}_drift gives out[{size}], the rates of y and then of s without noise; {name}_diffusion gives",
                   f"out[{size}][{program.noises}], the coefficients of the noises in them, in Stratonovich's sense."],
        "step": [f"{name}_step returns 1, or 0 where the library reports a failed path: a solution was not found, a value is not",
                 "finite or a step turns too far.",
                 f"{name}_run takes the noise of the library with resolution dt: same seed and path, same path. It returns the",
                 "number of steps that were good."],
        "observables": [f"{name}_observe gives out[{len(program.quantities)}]: {', '.join(program.quantities)}"],
    }  # fmt: skip
    return [line for part in program.parts for line in words[part]]


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
            "".join(f"  {array}[{i}] = {number((), repr(x))};\n" for i, x in enumerate(values)) or f"  (void){array};\n"
        )

    return (
        f"{_declarations(name)['defaults']} {{\n{assigned('q', program.q)}}}\n\n"
        f"{_declarations(name)['start']} {{\n{assigned('y', program.y)}{assigned('s', program.s)}}}\n"
    )


def _function(head: str, unused: Sequence[str], lines: Sequence[str]) -> str:
    body = [f"(void){x};" for x in unused] + list(lines)
    return f"{head} {{\n" + "".join(f"  {line}\n" for line in body) + "}\n"


def _step(program: ExportedProgram, name: str) -> str:
    lines, results = CText().statements(program.step)
    d, r = len(program.y), len(program.s)
    ends = [f"const double r{i} = {x};" for i, x in enumerate(results)]
    ends += [f"y[{i}] = r{i};" for i in range(d)] + [f"s[{i}] = r{d + i};" for i in range(r)]
    ends.append(f"sd_good &= {' + '.join(f'(r{i} - r{i})' for i in range(d + r))} == 0.0;")
    if program.largest_turn is not None:
        ends.append(f"sd_good &= r{d + r} <= {program.largest_turn**2!r};")
    head = _declarations(name)["step"]
    body = _function(head.replace(f"int {name}_step", "SD_INLINE int sd_step"), ["y", "s", "q", "t", "dt", "w"],
                     ["int sd_good = 1;", *lines, *ends, "return sd_good;"])  # fmt: skip
    return f"{body}\n{_function(head, [], ['return sd_step(y, s, q, t, dt, w);'])}"


def _filled(program: InstructionList, head: str) -> str:
    """A function that writes the results of a program into ``out``."""
    lines, results = CText().statements(program)
    good = ["int sd_good = 1;", "(void)sd_good;"] if any(phase.iteration for phase in program.phases) else []
    ends = [f"out[{i}] = {x};" for i, x in enumerate(results)]
    return _function(head, ["y", "s", "q", "t", "out"], [*good, *lines, *ends])


def _run(program: ExportedProgram, name: str) -> str:
    """Copies of the arrays, which no pointer of the caller can reach, let a compiler move constants of q out of the loop."""
    head = _declarations(name)["run"]
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
