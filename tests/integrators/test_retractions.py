"""Retractions and their inverse tangents, on every kind of group; and a constant generator through the whole pipeline."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, MethodError
from semidirect.integrators.tangent import ALL_TERMS, inverse_cotangent, inverse_tangent
from semidirect.testing import vectors

SL2 = sd.groups.MatrixGroup([[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]], name="SL2", form=[[0, 1], [-1, 0]])
_UNITS = np.eye(9).reshape(9, 3, 3)
SL3 = sd.groups.MatrixGroup([_UNITS[0] - _UNITS[4], _UNITS[4] - _UNITS[8], *_UNITS[[1, 2, 3, 5, 6, 7]]], name="SL3")
GROUPS = [
    sd.SO2(), sd.SO3(), sd.SE2(), sd.SE3(), sd.RealSpace(3), sd.groups.Torus(2), sd.groups.SO(4), sd.groups.SO(5),
    sd.groups.Heisenberg(), SL2, SL3,
    sd.DirectProduct(sd.SE2(coordinates=("phi", "x", "y")), sd.SO2(coordinates=("theta",))),
    sd.DirectProduct(sd.SE3(), sd.groups.Torus(3)), sd.DirectProduct(sd.SO3(), sd.SO3(), names=("a", "b")),
    sd.representations.SemidirectProduct(sd.SO3(), sd.VectorRepresentation(sd.SO3()), blocks=("Omega", "Y")),
    sd.representations.SemidirectProduct(sd.SO2(), sd.representations.SymmetricSquare(sd.VectorRepresentation(sd.SO2()))),
    sd.DirectProduct(sd.groups.Heisenberg(), SL2, names=("h", "s")), sd.DirectProduct(sd.SO2(), sd.RealSpace(2)),
]  # fmt: skip
NOT_QUADRATIC = [g for g in GROUPS if not g.quadratic]
BY_CAYLEY = [g for g in GROUPS if g.quadratic and not g.circles]


def generator(group):
    """A vector of the algebra with |hat| about 0.6, the same in every run."""
    xi = np.cos(np.arange(1.0, group.dimension + 1))
    return 0.6 * xi / np.linalg.norm(group.hat(xi))


def after(group, xi, steps, retraction):
    """τ(ξ)^steps as a run forms it: the matrix of the stored coordinates."""
    stored = group.store(group.identity)
    for _ in range(steps):
        stored = group.move(stored, xi, retraction)
    return group.element(stored)


def test_the_groups_are_of_both_kinds():
    assert {g.name for g in NOT_QUADRATIC} == {"SL3", GROUPS[15].name}
    assert len(BY_CAYLEY) == 10


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: g.name)
def test_a_constant_generator_gives_the_exponential(group):
    """exp(ξ/64)^128 = exp(2ξ), to round-off."""
    xi = generator(group)
    assert np.abs(after(group, xi / 64, 128, "exp") - group.exp(2 * xi)).max() < 1e-13  # measured 1.8e-14


@pytest.mark.parametrize("group", BY_CAYLEY, ids=lambda g: g.name)
def test_a_constant_generator_gives_powers_of_the_cayley_map(group, record_property):
    """cay(ξ/n)^n to round-off, which approximates exp ξ to order 2 and no better; Heisenberg has A³ = 0 and 1/12 A³ = 0."""
    xi, errors = generator(group), []
    for n in (4, 8, 16):
        product = after(group, xi / n, n, "cayley")
        assert np.abs(product - np.linalg.matrix_power(group.cayley(xi / n), n)).max() < 1e-14  # measured 1.0e-15
        errors.append(np.abs(product - group.exp(xi)).max())
    if np.abs(np.linalg.matrix_power(group.hat(xi), 3)).max() < 1e-15:
        assert max(errors) < 1e-15
    else:
        order = float(np.log2(errors[0] / errors[2]) / 2)
        record_property(f"order of the Cayley map on {group.name}", f"{order:.3f}")
        assert abs(order - 2) < 0.02  # measured within 0.0012


@pytest.mark.parametrize("group", NOT_QUADRATIC, ids=lambda g: g.name)
@pytest.mark.parametrize("method", ["lie-heun", "rkmk4", "variational", "coadjoint-midpoint", "nonholonomic"])
def test_cayley_is_refused_where_it_leaves_the_group(group, method):
    with pytest.raises(MethodError, match="Cayley map leaves"):
        group.cayley(generator(group))
    system = wanderer(group)
    with pytest.raises(MethodError, match=r"Cayley map leaves.*exponential"):
        system.simulate(t_end=1, dt=0.5, method=f"{method}(cayley)")
    assert system.simulate(t_end=1, dt=0.5, method=method).good.all()  # by the exponential


# -- inverse tangents --------------------------------------------------------------------------------------------------

CASES = [(g, "exp") for g in GROUPS] + [(g, "cayley") for g in GROUPS if g.quadratic]


@st.composite
def points(draw):
    """A group, a retraction, v with |v| ≤ 0.2, and vectors w, p."""
    group, retraction = draw(st.sampled_from(CASES))
    n = group.dimension
    v = draw(vectors(n, 0.2 / np.sqrt(n)))
    return group, retraction, v, draw(vectors(n)), draw(vectors(n))


@given(points())
def test_inverse_tangent_is_that_of_the_retraction(point):
    """d/dε τ(v + ε v̇) = τ(v) hat(w) for v̇ = (dτ_v)⁻¹ w, by differences of order 4."""
    group, retraction, v, w, _ = point
    rate, h = inverse_tangent(group, v, w, retraction, ALL_TERMS), 1e-2

    def at(x):
        return group.retract_entries(v + x * rate, retraction)

    slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
    assert np.abs(slope - at(0.0) @ group.hat(w)).max() < 1e-7 * max(1.0, np.linalg.norm(rate) ** 5)  # measured 4.7e-9


@given(points())
def test_inverse_cotangent_is_dual(point):
    group, retraction, v, w, p = point
    left = inverse_cotangent(group, v, p, retraction, ALL_TERMS) @ w
    assert abs(left - p @ inverse_tangent(group, v, w, retraction, ALL_TERMS)) < 1e-13  # measured 4.4e-16


@given(points())
def test_both_trivialisations_differ_by_the_coadjoint_action(point):
    """Ad*_{τ(v)} (dτ_{−v})⁻¹* p = (dτ_v)⁻¹* p: what makes momentum maps hold to round-off."""
    group, retraction, v, _, p = point
    g = group.retract_entries(v, retraction)
    moved = group.Ad_star(g, inverse_cotangent(group, -v, p, retraction, ALL_TERMS))
    assert np.abs(moved - inverse_cotangent(group, v, p, retraction, ALL_TERMS)).max() < 1e-13  # measured 6.7e-16


@pytest.mark.parametrize("function", [inverse_tangent, inverse_cotangent])
@given(points(), st.integers(2, 4))
def test_tangents_give_a_point_the_bits_it_has_in_a_batch(function, point, paths):
    group, retraction, v, w, _ = point
    alone = function(group, v, w, retraction, ALL_TERMS)
    batch = function(group, np.stack([v] * paths, axis=1), np.stack([w] * paths, axis=1), retraction, ALL_TERMS)
    assert batch.shape == (group.dimension, paths)
    for i in range(paths):
        assert np.array_equal(batch[:, i], alone)


# -- the pipeline ------------------------------------------------------------------------------------------------------


def wanderer(group):
    """l = ½|ξ|² at rest, one constant noise field ζ: s⁻¹ds = ζ∘dW."""

    class Wanderer(sd.System):
        """A particle on a group that only noise moves."""

        def lagrangian(self, xi):
            return sum(ops.dot(ops.array([x]) if np.ndim(x) == 0 else x, ops.array([x]) if np.ndim(x) == 0 else x)
                       for x in (xi[name] for name in self.group.blocks)) / 2  # fmt: skip

        def constraint(self):
            return sd.Unconstrained(noise=[generator(group)])

        initial = {name: np.zeros(part.stop - part.start) for name, part in group.blocks.items()}

    Wanderer.group = group
    return Wanderer()


ALONG = ["rk4", "gauss(2)", "lie-heun(exp)", "rkmk4(exp)", "lift(heun, exp)", "variational(exp)",
         "coadjoint-midpoint(exp)", "nonholonomic(exp)"]  # fmt: skip


@pytest.mark.parametrize("group", [sd.SO3(), sd.SE3(), SL2, SL3, GROUPS[11]], ids=lambda g: g.name)
def test_every_method_moves_s_by_a_constant_generator(group):
    """Along W = t, s(2) = exp(2ζ) by the exponential, and cay(hζ)^n by the Cayley map (but rkmk4 corrects that to order 4)."""
    system, zeta = wanderer(group), generator(group)

    def end(method):
        run = system.simulate(
            t_end=2, dt=1 / 16, method=method, driver="t", save="final", execution=sd.Execution(engine="numpy")
        )
        assert run.good.all()
        parts = [run.final[part] for part in ("g", "phi", "x", "y", "theta") if part in run.final]
        return np.concatenate([part[0].ravel() for part in parts])

    for method in ALONG:
        assert np.abs(end(method) - group.store(group.exp(2 * zeta))).max() < 2e-14, method  # measured 2.2e-15
    for method in ("heun", "lie-heun", "lie-midpoint", "variational") if group.quadratic and not group.circles else ():
        power = np.linalg.matrix_power(group.cayley(zeta / 16), 32)
        assert np.abs(end(method) - group.store(power)).max() < 2e-14, method  # measured 1.4e-15


def test_a_wrong_retraction_is_refused():
    for name in ("lie-heun", "lie-midpoint", "rkmk4", "variational", "coadjoint-midpoint", "nonholonomic"):
        with pytest.raises(InputError, match="exp or cayley"):
            sd.load("rigid-body").simulate(t_end=1, dt=0.1, method=f"{name}(log)")
