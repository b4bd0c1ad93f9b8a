"""The end of a run of a hybrid system, from which another run continues with the same bits."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import errors
from semidirect.state import EquationIdentity, Final

HYBRID = "hybrid"
"""The entry of a configuration with the names of modes and switches, the start, and the equations of the modes."""


@final
@dataclass(frozen=True, eq=False)
class Begin:
    """Where the paths of a run of a hybrid system begin.

    Attributes
    ----------
    mode : int array (paths,)
    y, stored : arrays (rows, paths)
        States, in the rows of the mode of each path, and coordinates of s.
    tolerance, entered, beyond : arrays (guards, paths) or None
        What is known of the guards of the mode of each path, if the run continues another one.
    first : array (rows, paths) or None
        The start of the first of these runs, for what a mode has and the one before has not.
    """

    mode: np.ndarray
    y: np.ndarray
    stored: np.ndarray
    tolerance: np.ndarray | None = None
    entered: np.ndarray | None = None
    beyond: np.ndarray | None = None
    first: np.ndarray | None = None

    @classmethod
    def of_final(cls, state: Final) -> Begin:
        """The end of another run."""
        end = {name: np.ascontiguousarray(values.T) for name, values in state.end.items()}
        mode = end["mode"][0].astype(np.int8)
        return cls(mode, end["y"], end["stored"], end["tolerance"], end["entered"] > 0, end["beyond"] > 0, end["first"])


def is_end_of_hybrid(state: Any) -> bool:
    """Whether a state is the end of a run of a hybrid system."""
    return isinstance(state, Final) and HYBRID in state.equations


def about(modes: Sequence[str], switches: Sequence[str], start: int, specs: Sequence[Any]) -> dict[str, Any]:
    """The entry of a configuration."""
    equations = [EquationIdentity.of(spec.system, spec.model) for spec in specs]
    entry: dict[str, Any] = json.loads(json.dumps({
        "modes": list(modes), "switches": list(switches), "start": start, "equations": equations,
        "methods": [spec.method.label for spec in specs],
    }))  # fmt: skip
    return entry


def refuse_another(
    state: Final, here: Mapping[str, Any], per_path: Mapping[str, np.ndarray], dt: float, seed: int
) -> None:
    """Raise an :class:`InputError` if the state is not the end of a run with the same modes, switches and parameters."""
    there = dict(state.equations[HYBRID])
    same = all(there.get(name) == here[name] for name in ("modes", "switches", "equations"))
    parameters = state.per_path()
    same = (
        same
        and parameters.keys() == per_path.keys()
        and all(np.array_equal(parameters[k], v) for k, v in per_path.items())
    )
    if not same:
        raise errors.InputError(
            "the state of a hybrid system", expected="the end of a run of the same modes and switches", got="that of others",
            hint="Give mode= and state={name: value} to start from the values alone.",
        )  # fmt: skip
    if state.resolution is not None and state.seed == seed and abs(dt / state.resolution - 1) > 1e-12:
        raise errors.InputError("dt of a hybrid run that is continued under noise", expected=f"{state.resolution:g}, as before",
                                got=f"{dt:g}", hint="Give another seed: the noise of another step is another one.")  # fmt: skip
