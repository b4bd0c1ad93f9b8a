"""What derivations, pages and compilations of large systems cost: ``python tests/benchmarks/large_systems.py``.

Bodies on so(n), chains of tops with and without noise. The coefficients of ``semidirect.equations.forecast`` and of the
compiler are those that fit best, none of them negative; the record is beside this file.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

import semidirect as sd
from semidirect.equations.forecast import Forecast
from semidirect.machine.cache import compiled_function

RECORD = Path(__file__).with_suffix(".json")


def body(n, noises=0):
    """A free body of n dimensions."""
    group = sd.groups.SpecialOrthogonal(n)
    rows = [[0.1 * (j % (k + 2) == 0) for j in range(group.dimension)] for k in range(noises)]

    class Body(sd.System):
        """A free body."""

        def lagrangian(self, xi):
            return sum((k + 2) * w**2 for k, w in enumerate(xi.Omega)) / 2

        def constraint(self):
            return sd.Unconstrained(noise=rows)

    Body.group = group
    return Body()


def tops(n, noises=0):
    """A chain of heavy tops."""
    group = sd.DirectProduct(*(sd.SO3() for _ in range(n)), names=[f"t{i}" for i in range(n)])
    names = list(group.blocks)
    rows = [[0.1 * (j % (k + 2) == 0) for j in range(group.dimension)] for k in range(noises)]

    class Tops(sd.System):
        """Tops, each coupled to the next."""

        def lagrangian(self, xi, a):
            total = 0
            for i, name in enumerate(names):
                w, up = getattr(xi, name), getattr(a, f"G{i}")
                total = total + (w[0] ** 2 + 2 * w[1] ** 2 + 3 * w[2] ** 2) / 2 - up[2]
                if i:
                    total = total + sd.ops.dot(up, getattr(a, f"G{i - 1}"))
            return total

        def constraint(self):
            return sd.Unconstrained(noise=rows)

    Tops.group = group
    vector = sd.VectorRepresentation(sd.SO3())
    Tops.advected = {f"G{i}": sd.Advected(sd.Pullback(vector, group, name), (0, 0, 1)) for i, name in enumerate(names)}
    return Tops()


def processor_time(work):
    """Seconds of the processor."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def systems():
    """By name; made when asked for."""
    return {"so(9)": body(9), "so(12)": body(12), "8 tops": tops(8), "16 tops": tops(16), "16 tops, 4 noises": tops(16, 4),
            "33 tops": tops(33), "so(15)": body(15)}  # fmt: skip


def derivations():
    """Seconds of derivations and pages."""
    body(4).equations().latex()  # what is imported and found once
    for name, system in systems().items():
        row = {"name": name, "counts": Forecast.of(system.workings.symbolic_definition()).counts}
        row["derivation"] = processor_time(system.sde)
        row["operations"] = system.sde().program.operations()
        row["page"] = processor_time(lambda s=system: str(s.equations(components=True)))
        print(row, flush=True)
        yield row


def compilations():
    """Lines of LLVM's assembly and seconds that they took, without the cache of the user."""
    compiled, code = [], compiled_function.object_code

    def timed(assembly):
        begin = time.process_time()
        result = code(assembly)
        compiled.append((assembly.count("\n"), time.process_time() - begin))
        return result

    compiled_function.object_code = timed
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SEMIDIRECT_CACHE"] = folder
        for system in (body(5), body(9), tops(4), tops(16), tops(33)):
            system.simulate(t_end=0.01, dt=0.01, method="heun", save="final", execution=sd.Execution(engine="compiled"),
                            formulation=sd.Formulation(reconstruct=False))  # fmt: skip
    return compiled


def main():
    """Measure what is asked for, ``derivations`` and ``compilations`` or both; fit, and record."""
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    parts = sys.argv[1:] or ["derivations", "compilations"]
    if "derivations" in parts:
        record["systems"] = list(derivations())
    if "compilations" in parts:
        record["compiled"] = compilations()
    counts = np.array([row["counts"] for row in record["systems"]], dtype=float)
    seconds = np.array([row["derivation"] for row in record["systems"]])
    pages = np.array([row["page"] / row["operations"] for row in record["systems"]])
    lines = np.array([row for row in record["compiled"] if row[0] > 1000])
    record["derivation"] = nnls(counts / seconds[:, None], np.ones(len(seconds)))[0].tolist()  # relative errors
    record["page"], record["compilation"] = float(np.median(pages)), float(np.median(lines[:, 1] / lines[:, 0]))
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
    print({name: record[name] for name in ("derivation", "page", "compilation")})


if __name__ == "__main__":
    main()
