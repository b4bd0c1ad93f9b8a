"""``semidirect compare``: compares methods on the same noise."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from semidirect.cli.arguments import (
    add_command,
    add_driver,
    add_format,
    add_run_arguments,
    add_seed,
    add_state,
    add_system,
    add_t_start,
    number,
    place,
    whole,
)
from semidirect.cli.outputs import add_force
from semidirect.cli.pictures import picture_place, write_picture
from semidirect.cli.values import load, read_driver, read_run_argument, read_state
from semidirect.core.errors import InputError
from semidirect.core.output import figures, print_json, print_text, span
from semidirect.core.text_layout import table

if TYPE_CHECKING:
    from semidirect.analysis.comparison import Comparison
    from semidirect.analysis.error_budget import ModelContribution
    from semidirect.cli.arguments import Commands, place


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "compare", "compare methods on the same noise: error against work, and their effects on observables", execute,
        topic="paths",
        examples=("compare rigid-body --methods heun,rk4 --levels 2",),
        details="The change of an observable by the model is separated from the error of the method.",
    )  # fmt: skip
    add_system(parser)
    add_state(parser)
    parser.add_argument("--methods", required=True, metavar="A,B,…", help="such as heun,lie-midpoint,sdelab(0.5)")
    add_t_start(parser)
    parser.add_argument("--t-end", type=number, metavar="S", help="end [s] (default: 1 after the start)")
    parser.add_argument("--dt", type=number, metavar="S", help="largest step [s] (default: a sixteenth of the time)")
    parser.add_argument("--levels", type=whole, default=4, metavar="N", help="number of steps dt/2^k (default: 4)")
    parser.add_argument("--paths", type=whole, metavar="N", help="default: 100, or 1 without noise")
    add_seed(parser)
    add_driver(parser)
    add_run_arguments(parser, "computation", "Execution")
    parser.add_argument("--reference", metavar="M", help="whose fine solution counts as exact")
    parser.add_argument("--observable", action="append", metavar="Q", help="may be repeated (default: all scalar ones)")
    parser.add_argument("-o", "--output", type=place, metavar="FILE", help="draw it: a .png, .pdf or .svg")
    add_force(parser, "a picture")
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.analysis.comparison import compare
    from semidirect.analysis.pictures.comparison import plot_comparison

    methods = [m.strip() for m in re.split(r",(?![^()]*\))", args.methods) if m.strip()]
    if not methods:
        raise InputError("--methods", expected="names of methods, such as heun,lie-midpoint", got=repr(args.methods))
    state = read_state(args.state)
    system = load(args.name, args.settings)
    target = None if args.output is None else picture_place(args.output, force=args.force)
    found = compare(
        system, methods, t_end=args.t_end, t_start=args.t_start, dt=args.dt, levels=args.levels, paths=args.paths,
        seed=args.seed, state=state, driver=read_driver(args), reference=args.reference, observables=args.observable,
        execution=read_run_argument("Execution", args),
    )  # fmt: skip
    if target is not None:
        write_picture(plot_comparison(found), target, force=args.force)
    if args.format == "json":
        print_json(found.described())
    else:
        print_text(text(found))
        if target is not None:
            print(f"drawn in {target}")
    return 0


def text(c: Comparison) -> str:
    """The comparison for people."""
    from semidirect.integrators.adaptive import AdaptiveIntegrator
    from semidirect.integrators.registry import integrator

    lost, when = f", {c.failed} failed and left out" if c.failed else "", span(c.t_start, c.t_end)
    head = (
        f"{c.system}, {c.noise_class} noise, {c.paths} path{'s' * (c.paths != 1)}{lost} {when}, seed {c.seed}; "
        f"exact: {c.reference}"
        + ("" if isinstance(integrator(c.reference), AdaptiveIntegrator) else f" at dt = {c.finest:.3g} s")
    )
    return "\n\n".join([head, work_table(c), *(ledger_table(c, name) for name in c.motions)])


def work_table(c: Comparison) -> str:
    """Work and errors."""
    header = ["method", "dt [s]", "evaluations a step", "a path", "time",
              *(f"{e} [{u}]" if u else e for e, u in c.units.items())]  # fmt: skip
    rows = [
        [p.method, figures(p.dt), f"{p.evaluations:.3g}", f"{p.work:.3g}", "-" if p.time is None else f"{p.time:.2f}",
         *(f"{p.errors[e]:.2e}" for e in c.units)]
        for p in c.points
    ]  # fmt: skip
    note = "" if c.points[0].time is None else f"\ntime: of {c.paths} paths, over that of the first line"
    return "work and error at the end\n" + table(header, rows, right=range(1, len(header)), indent=2) + note


def ledger_table(c: Comparison, name: str) -> str:
    """The contributions of the model and the methods to one observable."""
    motion = c.motions[name]
    rows = [["model", "", f"{motion.change:.2e}", "", "", f"{_plus(motion.slope, motion.slope_error)}"]]
    for p in c.points:
        e = p.ledger[name]
        rows.append([p.method, figures(p.dt), f"{e.change:.2e}", f"{e.largest:.2e}", _plus(e.mean, e.mean_error),
                     _plus(e.slope, e.slope_error)])  # fmt: skip
    header = ["", "dt [s]", "rms at the end", "largest", "mean at the end", "drift a second"]
    return f"{title(name, motion)}\n" + table(header, rows, right=range(1, len(header)), indent=2)


def title(name: str, motion: ModelContribution) -> str:
    """The observable, and whether the model conserves it."""
    from semidirect.core.units import behind_a_number  # which loads NumPy

    unit = behind_a_number(motion.unit)
    unit = f" [{unit}]" if unit else ""
    if motion.conserved:
        return f"{name}{unit}: conserved by the model, {figures(motion.start)}; all that it changes is the method's"
    return f"{name}{unit}: moved by the model, from {figures(motion.start)}; below it, what each method adds"


def _plus(value: float, error: float) -> str:
    return f"{value:+.1e}" if error != error else f"{value:+.1e} ± {error:.0e}"
