"""jitcsde: it has no way to say that three noises drive six components together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import jitcsde
import numpy as np
from problems import DT, Problem

from competitors.competitor import Competitor, Unavailable


class JitcsdeHeun(Competitor):
    """``jitcsde(f, g)`` takes one noise a component, ``dy_i = f_i dt + g_i dW_i``: neither problem is of that kind."""

    label: ClassVar[str] = "jitcsde"

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Refuse."""
        diffusion = "`i`-th component of the value of the SDE’s diffusion term"
        if diffusion not in (jitcsde.jitcsde.__doc__ or ""):
            raise Unavailable("its documentation has changed: look whether it takes more than diagonal noise now")
        raise Unavailable("cannot express the problem: one noise for each component")

    def states(self, result: Any) -> np.ndarray:
        """Never called."""
        raise NotImplementedError


def competitors() -> dict[str, Competitor]:
    """One."""
    return {"jitcsde": JitcsdeHeun()}
