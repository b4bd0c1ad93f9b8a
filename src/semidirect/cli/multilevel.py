"""``semidirect multilevel``: the mean of a quantity to a given error."""

from __future__ import annotations

from semidirect.cli.answer import Answer, picture
from semidirect.cli.command import Command
from semidirect.core import Flag

COMMAND = Command(
    "multilevel", "estimate a mean to a given error, from many coarse paths and few fine ones",
    ["semidirect:multilevel"], topic="paths",
    examples=("multilevel suslov energy --t-end 1 --rmse 0.1",),
    details="Levels have steps dt, dt/2, …; the two values of a difference belong to one Brownian path. Paths and levels "
    "follow from the measured variances and means.",
    arguments={
        "quantity": Flag("quantity", "a scalar: an observable, a component such as Omega1, an expression", metavar="QUANTITY",
                         position="one", completion="quantities"),
        "rmse": Flag("rmse", "the root-mean-square error to reach", "number", "E"),
    },
    help={
        "t-end": "time of the quantity [s]", "dt": "step of the first level [s] (default: by the rates at the start)",
        "levels": "largest number of levels",
    },
    answer=Answer(output=picture(lambda estimate: estimate.plot(), "draw the levels: a .png, .pdf or .svg")),
)  # fmt: skip
add = COMMAND.add
