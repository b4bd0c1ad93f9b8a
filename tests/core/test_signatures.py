"""Users' functions are called with those arguments that they name."""

from functools import partial

import pytest

from semidirect.core.errors import DefinitionError
from semidirect.core.signatures import call


def test_arguments_are_found_by_name():
    available = {"xi": 1, "a": 2, "t": 3, "z": 4}
    assert call(lambda xi: xi, **available) == 1
    assert call(lambda z, xi: (z, xi), **available) == (4, 1)
    assert call(lambda **at: sorted(at), **available) == ["a", "t", "xi", "z"]
    assert call(lambda *, t: t, **available) == 3
    assert call(lambda: 7, **available) == 7


def test_what_is_not_callable_is_its_own_value():
    assert call(3.5, t=0) == 3.5
    assert call(None, t=0) is None
    values = [1, 2]
    assert call(values, t=0) is values


def test_defaults_bind_values_and_are_not_replaced():
    """The idiom of loops: ``lambda a, xi=xi: …`` binds a vector, whatever is called ξ elsewhere."""
    functions = [lambda a, xi=k: (a, xi) for k in (5, 6)]
    assert [call(f, a=1, xi=99) for f in functions] == [(1, 5), (1, 6)]


def test_methods_objects_and_partials():
    class Lagrangian:
        def __call__(self, xi, t):
            return xi + t

        def method(self, a):
            return a

    assert call(Lagrangian(), xi=1, a=2, t=3) == 4
    assert call(Lagrangian().method, xi=1, a=2) == 2
    assert call(partial(lambda m, xi: m * xi, 3), xi=2, a=0) == 6


def test_unknown_arguments_are_named():
    def lagrangian(xi, gamma, delta):
        return xi

    with pytest.raises(DefinitionError, match=r"lagrangian asks for 'gamma', 'delta'. It may name any of: xi, a\."):
        call(lagrangian, xi=1, a=2)
