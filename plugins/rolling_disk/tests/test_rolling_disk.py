"""The vertical rolling disk."""

import numpy as np
import pytest
from semidirect_rolling_disk import RollingDisk

import semidirect as sd
from semidirect.testing import system_contract

TestRollingDisk = system_contract(RollingDisk)


def test_it_rolls_without_side_slip():
    """dφ = ν dt, dθ = ω dt, dx = Rω cos φ dt, dy = Rω sin φ dt; ω and ν stand still."""
    disk = RollingDisk(radius=0.7)
    phi = 0.6
    rates = disk.evaluate({"omega": 1.5, "nu": 0.4, "phi": phi})["drift"]
    expected = {"omega": 0, "nu": 0, "theta": 1.5, "phi": 0.4, "x": 1.05 * np.cos(phi), "y": 1.05 * np.sin(phi)}
    for name, value in expected.items():
        np.testing.assert_allclose(rates[name], value, rtol=2e-16, atol=2e-16)


@pytest.mark.parametrize(("variant", "rolled"), [("printed", 0.0), ("rolling-noise", 1.0)])
def test_variants_differ_in_whether_the_noise_of_the_spin_rolls(variant, rolled):
    disk = RollingDisk(variant=variant, radius=0.5, noise=(0.3, 0.2))
    spin, turn = disk.evaluate({"phi": 0.0})["noise"]
    assert (spin["theta"], spin["phi"], spin["y"]) == (0.3, 0.0, 0.0)
    assert spin["x"] == pytest.approx(rolled * 0.15, rel=1e-15)
    assert (turn["theta"], turn["phi"], turn["x"], turn["y"]) == (0.0, 0.2, 0.0, 0.0)
    for field in (spin, turn):
        assert (field["omega"], field["nu"]) == (0.0, 0.0)


def test_momenta_are_those_of_the_coordinates_of_the_distribution():
    """p_ω = (I + mR²)ω: the rolling mass belongs to the spin, not to the constraint."""
    disk = RollingDisk(mass=2.0, radius=0.5, spin_inertia=0.3, turn_inertia=0.7)
    result = disk.evaluate({"omega": 2.0, "nu": 3.0})
    assert result["derived"]["p_omega"] == pytest.approx(0.8 * 2.0, rel=1e-15)
    assert result["derived"]["p_nu"] == pytest.approx(0.7 * 3.0, rel=1e-15)
    energy = (0.3 + 0.5) * 4.0 / 2 + 0.7 * 9.0 / 2
    assert result["observables"]["energy"]["value"] == pytest.approx(energy, rel=1e-15)


def test_noise_has_one_amplitude_for_each_angle():
    with pytest.raises(sd.errors.InputError, match=r"'noise' of RollingDisk.*expected \(2,\), got \(3,\)"):
        RollingDisk(noise=(0.1, 0.1, 0.1))
