"""The page on what noise and dissipation keep: every cell is proved again, and paths agree with the cells."""

import noise_and_dissipation as page_of_proofs
import numpy as np
import pytest

import semidirect as sd

KEPT, MOVED = 1e-9, 1e-4
"""Relative changes over 0.5 s at a tight tolerance: measured at most 5e-12 and at least 1e-3."""


@pytest.fixture(scope="module")
def found():
    return list(page_of_proofs.decided())


def test_the_page_is_the_one_that_the_proofs_give(found):
    text = page_of_proofs.PAGE.read_text(encoding="utf-8")
    assert text == page_of_proofs.page(found), "run: python tests/verification/noise_and_dissipation.py"


def test_every_cell_is_a_certificate_or_has_a_state_that_refutes_it(found):
    for _, rows in found:
        for name, (_, row) in rows.items():
            for quantity, proofs in row.items():
                for verdict in (v for proof in proofs for v in proof.verdicts):
                    assert verdict.holds is not None
                    if not verdict.holds:
                        assert verdict.counterexample is not None, (name, quantity)
                    elif quantity != page_of_proofs.SPACE:
                        assert verdict.certificate, (name, quantity)
                    assert verdict.error < 1e-30


@pytest.mark.parametrize("number", range(len(page_of_proofs.SECTIONS)))
def test_paths_agree_with_the_cells(found, number):
    """Along one smooth driving path, a quantity with ✓ does not move, and one with ✗ does."""
    section, rows = found[number]
    for name, (system, row) in rows.items():
        quantities = [q for q in row if q != page_of_proofs.SPACE and not (q == "energy" and system.internal())]
        noises = system.sde().wieners
        driver = ["sin(3*t) + t", "cos(2*t)"][:noises] if noises else 0
        run = system.simulate(t_end=0.5, dt=0.25, method="dop853", driver=driver, save=sd.Save("all", quantities))
        for quantity in quantities:
            change = np.ptp(run[quantity][0]) / abs(run[quantity][0, 0])
            kept = page_of_proofs.cell(row[quantity]) == "✓"
            assert (change < KEPT) if kept else (change > MOVED), (section.title, name, quantity, change)
