"""The record of 100,000 steps of point vortices, and a short run of the same script."""

import json

import pytest
import vortices

import semidirect as sd


@pytest.mark.parametrize("of", ["record", "run"])
def test_vortices_keep_their_spheres_their_momentum_and_their_energy(of):
    """|x_k| to 5e-16 in any number of steps; Σ Γ_k x_k to rounding, which walks, to 2e-14 in 100,000 steps, 6e-16 in 60."""
    short = of == "run"
    if short:
        found = vortices.measured(60, execution=sd.Execution(1, engine="numpy"))
    else:
        found = json.loads(vortices.RECORD.read_text("utf-8"))
        assert found["steps"] == 100_000
    assert found["length"] < 3e-15
    assert found["momentum"] < (1e-14 if short else 1e-13)
    assert short or found["energy drift"] < 1e-6  # 1e-7, of 0.36: the energy moves by 4e-5 and comes back
