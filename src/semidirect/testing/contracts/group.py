"""What every group must satisfy."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from semidirect.core.arguments import validated_flag
from semidirect.core.errors import DefinitionError, InputError, MethodError, NotOnGroupError
from semidirect.groups.kinds import a_group
from semidirect.groups.lie_group import LieGroup
from semidirect.testing.group_strategies import algebra_vectors, check, elements, rationals, turn, vectors

ROUND_OFF = 2e-14
"""Times the largest entry. Measured over our groups with the profile `explore`: 2.8e-15 (exp log on SO(5))."""

AGAINST_EXPM = 2e-13
"""Where SciPy's expm is the reference; measured 3.3e-14, on the adjoint of SO(5)."""

STEP = 1e-4


def group_contract(group: LieGroup, *, exact_log: bool = True) -> type:
    """A pytest class that tests ``group``; assign it to a name that starts with ``Test``.

    ``exact_log``: whether ``log(exp ξ) = ξ`` at round-off up to a half-turn, else only for small ξ and to 1e-9.
    """
    n = a_group(group, "group_contract").dimension
    validated_flag("exact_log", exact_log)
    points, turns, covectors = elements(group), algebra_vectors(group), vectors(group.dimension)
    principal = turns if exact_log else turns.map(lambda x: 0.4 * x / size(group.hat(x)))

    class GroupContract:
        """The identities of a Lie group, in the regimes of :mod:`semidirect.testing.group_strategies`."""

        def test_brackets_are_commutators(self):
            e = group.basis
            commutators = np.einsum("iab,jbc->ijac", e, e) - np.einsum("jab,ibc->ijac", e, e)
            close(np.einsum("ijk,kab->ijab", group.structure_constants, e), commutators)
            dense = np.zeros((n, n, n))
            for i, j, k, value in group.brackets:
                dense[i, j, k] = value
            close(dense, group.structure_constants, 0.0)

        def test_jacobi_holds_exactly_for_exact_brackets(self):
            unit = np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)
            inexact = any(isinstance(value, float) for *_, value in group.brackets)
            for x, y, z in product(unit, repeat=3):
                b = group.bracket
                total = b(x, b(y, z)) + b(y, b(z, x)) + b(z, b(x, y))
                assert all(abs(t) <= (1e-12 if inexact else 0) for t in total)

        @check(turns, turns, turns)
        def test_jacobi(self, x, y, z):
            ad = group.ad
            close(ad(x, ad(y, z)) + ad(y, ad(z, x)) + ad(z, ad(x, y)), np.zeros(n), scale=size(x) * size(y) * size(z))

        @check(turns, turns)
        def test_ad_is_the_commutator(self, x, y):
            a, b = group.hat(x), group.hat(y)
            close(group.hat(group.ad(x, y)), a @ b - b @ a)
            close(group.bracket(x, y), group.ad(x, y), 0.0)

        @check(turns, covectors, turns)
        def test_ad_star_pairs_with_ad(self, x, mu, y):
            close(group.ad_star(x, mu) @ y, mu @ group.ad(x, y), scale=size(x) * size(y))
            close(group.cobracket(x, mu), group.ad_star(x, mu), 0.0)

        @check(turns)
        def test_vee_inverts_hat(self, x):
            close(group.vee(group.hat(x)), x)
            close(group.vee_entries(group.hat_entries(x)), x)
            close(group.hat_entries(x), group.hat(x), 0.0)

        def test_vee_refuses_a_matrix_outside_the_algebra(self):
            flat = group.basis.reshape(n, -1)
            outside = np.eye(group.size**2) - np.linalg.pinv(flat) @ flat
            worst = outside[np.argmax(np.linalg.norm(outside, axis=1))].reshape(group.size, group.size)
            if n == group.size**2:
                assert np.allclose(worst, 0)
            else:
                with pytest.raises(InputError, match=r"not in the algebra.*index \(1,\)"):
                    group.vee(np.stack([group.basis[0], worst]))

        @check(points, turns)
        def test_Ad_is_conjugation(self, g, x):
            close(group.hat(group.Ad(g, x)), g @ group.hat(x) @ group.inverse(g), scale=size(g) ** 2)

        @check(points, points, turns)
        def test_Ad_is_an_action(self, g, h, x):
            close(group.Ad(group.compose(g, h), x), group.Ad(g, group.Ad(h, x)), scale=size(g) ** 2 * size(h) ** 2)

        @check(points, covectors, turns)
        def test_Ad_star_of_the_inverse_keeps_the_pairing(self, g, mu, x):
            moved = group.Ad_star(group.inverse(g), mu) @ group.Ad(g, x)
            close(moved, mu @ x, scale=size(g) ** 4)

        @check(turns, covectors)
        def test_Ad_and_Ad_star_exponentiate_ad_and_ad_star(self, x, mu):
            from scipy.linalg import expm

            ad = np.array([group.ad(x, e) for e in np.eye(n)]).T
            ad_star = np.array([group.ad_star(x, e) for e in np.eye(n)]).T
            g = group.exp(x)
            close(group.Ad_matrix(g), expm(ad), AGAINST_EXPM, scale=size(g) ** 2)
            close(group.Ad_star(g, mu), expm(ad_star) @ mu, AGAINST_EXPM, scale=size(g) ** 2)

        @check(points, points)
        def test_it_is_a_group(self, g, h):
            for member in (g, h, group.compose(g, h), group.inverse(g), group.identity):
                assert group.residual(member) <= 1e-12 * size(g) ** 2 * size(h) ** 2
            close(group.compose(g, group.inverse(g)), group.identity, scale=size(g) ** 2)
            close(group.compose(group.inverse(g), g), group.identity, scale=size(g) ** 2)

        def test_a_matrix_off_the_group_is_refused_with_its_index_and_residual(self):
            off = np.stack([group.identity, group.identity + 0.1, np.full((group.size,) * 2, np.nan)])
            assert group.contains(off).tolist() == [True, False, False]
            with pytest.raises(NotOnGroupError, match=r"at index \(1,\)"):
                group.validate(off)
            with pytest.raises(NotOnGroupError, match=r"got nan, at index \(0,\)"):
                group.validate(off[2:])

        @check(turns)
        def test_exp_is_that_of_matrices(self, x):
            from scipy.linalg import expm

            close(group.exp(x), expm(group.hat(x)), 4e-15 * (1 + size(group.hat(x))), scale=size(group.exp(x)))

        def test_exp_of_zero_is_the_identity(self):
            close(group.exp(np.zeros(n)), group.identity, 0.0)

        @check(principal)
        def test_log_inverts_exp(self, x):
            # At a half-turn the other vector is as good.
            assume(turn(group, x) < np.pi - 1e-13)
            close(group.log(group.exp(x)), x, ROUND_OFF if exact_log else 1e-9)

        @check(principal)
        def test_exp_inverts_log(self, x):
            g = group.exp(x)
            log = group.log(g)
            close(group.exp(log), g, ROUND_OFF if exact_log else 1e-9, scale=size(log))
            assert group.distance(g, g) <= (1e-13 if exact_log else 1e-7) * size(g) ** 2

        @check(turns)
        def test_cayley_stays_on_the_group_or_is_refused(self, x):
            if not group.quadratic:
                for call in (group.cayley, group.cayley_entries):
                    with pytest.raises(MethodError, match="Use exp"):
                        call(x)
                return
            x = x / max(1.0, size(group.hat(x)))
            g, a = group.cayley(x), group.hat(x) / 2
            assert group.residual(g) <= 1e-14  # measured 9e-16
            one = group.identity
            close((one - a) @ g, one + a)
            close(group.cayley(-x), group.inverse(g))
            assert size(group.cayley(STEP * x) - group.exp(STEP * x), 0.0) <= STEP**3 * group.size**2

        @check(rationals(n))
        def test_rational_kernels_are_exact(self, x):
            g = group.cayley_entries(x * Fraction(1, 4)) if group.quadratic else None
            if g is None:
                g = group.hat_entries(x) * 0 + np.eye(group.size, dtype=int)
            unit = group.inverse_entries(g).dot(g)
            assert all(unit[i, j] == int(i == j) for i, j in np.ndindex(unit.shape))
            assert all(isinstance(e, (int, Fraction, np.integer)) for e in g.ravel())
            assert group.bracket(x, x).tolist() == [0] * n

        @check(points, turns)
        def test_move_multiplies_and_keeps_count_of_turns(self, g, x):
            stored = group.store(g)
            assert stored.shape == (len(group.stored_names),)
            close(group.element(stored), g)
            angles = [group.stored_names.index(c) for c in group.circles]
            for retraction in ("exp", "cayley") if group.quadratic else ("exp",):
                x = x / max(1.0, size(group.hat(x))) if retraction == "cayley" else x
                step = group.retract_entries(x, retraction)
                assert group.residual(step) <= 1e-12 * size(step)
                moved = group.move(stored, x, retraction)
                close(group.element(moved), g @ step, scale=size(g) * size(step))
                close(group.store(g @ step, moved[angles]), moved, scale=size(g) * size(step))
            close(group.retract_entries(x, "exp"), group.exp_entries(x))

        @check(points, turns)
        def test_flow_is_the_rate_of_move(self, g, x):
            stored = group.store(g)
            x = x / max(1.0, size(group.hat(x)))
            rate = (group.move(stored, STEP * x) - group.move(stored, -STEP * x)) / (2 * STEP)
            # The central difference leaves STEP² |x|³/6 and round-off/STEP: 2e-9 and 1e-12 here.
            close(group.flow_entries(stored, x), rate, 1e-8 * group.size, scale=size(g))

        @check(st.lists(turns, min_size=2, max_size=3))
        def test_kernels_give_a_point_the_bits_it_has_in_a_batch(self, xs):
            batch = np.array(xs).T
            kernels: list[Any] = [group.exp_entries, group.hat_entries]
            kernels += [group.cayley_entries] if group.quadratic else []
            for kernel in kernels:
                x = batch / (16 * size(batch)) if kernel == group.cayley_entries else batch
                whole = kernel(x)
                assert whole.shape == (group.size, group.size, len(xs))
                assert whole.dtype == np.float64
                for i in range(len(xs)):
                    assert np.array_equal(np.broadcast_to(whole, whole.shape)[..., i], kernel(x[:, i]))
            g = group.exp_entries(batch)
            stored = group.store(g)
            for i in range(len(xs)):
                assert np.array_equal(group.inverse_entries(g)[..., i], group.inverse_entries(g[..., i]))
                assert np.array_equal(group.move(stored, batch)[:, i], group.move(stored[:, i], batch[:, i]))
                assert np.array_equal(
                    group.bracket(batch, batch[::-1])[:, i], group.bracket(batch[:, i], batch[::-1, i])
                )

        @check(st.lists(turns, min_size=4, max_size=4))
        def test_arrays_broadcast(self, xs):
            x = np.array(xs).reshape(2, 2, n)
            g = group.exp(x)
            assert g.shape == (2, 2, group.size, group.size)
            assert (
                group.Ad(g, x[0, 0]).shape == group.ad_star(x, x[0, 0]).shape == group.ad(x[0, 0], x).shape == (2, 2, n)
            )
            close(group.ad(x[0, 0], x)[1, 0], group.ad(x[0, 0], x[1, 0]), 0.0)

        def test_random_elements_are_on_the_group_and_come_from_the_seed(self):
            g = group.random(1, (3, 2))
            assert g.shape == (3, 2, group.size, group.size)
            assert np.all(group.contains(g, 1e-11 * size(g) ** 2))
            assert np.array_equal(g, group.random(np.random.default_rng(1), (3, 2)))
            assert not np.array_equal(g, group.random(2, (3, 2)))
            assert group.random(1).shape == (group.size, group.size)

        def test_blocks_divide_the_algebra(self):
            stops = [0, *(s.stop for s in group.blocks.values())]
            assert [s.start for s in group.blocks.values()] == stops[:-1]
            assert stops[-1] == n
            assert group.factor(tuple(group.blocks)) == group
            assert len(set(group.stored_names)) == len(group.stored_names)

        def test_it_is_frozen_and_equal_to_its_copy(self):
            with pytest.raises(AttributeError, match="frozen"):
                group.dimension = 7
            with pytest.raises(ValueError, match="read-only"):
                group.basis[0, 0, 0] = 7
            twin = pickle.loads(pickle.dumps(group))
            assert twin == group
            assert hash(twin) == hash(group)
            assert group != object()
            assert all(block in repr(group) for block in group.blocks)

        def test_wrong_shapes_are_refused(self):
            for call in (group.exp, group.hat, lambda x: group.ad(x, x)):
                with pytest.raises(InputError, match=r"expected shape"):
                    call(np.zeros(n + 1))
            for refuse in (group.log, group.inverse, group.residual):
                with pytest.raises(InputError, match=r"expected shape"):
                    refuse(np.zeros((group.size, group.size + 1)))
            with pytest.raises(InputError, match="not finite"):
                group.exp(np.full(n, np.inf))
            with pytest.raises(InputError, match="unknown block"):
                group.factor("nonsense")
            with pytest.raises((InputError, DefinitionError), match="unknown retraction"):
                group.move(group.store(group.identity), np.zeros(n), "euler")

    return GroupContract


def close(a: Any, b: Any, tolerance: float = ROUND_OFF, scale: float = 1.0) -> None:
    """Assert equality within ``tolerance`` times the largest of the entries, 1 and ``scale``."""
    bound = tolerance * max(size(a), size(b), scale)
    np.testing.assert_allclose(np.asarray(a, dtype=float), np.asarray(b, dtype=float), rtol=0, atol=bound)


def size(a: Any, least: float = 1.0) -> float:
    """The largest entry of ``a``, or ``least``."""
    return max(least, float(np.max(np.abs(np.asarray(a, dtype=float)), initial=0.0)))
