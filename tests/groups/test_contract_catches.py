"""The contracts fail on groups and representations with the faults that public software has had."""

import numpy as np
import pytest

from semidirect import ops
from semidirect.groups import SO3, LieGroup
from semidirect.representations import Representation
from semidirect.testing.contracts.group import group_contract
from semidirect.testing.contracts.representation import representation_contract


def faulty(**kernels):
    """SO(3) with some kernels replaced."""

    class Faulty(LieGroup):
        def __init__(self):
            super().__init__("faulty", SO3().basis, blocks={"Omega": 3}, quadratic=True, compact=True)

        exp_entries = kernels.get("exp", lambda self, xi: SO3().exp_entries(xi))
        cayley_entries = kernels.get("cayley", lambda self, xi: SO3().cayley_entries(xi))
        inverse_entries = kernels.get("inverse", lambda self, g: ops.transpose(g))
        logarithms = kernels.get("log", lambda self, g: SO3().logarithms(g))
        residuals = kernels.get("residual", lambda self, g: SO3().residuals(g))
        draw = kernels.get("draw", lambda self, rng, count: SO3().draw(rng, count))

    return Faulty()


def log_by_arccos(self, g):
    angle = np.arccos(np.clip((np.trace(g, axis1=1, axis2=2) - 1) / 2, -1, 1))
    w = np.stack([g[:, 2, 1] - g[:, 1, 2], g[:, 0, 2] - g[:, 2, 0], g[:, 1, 0] - g[:, 0, 1]], axis=-1)
    sine = 2 * np.sin(angle)
    return w * np.where(sine == 0, 0.5, angle / np.where(sine == 0, 1.0, sine))[:, None]


FAULTS = {
    "first-order exp": ("exp", lambda self, xi: np.eye(3) + SO3().hat_entries(xi), "test_exp_is_that_of_matrices"),
    "exp of the wrong side": ("exp", lambda self, xi: SO3().exp_entries(-xi), "test_Ad_and_Ad_star_exponentiate_ad_and_ad_star"),
    "exp that forgets the batch": ("exp", lambda self, xi: SO3().exp_entries(xi + 0 * np.mean(xi)) + 1e-16 * np.size(xi),
                                   "test_kernels_give_a_point_the_bits_it_has_in_a_batch"),
    "cayley without the half": ("cayley", lambda self, xi: SO3().cayley_entries(2 * xi),
                                "test_cayley_stays_on_the_group"),
    "no inverse": ("inverse", lambda self, g: g, "test_it_is_a_group"),
    "log by arccos": ("log", log_by_arccos, "test_log_inverts_exp"),
    "exp of log by arccos": ("log", log_by_arccos, "test_exp_inverts_log"),
    "no membership": ("residual", lambda self, g: np.zeros(len(g)),
                      "test_a_matrix_off_the_group_is_refused_with_its_index_and_residual"),
    "reflections drawn": ("draw", lambda self, rng, count: -SO3().draw(rng, count),
                          "test_random_elements_are_on_the_group_and_come_from_the_seed"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_the_contract_catches(fault):
    kernel, function, test = FAULTS[fault]
    sound = group_contract(faulty())()
    getattr(sound, test)()
    broken = group_contract(faulty(**{kernel: function}))()
    with pytest.raises((AssertionError, ExceptionGroup, pytest.fail.Exception)):
        getattr(broken, test)()


DUAL = {
    "opposite ad*": ("cobracket", lambda self, x, mu: -COBRACKET(self, x, mu), "test_ad_star_pairs_with_ad"),
    "Ad^T for Ad^-T": ("Ad_star", lambda self, g, mu: AD_STAR(self, self.inverse(g), mu),
                       "test_Ad_star_of_the_inverse_keeps_the_pairing"),
    "Ad^T for Ad^-T, by its exponential": ("Ad_star", lambda self, g, mu: AD_STAR(self, self.inverse(g), mu),
                                           "test_Ad_and_Ad_star_exponentiate_ad_and_ad_star"),
}  # fmt: skip
COBRACKET, AD_STAR = LieGroup.cobracket, LieGroup.Ad_star


@pytest.mark.parametrize("fault", DUAL)
def test_the_contract_catches_dual_actions_of_the_wrong_sign(fault, monkeypatch):
    """Two modules with opposite signs of ad*, and forces carried by the wrong transpose."""
    name, function, test = DUAL[fault]
    getattr(group_contract(faulty())(), test)()
    monkeypatch.setattr(LieGroup, name, function)
    with pytest.raises((AssertionError, ExceptionGroup)):
        getattr(group_contract(faulty())(), test)()


@pytest.mark.parametrize(
    ("act", "test"),
    [
        (lambda self, g, v: ops.matvec(ops.transpose(g), v), "test_act_exponentiates_the_action"),
        (lambda self, g, v: ops.matvec(ops.transpose(g), v), "test_act_is_an_action"),
        (lambda self, g, v: ops.array(v), "test_the_action_is_the_rate_of_act"),
        (lambda self, g, v: ops.matvec(g, v) * ops.norm(v), "test_act_is_linear"),
    ],
)
def test_the_contract_of_representations_catches(act, test):
    class Faulty(Representation):
        act_entries = act

    with pytest.raises((AssertionError, ExceptionGroup)):
        getattr(representation_contract(Faulty(SO3(), SO3().basis))(), test)()
