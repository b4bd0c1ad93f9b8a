"""``semidirect run``: an ensemble of paths, its means at the end, and the paths in a file."""

from __future__ import annotations

import argparse
import sys
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import (
    add_command,
    add_driver,
    add_format,
    add_run_arguments,
    add_state,
    add_system,
    add_t_start,
    driver_keys,
    number,
    place,
    run_argument,
    whole,
)
from semidirect.cli.config import add_config, completed, written
from semidirect.cli.messages import report
from semidirect.cli.reduce import described, read_crossings, read_stops
from semidirect.cli.reduce import text as statistics
from semidirect.cli.values import load, read_driver, read_run_argument, read_state
from semidirect.core.errors import FailedPathsWarning, InputError
from semidirect.core.output import components, figures, new_folder, plain, print_json, print_text, span
from semidirect.core.text_layout import table

if TYPE_CHECKING:
    from semidirect.analysis.monitor import Monitor
    from semidirect.cli.arguments import Commands, place
    from semidirect.ensemble.execution import Execution
    from semidirect.ensemble.step_error import ErrorCheck
    from semidirect.run import Run

FAILURES_SHOWN = 10
RANDOM = "random"
"""The argument of ``--seed`` that draws one."""

STATED_ONCE = ("Formulation", "Save", "Reduce", "Checks")
"""Objects that stay as they were when a run is extended, but for the place of the run."""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "run", "run paths of a system, and print the means at the end", execute, topic="paths",
        examples=("run heavy-top --t-end 1 --paths 20 -o top.zarr", "run heavy-top --t-end 1 --keep energy,Gamma3"),
        details="Exit code 1 if paths failed; the means are over the others.",
    )  # fmt: skip
    add_system(parser, required=False)
    add_state(parser)
    parser.add_argument(
        "--from", type=place, metavar="RUN.zarr", dest="source",
        help="continue from the end of a saved run, with its state, time, seed and noise; the system may differ",
    )  # fmt: skip
    parser.add_argument(
        "--paths", type=whole, metavar="N", help="number of paths (default: 1, or as many as states given)"
    )
    parser.add_argument("--dt", type=number, metavar="S", help="step [s] (default: 0.01)")
    add_t_start(parser)
    parser.add_argument(
        "--t-end", type=number, metavar="S", help="end [s], a multiple of dt (default: 10 after the start)"
    )
    parser.add_text_of_help(parser.add_argument("--method", metavar="M"), _method_help)
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="N",
        help="seed of the noise (default: 0), or 'random', which draws one and says which; at another --dt it gives the same "
        "Brownian paths only with one --noise-dt",
    )
    parser.add_argument(
        "--extend", action="store_true", help="add paths or time, --paths or --t-end, to the finished run at -o"
    )
    parser.add_argument(
        "--monitor", action="store_true",
        help="compare observables with their declared status: exact, bounded, dissipated, random; exit code 1 if not",
    )  # fmt: skip
    parser.add_argument(
        "--stop", action="append", metavar="EVENT",
        help="stop a path at an event, e.g. 'energy>=2', 'Gamma3<=0', or a crossing as below; repeatable",
    )  # fmt: skip
    parser.add_argument("--stop-every", type=whole, metavar="K", help="look for it every K steps (default: 1)")
    parser.add_argument(
        "--locate",
        action="store_true",
        help="compute the time and the state of a stop within the step, with noise by bridges",
    )
    parser.add_argument(
        "--crossing", action="append", metavar="NAME=LEVEL",
        help="record where a quantity crosses a level, e.g. 'Gamma3=0' or 'Gamma3=0,rising'; repeatable",
    )  # fmt: skip
    add_format(parser)
    parser.set_defaults(format=None)  # a table, unless a file says json
    add_config(parser)
    add_driver(parser)
    add_run_arguments(parser, "what is saved", "Save")
    add_run_arguments(parser, "statistics", "Reduce")
    add_run_arguments(parser, "checks", "Checks")
    add_run_arguments(parser, "equations and computation", "Formulation", "Execution")


def _seed(text: str) -> int | str:
    """A seed, as an argument."""
    return text if text == RANDOM else whole(text)


