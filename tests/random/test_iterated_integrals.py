"""Lévy areas, time integrals and signs: their laws, their coarsening, and nothing but (seed, path, step) matters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.core.errors import InputError, MethodError
from semidirect.random.iterated_integrals import FOURIER, INTEGRAL, INTEGRALS, SIGN, TAIL, LevyAreas, pairs
from semidirect.random.wiener import FINEST_LEVEL, WienerNoise

H = 0.25
I, J = pairs(3)
PATHS = 60_000
"""Each average below is over as many; deviations are in standard errors, of which the largest of n normals is below 4.5."""

extras = st.sampled_from(list(INTEGRALS))


def noise(extra="areas", *, seed=3, m=3, resolution=H, **options):
    return WienerNoise(
        seed, m, resolution, increment_law=INTEGRALS[extra].increment_law, integrals=INTEGRALS[extra], **options
    )


def split(rows, m=3):
    """Increments (m, …), and what follows them."""
    return rows[:m], rows[m:]


def deviations(samples):
    """Means of rows (k, paths) in standard errors."""
    return samples.mean(axis=-1) / (samples.std(axis=-1) / np.sqrt(samples.shape[-1]))


@pytest.fixture(scope="module", params=[0, 3], ids=["drawn", "joined from eight"])
def sample(request):
    """(W, A, h) of one step: at the resolution of the noise, and of eight of its steps."""
    h = H * 2**request.param
    W, A = split(noise().increments(range(PATHS), 1, h))
    return W, A, h


# -- the law of the areas ------------------------------------------------------------------------------------------


def test_mean_and_variance(sample):
    """E A = 0 and E A² = h²/4."""
    _, A, h = sample
    assert np.abs(deviations(A)).max() < 4.5  # measured 1.85
    assert np.abs(deviations(A**2 - h**2 / 4)).max() < 4.5  # measured 0.92


def test_orthogonal_to_the_path(sample):
    """E A_ij | W = 0: no correlation with W_k, with W_k W_l, or with their products with other areas of odd degree."""
    W, A, h = sample
    products = [a * w for a in A / h for w in W / np.sqrt(h)]
    products += [a * W[k] * W[q] / h for a in A / h for k in range(3) for q in range(k, 3)]
    assert np.abs(deviations(np.array(products))).max() < 4.5  # measured 2.78


def test_covariance_given_the_path(sample):
    """E A_ij² | W = h²/12 + h (W_i² + W_j²)/12 and E A_ij A_ik | W = h W_j W_k/12."""
    W, A, h = sample
    rest = [A[k] ** 2 - h**2 / 12 - h * (W[i] ** 2 + W[j] ** 2) / 12 for k, (i, j) in enumerate(zip(I, J, strict=True))]
    # rows are (1, 2), (1, 3), (2, 3); A_23 A_21 = −A_23 A_12
    rest += [
        A[0] * A[1] - h * W[1] * W[2] / 12,
        A[1] * A[2] - h * W[0] * W[1] / 12,
        -A[2] * A[0] - h * W[2] * W[0] / 12,
    ]
    weights = [np.ones(PATHS), W[0] ** 2 / h, W[1] * W[2] / h, (W**2).sum(axis=0) / h]
    tested = np.array([r * w for r in rest for w in weights]) / h**2
    assert np.abs(deviations(tested)).max() < 4.5  # measured 1.72


@pytest.mark.parametrize("theta", [1.0, 2.0, 4.0, 8.0])
def test_characteristic_function_given_the_path(theta, sample):
    """Lévy: E cos(θA) | W = x/sinh x · exp((1 − x coth x)(W_i² + W_j²)/2h), x = θh/2, here with θ in units of 1/h.

    Against functions of W too; the errors of four terms and a normal rest are below those of the sample.
    """
    W, A, h = sample
    x = theta / 2
    radius = (W[I] ** 2 + W[J] ** 2) / h
    law = x / np.sinh(x) * np.exp(radius / 2 * (1 - x / np.tanh(x)))
    rest = np.cos(theta * A / h) - law
    tested = np.concatenate([rest, rest * radius, rest * np.exp(-radius)])
    assert np.abs(deviations(tested)).max() < 4.5  # measured 1.78
    assert np.abs(deviations(np.sin(theta * A / h))).max() < 4.5  # measured 2.0
    assert np.abs(deviations(np.cos(theta * A / h) - 1 / np.cosh(x))).max() < 4.5  # measured 1.37


def test_the_rest_of_the_series_matters(monkeypatch):
    """Negative: with the series cut off and no rest, the variance is too small by a quarter of the tail, and is seen to be."""
    fill = LevyAreas._areas

    def without_rest(self, dW, h, p, seed, paths, step):
        with monkeypatch.context() as patched:
            patched.setattr("semidirect.random.iterated_integrals.levy_areas.math.fsum", lambda terms: np.pi**2 / 6)
            return fill(self, dW, h, p, seed, paths, step)

    monkeypatch.setattr(LevyAreas, "_areas", without_rest)
    _, A = split(noise().increments(range(PATHS), 1, H))
    assert deviations(A**2 - H**2 / 4).max() < -10  # measured −20


def test_areas_are_those_of_the_path():
    """Over 2¹⁰ steps the areas are ½ Σ (W_i ΔW_j − W_j ΔW_i) of the path up to those of the steps, whose rms is 2⁻⁵ of theirs.

    So J_ij = ½ W_i W_j + A_ij is the integral with dW_i first: ∫ W_i ∘ dW_j.
    """
    fine, paths = noise(resolution=2.0**-10), range(200)
    dW, _ = split(fine.block(paths, 0, 2**10, 2.0**-10).transpose(1, 0, 2))
    before = np.cumsum(dW, axis=1) - dW
    riemann = 0.5 * (before[I] * dW[J] - before[J] * dW[I]).sum(axis=1)
    W, A = split(fine.increments(paths, 0, 1.0))
    np.testing.assert_allclose(W, dW.sum(axis=1), rtol=0, atol=1e-13)
    rms = np.sqrt(np.mean((A - riemann) ** 2))
    assert abs(rms / (0.5 * 2.0**-5) - 1) < 0.1  # of 600 numbers: standard error .03
    assert np.sqrt(np.mean(riemann**2)) > 0.4


def test_terms_keep_the_local_error_of_order_three_halves():
    """√(m/12)·h/(πp) is at most h^(3/2), with p within 1 of the least, and at least four terms."""
    for m in (2, 3, 6):
        for k in range(0, 20):
            h = 2.0**-k
            p = LevyAreas.terms(m, h)
            bound = np.sqrt(m / 12) * h / np.pi
            assert bound / p <= h**1.5
            assert p == 4 or bound / (p - 1) > h**1.5
    with pytest.raises(MethodError, match=r"need too many terms.*needs no areas"):
        LevyAreas.terms(6, 2.0**-30)


# -- one path at every step ----------------------------------------------------------------------------------------


@given(
    extra=extras,
    step=st.integers(0, 10**6),
    k=st.integers(0, 3),
    paths=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=6),
)
def test_a_path_alone_is_the_path_in_any_batch(extra, step, k, paths):
    source, k = noise(extra), k if INTEGRALS[extra].coarsens else 0
    together = source.increments(paths, step, H * 2.0**k)
    assert together.shape == (source.rows, len(paths))
    j = step % len(paths)
    assert source.increments([paths[j]], step, H * 2.0**k)[:, 0].tobytes() == together[:, j].tobytes()


@given(extra=extras, first=st.integers(0, 1000), steps=st.integers(0, 7), k=st.integers(0, 2))
def test_a_block_is_its_steps_one_by_one(extra, first, steps, k):
    source, k = noise(extra), k if INTEGRALS[extra].coarsens else 0
    block = source.block(range(4), first, steps, H * 2.0**k)
    for i in range(steps):
        assert source.increments(range(4), first + i, H * 2.0**k).tobytes() == block[i].tobytes()


def test_large_blocks_are_cut_without_a_trace(monkeypatch):
    whole = noise().block(range(5), 3, 9, H)
    monkeypatch.setattr("semidirect.random.iterated_integrals.NUMBERS_AT_ONCE", 1)
    assert noise().block(range(5), 3, 9, H).tobytes() == whole.tobytes()


@given(extra=extras, step=st.integers(0, 10**6))
def test_increments_are_those_without_extras(extra, step):
    """What is drawn beside them changes no increment."""
    plain = WienerNoise(3, 3, H, increment_law=INTEGRALS[extra].increment_law).increments(range(5), step, H)
    assert noise(extra).increments(range(5), step, H)[:3].tobytes() == plain.tobytes()


@given(step=st.integers(0, 10**6), k=st.integers(0, 8))
def test_chen(step, k):
    """A over a doubled step is A′ + A″ + ½ (W′ ⊗ W″ − W″ ⊗ W′), bit for bit, whatever has been joined before."""
    h = H * 2.0**k
    (w, a), (x, b) = (split(r) for r in noise().block(range(3), 2 * step, 2, h))
    W, A = split(noise().increments(range(3), step, 2 * h))
    np.testing.assert_array_equal(W, w + x)
    np.testing.assert_array_equal(A, a + b + 0.5 * (w[I] * x[J] - x[I] * w[J]))


def test_chen_is_associative():
    """Areas over three quarters do not depend on which halves are joined first: what Chen's relation says of a path."""
    r = noise().block(range(100), 0, 3, H)
    join = LevyAreas().join

    def both(a, b):
        return np.concatenate([a[:, :3] + b[:, :3], join(3, a, b, H)], axis=1)

    a, b, c = r[0:1], r[1:2], r[2:3]
    np.testing.assert_allclose(both(both(a, b), c), both(a, both(b, c)), rtol=0, atol=5e-16)


