"""The integrable heavy tops."""

import semidirect as sd
from semidirect_heavy_top.heavy_top import HeavyTop

lagrange_top = sd.definition.Preset(
    HeavyTop,
    {"inertia": (1.0, 1.0, 0.5), "axis": (0.0, 0.0, 1.0), "noise": ((0.0, 0.0, 0.1),)},
    """Lagrange top (1788): I₁ = I₂ and χ = E₃, noise about the axis of symmetry, which keeps E and M₃ path by path.

    Upright spin is stable iff (I₃ω)² > 4mgℓI₁.
    """,
)

kovalevskaya_top = sd.definition.Preset(
    HeavyTop,
    {"inertia": (2.0, 2.0, 1.0), "axis": (1.0, 0.0, 0.0), "noise": (), "vertical_noise": (0.1,)},
    """Kovalevskaya top (1889): I₁ = I₂ = 2I₃ and χ = E₁, noise about the vertical, which keeps E and her fourth integral.

    The integral is |(Ω₁ + iΩ₂)² − (mgℓ/I₃)(Γ₁ + iΓ₂)|².
    """,
)
