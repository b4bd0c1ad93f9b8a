"""``semidirect lyapunov``: the rates at which neighbouring states separate."""

from __future__ import annotations

from semidirect.cli.answer import Answer, picture
from semidirect.cli.command import Command
from semidirect.cli.pictures import new_picture
from semidirect.core import Flag

COMMAND = Command(
    "lyapunov", "estimate the Lyapunov exponents of a system with noise, with their errors", ["semidirect:lyapunov"],
    topic="paths",
    examples=("lyapunov rigid-body --t-end 10 --paths 24", "lyapunov heavy-top --t-end 10 --dt 0.02 --exponents 2"),
    details="The growth of tangent vectors, averaged over time, is compared with the divergence of the equations. "
    "Exit code 1 if paths failed; the means are over the others.",
    arguments={"every": Flag("every", kind="whole", metavar="K"), "burn_in": Flag("burn-in", kind="number", metavar="F")},
    help={
        "t-end": "end [s], a multiple of every * dt", "dt": "step [s]",
        "every": "steps between re-orthonormalisations",
        "configuration": "exponents in the phase space with the configuration, not of the reduced equations",
        "burn-in": "share of the time that is left out first", "batches": "batches of times for the errors, at least",
    },
    defaults={"dt": 0.01},
    answer=Answer(
        status=lambda exponents: int(exponents.failed > 0),
        output=picture(
            lambda exponents: exponents.plot(ax=new_picture()).figure, "draw exponents against time: a .png, .pdf or .svg"
        ),
    ),
)  # fmt: skip
add = COMMAND.add
