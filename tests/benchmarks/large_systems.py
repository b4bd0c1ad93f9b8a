"""What derivations, pages and compilations of large systems cost: ``python tests/benchmarks/large_systems.py``.

Bodies on so(n), chains of tops with and without noise. The coefficients of ``semidirect.equations.forecast`` and of the
compiler are those that fit best, none of them negative; the record is beside this file.
"""

import json
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


def main():
    """Measure, fit and record."""
    body(4).equations().latex()  # what is imported and found once
    compiled, record = [], []
    code = compiled_function.object_code

    def timed(assembly):
        begin = time.process_time()
        result = code(assembly)
        compiled.append((assembly.count("\n"), time.process_time() - begin))
        return result

    compiled_function.object_code = timed
    systems = {"so(9)": body(9), "so(15)": body(15), "so(15), 4 noises": body(15, 4), "so(19)": body(19),
               "8 tops": tops(8), "16 tops": tops(16), "16 tops, 4 noises": tops(16, 4), "33 tops": tops(33)}  # fmt: skip
    for name, system in systems.items():
        forecast = Forecast.of(system.workings.symbolic_definition())
        row = {"name": name, "counts": forecast.counts, "derivation": processor_time(system.sde)}
        row["operations"] = system.sde().program.operations()
        row["page"] = processor_time(lambda s=system: str(s.equations(components=True)))
        system.simulate(t_end=0.01, dt=0.01, method="heun", save="final", formulation=sd.Formulation(reconstruct=False))
        record.append(row)
        print(row, flush=True)
    counts = np.array([row["counts"] for row in record], dtype=float)
    derivation = np.array([row["derivation"] for row in record])
    weights = 1 / derivation  # relative errors
    fit = nnls(counts * weights[:, None], np.ones(len(record)))[0]
    pages = np.array([[row["operations"], row["page"]] for row in record])
    lines = np.array(compiled)
    results = {
        "systems": record, "derivation": fit.tolist(),
        "page": float(np.median(pages[:, 1] / pages[:, 0])),
        "compilation": float(np.median(lines[lines[:, 0] > 1000][:, 1] / lines[lines[:, 0] > 1000][:, 0])),
        "compiled": compiled,
    }  # fmt: skip
    RECORD.write_text(json.dumps(results, indent=1) + "\n")
    print({k: results[k] for k in ("derivation", "page", "compilation")})


if __name__ == "__main__":
    main()
