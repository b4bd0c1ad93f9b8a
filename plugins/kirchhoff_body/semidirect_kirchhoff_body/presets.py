"""Integrable cases of Kirchhoff's equations."""

import semidirect as sd
from semidirect_kirchhoff_body.kirchhoff_body import KirchhoffBody

clebsch_body = sd.definition.Preset(
    KirchhoffBody,
    {"inertia": (1.0, 2.0, 4.0), "masses": (4.0, 2.0, 1.0), "noise": ((0.0, 0.0, 0.0, 0.1, 0.0, 0.0),)},
    """Clebsch's case of Kirchhoff's equations (1871): I_i m_i is one number, that is c_i = β a₁a₂a₃/a_i.

    Then M² − β Σ a_i P_i² is a fourth integral, with a_i = 1/I_i and β = I₁I₂I₃/(I_i m_i). The numbers (β = 2) are chosen.
    """,
)
