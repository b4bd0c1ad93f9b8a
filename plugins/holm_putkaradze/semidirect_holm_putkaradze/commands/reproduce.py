"""``semidirect reproduce``: the figures of the paper."""

from __future__ import annotations

from pathlib import Path

from semidirect.cli import Call, Command, force_flag
from semidirect.core import Flag


def execute(call: Call) -> int:
    """Carry it out."""
    reproduction = call.function()(**call.arguments())
    print(reproduction.table())
    return int(reproduction.failures > 0)


COMMAND = Command(
    "reproduce", "draw the figures of the paper, with their data", ["semidirect_holm_putkaradze.reproduce:reproduce"],
    arguments={
        "directory": Flag("output", "default: figures", "place", "DIR", letter="o"),
        "config": Flag("config", "parameters that the paper does not give", "place", "FILE.toml"),
        "force": force_flag("what it writes"),
    },
    defaults={"directory": Path("figures")}, answer=None, execute=execute,
)  # fmt: skip
add = COMMAND.add
