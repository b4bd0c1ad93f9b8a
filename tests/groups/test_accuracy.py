"""exp and log of the closed forms against 40-digit arithmetic and SciPy, from 0 to a half-turn."""

import mpmath
import numpy as np
import pytest
from scipy.spatial.transform import RigidTransform, Rotation

from semidirect.groups import SE2, SE3, SO, SO2, SO3, DirectProduct, Torus
from semidirect.representations import CoadjointRepresentation, SemidirectProduct, VectorRepresentation

ANGLES = {
    "0": 0.0,
    "1e-8": 1e-8,
    "1e-4": 1e-4,
    "1": 1.0,
    "2.5": 2.5,
    "π-1e-3": np.pi - 1e-3,
    "π-1e-8": np.pi - 1e-8,
    "π": np.pi,
}
GROUPS = [SO2(), Torus(2), SO3(), SE2(), SE3(), SO(4)]


def turned(group, angle, rng):
    """A vector whose largest rotation is by ``angle``, and standard normal translations."""
    xi = rng.standard_normal(group.dimension)
    rotation = group.blocks[next(iter(group.blocks))]
    matrix = group.hat(np.where(np.arange(group.dimension) < rotation.stop, xi, 0.0))
    xi[rotation] *= angle / np.max(np.abs(np.linalg.eigvals(matrix)))
    return xi


def reference_exp(group, xi):
    with mpmath.workdps(40):
        hat = mpmath.matrix(group.size, group.size)
        for x, basis in zip(xi, group.basis, strict=True):
            for a, b in np.argwhere(basis):
                hat[int(a), int(b)] += mpmath.mpf(float(x)) * int(basis[a, b])
        return np.array(mpmath.expm(hat, method="taylor").tolist(), dtype=float)


@pytest.mark.parametrize("angle", ANGLES.values(), ids=ANGLES)
@pytest.mark.parametrize("group", GROUPS, ids=lambda g: g.name)
def test_exp_and_log_are_accurate(group, angle):
    rng = np.random.default_rng(3)
    for _ in range(10):
        xi = turned(group, angle, rng)
        g = reference_exp(group, xi)
        # Measured over 40 vectors: SO2, torus 7e-17, SO3 8e-16, SE2 5e-16, SE3 1e-15, SO4 1.7e-15.
        assert np.max(np.abs(group.exp(xi) - g)) <= 3e-15
        log = group.log(g)
        # The rounding of g alone moves the logarithm by 1e-16 |x|; measured 7e-16, SO4 4e-15.
        assert np.max(np.abs(group.exp(log) - g)) <= 6e-15
        if angle < np.pi:
            assert np.max(np.abs(log - xi)) <= 6e-15


def test_the_logarithm_of_a_rotation_loses_no_digit_near_0_and_near_pi():
    axis = np.array([2.0, -1.0, 2.0]) / 3
    for angle in (1e-12, 1e-8, 1e-3, 1.0, np.pi - 1e-8, np.pi - 1e-12):
        xi = angle * axis
        error = np.max(np.abs(SO3().log(reference_exp(SO3(), xi)) - xi))
        assert error <= 3e-16 * max(1.0, angle) * (1 if angle < 1 else 2)  # measured 1e-28, 2e-24, 5e-17, 4e-16


@pytest.mark.parametrize(
    "axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.8, 0), (0, -0.6, 0.8), (2 / 3, -1 / 3, 2 / 3)]
)
def test_the_logarithm_of_a_half_turn_has_the_right_axis(axis):
    axis = np.array(axis)
    log = SO3().log(2 * np.outer(axis, axis) - np.eye(3))
    assert np.isclose(np.linalg.norm(log), np.pi, rtol=1e-15)
    np.testing.assert_allclose(abs(log @ axis), np.pi, rtol=1e-15)


def test_rotations_agree_with_scipy():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((200, 3)) * rng.uniform(0, 1, (200, 1))
    g = SO3().exp(vectors)
    np.testing.assert_allclose(g, Rotation.from_rotvec(vectors).as_matrix(), rtol=0, atol=2e-15)
    h = Rotation.random(200, rng=1).as_matrix()
    np.testing.assert_allclose(SO3().log(h), Rotation.from_matrix(h).as_rotvec(), rtol=0, atol=2e-14)
    np.testing.assert_allclose(SO3().distance(g, h), (Rotation.from_matrix(g).inv() * Rotation.from_matrix(h)).magnitude(),
                               rtol=0, atol=1e-14)  # fmt: skip


def test_motions_agree_with_scipy():
    xi = np.random.default_rng(0).standard_normal((200, 6))
    g = SE3().exp(xi)
    np.testing.assert_allclose(g, RigidTransform.from_exp_coords(xi).as_matrix(), rtol=0, atol=4e-15)
    np.testing.assert_allclose(SE3().log(g), RigidTransform.from_matrix(g).as_exp_coords(), rtol=0, atol=2e-14)
    np.testing.assert_allclose(SE3().inverse(g), RigidTransform.from_matrix(g).inv().as_matrix(), rtol=0, atol=4e-15)


