"""The contract of representations."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

from semidirect import Representation
from semidirect.core import arguments, errors
from semidirect.testing.contracts.group import with_identities
from semidirect.testing.group_strategies import algebra_vectors, check, elements, rationals, vectors
from semidirect.testing.laws import identities


def representation_contract(representation: Representation) -> type:
    """A pytest class that tests ``representation``; assign it to a name that starts with ``Test``."""
    rep = arguments.validated_instance("representation_contract", representation, Representation,  # type: ignore[type-abstract]
                                       expected="a representation of a group", error=errors.DefinitionError)  # fmt: skip
    group = rep.group
    n, d = group.dimension, rep.dimension
    points, turns, values = elements(group), algebra_vectors(group), vectors(d)

    class RepresentationContract:
        """The identities of a representation, in the regimes of :mod:`semidirect.testing.group_strategies`."""

        @check(rationals(n), rationals(d), rationals(d))
        def test_exact_entries_stay_exact(self, x, v, kappa):
            if not identities.simple(rep.generators):
                assert any(f.denominator > 1000 for f in rep.generators.ravel())
                return
            paired = kappa.dot(rep.action(x, v))
            assert rep.diamond(kappa, v).dot(x) == -paired
            assert rep.coaction(x, kappa).dot(v) == paired
            if group.quadratic and identities.simple(group.basis):
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
            with pytest.raises(errors.InputError, match="cannot act"):
                rep.act(group.identity, np.zeros(d + 1))
            with pytest.raises(errors.InputError, match="cannot act"):
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

    # the letters of identities: x of the algebra, g of the group, v of the space, k of its dual
    strategies = {"x": turns, "g": points, "v": values, "k": values}
    return with_identities(RepresentationContract, identities.REPRESENTATION_IDENTITIES, rep, strategies)
