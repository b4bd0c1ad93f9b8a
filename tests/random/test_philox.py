"""Philox4x32-10 against the published vectors, and the layout of counter and key."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.machine.cache.compiled_function import CompiledFunction
from semidirect.random import philox_normal as generator
from semidirect.random.philox import COMPONENT_BITS, LEVEL_BITS, STEP_BITS, address, philox4x32

# Random123, kat_vectors: philox4x32, 10 rounds: counter, key, result.
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

words = st.integers(0, 2**32 - 1)
addresses = st.tuples(
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**STEP_BITS - 1),
    st.integers(0, 2**COMPONENT_BITS - 1),
    st.integers(0, 2**LEVEL_BITS - 1),
)


def words_of(call, results, *given):
    """The results of a compiled function of words."""
    names = ", ".join(f"w{i}" for i in range(len(given)))
    places = ", ".join(f"out[{i}]" for i in range(results))
    text = f"def run(out: u8[:], {names.replace(',', ': u8,')}: u8):\n    {places} = {call}({names})\n"
    out = np.zeros(results, dtype=np.uint64)
    CompiledFunction.of_text(text, "run", vars(generator))(out, *given)
    return tuple(out.tolist())


def philox(*words):
    return words_of("philox", 4, *words)


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN_ANSWERS)
def test_known_answers(counter, key, expected):
    assert tuple(int(w) for w in philox4x32(counter, key)) == expected
    assert philox(*counter, *key) == expected


def test_batches_are_broadcast():
    counters = np.array([c for c, _, _ in KNOWN_ANSWERS])
    result = philox4x32(counters[:, None], np.array([[0, 0], [1, 2]]))
    assert result.shape == (3, 2, 4)
    assert result.dtype == np.uint32
    np.testing.assert_array_equal(result[1, 0], philox4x32(counters[1], (0, 0)))


@given(counter=st.tuples(words, words, words, words), key=st.tuples(words, words))
def test_compiled_philox_is_the_reference(counter, key):
    assert philox(*counter, *key) == tuple(int(w) for w in philox4x32(counter, key))


@given(addresses, addresses)
def test_different_uses_have_different_addresses(one, other):
    """A use is (seed, path, pair of steps, component, level); the address determines it."""
    counter, key = address(*one)
    assert all(0 <= w < 2**32 for w in (*counter, *key))
    seed = key[0] | key[1] << 32
    path = counter[1] | counter[2] << 32
    top = counter[3]
    pair = counter[0] | (top & 0x1FFF) << 32
    assert (seed, path, pair, top >> 13 & 0x1FFF, top >> 26) == (one[0], one[1], one[2] >> 1, one[3], one[4])
    pairs = [(s, p, n >> 1, c, level) for s, p, n, c, level in (one, other)]
    assert (pairs[0] == pairs[1]) == (address(*one) == address(*other))


def test_compiled_last_word_is_the_reference():
    pair, component, level = 2**44 + 12345, 8191, 63
    assert words_of("last_word", 1, pair, component, level) == (address(0, 0, 2 * pair, component, level)[0][3],)


def test_all_words_are_uniform_bit_by_bit():
    n = 2**16
    counters = np.zeros((n, 4), dtype=np.uint64)
    counters[:, 0] = np.arange(n)
    result = philox4x32(counters, (1, 0))
    ones = ((result[..., None] >> np.arange(32, dtype=np.uint32)) & 1).sum(axis=0)
    deviation = np.abs(ones - n / 2) / np.sqrt(n / 4)
    assert deviation.max() < 4.5  # 128 bits; measured 2.68