@given(step=st.integers(0, 10**6), k=st.integers(0, 6))
def test_time_integrals_of_a_doubled_step(step, k):
    """Z = Z′ + Z″ + h W′."""
    h = H * 2.0**k
    (w, z), (_, zz) = (split(r) for r in noise("time-integrals").block(range(3), 2 * step, 2, h))
    _, Z = split(noise("time-integrals").increments(range(3), step, 2 * h))
    np.testing.assert_array_equal(Z, z + zz + h * w)


@pytest.mark.parametrize("k", [0, 3])
def test_law_of_time_integrals(k):
    """Var Z = h³/3, Cov(Z, W) = h²/2."""
    h = H * 2.0**k
    W, Z = split(noise("time-integrals").increments(range(PATHS), 1, h))
    assert (
        np.abs(deviations(np.concatenate([Z, Z**2 / h**3 - 1 / 3, Z * W / h**2 - 1 / 2]))).max() < 4.5
    )  # measured 2.1
    assert np.abs(deviations(np.array([Z[0] * Z[1], Z[0] * W[1]]))).max() < 4.5  # measured 0.5


def test_law_of_signs():
    W, V = split(noise("signs").block(range(2**14), 0, 4, H).transpose(1, 0, 2).reshape(5, -1))
    assert set(np.unique(np.abs(V))) == {np.sqrt(H)}
    tested = [*V, V[0] * V[1], *(v * w for v in V for w in W), *(v * w**2 for v in V for w in W), W[0] * W[1]]
    assert np.abs(deviations(np.array(tested))).max() < 4.5  # measured 2.0


