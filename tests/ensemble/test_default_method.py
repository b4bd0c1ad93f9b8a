"""The method of a run that names none follows from what the equations conserve."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.core import ops
from semidirect.specification.method_choice import default_method

NUMPY = sd.Execution(engine="numpy")
TOP = sd.load("heavy-top")
AXIS = ((0.0, 0.0, 0.3),)


class Potential(sd.System):
    """A top whose potential is a polynomial of the vertical."""

    group = sd.SO3()
    cubic = sd.parameter(0.0)
    square = sd.parameter(0.0)

    @property
    def advected(self):
        return {"Gamma": sd.Advected(sd.VectorRepresentation(self.group), [0, 0, 1])}

    def lagrangian(self, xi, a):
        up = a.Gamma
        return (
            0.5 * ops.dot([1.0, 2.0, 3.0] * xi.Omega, xi.Omega)
            - up[2]
            - self.square * up[0] ** 2
            - self.cubic * up[1] ** 3
        )


class Stretched(Potential):
    """The same with a symmetric matrix that is carried along: its orbit is no sphere."""

    @property
    def advected(self):
        tensor = sd.representations.SymmetricSquare(sd.VectorRepresentation(self.group))
        return {**super().advected, "S": sd.Advected(tensor, [1, 0, 0, 2, 0, 3])}


@pytest.mark.parametrize(
    ("system", "method"),
    [
        (TOP, "implicit-midpoint"), (TOP.replace(noise=AXIS), "implicit-midpoint"), (TOP.replace(noise=()), "implicit-midpoint"),
        (TOP.replace(noise=((0.3, 0.0, 0.0),)), "lie-heun"),  # which turns the axis
        (sd.load("rigid-body"), "lie-heun"), (sd.load("rigid-body", noise=()), "implicit-midpoint"),
        (sd.load("routh-sphere", noise=()), "lie-heun"),  # whose energy is no polynomial
        (sd.load("rolling-disk"), "lie-heun"),  # every method keeps its energy
        (sd.load("tippe-top"), "implicit-midpoint"),  # A form
        (Potential(), "implicit-midpoint"), (Potential(square=0.5), "implicit-midpoint"), (Potential(cubic=0.5), "lie-heun"),
        (Stretched(), "lie-heun"), (sd.load("rigid-body", inertia=[2, 2, 2]), "lie-heun"),  # whose energy is a Casimir
    ],
)  # fmt: skip
def test_defaults(system, method):
    assert default_method(system).method.label == method
    assert default_method(system).reason


def test_a_run_records_it_and_keeps_the_energy():
    run = TOP.simulate(t_end=1, dt=0.02, paths=3, execution=NUMPY)
    assert run.config["method"] == "implicit-midpoint"
    assert np.ptp(run["energy"], axis=1).max() < 1e-13 * np.abs(run["energy"]).max()  # measured 1e-15
    assert np.array_equal(
        run["M"], TOP.simulate(t_end=1, dt=0.02, paths=3, method="implicit-midpoint", execution=NUMPY)["M"]
    )


def test_a_run_without_noise_has_the_default_of_a_system_without_noise():
    body = sd.load("rigid-body")
    without = {"t_end": 0.1, "dt": 0.05, "execution": NUMPY}
    assert body.simulate(**without).config["method"] == "lie-heun"
    assert body.simulate(**without, driver=0).config["method"] == "implicit-midpoint"
    assert body.replace(noise=()).simulate(**without).config["method"] == "implicit-midpoint"


@settings(max_examples=10)
@given(st.lists(st.booleans(), min_size=2, max_size=80))
@example([True] * 70 + [False] + [True] * 9)
def test_one_path_whose_noise_changes_the_energy_decides_for_all(along_the_axis):
    noise = np.array([[[0.0, 0.0, 0.3]] if axis else [[0.3, 0.0, 0.0]] for axis in along_the_axis])
    system = TOP.replace(noise=sd.PerPath(noise))
    assert default_method(system).method.label == ("implicit-midpoint" if all(along_the_axis) else "lie-heun")


class Rubbed(Potential):
    """With a couple that takes energy by a share of time and attitude."""

    share = sd.option("none")

    def force(self, xi, a, t):
        shares = {
            "none": 0,
            "times": t * (t - 0.7),
            "cap": ops.where(a.Gamma[2] > 0.97, 1, 0),
            "large": ops.where(ops.dot(a.Gamma, a.Gamma) > 50, 1, 0),
            "nowhere": ops.where(a.Gamma[0] > 1e5, 1, 0),
            "root": 0 * ops.sqrt(2 + a.Gamma[2]),
        }
        return -shares[self.share] * xi.Omega


ALONE = "by random states alone"


@pytest.mark.parametrize(
    ("share", "kept", "exact"),
    [("none", True, True), ("times", False, True), ("cap", False, True), ("large", False, True), ("nowhere", True, False),
     ("root", True, True)],
)  # fmt: skip
def test_a_couple_at_some_times_or_in_a_region_is_seen_and_what_is_not_exact_is_said(share, kept, exact):
    found = default_method(Rubbed(share=share))
    assert found.method.label == ("implicit-midpoint" if kept else "lie-heun")
    assert (ALONE in found.reason) == (not exact)


@pytest.mark.parametrize(
    ("system", "exact"),
    [(TOP, True), (TOP.replace(noise=AXIS), True), (sd.load("rigid-body", noise=()), True), (Potential(square=0.5), True),
     (TOP.replace(mass=sd.PerPath([1.0, 2.0])), False)],
)  # fmt: skip
def test_a_reason_says_whether_the_energy_is_kept_without_rounding(system, exact):
    found = default_method(system)
    assert found.method.label == "implicit-midpoint"
    assert (ALONE in found.reason) == (not exact)
