"""Normals: their distribution, their independence, and that nothing but their address matters."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from semidirect.core.errors import InputError
from semidirect.random.normal_numbers import fill_normals, standard_normals

N = 2**18
paths = st.lists(st.one_of(st.integers(0, 300), st.integers(0, 2**64 - 1)), min_size=1, max_size=70)
steps = st.one_of(st.integers(0, 20), st.integers(0, 2**46 - 10))


@given(paths=paths, step=steps, seed=st.integers(0, 2**64 - 1), components=st.integers(1, 5), level=st.integers(0, 63))
def test_a_path_alone_is_the_path_in_any_batch(paths, step, seed, components, level):
    together = standard_normals(seed, paths, step, components, level)
    assert together.shape == (components, len(paths))
    for j, path in enumerate(paths):
        alone = standard_normals(seed, [path], step, components, level)
        assert alone.tobytes() == together[:, j].tobytes()


@given(step=steps, count=st.integers(1, 9), components=st.integers(1, 4), first=st.integers(0, 2**40))
def test_a_block_is_its_steps_one_by_one(step, count, components, first):
    batch = range(first, first + 37)
    block = fill_normals(np.full((count, components, 37), np.nan), 5, batch, step)
    for i in range(count):
        assert standard_normals(5, batch, step + i, components).tobytes() == block[i].tobytes()


def test_a_component_does_not_depend_on_their_number():
    many = standard_normals(1, range(50), 3, 6)
    for count in range(1, 6):
        np.testing.assert_array_equal(standard_normals(1, range(50), 3, count), many[:count])


@pytest.mark.parametrize("batch", [range(7, 40), range(40, 7, -3), np.arange(9)[::2], np.array([3, 2**40], np.int64)])
def test_ways_to_name_paths(batch):
    expected = standard_normals(1, [int(p) for p in batch], 0, 2)
    np.testing.assert_array_equal(standard_normals(1, batch, 0, 2), expected)


def test_nothing_to_draw():
    assert standard_normals(1, range(0), 0, 3).shape == (3, 0)
    assert standard_normals(1, np.empty(0), 0, 3).shape == (3, 0)
    assert standard_normals(1, range(4), 0, 0).shape == (0, 4)
    assert fill_normals(np.empty((0, 2, 3)), 1, range(3), 0).shape == (0, 2, 3)


def test_threads_draw_the_same():
    def draw(k):
        return fill_normals(np.empty((50, 3, 64)), 2, range(64 * k, 64 * (k + 1)), 0)

    with ThreadPoolExecutor(4) as pool:
        blocks = list(pool.map(draw, range(8)))
    np.testing.assert_array_equal(
        np.concatenate(blocks, axis=2), fill_normals(np.empty((50, 3, 512)), 2, range(512), 0)
    )


SAMPLES = {
    "paths": lambda: standard_normals(11, range(N), 4, 1)[0],
    "steps": lambda: fill_normals(np.empty((N, 1, 1)), 11, [4], 0)[:, 0, 0],
    "components": lambda: standard_normals(11, range(N // 4096), 4, 4096).ravel(),
    "levels": lambda: np.concatenate([standard_normals(11, range(N // 64), 4, 1, k)[0] for k in range(64)]),
    "seeds": lambda: np.concatenate([standard_normals(s, range(64), 4, 1)[0] for s in range(N // 64)]),
    "far away": lambda: standard_normals(2**64 - 1, range(2**64 - N, 2**64), 2**46 - 1, 1, 63)[0],
}


@pytest.mark.parametrize("along", SAMPLES)
def test_distribution(along):
    z = SAMPLES[along]()
    moments = [(z**k).mean() for k in range(1, 7)]
    errors = np.sqrt(np.array([1, 2, 15, 96, 945, 10170]) / N)
    deviation = np.abs(np.array(moments) - [0, 1, 0, 3, 0, 15]) / errors
    assert deviation.max() < 3.9  # 1e-4 two-sided; measured 1.98, on "paths"
    assert stats.kstest(z, "norm").pvalue > 1e-3  # measured 0.13 to 0.89
    bits = z.view(np.uint64) & np.uint64(1)
    assert abs(bits.mean() - 0.5) < 3.9 * 0.5 / np.sqrt(N)  # measured 0.91 of the 3.9


def neighbours():
    """Pairs of samples that a poor layout of the counter would tie together."""
    a = fill_normals(np.empty((4, 3, N)), 11, range(N), 6)
    yield "component", a[0, 0], a[0, 1]
    yield "component 0 and 2", a[0, 0], a[0, 2]
    yield "steps of one call", a[0, 0], a[1, 0]
    yield "steps of two calls", a[1, 0], a[2, 0]
    yield "step and component", a[1, 0], a[0, 1]
    yield "path", a[0, 0, :-1], a[0, 0, 1:]
    yield "path by 64", a[0, 0, :-64], a[0, 0, 64:]
    yield "path and step", a[0, 0, :-1], a[2, 0, 1:]
    yield "level", a[0, 0], standard_normals(11, range(N), 6, 1, 1)[0]
    yield "level and doubled step", a[0, 0], standard_normals(11, range(N), 12, 1, 1)[0]
    yield "seed", a[0, 0], standard_normals(12, range(N), 6, 1)[0]
    yield "seed by 2^32", a[0, 0], standard_normals(11 + 2**32, range(N), 6, 1)[0]
    yield "path by 2^32", a[0, 0], standard_normals(11, range(2**32, 2**32 + N), 6, 1)[0]


def test_correlations():
    found = []
    for name, x, y in neighbours():
        for transform in (
            lambda z: z,
            lambda z: (z**2 - 1) / np.sqrt(2),
            np.sign,
            lambda z: (z**3 - 3 * z) / np.sqrt(6),
        ):
            for other in (lambda z: z, transform):
                found.append((abs((transform(x) * other(y)).mean()) * np.sqrt(x.size), name))
    assert len(found) == 104
    assert max(found)[0] < 4.4  # 104 values of |N(0, 1)|, 1e-3 in all; measured 2.48


def test_two_steps_of_a_call_fill_the_plane_evenly():
    x, y = fill_normals(np.empty((2, 1, N)), 3, range(N), 0)[:, 0]
    angle, radius = np.arctan2(y, x) / (2 * np.pi) + 0.5, np.exp(-0.5 * (x**2 + y**2))
    counts = np.histogram2d(angle, radius, bins=32, range=[[0, 1], [0, 1]])[0]
    assert stats.chisquare(counts.ravel()).pvalue > 1e-3  # measured 0.76


def test_tails(record_property):
    """Counts beyond 4, 5 and 5.5 sigma among 2^27 normals, and the time that they take."""
    block, out, counts = 2**14, np.empty((128, 1, 2**14)), np.zeros((2, 3), dtype=int)
    thresholds, seconds = np.array([4.0, 5.0, 5.5]), 0.0
    for k in range(64):
        started = time.perf_counter()
        fill_normals(out, 99, range(block * k, block * (k + 1)), 0)
        seconds += time.perf_counter() - started
        large = out[np.abs(out) > 4.0]
        counts += [[(large > s).sum() for s in thresholds], [(-large > s).sum() for s in thresholds]]
    record_property("normals", f"{seconds / (64 * out.size) * 1e9:.2f} ns each")
    expected = 64 * out.size * stats.norm.sf(thresholds)
    deviation = (counts - expected) / np.sqrt(expected)
    assert np.abs(deviation).max() < 4.0  # measured 1.31; beyond 5 sigma 31 and 40 of 38.5


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"seed": 1.0}, "seed"),
        ({"seed": True}, "seed"),
        ({"step": -1}, "step"),
        ({"step": 2**46}, "step"),
        ({"level": 64}, "level"),
        ({"components": 8193}, "number of components"),
        ({"paths": [1.5]}, "path"),
        ({"paths": [-1]}, "path"),
        ({"paths": range(-1, 3)}, "path"),
        ({"paths": np.array([4, -3])}, "index 1"),
        ({"paths": np.zeros((2, 2), int)}, "shape"),
        ({"paths": np.array([0.5])}, "float64"),
    ],
)
def test_refusals_say_what_is_wrong(arguments, part):
    with pytest.raises(InputError, match=part):
        standard_normals(**{"seed": 1, "paths": range(3), "step": 0, "components": 1, **arguments})


@pytest.mark.parametrize(
    "out",
    [
        np.empty((2, 1, 4)),
        np.empty((2, 3)),
        np.empty((2, 1, 3), np.float32),
        np.empty((2, 1, 6))[..., ::2],
        [[[0.0] * 3]],
    ],
)
def test_arrays_that_cannot_be_filled(out):
    with pytest.raises(InputError, match="out cannot be filled"):
        fill_normals(out, 1, range(3), 0)


def test_the_last_step_must_exist():
    assert fill_normals(np.empty((2, 1, 1)), 1, [0], 2**46 - 2).shape == (2, 1, 1)
    with pytest.raises(InputError, match="last step"):
        fill_normals(np.empty((2, 1, 1)), 1, [0], 2**46 - 1)
