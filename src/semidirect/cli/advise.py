"""``semidirect advise``: which method suits a system."""

from __future__ import annotations

from semidirect.cli.command import Command

COMMAND = Command(
    "advise", "name the methods that suit a system, with the reasons", ["semidirect:analysis.recommend"], topic="paths",
    examples=("advise suslov", "advise suslov --goal weak"),
    details="Constants are proved along the drift and along each noise; their changes by each method are measured in short "
    "runs with noise; the evaluations of a step are counted.",
    help={
        "goal": "constants in long runs (default), accurate paths, distributions, or accuracy without noise",
        "dt": "step of the short runs [s] (default: by the rates at the start)",
    },
)  # fmt: skip
add = COMMAND.add
