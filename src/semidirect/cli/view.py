"""``semidirect view``: a page that animates a saved run."""

from __future__ import annotations

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.cli.outputs import beside, output_flags
from semidirect.cli.shared import SAVED_RUN


def execute(call: Call) -> int:
    """Carry it out."""
    import semidirect as sd

    path = call.args.run
    page = sd.Run.load(path).view(**call.arguments())
    print(page.save(call.args.output or beside(path, ".html"), force=bool(call.args.force)))
    return 0


COMMAND = Command(
    "view", "write a page that animates a saved run", ["semidirect:view.view"], topic="pictures",
    examples=("view top.zarr",),
    details="It is one HTML file, which needs no network: open it in a browser.",
    help={"paths": "how many paths are shown (default: 20)", "frames": "how many times are shown at most (default: 1000)"},
    left_out={"run": "loaded from the folder RUN", "system": "a saved run names its system"},
    options=[SAVED_RUN, *output_flags("an .html (default: RUN.html)", "a page")], answer=None, execute=execute,
)  # fmt: skip
add = COMMAND.add