@pytest.mark.parametrize("representation", [VectorRepresentation, CoadjointRepresentation])
def test_se3_is_the_semidirect_product_of_rotations_and_vectors(representation):
    product = SemidirectProduct(SO3(), representation(SO3()), blocks=("Omega", "Y"))
    se3, rng = SE3(), np.random.default_rng(0)
    xi, mu = rng.standard_normal((2, 50, 6))
    assert product.brackets == se3.brackets
    assert product.stored_names == se3.stored_names
    assert product.quadratic
    assert dict(product.blocks) == dict(se3.blocks)
    assert product.factor("Omega") == se3.factor("Omega") == SO3()
    g = se3.exp(xi)
    cases = [("exp", (xi,), 5e-15), ("cayley", (xi,), 2e-15), ("log", (g,), 2e-14), ("inverse", (g,), 4e-15)]
    cases += [("Ad", (g, xi), 4e-14), ("Ad_star", (g, mu), 4e-14), ("ad_star", (xi, mu), 0.0)]
    for name, arguments, tolerance in cases:
        ours, theirs = getattr(se3, name)(*arguments), getattr(product, name)(*arguments)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance, err_msg=name)


def test_special_orthogonal_3_is_so3():
    xi = np.random.default_rng(0).standard_normal((50, 3))
    assert SO(3).brackets == SO3().brackets
    np.testing.assert_allclose(SO(3).exp(xi), SO3().exp(xi), rtol=0, atol=4e-15)
    np.testing.assert_allclose(SO(3).log(SO3().exp(xi)), SO3().log(SO3().exp(xi)), rtol=0, atol=6e-15)


def test_a_long_exponential_is_squared_back():
    xi = np.random.default_rng(0).standard_normal((20, 6)) * 40
    g = SO(4).exp(xi)
    assert np.max(SO(4).residual(g)) <= 1e-13  # measured 4e-14
    halves = SO(4).exp(xi / 2)
    np.testing.assert_allclose(halves @ halves, g, rtol=0, atol=1e-13)


@pytest.mark.parametrize("group", [SO(4), SO(5), SO(6)], ids=lambda g: g.name)
def test_the_logarithm_of_half_turns_in_higher_dimensions_is_real(group):
    rng = np.random.default_rng(0)
    n = group.size
    for signs in ([-1.0] * 2 + [1.0] * (n - 2), [-1.0] * 4 + [1.0] * (n - 4), [-1.0] * (n - n % 2) + [1.0] * (n % 2)):
        q = group.random(rng)
        g = q @ np.diag(signs) @ q.T
        np.testing.assert_allclose(group.exp(group.log(g)), g, rtol=0, atol=1e-14)


@pytest.mark.parametrize("retraction", ["exp", "cayley"])
@pytest.mark.parametrize("group", [SO3(), SE3()], ids=lambda g: g.name)
def test_2500_moves_stay_on_the_group(group, retraction):
    rng = np.random.default_rng(0)
    stored = group.store(np.repeat(group.identity[..., None], 8, axis=-1))
    residuals = []
    for k in range(1, 2501):
        stored = group.move(stored, 0.3 * rng.standard_normal((group.dimension, 8)), retraction)
        if k % 625 == 0:
            residuals.append(np.max(group.residual(np.moveaxis(group.element(stored), -1, 0))))
    # Measured after 2500 moves 1.5e-14, after 10⁴ 3.7e-14, after 10⁵ (16 paths) 1e-13: as a random walk.
    assert residuals[-1] <= 6e-14  # a factor 1 + 4e-16 at each move gives 2e-12
    assert residuals[-1] <= 10 * residuals[0]


@pytest.mark.parametrize("retraction", ["exp", "cayley"])
def test_turns_of_a_momentum_keep_its_length(retraction):
    """Vectors of 64 sizes through 2,000 turns, in a product of groups; by the matrix of each turn |x| wanders to 1e-14."""
    group, rng = DirectProduct(SE2(), SO3()), np.random.default_rng(1)
    action = CoadjointRepresentation(group)
    mu, xi = rng.standard_normal((6, 64)), rng.standard_normal((6, 64))
    mu[3:] *= 10.0 ** np.linspace(-9, 30, 64)
    mu[3:, 5] = 0.0
    by_matrix = action.act_entries(group.retract_entries(-xi, retraction), mu)
    moved = action.move_entries(xi, mu, retraction)
    assert np.max(np.abs(moved - by_matrix) / np.max(np.abs(mu), axis=0)) < 4e-15  # measured 1.5e-15
    assert not moved[3:, 5].any()
    length = np.linalg.norm(mu[3:], axis=0)
    for _ in range(2000):
        mu = action.move_entries(0.3 * rng.standard_normal((6, 64)), mu, retraction)
    change = np.abs(np.linalg.norm(mu[3:], axis=0) - length)
    assert (
        np.max(change[length > 0] / length[length > 0]) < 2.5e-15
    )  # half of the spacing, and rounding; measured 1.5e-15
