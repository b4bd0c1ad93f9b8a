"""Motions of the disc."""

import semidirect as sd
from semidirect_falling_disc.falling_disc import FallingDisc

euler_disc = sd.definition.Preset(
    FallingDisc,
    {"mass": 0.44, "radius": 0.0381, "diametral": 0.44 * 0.0381**2 / 4, "axial": 0.44 * 0.0381**2 / 2, "gravity": 9.81,
     "noise": ((0.0, 0.0, 0.1),), "start": "spolling"},
    """Euler's disc: it whirls about its resting centre of mass, Ω_p² sin α = mgr/A, ever faster as α gets small.

    Radius and mass are those of the toy (Moffatt, Euler's disk and its finite-time singularity, Nature 404, 2000), the disc
    being thin. There is no dissipation here: without noise α stays as it is.
    """,
)  # fmt: skip
