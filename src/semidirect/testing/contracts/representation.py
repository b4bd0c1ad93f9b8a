"""What every representation must satisfy."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import strategies as st

from semidirect.core.errors import InputError
from semidirect.representations.representation import Representation, a_representation
from semidirect.testing.contracts.group import AGAINST_EXPM, close, size
from semidirect.testing.group_strategies import algebra_vectors, check, elements, rationals, vectors

STEP = 1e-4


def representation_contract(representation: Representation) -> type:
    """A pytest class that tests ``representation``; assign it to a name that starts with ``Test``."""
    rep = a_representation(representation, "representation_contract")
    group = rep.group
    n, d = group.dimension, rep.dimension
    points, turns, values = elements(group), algebra_vectors(group), vectors(d)

    class RepresentationContract:
        """The identities of a representation, in the regimes of :mod:`semidirect.testing.group_strategies`."""

        def test_generators_represent_the_brackets(self):
            rho = rep.generators
            assert rho.shape == (n, d, d)
            exact = not any(isinstance(value, float) for *_, value in group.brackets)
            zero = 0 * rho[0]
            for i, j in product(range(n), repeat=2):
                expected = sum((c * rho[k] for a, b, k, c in group.brackets if (a, b) == (i, j)), zero)
                rest = rho[i].dot(rho[j]) - rho[j].dot(rho[i]) - expected
                assert all(abs(r) <= (0 if exact and _simple(rho) else 1e-12) for r in rest.ravel())

        @check(turns, turns, values)
        def test_the_action_represents_the_bracket(self, x, y, v):
            a = rep.action
            close(a(x, a(y, v)) - a(y, a(x, v)), a(group.bracket(x, y), v), scale=_norm(rep, x) * _norm(rep, y))

        @check(turns, values, values)
        def test_diamond_and_coaction_are_duals_of_the_action(self, x, kappa, v):
            paired = kappa @ rep.action(x, v)
            close(rep.diamond(kappa, v) @ x, -paired, scale=_norm(rep, x))
            close(rep.coaction(x, kappa) @ v, paired, scale=_norm(rep, x))

        @check(points, points, values)
        def test_act_is_an_action(self, g, h, v):
            # an action such as x ↦ g x g⁻¹ rounds in proportion to g, too
            scale = size(rep.matrix_entries(g)) * size(rep.matrix_entries(h)) * size(g) * size(h)
            close(rep.act(group.compose(g, h), v), rep.act(g, rep.act(h, v)), scale=scale)
            close(rep.inverse_act(g, rep.act(g, v)), v, scale=scale**2)
            close(rep.act(group.identity, v), v, 1e-15)

        @check(turns, values)
        def test_act_exponentiates_the_action(self, x, v):
            from scipy.linalg import expm

            g = group.exp(x)
            matrix = np.einsum("j,jab->ab", x, rep.generators.astype(float))
            close(rep.act(g, v), expm(matrix) @ v, AGAINST_EXPM, scale=size(expm(matrix)))
            close(rep.matrix_entries(g), expm(matrix), AGAINST_EXPM)

        @check(turns, values)
        def test_the_action_is_the_rate_of_act(self, x, v):
            x = x / max(1.0, _norm(rep, x), size(group.hat(x)))
            rate = (rep.act(group.exp(STEP * x), v) - rep.act(group.exp(-STEP * x), v)) / (2 * STEP)
            # The central difference leaves STEP² |ρ(x)|³ |v|/6 and round-off/STEP: 2e-9 d and 1e-12.
            close(rate, rep.action(x, v), 1e-8 * d**3)

        @check(points, values, values)
        def test_act_is_linear(self, g, v, w):
            close(rep.act(g, 2 * v - w), 2 * rep.act(g, v) - rep.act(g, w), scale=size(rep.matrix_entries(g)))
            close(rep.matrix_entries(g) @ v, rep.act(g, v), scale=size(rep.matrix_entries(g)))

        @check(rationals(n), rationals(d), rationals(d))
        def test_exact_entries_stay_exact(self, x, v, kappa):
            if not _simple(rep.generators):
                assert any(f.denominator > 1000 for f in rep.generators.ravel())
                return
            paired = kappa.dot(rep.action(x, v))
            assert rep.diamond(kappa, v).dot(x) == -paired
            assert rep.coaction(x, kappa).dot(v) == paired
            if group.quadratic and _simple(group.basis):
                g = group.cayley_entries(x * Fraction(1, 4))
                assert all(rep.inverse_act_entries(g, rep.act_entries(g, v)) == v)

        @check(st.lists(st.tuples(points, values), min_size=2, max_size=3))
        def test_kernels_give_a_point_the_bits_it_has_in_a_batch(self, pairs):
            g = np.stack([p for p, _ in pairs], axis=-1)
            v = np.stack([w for _, w in pairs], axis=-1)
            whole, back = rep.act_entries(g, v), rep.inverse_act_entries(g, v)
            assert whole.shape == (d, len(pairs))
            for i in range(len(pairs)):
                assert np.array_equal(whole[:, i], rep.act_entries(g[..., i], v[:, i]))
                assert np.array_equal(back[:, i], rep.inverse_act_entries(g[..., i], v[:, i]))
            assert rep.act(np.moveaxis(g, -1, 0), v[:, 0]).shape == (len(pairs), d)

        def test_wrong_shapes_are_refused(self):
            with pytest.raises(InputError, match="cannot act"):
                rep.act(group.identity, np.zeros(d + 1))
            with pytest.raises(InputError, match="cannot act"):
                rep.act(np.zeros((group.size, group.size + 1)), np.zeros(d))

        def test_it_is_frozen_and_named(self):
            with pytest.raises(AttributeError, match="frozen"):
                rep.dimension = 7
            with pytest.raises(ValueError, match="read-only"):
                rep.generators[0, 0, 0] = 7
            assert len(set(rep.component_names)) == d
            twin = pickle.loads(pickle.dumps(rep))
            assert twin == rep
            assert hash(twin) == hash(rep)

    return RepresentationContract


def _norm(rep: Representation, x: np.ndarray) -> float:
    return size(np.einsum("j,jab->ab", x, rep.generators.astype(float)))


def _simple(entries: np.ndarray) -> bool:
    """Whether entries are rational by intention, not decimals of irrational numbers."""
    return all(Fraction(e).limit_denominator(1000) == e for e in entries.ravel())
