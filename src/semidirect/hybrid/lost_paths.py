"""The warning of a run of a hybrid system about paths that failed, or stay beyond the level of a switch."""

from __future__ import annotations

import numpy as np

from semidirect.core import failure
from semidirect.hybrid.hybrid_run import HybridRun

PULLS = (
    "Contact that only pushes lets go there: give the impact friction= and sliding=, and the constraint its normal; or say that "
    "the target is a joint, which may pull, by sd.Impact(joint=True)"
)
MAY_PULL = -2
"""What stands for the first switch in whose impact the ground may have to pull; the next ones follow downwards."""
UNITS = (
    "Units say which coordinates are lengths, on which forces act, and which are angles: units = {…} of the class, such as "
    '{"v": "m/s, m/s, rad/s"}'
)
BEYOND = "A crossing is met from before its level alone: use sd.Stop(…), which is met beyond it, too"


def lost_paths(run: HybridRun, switches: np.ndarray) -> str:
    """How many paths failed or stay beyond a level, and why; empty if none.

    ``switches``: of each path the switch, or −1, or below that a switch that may pull it.
    """
    texts = []
    for status in np.unique(run.status[failure.failed(run.status)]).tolist():
        which = np.flatnonzero(run.status == status)
        first = which[np.argmin(run.ended_at[which])]
        text = f"{_count(which, run)} failed: {failure.REASONS[status]}; the first is path {first}, "
        text += f"at t = {run.ended_at[first]:g}"
        texts.append(text)
        if status == failure.GROUND_PULLS:
            texts[-1] += f", {run.switches[switches[first]]}"
            texts.append(PULLS)
    beyond = (run.status == failure.GOOD) & (switches >= 0)
    for number in np.unique(switches[beyond]).tolist():
        which = np.flatnonzero(beyond & (switches == number))
        texts.append(
            f"{_count(which, run)} entered a mode beyond the level of {run.switches[number]} and stayed there to the end; the "
            f"first is path {which[0]}"
        )
    unknown = (run.status == failure.GOOD) & (switches <= MAY_PULL)
    for number in np.unique(MAY_PULL - switches[unknown]).tolist():
        which = np.flatnonzero(unknown & (MAY_PULL - switches == number))
        texts.append(
            f"{_count(which, run)} went on after an impact of {run.switches[number]} in which the ground may have to pull: it "
            f"depends on which coordinates are lengths; the first is path {which[0]}"
        )
    remedies = [*([BEYOND] if beyond.any() else []), *([UNITS] if unknown.any() else [])]
    return "".join(f"{text}. " for text in (*texts, *remedies)).rstrip()


def _count(which: np.ndarray, run: HybridRun) -> str:
    return f"{len(which)} of {run.paths} path{'s' * (run.paths != 1)}"
