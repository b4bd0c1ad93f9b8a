"""Users' functions are called with those arguments that they name."""

from functools import partial

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import DefinitionError
from semidirect.core.user_code.signatures import apply, call


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


MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])


@pytest.mark.parametrize(
    "value", [MASKED, [MASKED], (np.zeros(3), [MASKED]), sd.Distribution(MASKED[:, None])], ids=range(4)
)
def test_masked_entries_are_not_read_as_the_numbers_under_the_mask(value):
    for stated in (value, lambda a: value):
        with pytest.raises(DefinitionError, match=r"has masked entries: expected a value for each. Fill them"):
            call(stated, a=1)
    with pytest.raises(DefinitionError, match="the observable has masked entries"):
        apply(lambda state: value, 1, "the observable")
    plain = np.ma.array([1.0, 2.0])
    assert call(lambda: plain) is plain


@pytest.mark.parametrize("hook", ["force", "lagrangian", "energy_of_mine"])
def test_system_whose_functions_mask_is_not_derived(hook):
    class Pushed(sd.System):
        group = sd.RealSpace(3)

        def lagrangian(self, xi):
            return sd.ops.dot(xi.v, xi.v) / 2 if hook != "lagrangian" else np.ma.array(xi.v[0], mask=True)

        def force(self):
            return MASKED if hook == "force" else np.zeros(3)

        @sd.observable()
        def energy_of_mine(self, state):
            return MASKED if hook == "energy_of_mine" else state.v[0]

    with pytest.raises(DefinitionError, match="masked"):
        Pushed().simulate(t_end=0.1, dt=0.1)
