"""``semidirect run``: an ensemble of paths, its means at the end, and the paths in a file."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from semidirect.cli.argument import Argument, Call, argument_of
from semidirect.cli.command import Command
from semidirect.cli.config import written
from semidirect.cli.messages import report
from semidirect.cli.reduce import CROSSING, STOP, described, read_crossings, read_stops
from semidirect.cli.reduce import text as statistics
from semidirect.cli.shared import ARGUMENTS, METHOD, STATE
from semidirect.cli.values import RANDOM, is_unset, load
from semidirect.core import Flag, errors
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import semidirect as sd

FAILURES_SHOWN = 10
SITES_SHOWN = 2
"""Of a lattice, at each end."""
SIMULATE, EXTEND, MONITOR = range(3)
"""The functions that the command calls."""

SOURCE = Flag(
    "from", "continue from the end of a saved run, with its state, time, seed and noise; the system may differ", "location",
    "RUN.zarr", destination="source",
)  # fmt: skip


def execute(call: Call) -> int:
    """Carry it out."""
    args = call.args
    if args.seed == RANDOM:
        args.seed = _drawn(call)
    if args.extend and args.output is None:
        raise errors.InputError("--extend", expected="-o RUN.zarr", got="none", hint="Say which run.")
    with written(args), warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.FailedPathsWarning)  # they are named at the end
        run = _extended(call) if args.extend else _simulated(call)
    result = summary(run)
    if run.reductions:
        result |= {"reductions": described(run)}
    if run.error_check is not None:
        result |= {"error_check": run.error_check.described()}
    changes = _moved_by_method(run) if len(run.times) > 1 else {}
    if changes:
        result |= {"moved_by_method": changes}
    monitor: sd.analysis.Monitor | None = call.function(MONITOR)(run, call.value("system")) if args.monitor else None
    if monitor is not None:
        result |= {"monitor": monitor.described()}
    if call.as_json:
        printing.print_json(result)
    else:
        printing.print_text(text(run, result))
        for words in changes.values():
            printing.print_text(f"\n{words}")
        if run.reductions:
            printing.print_text(f"\n{statistics(run)}")
        if run.error_check is not None:
            printing.print_text(f"\n{run.error_check.text()}")
        if monitor is not None:
            printing.print_text(f"\n{monitor}")
        if args.output is not None:
            print(f"saved in {args.output}")
    return report_failures(run) or int(monitor is not None and not monitor.met)


def _drawn(call: Call) -> int:
    """A seed that is drawn; of a run that resumes, that of its store."""
    from semidirect.ensemble import run_files
    from semidirect.specification import seeds, store_place

    resumes = call.args.resume and call.args.output is not None
    return run_files.seed_in(store_place("store", call.args.output)) if resumes else seeds.drawn_seed()


def _method_help() -> str:
    from semidirect.integrators import METHODS

    arguments = {name: kind.argument for name, kind in METHODS.built_in.items()}
    names = (f"{name}({arguments[name]})" if arguments.get(name) else name for name in METHODS)
    return f"one of {', '.join(names)}; arguments in parentheses may be omitted (default: the system's)"


def _state(call: Call) -> Any:
    """The state, or the end of the run ``--from``."""
    import semidirect as sd

    state, source = call.read(STATE), call.read(SOURCE)
    if source is None:
        return state
    if state:
        raise errors.InputError("--state with --from", hint="A run continues from one state; give one of them.")
    return sd.Run.load(source).final


def _t_end(call: Call) -> float:
    """The end, by default ten seconds after the start."""
    if (end := call.read("t_end")) is not None:
        return float(end)
    start = call.value("t_start")
    return 10 + float(getattr(call.value("state"), "t", 0.0) if start is None else start)


def _save(call: Call) -> Any:
    """The selection to save; a run that is monitored saves everything by default."""
    saved = _SAVE.value(call)
    if call.args.monitor and call.args.save is None:
        saved = replace(saved, times="all")
    return replace(saved, crossings=read_crossings(call.read(CROSSING)))


def _flags_of_save() -> Sequence[Flag]:
    return (*_SAVE.all_flags(), CROSSING)


def _execution(call: Call) -> Any:
    return replace(_EXECUTION.value(call), progress=True)


def _simulated(call: Call) -> sd.Run:
    arguments = call.arguments(SIMULATE)
    save = arguments["save"]
    if save.store is not None and not save.resume:
        from semidirect.ensemble import run_files

        run_files.refuse_what_exists(save.store)
        if not isinstance(save.store, str):
            printing.new_folder(save.store)
    run: sd.Run = call.value("system").simulate(**arguments)
    return run


def _extended(call: Call) -> sd.Run:
    """The run at -o with more paths or time; all else is as it was."""
    import semidirect as sd

    stated_again = ("paths", "t_end", "execution", "output")
    for argument in COMMAND.by_parameter:
        for flag in () if argument in stated_again else COMMAND.by_parameter[argument].all_flags():
            if not flag.position and flag.key not in stated_again and not is_unset(getattr(call.args, flag.key)):
                raise errors.InputError(
                    f"--{flag.name} with --extend", hint="It stays as it was; give --paths or --t-end."
                )
    kind, output = type(load(call.args.name)), call.args.output
    config = sd.Run.load(output, partial=True).config
    if config["system"] != f"{kind.__module__}:{kind.__qualname__}":
        raise errors.InputError(
            f"{output} is a run of another system",
            got=str(config["system"]),
            hint="Name that system, or another store.",
        )
    run: sd.Run = call.function(EXTEND)(
        output, paths=call.value("paths"), t_end=call.read("t_end"), execution=call.value("execution")
    )
    return run


def _moved_by_method(run: sd.Run) -> dict[str, str]:
    """The remarks on observables that the equations conserve and the method changes."""
    from semidirect.analysis import moved_by_method

    return {one.quantity: str(one) for one in moved_by_method(run.data)}


def summary(run: sd.Run) -> dict[str, Any]:
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


def events(run: sd.Run) -> dict[str, Any]:
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


def text(run: sd.Run, result: dict[str, Any]) -> str:
    """The summary for people, observables first."""
    import numpy as np

    from semidirect.expressions import UnitLabel

    config = run.config
    lines = [
        f"{result['paths']} path{'s' * (result['paths'] != 1)} {printing.span(run.data.t_start, config['t_end'])} "
        f"by {config['method']}, "
        f"{result['steps']} steps of {config['dt']:g} s, seed {config['seed']}; "
        f"{result['failures']} path{'s' * (result['failures'] != 1)} failed"
    ]
    for label, of in result.get("stopped", {}).items():
        when = f", at t = {of['mean_time']:g} s in the mean" if of["paths"] else ""
        lines.append(f"stopped by {label}: {of['paths']}{when}")
    lines += [f"crossings of {label}: {count}" for label, count in result.get("crossings", {}).items()]
    when = "at the end" if "stopped" in result else f"at t = {config['t_end']:g} s"
    rows = []
    final = printing.plain(result["final"])
    for name in run.data.observables_first(final):
        of = final[name]
        size = float(np.fmax.reduce(np.abs(np.array(of["mean"], dtype=float)), axis=None, initial=0.0))  # None is nan
        for i, label, mean in _shown(run, name, of["mean"]):
            se = of["se"][i] if isinstance(of["se"], list) else of["se"]
            unit = UnitLabel(run.data.units.get(name, "")).of_component(i, np.size(of["mean"]))
            rows.append([label, printing.figures(mean), printing.standard_error(se, size), unit])
    return "\n\n".join(["\n".join(lines), text_layout.table([when, "mean", "s.e.", "unit"], rows, right=[1, 2])])


def _shown(run: sd.Run, name: str, means: Any) -> list[tuple[int, str, Any]]:
    """Number, label and mean of each component; of many sites those of the first and the last ones."""
    from semidirect.core import FlatSites

    flat = run.data.matrices.get(name)
    if not isinstance(flat, FlatSites) or not isinstance(means, list):
        return [(i, *one) for i, one in enumerate(printing.components(name, means, run.data.stored_names))]
    labels = flat.component_names(name)
    ends = range(SITES_SHOWN), range(flat.sites - SITES_SHOWN, flat.sites)
    sites = range(flat.sites) if flat.sites <= 2 * SITES_SHOWN else [*ends[0], *ends[1]]
    places = [k * flat.sites + i for i in sites for k in range(flat.components)]
    return [(at, labels[at], means[at]) for at in places]


def report_failures(run: sd.Run) -> int:
    """Name the first paths that failed on stderr; the exit code."""
    failures = run.failures()
    if not failures:
        return 0
    from semidirect.core import failure

    sys.stdout.flush()
    report(failure.summary(run.data))
    for one in failures[:FAILURES_SHOWN]:
        report(f"failed: {one}")
    more = len(failures) - FAILURES_SHOWN
    if more > 0:
        report(f"failed: {more} more path{'s' * (more != 1)}")
    return 1


_SAVE, _EXECUTION = (argument_of(ARGUMENTS[name]) for name in ("save", "execution"))
COMMAND = Command(
    "run", "run paths of a system, and print the means at the end",
    ["semidirect:System.simulate", "semidirect:extend", "semidirect:analysis.monitor"], topic="paths",
    examples=("run heavy-top --t-end 1 --paths 20 -o top.zarr", "run heavy-top --t-end 1 --keep energy,Gamma3"),
    details="Exit code 1 if paths failed; the means are over the others.",
    arguments={
        "state": Argument((STATE, SOURCE), _state),
        "t_end": Argument((Flag("t-end", "end [s], a multiple of dt (default: 10 after the start)", "number", "S"),), _t_end),
        "method": replace(METHOD, help=_method_help),
        "seed": Flag("seed", "seed of the noise (default: 0), or 'random', which draws one and says which; at another --dt it "
                     "gives the same Brownian paths only with one --noise-dt", "seed", "N"),
        "save": Argument(_flags_of_save, _save, "what is saved"),
        "stop": Argument(STOP, lambda call: read_stops(*map(call.read, STOP))),
        "execution": _EXECUTION._replace(read=_execution),
    },
    help={"dt": "step [s]"}, defaults={"dt": 0.01},
    left_out={
        "path": "the store -o", "run": "the run that is made", "names": "all observables with a status", "refine": "always",
    },
    options=[
        Flag("extend", "add paths or time, --paths or --t-end, to the finished run at -o", "switch"),
        Flag("monitor", "compare observables with their declared status: exact, bounded, dissipated, random; exit code 1 if not",
             "switch"),
    ],
    from_file=True, execute=execute,
)  # fmt: skip
add = COMMAND.add
