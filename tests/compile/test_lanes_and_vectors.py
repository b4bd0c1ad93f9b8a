"""How many paths a kernel takes in a block, and how wide its vectors are, changes how long it takes and no bit."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.compile.kernels import loaded_kernel
from semidirect.compile.lanes import FEWEST_LANES, LANES, WORKING_SET, lanes_for
from semidirect.compile.step_function import step_function
from semidirect.compile.variant import WIDEST, Variant
from semidirect.integrators.registry import integrator
from semidirect.machine.llvm_functions import llvm_text
from semidirect.state.state import InitialState

PATHS, STEPS = 64, 9


def assembly_of(function):
    text, names = function.source()
    return llvm_text(text, "run", names).text


class Sleeping(sd.System):
    """A covector constraint, elementary functions and time: iterations of the implicit midpoint rule, masks, selections."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    initial = {"Omega": (1.0, 0.5, 0.0), "Gamma": (0.0, 0.0, 1.0)}

    def lagrangian(self, xi, a, t):
        return (ops.dot(xi.Omega, xi.Omega) + xi.Omega[0] ** 2) / 2 - ops.sqrt(2 + a.Gamma[0]) * ops.cos(t)

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma], noise=[[0.3, 0.1, 0.0]])


PROBLEMS = {
    "rigid body, heun": (sd.load("rigid-body"), "heun", [(1, 512), (8, 512), (16, 256), (64, 128), (64, 512)]),
    "covectors, implicit midpoint": (Sleeping(), "implicit-midpoint", [(8, 512), (64, 256)]),
}
"""With lanes and bits of vectors; a kernel takes some seconds to compile."""


def end(system, method, **choice):
    """What a kernel makes of paths: states, coordinates of s, and where it was stuck."""
    model = system.workings.model()
    start = InitialState.of(system, None, model=model)
    function = step_function(model, integrator(method), Variant(drawn=True, **choice))
    kernel = loaded_kernel(function.described, lambda: function)
    lanes, blocks = kernel.lanes, PATHS // kernel.lanes
    y, s = (np.repeat(np.repeat(x[None], blocks, 0), lanes, 2) for x in (start.vector(model, 0.0), start.stored))
    p = [np.full(lanes, value) for value in model.parameters]
    stuck = np.full((blocks, lanes), -1, dtype=np.int64)
    nothing = np.zeros((1, 1, 1, lanes))
    kernel.run(y, s, np.array(p).reshape(1, -1, lanes) if p else nothing[0], nothing, np.zeros((1, 1)), 0, 5, 0, STEPS, 0.05,
               np.sqrt(0.05), stuck)  # fmt: skip
    return [np.moveaxis(x, 0, -2).reshape(-1, PATHS) for x in (y, s, stuck)]


@pytest.mark.parametrize("label", PROBLEMS)
def test_bits_are_the_same_for_all_lanes_and_widths(label):
    system, method, choices = PROBLEMS[label]
    ends = [end(system, method, lanes=lanes, width=width) for lanes, width in choices]
    assert len(np.unique(ends[0][0], axis=1).T) == PATHS  # noise moved every path
    for choice, found in zip(choices[1:], ends[1:], strict=True):
        for ours, first in zip(found, ends[0], strict=True):
            assert ours.tobytes() == first.tobytes(), choice


def test_the_option_for_wide_vectors_reaches_the_compiler():
    model, method = sd.load("rigid-body").workings.model(), integrator("heun")
    for lanes, wished in ((None, True), (1, False)):
        code = assembly_of(step_function(model, method, Variant(drawn=True, lanes=lanes)))
        assert (f'"prefer-vector-width"="{WIDEST}"' in code) == wished


@given(st.integers(1, 10**5), st.integers(0, 10**4))
def test_blocks_of_large_systems_have_fewer_lanes(rows, more):
    lanes = lanes_for(rows)
    assert lanes in {8, 16, 32, 64}
    assert lanes >= lanes_for(rows + more)
    assert lanes == FEWEST_LANES or 8 * rows * lanes <= WORKING_SET
    assert lanes == LANES or 8 * rows * 2 * lanes > WORKING_SET


def test_rows_are_those_of_the_buffer():
    """The choice is made from what the kernel reserves."""
    for name, method in (("rolling-ball", "heun"), ("rigid-body", "lie-midpoint"), ("heavy-top", "lie-heun")):
        function = step_function(sd.load(name).workings.model(), integrator(method), Variant(drawn=True))
        lanes, rows = function.facts["lanes"], function.facts["rows"]
        places = [int(n) for n in re.findall(r"ptr %B, i64 (\d+)\n", assembly_of(function))]
        assert lanes == lanes_for(rows)
        assert not any(n % lanes for n in places)
        assert max(places) == lanes * (rows - 1)


@settings(max_examples=12, deadline=None)
@given(first=st.integers(0, 40), steps=st.integers(1, 40), paths=st.integers(1, 3))
def test_single_paths_draw_ahead_what_array_code_draws(first, steps, paths):
    """From any step on, over any ends of the sixteen steps that are drawn at once."""
    body, dt = sd.load("rigid-body"), 2.0**-6
    call = {"t_start": first * dt, "t_end": (first + steps) * dt, "dt": dt, "paths": paths, "seed": 3, "save": "final"}
    ends = [
        body.simulate(**call, execution=sd.Execution(1, engine=engine)).final["Omega"]
        for engine in ("numpy", "compiled")
    ]
    assert ends[0].tobytes() == ends[1].tobytes()
