"""How many polynomial invariants some systems have, along the drift and along drift and noise, and how many there can be.

Prints the table of the page "What is conserved"; the seconds go to stderr.
"""

import sys
import time

import semidirect as sd
from semidirect.invariants import find_invariants, lie_rank

TWO_NOISES = ((0.3, -0.2, 0.5), (0.1, 0.4, -0.3))
SYSTEMS = {
    "Routh sphere, noise along its axis": sd.load("routh-sphere"),
    "the same, printed coupling": sd.load("routh-sphere", coupling="printed"),
    "axisymmetric ball, offset 0, noise along its axis": sd.load("routh-sphere", offset=0.0),
    "Chaplygin ball, three moments": sd.load("chaplygin-ball"),
    "homogeneous ball, two noises": sd.load(
        "rolling-ball", offset=0.0, inertia=(0.4, 0.4, 0.4), noise=TWO_NOISES
    ),
    "ball of any shape": sd.load("rolling-ball", inertia=(0.4, 0.5, 0.6), axis=(0.36, -0.48, 0.8), noise=TWO_NOISES[:1]),
    "Lagrange top, noise along its axis": sd.load("heavy-top"),
    "Kovalevskaya top, noise along its axis": sd.load("heavy-top", inertia=(2.0, 2.0, 1.0), axis=(1, 0, 0)),
    "free body, three noises": sd.load("rigid-body", advect_gamma=True),
}  # fmt: skip


def main() -> None:
    """Print the table."""
    width = max(map(len, SYSTEMS)) + 2
    print(f"{'degree 4 in (Omega, Gamma)':<{width}}drift  both  any kind along both")
    for name, system in SYSTEMS.items():
        start = time.perf_counter()
        drift, both = (find_invariants(system, 4, along=along) for along in ("drift", "both"))
        assert all(proof.certified for proof in (*drift.proofs, *both.proofs))
        middle = time.perf_counter()
        local = lie_rank(system).invariants
        print(f"{name:<{width}}{drift.dimension:>5}{both.dimension:>6}{local:>21}")
        seconds = f"{middle - start:.2f} s for the searches, {time.perf_counter() - middle:.2f} s for the rank"
        print(f"{name}: {seconds}", file=sys.stderr)


if __name__ == "__main__":
    main()