def _drawn(args: argparse.Namespace) -> int:
    """A seed that is drawn; of a run that resumes, that of its store."""
    from semidirect.ensemble.seeds import drawn_seed
    from semidirect.ensemble.store.run_files import seed_in

    return seed_in(args.output) if args.resume and args.output is not None else drawn_seed()


def _method_help() -> str:
    from semidirect.integrators.registry import method_names

    return f"one of {method_names()}; arguments in parentheses may be omitted (default: the system's)"


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    args = completed(args, ("name",))
    if args.seed == RANDOM:
        args.seed = _drawn(args)
    typed = argparse.Namespace(**vars(args))  # before anything is filled in
    if args.extend and args.output is None:
        raise InputError("--extend", expected="-o RUN.zarr", got="none", hint="Say which run.")
    with written(typed), warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedPathsWarning)  # they are named at the end
        run = _extended(args) if args.extend else _run(args)
    result = summary(run)
    if run.reductions:
        result |= {"reductions": described(run)}
    if run.error_check is not None:
        result |= {"error_check": run.error_check.described()}
    moved = _moved_by_method(run) if len(run.times) > 1 else {}
    if moved:
        result |= {"moved_by_method": moved}
    found = _monitor(args, run) if args.monitor else None
    if found is not None:
        result |= {"monitor": found.described()}
    if args.format == "json":
        print_json(result)
    else:
        print_text(text(run, result))
        for words in moved.values():
            print_text(f"\n{words}")
        if run.reductions:
            print_text(f"\n{statistics(run)}")
        if run.error_check is not None:
            print_text(f"\n{error_text(run.error_check)}")
        if found is not None:
            print_text(f"\n{found}")
        if args.output is not None:
            print(f"saved in {args.output}")
    return report_failures(run) or int(found is not None and not found.met)


def _moved_by_method(run: Run) -> dict[str, str]:
    """What is to be said of observables that the equations conserve and the method changes."""
    from semidirect.analysis.monitor.keeping import moved_by_method

    return {found.quantity: str(found) for found in moved_by_method(run.data)}


def _monitor(args: argparse.Namespace, run: Run) -> Monitor:
    from semidirect.analysis.monitor import monitor

    return monitor(run, load(args.name, args.settings))


def _run(args: argparse.Namespace) -> Run:
    state = read_state(args.state) if args.source is None else _source(args).final
    system = load(args.name, args.settings)
    if args.save is None and args.monitor:
        args.save = "all"
    save = replace(read_run_argument("Save", args), crossings=read_crossings(args.crossing))
    if save.store is not None and not save.resume:
        from semidirect.ensemble.store.run_files import refuse_what_exists

        refuse_what_exists(save.store)
        new_folder(save.store)
    start = getattr(state, "t", 0.0) if args.t_start is None else args.t_start
    return system.simulate(
        t_start=args.t_start, t_end=start + 10 if args.t_end is None else args.t_end,
        dt=0.01 if args.dt is None else args.dt, paths=args.paths,
        seed="default" if args.seed is None else args.seed, method=args.method, state=state,
        driver=read_driver(args), save=save, reduce=read_run_argument("Reduce", args),
        stop=read_stops(args.stop, args.stop_every, args.locate),
        checks=read_run_argument("Checks", args), execution=_execution(args),
        formulation=read_run_argument("Formulation", args),
    )  # fmt: skip


def _execution(args: argparse.Namespace) -> Execution:
    execution: Execution = replace(read_run_argument("Execution", args), progress=True)
    return execution


def _source(args: argparse.Namespace) -> Run:
    """The run ``--from``."""
    from semidirect.run import Run

    if args.state:
        raise InputError("--state with --from", hint="A run continues from one state; give one of them.")
    return Run.load(args.source)


def _extended(args: argparse.Namespace) -> Run:
    """The run at -o with more paths or time; all else is as it was."""
    from semidirect.run import Run, extend

    flags = [flag.key for name in STATED_ONCE for flag in run_argument(name).flags if flag.name != "output"]
    flags += [
        "stop",
        "stop_every",
        "locate",
        "crossing",
        "dt",
        "t_start",
        "method",
        "seed",
        "settings",
        "state",
        "source",
        "driver",
        *driver_keys(),
    ]
    for option in flags:
        value = getattr(args, option)
        if value is not None and value is not False and value != []:
            flag = {"settings": "set", "source": "from"}.get(option, option).replace("_", "-")
            raise InputError(f"--{flag} with --extend", hint="It stays as it was; give --paths or --t-end.")
    kind = type(load(args.name, []))
    config = Run.load(args.output, partial=True).config
    if config["system"] != f"{kind.__module__}:{kind.__qualname__}":
        raise InputError(f"{args.output} is a run of another system", got=str(config["system"]))
    return extend(args.output, paths=args.paths, t_end=args.t_end, execution=_execution(args))


