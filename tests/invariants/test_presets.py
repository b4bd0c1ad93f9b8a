"""The evolution of a quantity uses what holds for the parameters of a preset: a coefficient that vanishes is written as 0."""

from __future__ import annotations

import pytest

import semidirect as sd

QUICK = (
    "routh-sphere",
    "heavy-top",
    "kovalevskaya-top",
    "lagrange-top",
    "falling-disc",
    "chaplygin-sleigh",
    "suslov",
    "rolling-disk",
)


@pytest.mark.parametrize("name", QUICK)
def test_what_is_proved_to_be_conserved_is_written_as_0(name):
    """``python tests/invariants/test_presets.py`` does so for the whole library."""
    check(name)


def check(name):
    system = sd.load(name)
    for quantity in system.observables():
        evolution = system.evolution(quantity)
        if any(e != 0 for e in evolution.of(quantity, "drift")):
            assert not system.prove(quantity, along="drift").holds, f"{name}: {quantity}"


def test_a_general_ball_keeps_its_drift():
    """Jellett's integral is one of bodies of revolution."""
    assert str(sd.load("routh-sphere").evolution("jellett")).find("dt + ") == -1
    general = sd.load("rolling-ball", inertia=(0.3, 0.4, 0.5))
    assert " dt + " in str(general.evolution("jellett"))
    assert any(e != 0 for e in general.evolution("jellett").of("jellett", "drift"))


def test_quantities_with_names_are_written_by_them():
    text = str(sd.load("routh-sphere").evolution("routh"))
    assert "  Q = I₁ I₃ + m (I₁ s₁² + I₂ s₂² + I₃ s₃²)\n" in text
    assert "sqrt(Q)" in text
    assert "sqrt(I" not in text


if __name__ == "__main__":
    for each in sorted(sd.plugins.available()):
        check(each)
        print(each, flush=True)
