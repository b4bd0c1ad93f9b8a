"""What a step of a lattice costs: ``python tests/benchmarks/lattices.py`` writes docs/lattices.md.

Beside it stands a system of eight tops that is written out and compiled, that of ``larger.py``.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from larger import Tops as WrittenOut

import semidirect as sd
from semidirect import ops
from semidirect.lattices import Lattice

PAGE = Path(__file__).parents[2] / "docs" / "lattices.md"
SIZES = ((8, 1024), (1000, 1), (1000, 16), (1000, 128), (3000, 16), (10_000, 1), (10_000, 16))
METHODS = ("lie-heun", "coadjoint-midpoint")
NUMBERS, TIMES = 1e7, 8
"""Components, steps and paths of one measurement, at least, of array code a tenth; the least of so many counts."""


class Top(sd.System):
    """A heavy top under three noises."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), (0, 0, 1))}
    initial = {"Omega": (0.3, -0.2, 1.0), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a):
        """Kinetic energy less weight."""
        w = xi.Omega
        return (w[0] * w[0] + 2 * w[1] * w[1] + 3 * w[2] * w[2]) / 2 - a.Gamma[2] * 3 / 10

    def constraint(self):
        """Noise about each axis."""
        return sd.Unconstrained(noise=[[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])


class Tops(Lattice):
    """A ring of tops with the same noise."""

    sites: sd.Option[int] = sd.option(8)
    edges, common_noise = "ring", True

    def site(self):
        """One of them."""
        return Top()

    def coupling(self, left, right):
        """Of verticals."""
        return ops.dot(left.Gamma, right.Gamma) / 10


def seconds(system, steps, paths, method, **how):
    """Processor time of so many steps, without what a run takes besides."""

    def run(count):
        begin = time.process_time()
        system.simulate(t_end=count * 0.01, dt=0.01, paths=paths, seed=1, method=method, save="final", **how)
        return time.process_time() - begin

    run(2)
    return min(run(steps + 2) for _ in range(TIMES)) - min(run(2) for _ in range(TIMES))


def nanoseconds(system, rows, paths, method, engine, **how):
    """Processor time of a component, step and path."""
    numbers = NUMBERS / 10 if engine == "numpy" else NUMBERS
    steps = max(10, round(numbers / rows / paths))
    execution = sd.Execution(threads=1, engine=engine)
    return seconds(system, steps, paths, method, execution=execution, **how) / (steps * paths * rows) * 1e9


def main():
    """Measure, and write the page."""
    alone = sd.Formulation(reconstruct=False)
    titles = " | ".join(f"`{method}`" for method in METHODS)
    lines = [f"| tops | paths | {titles} | by array code |", "|---:|---:|---:|---:|---:|"]
    written = [nanoseconds(WrittenOut(), 48, 1024, method, "compiled", formulation=alone) for method in METHODS]
    lines.append(f"| 8, written out | 1,024 | {' | '.join(f'{x:.1f}' for x in written)} | |")
    print(lines[-1], flush=True)
    for sites, paths in SIZES:
        times = [nanoseconds(Tops(sites=sites), 6 * sites, paths, method, "compiled") for method in METHODS]
        arrays = nanoseconds(Tops(sites=sites), 6 * sites, paths, METHODS[0], "numpy")
        lines.append(f"| {sites:,} | {paths:,} | {' | '.join(f'{x:.1f}' for x in times)} | {arrays:.0f} |")
        print(lines[-1], flush=True)
    before, rest = PAGE.read_text("utf-8").split("<!-- cost -->\n")
    table = "\n".join(lines)
    PAGE.write_text(f"{before}<!-- cost -->\n\n{table}\n\n<!-- /cost -->{rest.split('<!-- /cost -->')[1]}", "utf-8")


if __name__ == "__main__":
    main()
