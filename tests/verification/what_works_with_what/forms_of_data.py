"""Checks of data as people have them: values that wrap, orientations, inputs from a file, several recordings, outliers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import semidirect as sd
from what_works_with_what.capability import capability
from what_works_with_what.estimates import filtered, how, refused, sighted, updates
from what_works_with_what.kind import Kind, is_hybrid
from what_works_with_what.of_runs import located_statement, method
from what_works_with_what.runs import DT, NUMPY, ROUNDING, close

PERIOD = 1024.0
"""Of values that wrap: more than they differ from predictions by."""
OUTLYING, MOST = 1e6, 1e3
"""By how many of its standard deviations a value is wrong, and what is left out."""
NOISE = np.array([0.2, 0.3, 0.4])
"""Of an orientation."""


@capability("data that wrap")
def wrapped(kind: Kind) -> str:
    """Data with turns added are those without."""
    works = updates(kind, "particles", "ensemble-kalman", "extended-kalman")
    sight, data = sighted(kind, kind.made)
    turns = PERIOD * np.array([0.0, 3.0, -2.0, 5.0])[: data.shape[0]].reshape(-1, *[1] * (data.ndim - 1))
    circular = sd.Observation(kind.scalar, noise=0.05, wraps={kind.scalar: PERIOD})
    for update in works:
        plain, around = (
            filtered(kind.made, one, values, how(kind, kind.made, update))
            for one, values in ((sight, data), (circular, data + turns))
        )
        close(around.log_likelihood, plain.log_likelihood, 1e-6, f"log-likelihood with turns, {update}")
        for name in kind.names:
            close(
                around.data[f"{name}_mean"].values,
                plain.data[f"{name}_mean"].values,
                1e-6,
                f"mean of {name} with turns, {update}",
            )
    return f"data without turns: {', '.join(works)}"


@capability("orientations as data")
def orientations(kind: Kind) -> str:
    """Their likelihood at the start, by rotations of SciPy; other units."""
    sight = sd.inference.orientation("matrix", noise=NOISE)
    turned = Rotation.from_rotvec([[0.1, -0.2, 0.3], [0.3, 0.1, -0.1], [0.0, 0.5, 0.2]])
    times = np.array([0.0, 4.0, 8.0]) * DT
    found = []
    for st in (kind.made, kind.units):
        data = (times * st.clock, turned.as_matrix())
        if is_hybrid(st.system):
            data = (times[1:] * st.clock, turned.as_matrix()[1:])
        update = "particles" if refused(kind, "extended-kalman") else "extended-kalman"
        arguments = {k: v for k, v in how(kind, st, update).items() if k != "quantities"}
        found.append(filtered(st, sight, data, arguments).data["log_likelihood"].values)
    one = located_statement(kind.made)  # of a lattice it is the orientation of the first site
    ensemble = one.system.ensemble(dt=DT, state=one.state, execution=NUMPY, **method(kind))
    first = "" if one is kind.made else "site1_"
    names = [f"{first}g{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
    rows = np.stack([np.broadcast_to(ensemble.read(name), (ensemble.paths,)) for name in names], axis=-1).reshape(
        -1, 3, 3
    )
    away = (Rotation.from_matrix(rows).inv() * turned[0]).as_rotvec() / NOISE
    exact = -0.5 * np.sum(away**2, axis=-1) - np.log(NOISE).sum() - 1.5 * np.log(2 * np.pi)
    close(found[0][0], np.log(np.mean(np.exp(exact))), ROUNDING, "log-likelihood at the start")
    close(found[1], found[0], 1e-6, "log-likelihood in other units")
    return "the likelihood of SciPy's rotations; other units"


@capability("inputs from data")
def inputs(kind: Kind) -> str:
    """A filter of the system that has the tables."""
    system = kind.made.system
    if is_hybrid(system):
        sd.filter(system, *sighted(kind, kind.made), dt=DT, inputs={"nodes": "time"})
    sight, data = sighted(kind, kind.made)
    tables = {k: np.asarray(v, dtype=float) for k, v in system.values.items() if k in system.workings.table_names}
    nodes = next((k for k, v in tables.items() if v.ndim == 1 and (np.diff(v) > 0).all()), "nodes")
    others = [k for k in tables if k != nodes]
    recorded = {"time": tables.get(nodes, np.arange(3.0)), **{k: 1.25 * tables[k] for k in others}}
    works = updates(kind, "extended-kalman", "particles")[0]
    arguments = how(kind, kind.made, works)
    import pandas as pd

    given = {**arguments, "inputs": (pd.DataFrame(recorded), {nodes: "time", **{k: k for k in others}})}
    found = filtered(kind.made, sight, data, given)
    same = kind.made.__class__(
        system.replace(**{k: recorded[k] for k in others}), kind.made.same, state=kind.made.state
    )
    exact = filtered(same, sight, data, arguments)
    close(found.log_likelihood, exact.log_likelihood, ROUNDING, "log-likelihood of a system that has the tables")
    return "a system that has the tables"


def fitted(kind: Kind, data: Any, **more: Any) -> Any:
    """The fit of a parameter."""
    sight, over = sighted(kind, kind.made)[0], kind.parameter
    call = {
        "dt": DT,
        "state": kind.made.state,
        "update": "extended-kalman",
        "execution": NUMPY,
        "particles": 4,
        **method(kind),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FilterWarning)
        return sd.fit(kind.made.system, sight, data, [over] if over else [], replicates=1, **call, **more)


@capability("several recordings")
def recordings(kind: Kind) -> str:
    """The sum of the likelihoods of filters of each."""
    _, data = sighted(kind, kind.made)
    parts = [data[:1], data] if not is_hybrid(kind.made.system) else [data, data]
    found = fitted(kind, parts)
    sight = sighted(kind, kind.made)[0]
    arguments = {
        "dt": DT,
        "state": kind.made.state,
        "update": "extended-kalman",
        "execution": NUMPY,
        "particles": 4,
        **method(kind),
    }
    there = kind.made.__class__(found.system, kind.made.same, state=kind.made.state)
    alone = [filtered(there, sight, part, arguments).log_likelihood for part in parts]
    close(found.log_likelihood, sum(alone), ROUNDING, "log-likelihood of both")
    close([one.log_likelihood for one in found.recordings], alone, ROUNDING, "log-likelihood of each")
    return "the likelihoods of each"


@capability("outliers that are left out")
def outliers(kind: Kind) -> str:
    """A fit of the data without them, to the bit."""
    _, data = sighted(kind, kind.made)
    if is_hybrid(kind.made.system):
        fitted(kind, data, reject=MOST)
    wrong = data.copy()
    wrong[1] += OUTLYING * 0.05
    found = fitted(kind, wrong, reject=MOST)
    exact = fitted(kind, data.isel(time=[0, *range(2, data.sizes["time"])]))
    assert found.rejected == 1, f"{found.rejected} times are left out"
    for name in ("estimate", "interval", "log_likelihood"):
        assert np.array_equal(getattr(found, name), getattr(exact, name), equal_nan=True), (
            f"another {name} than without the outlier"
        )
    return "a fit without the outlier, bit for bit"
