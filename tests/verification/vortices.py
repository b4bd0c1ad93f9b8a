"""Point vortices over 100,000 steps: what the midpoint rule on coadjoint orbits keeps, in ``vortices.json``.

``python tests/verification/vortices.py`` runs it, in about ten seconds.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from semidirect_point_vortices import PointVortices

import semidirect as sd

RECORD = Path(__file__).with_suffix(".json")
STRENGTHS = (1.0, 0.8, -0.5, 1.4)
STEPS, DT, SAVED = 100_000, 0.01, 20


def measured(steps: int = STEPS, **how: Any) -> dict[str, Any]:
    """Largest changes of |x_k|, of Σ Γ_k x_k and of the energy, and the energy's change between tenths at both ends."""
    run = PointVortices(strengths=STRENGTHS).simulate(
        t_end=steps * DT, dt=DT, method="coadjoint-midpoint", save=f"every:{SAVED}",
        formulation=sd.Formulation(reconstruct=False), **how,
    )  # fmt: skip
    size = np.linalg.norm(run["places"][0].reshape(-1, len(STRENGTHS), 3), axis=-1)
    momentum, energy = run["momentum"][0], run["energy"][0]
    tenth = max(1, len(energy) // 10)
    return {
        "steps": steps,
        "length": float(np.abs(size - 1).max()),
        "momentum": float(np.abs(momentum - momentum[0]).max()),
        "energy": float(np.ptp(energy)),
        "energy drift": float(abs(energy[-tenth:].mean() - energy[:tenth].mean())),
    }


if __name__ == "__main__":
    RECORD.write_text(json.dumps(measured(), indent=1) + "\n", "utf-8")
    print(RECORD.read_text("utf-8"))
