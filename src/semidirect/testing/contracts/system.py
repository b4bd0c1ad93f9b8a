"""The contract of systems."""

from __future__ import annotations

from typing import Any

import semidirect as sd
from semidirect.definition import plugins
from semidirect.testing.contracts.laws import contract
from semidirect.testing.laws.subject import Subject
from semidirect.testing.tested_class import made_by


def system_contract(target: plugins.Loaded, /, **choices: Any) -> type:
    """A pytest class that tests a system; assign it to a name that starts with ``Test``.

    Parameters
    ----------
    target : subclass of System, or Preset
        What to test.
    choices
        Parameters and options that differ from its defaults.

    Returns
    -------
    type
        A test of each law of :data:`semidirect.laws.LAWS` that applies and is quick, ``test_energy_law`` for ``energy law``, at
        states that Hypothesis searches, in exact numbers wherever the system allows it. Laws of several variants of the system
        have a test for each.
    """
    made_by(target, "system_contract")
    return contract(
        "SystemContract", "The laws of the theorem, and the declarations of a definition.",
        Subject.of(target(**choices)), [law for law in sd.laws.LAWS if not law.slow],
    )  # fmt: skip
