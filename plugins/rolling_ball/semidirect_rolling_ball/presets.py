"""The balls of the paper as choices of one system."""

import semidirect as sd
from semidirect_rolling_ball.rolling_ball import RollingBall

routh_sphere = sd.definition.Preset(
    RollingBall,
    {"inertia": (2.0, 2.0, 1.5), "offset": 0.3, "noise": ((0.0, 0.0, 0.1),)},
    """Routh sphere: I₁ = I₂ and χ = E₃, noise ξ = 0.1 χ about the axis of symmetry (figure Sim_Results).

    The paper gives neither inertia, mass, radius nor offset of its runs; these are chosen.
    """,
)

chaplygin_ball = sd.definition.Preset(
    RollingBall,
    {"inertia": (2.0, 1.4, 1.1), "offset": 0.0, "noise": ((0.0, 0.0, 0.1),)},
    """Chaplygin ball: centre of mass in the centre, any inertia.

    The paper's figure Sim_Results_Chaplygin has the formal noise ξ = 0.1 Γ: ``noise=[], vertical_noise=[0.1]``. It gives
    neither inertia, mass nor radius of its runs; these are chosen.
    """,
)
