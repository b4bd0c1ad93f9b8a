"""``semidirect check``: the contract of a system, with a report."""

from __future__ import annotations

from semidirect.cli.answer import Answer
from semidirect.cli.argument import Argument, Call
from semidirect.cli.command import Command
from semidirect.cli.shared import NAME, SET


def execute(call: Call) -> int:
    """Carry it out."""
    from semidirect.cli.values import read_settings
    from semidirect.definition import plugins

    choices = read_settings(plugins.resolve(call.args.name), call.args.settings)
    return ANSWER.give(call, call.function()(**call.arguments(), **choices))


ANSWER = Answer(status=lambda report: int(not report.good))
COMMAND = Command(
    "check", "check a system against the contract, one line per check", ["semidirect:laws.check"], topic="systems",
    examples=("check heavy-top --quick",),
    details="Each line says ok, warning, failed or not applicable, with the measured figure; a failure or a warning says "
    "where to look. Exit code 1 if a check failed; a warning is about something that may be intended.",
    arguments={"target": Argument((NAME, SET), lambda call: call.args.name)},
    help={"quick": "skip checks that compile code or measure orders", "seed": "of the random states"},
    left_out={"on_finding": "a function"}, answer=ANSWER, execute=execute,
)  # fmt: skip
add = COMMAND.add
