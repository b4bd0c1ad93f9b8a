"""The contract of groups."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from semidirect import LieGroup
from semidirect.core import arguments, errors
from semidirect.testing.group_strategies import A_GROUP, algebra_vectors, check, elements, rationals, turn, vectors
from semidirect.testing.laws import identities


def group_contract(group: LieGroup, *, exact_log: bool = True) -> type:
    """A pytest class that tests ``group``; assign it to a name that starts with ``Test``.

    ``exact_log``: whether ``log(exp ξ) = ξ`` at round-off up to a half-turn, else only for small ξ and to 1e-9.
    """
    arguments.validated_instance("group_contract", group, LieGroup, expected=A_GROUP, error=errors.DefinitionError)  # type: ignore[type-abstract]
    n = group.dimension
    arguments.validated_flag("exact_log", exact_log)
    points, turns, covectors = elements(group), algebra_vectors(group), vectors(group.dimension)
    principal = turns if exact_log else turns.map(lambda x: 0.4 * x / identities.size(group.hat(x)))

    class GroupContract:
        """The identities of a Lie group, in the regimes of :mod:`semidirect.testing.group_strategies`."""

        def test_vee_refuses_a_matrix_outside_the_algebra(self):
            flat = group.basis.reshape(n, -1)
            outside = np.eye(group.size**2) - np.linalg.pinv(flat) @ flat
            worst = outside[np.argmax(np.linalg.norm(outside, axis=1))].reshape(group.size, group.size)
            if n == group.size**2:
                assert np.allclose(worst, 0)
            else:
                with pytest.raises(errors.InputError, match=r"not in the algebra.*index \(1,\)"):
                    group.vee(np.stack([group.basis[0], worst]))

        def test_a_matrix_off_the_group_is_refused_with_its_index_and_residual(self):
            off = np.stack([group.identity, group.identity + 0.1, np.full((group.size,) * 2, np.nan)])
            assert group.contains(off).tolist() == [True, False, False]
            with pytest.raises(errors.NotOnGroupError, match=r"at index \(1,\)"):
                group.validate(off)
            with pytest.raises(errors.NotOnGroupError, match=r"got nan, at index \(0,\)"):
                group.validate(off[2:])

        @check(principal)
        def test_log_inverts_exp(self, x):
            # At a half-turn the other vector is as good.
            assume(turn(group, x) < np.pi - 1e-13)
            close(group.log(group.exp(x)), x, identities.ROUND_OFF if exact_log else 1e-9)

        @check(principal)
        def test_exp_inverts_log(self, x):
            g = group.exp(x)
            log = group.log(g)
            close(group.exp(log), g, identities.ROUND_OFF if exact_log else 1e-9, scale=identities.size(log))
            assert group.distance(g, g) <= (1e-13 if exact_log else 1e-7) * identities.size(g) ** 2

        if not group.quadratic:

            def test_cayley_is_refused(self):
                for call in (group.cayley, group.cayley_entries):
                    with pytest.raises(errors.MethodError, match="Use exp"):
                        call(np.zeros(n))

        @check(rationals(n))
        def test_rational_kernels_are_exact(self, x):
            g = group.cayley_entries(x * Fraction(1, 4)) if group.quadratic else None
            if g is None:
                g = group.hat_entries(x) * 0 + np.eye(group.size, dtype=int)
            unit = group.inverse_entries(g).dot(g)
            assert all(unit[i, j] == int(i == j) for i, j in np.ndindex(unit.shape))
            assert all(isinstance(e, (int, Fraction, np.integer)) for e in g.ravel())
            assert group.bracket(x, x).tolist() == [0] * n

        @check(st.lists(turns, min_size=2, max_size=3))
        def test_kernels_give_a_point_the_bits_it_has_in_a_batch(self, xs):
            batch = np.array(xs).T
            kernels: list[Any] = [group.exp_entries, group.hat_entries]
            kernels += [group.cayley_entries] if group.quadratic else []
            for kernel in kernels:
                x = batch / (16 * identities.size(batch)) if kernel == group.cayley_entries else batch
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
            assert np.all(group.contains(g, 1e-11 * identities.size(g) ** 2))
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
                with pytest.raises(errors.InputError, match=r"expected shape"):
                    call(np.zeros(n + 1))
            for refuse in (group.log, group.inverse, group.residual):
                with pytest.raises(errors.InputError, match=r"expected shape"):
                    refuse(np.zeros((group.size, group.size + 1)))
            with pytest.raises(errors.InputError, match="not finite"):
                group.exp(np.full(n, np.inf))
            with pytest.raises(errors.InputError, match="unknown block"):
                group.factor("nonsense")
            with pytest.raises((errors.InputError, errors.DefinitionError), match="unknown retraction"):
                group.move(group.store(group.identity), np.zeros(n), "euler")

    strategies = {"x": turns, "g": points, "m": covectors}
    return with_identities(GroupContract, identities.GROUP_IDENTITIES, group, strategies)


def with_identities(
    contract: type, identities: Iterable[identities.Identity], of: Any, strategies: Mapping[str, st.SearchStrategy[Any]]
) -> type:
    """A contract with a test of each identity, at random values of its letters."""
    for identity in identities:
        setattr(
            contract, f"test_{identity.name}", _test(identity, of, [strategies[letter] for letter in identity.draws])
        )
    return contract


def _test(identity: identities.Identity, of: Any, strategies: Iterable[st.SearchStrategy[Any]]) -> Any:
    @check(st.tuples(*strategies))
    def test(self: Any, values: tuple[Any, ...]) -> None:
        broken = identity.broken(of, *values)
        assert not broken, broken

    test.__doc__ = identity.sides.__doc__
    return test


def close(a: Any, b: Any, tolerance: float = identities.ROUND_OFF, scale: float = 1.0) -> None:
    """Assert equality within ``tolerance`` times the largest of the entries, 1 and ``scale``."""
    assert identities.Equal(a, b, tolerance, scale).holds, f"{a} is not {b}"
