"""``semidirect filter``: the states of a system, given data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.cli.answer import Answer, data_set_or_picture
from semidirect.cli.command import Command
from semidirect.cli.problem import PROBLEM
from semidirect.core import Flag
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import semidirect as sd


def summary(result: sd.inference.Filtered) -> dict[str, Any]:
    """Log-likelihood, collapses, and means and quantiles at the last time, in JSON's types."""
    import numpy as np

    last = result.data.isel(time=-1)
    names = [str(name).removesuffix("_quantile") for name in result.data.data_vars if str(name).endswith("_quantile")]
    particles = "effective_size" in result.data
    smallest = {"smallest_effective_size": float(result.data["effective_size"].min())} if particles else {}
    quantiles = {name: np.moveaxis(last[f"{name}_quantile"].values, 0, -1).tolist() for name in names}
    return {
        "times": len(result.times), "t_end": float(result.times[-1]), "log_likelihood": result.log_likelihood,
        **smallest,
        "collapses": [{"t": t, "reason": reason} for t, reason in result.collapses],
        "levels": result.data["quantile"].values.tolist(),
        "final": {name: {"mean": last[f"{name}_mean"].values.tolist(), "sd": last[f"{name}_sd"].values.tolist(),
                         "quantiles": quantiles[name]} for name in names if not name.startswith("smoothed_")},
    }  # fmt: skip


def text(result: sd.inference.Filtered) -> str:
    """The summary for people."""
    import numpy as np

    last = summary(result)
    head = f"{last['times']} times of data to t = {last['t_end']:g} s; log-likelihood {last['log_likelihood']:.2f}"
    if "smallest_effective_size" in last:
        head += f"; smallest effective number of particles {last['smallest_effective_size']:.3g}"
    rows = []
    for name, of in last["final"].items():
        parts = zip(printing.components(name, of["mean"]), printing.components(name, of["sd"]), strict=True)
        quantiles = np.atleast_2d(of["quantiles"]).tolist()
        rows += [
            [label, *map(printing.figures, (mean, sd, *row))]
            for ((label, mean), (_, sd)), row in zip(parts, quantiles, strict=True)
        ]
    header = ["at the end", "mean", "s.d.", *(f"{100 * level:g} %" for level in last["levels"])]
    return f"{head}\n\n{text_layout.table(header, rows, right=range(1, len(header)))}"


COMMAND = Command(
    "filter", "estimate the states of a system from data of observations", ["semidirect:filter"],
    topic="inference",
    examples=("filter heavy-top top.zarr --observe Gamma --noise 0.1 --every 20 --particles 200",),
    details="Prints means and quantiles at the last time of the data; -o writes those at all times.",
    arguments={
        **PROBLEM,
        "quantities": Flag("quantity", "what to report (default: velocities and advected quantities)", "names", "Q,…",
                           completion="quantities"),
    },
    help={"dt": "step [s]", "seed": "seed of all random numbers", "lag": "smoothed estimates with data of N later times"},
    defaults={"dt": 0.01}, left_out={"levels": "a file has them all", "without": "a list of times"}, from_file=True,
    answer=Answer(text, summary, output=data_set_or_picture()),
)  # fmt: skip
add = COMMAND.add
