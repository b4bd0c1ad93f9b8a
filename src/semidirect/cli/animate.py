"""``semidirect animate``: a saved run as a GIF or an MP4."""

from __future__ import annotations

from typing import Any

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.cli.outputs import beside, force_flag
from semidirect.cli.shared import SAVED_RUN
from semidirect.core import Flag


def execute(call: Call) -> int:
    """Carry it out."""
    import semidirect as sd

    arguments: dict[str, Any] = {"number": 0, "path": beside(call.args.run, ".gif")} | call.arguments()
    print(
        sd.Run.load(call.args.run)
        .view(paths=max(arguments["number"], 0) + 1)
        .animate(arguments.pop("path"), **arguments)
    )
    return 0


COMMAND = Command(
    "animate", "write a saved run as a GIF or an MP4", ["semidirect.view:animate"], topic="pictures",
    examples=("animate top.zarr --fps 5",),
    arguments={
        "path": Flag("output", "a .gif, or an .mp4 if ffmpeg is installed (default: RUN.gif)", "place", "FILE", letter="o"),
        "number": Flag("path", "which path, counted from 0", "whole", "N"),
        "force": force_flag("an animation"),
    },
    defaults={"path": None}, left_out={"scene": "that of the view of RUN"}, options=[SAVED_RUN], answer=None, execute=execute,
)  # fmt: skip
add = COMMAND.add
