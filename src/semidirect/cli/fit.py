"""``semidirect fit``: parameters of a system from data."""

from __future__ import annotations

from semidirect.cli.answer import Answer, data_set_or_picture
from semidirect.cli.argument import Argument, Call
from semidirect.cli.command import Command
from semidirect.cli.problem import PROBLEM
from semidirect.core import Flag, errors

OVER = Flag(
    "over", "what to fit: offset, an entry noise1_3, or all entries that are not zero", "names", "P,…", example="offset,noise",
    completion="parameters",
)  # fmt: skip


def _over(call: Call) -> list[str]:
    names: list[str] | None = call.read(OVER)
    if names is None:
        raise errors.InputError(
            "--over", expected="parameters to fit", got="none", hint="Write for example --over offset,noise."
        )
    return names


COMMAND = Command(
    "fit", "estimate parameters of a system from data, with confidence intervals", ["semidirect:fit"],
    topic="inference",
    examples=("fit heavy-top top.zarr --observe Gamma,Omega --noise 0.05 --every 20 --over mass --update ensemble-kalman "
              "--particles 50",),
    details="The search begins at the values of the system, --set. Exit code 1 if it does not converge.",
    arguments={
        **PROBLEM,
        "over": Argument((OVER,), _over),
        "bounds": Flag("bounds", "of a parameter, e.g. --bounds 'offset=[0, 1]'", "arrays", "KEY=JSON"),
        "starts": Flag("starts", "random starts within the bounds, besides the values of the system", "whole", "N"),
        "level": Flag("level", kind="number", metavar="P"),
        "reject": Flag("reject", "leave out times with values further than N standard deviations from their prediction, outliers",
                       "number", "N"),
    },
    help={
        "dt": "step [s]", "seed": "seed of all random numbers", "particles": "number of particles",
        "level": "level of the intervals", "replicates": "seeds at the maximum",
    },
    defaults={"dt": 0.01}, from_file=True, answer=Answer(status=lambda fit: int(not fit.converged), output=data_set_or_picture()),
)  # fmt: skip
add = COMMAND.add