def summary(run: Run) -> dict[str, Any]:
    """Counts, and mean and standard error of all saved quantities at the end, over the paths that did not fail."""
    import numpy as np

    with np.errstate(all="ignore"):
        statistics = run.statistics()
    good = int(np.count_nonzero(run.good))
    final = {
        name: {"mean": of["mean"][-1].tolist() if good else None, "se": of["se"][-1].tolist() if good > 1 else None}
        for name, of in statistics.items()
    }
    return {
        "paths": run.paths,
        "steps": run.data.steps,
        "seed": run.seed,
        "failures": run.paths - good,
        **events(run),
        "final": final,
    }


def events(run: Run) -> dict[str, Any]:
    """How many paths each condition stopped, with the mean time, and how many crossings were recorded; empty without any."""
    out: dict[str, Any] = {}
    stopped = run.stopped
    if stopped.labels:
        out["stopped"] = {
            label: {"paths": n, "mean_time": float(stopped.time[stopped.condition == i].mean()) if n else None}
            for i, (label, n) in enumerate(stopped.counts.items())
        }
    if run.crossings:
        out["crossings"] = {r.crossing.label: int(r.count.sum()) for r in run.crossings}
    return out


def text(run: Run, result: dict[str, Any]) -> str:
    """The summary for people, observables first."""
    import numpy as np

    from semidirect.core.units import of_component

    config = run.config
    lines = [
        f"{result['paths']} path{'s' * (result['paths'] != 1)} {span(run.data.t_start, config['t_end'])} by {config['method']}, "
        f"{result['steps']} steps of {config['dt']:g} s, seed {config['seed']}; failures: {result['failures']}"
    ]
    for label, of in result.get("stopped", {}).items():
        when = f", at t = {of['mean_time']:g} s in the mean" if of["paths"] else ""
        lines.append(f"stopped by {label}: {of['paths']}{when}")
    lines += [f"crossings of {label}: {count}" for label, count in result.get("crossings", {}).items()]
    rows = []
    final = plain(result["final"])
    for name in run.data.observables_first(final):
        of = final[name]
        for i, (label, mean) in enumerate(components(name, of["mean"], run.data.stored_names)):
            se = of["se"][i] if isinstance(of["se"], list) else of["se"]
            unit = of_component(run.data.units.get(name, ""), i, np.size(of["mean"]))
            rows.append([label, figures(mean), figures(se), unit])
    return "\n\n".join(["\n".join(lines), table(["at the end", "mean", "s.e.", "unit"], rows, right=[1, 2])])


def error_text(check: ErrorCheck) -> str:
    """The differences from the refined run for people."""
    against = f"half the step, {check.refined_dt:g} s" if check.refined_dt != check.dt else "a quarter of the tolerance"
    lost = f", {check.failed} that failed left out" if check.failed else ""
    at = "at the end" if check.times == 1 else f"over {check.times} times"
    head = f"error check against {against}, on the same noise: {check.paths} path{'s' * (check.paths != 1)}{lost}, {at}"
    rows = [[name, figures(e.largest), figures(e.rms), figures(e.size), e.unit] for name, e in check.outputs.items()]
    return f"{head}\n{table(['difference', 'largest', 'rms', 'size', 'unit'], rows, right=[1, 2, 3])}"


def report_failures(run: Run) -> int:
    """Name the first paths that failed on stderr; the exit code."""
    failures = run.failures()
    if not failures:
        return 0
    from semidirect.core.failure import summary as of_failures

    sys.stdout.flush()
    report(of_failures(run.data))
    for failure in failures[:FAILURES_SHOWN]:
        report(f"failed: {failure}")
    more = len(failures) - FAILURES_SHOWN
    if more > 0:
        report(f"failed: {more} more path{'s' * (more != 1)}")
    return 1
