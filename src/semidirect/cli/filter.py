"""``semidirect filter``: the states of a system, given data."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import add_command, whole
from semidirect.cli.config import completed, written
from semidirect.cli.problem import add_problem, add_result, read_problem, report, result_place
from semidirect.core.entries import split_at_commas
from semidirect.core.output import components, figures
from semidirect.core.text_layout import table

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands
    from semidirect.inference.filtered import Filtered


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "filter", "estimate the states of a system from data of observations", execute, topic="inference",
        examples=("filter heavy-top top.zarr --observe Gamma --noise 0.1 --every 20 --particles 200",),
        details="Prints means and quantiles at the last time of the data; -o writes those at all times.",
    )  # fmt: skip
    add_problem(parser)
    parser.add_argument(
        "--quantity",
        action="append",
        metavar="Q,…",
        help="what to report (default: velocities and advected quantities)",
    )
    parser.add_argument("--lag", type=whole, metavar="N", help="smoothed estimates with data of N later times")
    add_result(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.inference.filter import filter

    args = completed(args, ("name", "data"))
    target = result_place(args)
    names = [name for entry in args.quantity or () for name in split_at_commas(entry)] or None
    with written(args):
        system, observations, data, options = read_problem(args)
        found = filter(system, observations, data, quantities=names, lag=args.lag or 0, **options)
    report(args, target, found, lambda: summary(found), lambda: text(found))
    return 0


def summary(found: Filtered) -> dict[str, Any]:
    """Log-likelihood, collapses, and means and quantiles at the last time, in JSON's types."""
    import numpy as np

    last = found.data.isel(time=-1)
    names = [str(name).removesuffix("_quantile") for name in found.data.data_vars if str(name).endswith("_quantile")]
    particles = "effective_size" in found.data
    smallest = {"smallest_effective_size": float(found.data["effective_size"].min())} if particles else {}
    quantiles = {name: np.moveaxis(last[f"{name}_quantile"].values, 0, -1).tolist() for name in names}
    return {
        "times": len(found.times), "t_end": float(found.times[-1]), "log_likelihood": found.log_likelihood,
        **smallest,
        "collapses": [{"t": t, "reason": reason} for t, reason in found.collapses],
        "levels": found.data["quantile"].values.tolist(),
        "final": {name: {"mean": last[f"{name}_mean"].values.tolist(), "sd": last[f"{name}_sd"].values.tolist(),
                         "quantiles": quantiles[name]} for name in names if not name.startswith("smoothed_")},
    }  # fmt: skip


def text(found: Filtered) -> str:
    """The summary for people."""
    import numpy as np

    result = summary(found)
    head = (
        f"{result['times']} times of data to t = {result['t_end']:g} s; log-likelihood {result['log_likelihood']:.2f}"
    )
    if "smallest_effective_size" in result:
        head += f"; smallest effective number of particles {result['smallest_effective_size']:.3g}"
    rows = []
    for name, of in result["final"].items():
        parts = zip(components(name, of["mean"]), components(name, of["sd"]), strict=True)
        quantiles = np.atleast_2d(of["quantiles"]).tolist()
        rows += [
            [label, *map(figures, (mean, sd, *row))]
            for ((label, mean), (_, sd)), row in zip(parts, quantiles, strict=True)
        ]
    header = ["at the end", "mean", "s.d.", *(f"{100 * level:g} %" for level in result["levels"])]
    return f"{head}\n\n{table(header, rows, right=range(1, len(header)))}"
