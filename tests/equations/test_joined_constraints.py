"""Fields under several constraints are those under one constraint that is joined by hand, exactly, for random pairs."""

from dataclasses import replace

import numpy as np
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import semidirect as sd
from semidirect.testing import Derivations, definitions, rational_states
from semidirect.testing.definition_strategies import GraphConstraint, arrays
from semidirect.testing.laws.exact_points.numbers import same
from semidirect.testing.laws.sizes import budget

HP = sd.equations.HamiltonPontryagin()
NONE = sd.noise.ConstantNoise(())


def by_hand(first, second):
    """The rows of both, one below the other; noise of the first and then of the second."""

    def rows(name):
        def stacked(**at):
            parts = [getattr(graph.annihilator(**at), name) for graph in (first, second)]
            return np.concatenate(parts)

        return lambda a, t, z: stacked(a=a, t=t, z=z)

    noise = sd.noise.CombinedNoise((first.noise, second.noise))
    return sd.CovectorConstraint(rows("covectors"), rows("values"), noise=noise)


def stated(graph, kind):
    """A graph, by directions and covectors or by one of them."""

    def part(which, name):
        return lambda a, t, z: getattr(getattr(graph, which)(a=a, t=t, z=z), name)

    if kind == "both":
        return graph
    if kind == "directions":
        return sd.DistributionConstraint(
            part("distribution", "basis"), graph.coordinates(None), graph.offset, noise=graph.noise
        )
    return sd.CovectorConstraint(part("annihilator", "covectors"), part("annihilator", "values"), noise=graph.noise)


@st.composite
def pairs(draw):
    """A definition, and a pair of graphs that leaves a direction."""
    definition = draw(definitions(constraint=["both"], noise=["constant", "state"]))
    first, n = definition.constraint, definition.group.dimension
    assume(isinstance(first, GraphConstraint) and n >= 3 and first.slope.shape[1] >= 2)
    k, l = (
        sum(q.dimension for q in definition.advected.values()),
        sum(s.dimension for s in definition.internal_states),
    )
    variables = [*(("a", i) for i in range(k)), *(("z", i) for i in range(l)), ("t", 0)]
    rows = draw(st.integers(1, first.slope.shape[1] - 1))
    order = tuple(draw(st.permutations(range(n))))
    noise = sd.noise.ConstantNoise(draw(arrays((draw(st.integers(0, 1)), n), ()))())
    slope, offset = draw(arrays((rows, n - rows), variables)), draw(arrays((n,), variables, constants=False))
    return definition, first, GraphConstraint(slope, offset, order, noise)


KINDS = st.sampled_from(["both", "directions", "covectors"])


@budget(0.1)
@given(st.data())
def test_fields_are_those_of_the_constraint_joined_by_hand(data):
    definition, first, second = data.draw(pairs())
    named = {"one": stated(first, data.draw(KINDS)), "two": stated(second, data.draw(KINDS))}
    if data.draw(st.booleans()):  # redundant
        named["again"] = replace(first, noise=NONE)
    try:
        joined = replace(definition, constraint=named)
        hand = Derivations(replace(definition, constraint=by_hand(first, second)), principles=[HP])
        equations = Derivations(joined, principles=[HP])
    except sd.errors.DefinitionError:  # dependent rows, in the pair joined by hand too
        reject()
    state = data.draw(rational_states(joined))
    try:
        assert not equations.differences(state)
        velocity = replace(state, u=tuple(equations.point(state).xi))
        of_hand = hand.derived[HP.name, "A"](hand.inputs(hand.derived[HP.name, "A"].sde, velocity))
        own = equations.derived[HP.name, "A"]
        for left, right in zip(of_hand, own(equations.inputs(own.sde, state)), strict=True):
            for name in ("state", "reaction"):
                assert all(same(a, b) for a, b in zip(left[name], right[name], strict=True))
    except ZeroDivisionError:  # the rank drops at this state
        reject()
