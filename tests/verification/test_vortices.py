"""The record of 100,000 steps of point vortices, and a short run of the same script."""

import json

import pytest
import vortices

import semidirect as sd


@pytest.mark.parametrize("of", ["record", "run"])
def test_vortices_keep_their_spheres_their_momentum_and_their_energy(of):
    """To rounding, which walks: |x_k| to 3e-14 and Σ Γ_k x_k to 8e-14 in 100,000 steps, 9e-16 and 2e-15 in 60."""
    short = of == "run"
    if short:
        found = vortices.measured(60, execution=sd.Execution(1, engine="numpy"))
    else:
        found = json.loads(vortices.RECORD.read_text("utf-8"))
        assert found["steps"] == 100_000
    assert found["length"] < (1e-14 if short else 5e-14)
    assert found["momentum"] < (1e-14 if short else 1e-13)
    assert short or found["energy drift"] < 1e-6  # 4e-8, of 0.36: the energy moves by 9e-3 and comes back