# -- correlated noises ---------------------------------------------------------------------------------------------


def test_correlated_noises():
    """W̃ = L W has the areas L A Lᵀ, and joining them is mixing what was joined."""
    C = [[1.0, 0.5, 0.2], [0.5, 2.0, -0.3], [0.2, -0.3, 0.5]]
    L = np.linalg.cholesky(C)
    for extra in ("areas", "time-integrals"):
        for h in (H, 8 * H):
            W, A = split(noise(extra).increments(range(50), 1, h))
            mixed_W, mixed_A = split(noise(extra, covariance=C).increments(range(50), 1, h))
            np.testing.assert_allclose(mixed_W, L @ W, rtol=0, atol=1e-14)
            if extra == "areas":
                full = np.zeros((3, 3, 50))
                full[I, J], full[J, I] = A, -A
                A = np.einsum("ia,abp,jb->ijp", L, full, L)[I, J]
            else:
                A = L @ A
            np.testing.assert_allclose(mixed_A, A, rtol=0, atol=2e-14)
    with pytest.raises(MethodError, match="independent noises"):
        noise("signs", covariance=C).increments(range(2), 0, H)


# -- refusals ------------------------------------------------------------------------------------------------------


def test_no_random_number_is_used_twice():
    """Levels of the generator: increments 0, bridges 1 to 40, and one for each of the others."""
    levels = [FOURIER, TAIL, SIGN, INTEGRAL]
    assert len(set(levels)) == len(levels)
    assert min(levels) > FINEST_LEVEL
    assert max(levels) < 64


@pytest.mark.parametrize("extra", ["areas", "time-integrals"])
def test_nothing_is_known_below_the_resolution(extra):
    with pytest.raises(MethodError, match="at its resolution and above"):
        noise(extra).increments(range(2), 0, H / 2)


def test_unknown_extras():
    with pytest.raises(InputError, match=r"such as LevyAreas\(\)"):
        WienerNoise(1, 2, H, integrals="area")


@pytest.mark.parametrize("m", [0, 1])
def test_few_noises(m):
    assert noise(m=m).increments(range(2), 0, H).shape == (m, 2)
    assert noise("signs", m=m).increments(range(2), 0, H).shape == (m, 2)
