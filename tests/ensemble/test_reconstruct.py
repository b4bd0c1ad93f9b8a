"""Runs of the reduced equations alone, without the configuration on the group."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, StoreError

BODY = sd.load("rigid-body", advect_gamma=True)
BALL = sd.load("rolling-ball", noise=[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]])
REDUCED = {"M", "Omega", "Gamma"}


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize(("system", "method"), [(BODY, "lie-heun"), (BALL, "heun")])
def test_the_reduced_state_is_the_same_to_the_bit(system, method, engine):
    whole, alone = (
        system.simulate(
            t_end=0.4,
            dt=0.02,
            paths=70,
            seed=3,
            method=method,
            execution=sd.Execution(engine=engine),
            formulation=sd.Formulation(reconstruct=r),
        )
        for r in (True, False)
    )
    assert set(alone) >= REDUCED
    assert set(whole) - set(alone) == ({"g"} if system is BODY else {"g", "x", "centre-of-mass", "geometric-centre"})
    for name in alone:
        assert alone[name].tobytes() == whole[name].tobytes()
    assert alone.config["reconstruct"] is False
    assert "reconstruct" not in whole.config


def test_quantities_of_the_configuration_raise_errors_that_name_them():
    lost = set(BALL.simulate(t_end=0.02, dt=0.02)) - set(
        BALL.simulate(t_end=0.02, dt=0.02, formulation=sd.Formulation(reconstruct=False))
    )
    assert lost
    for name in sorted(lost):
        with pytest.raises(InputError, match=rf"'{name}' depends on the configuration.*reconstruct=True"):
            BALL.simulate(
                t_end=0.02, dt=0.02, save=sd.Save(names=[name]), formulation=sd.Formulation(reconstruct=False)
            )
    with pytest.raises(InputError, match="reconstruct"):
        BALL.simulate(t_end=0.02, dt=0.02, formulation=sd.Formulation(reconstruct="no"))


def test_only_quantities_of_the_configuration_are_missing():
    """Independent of how it is found out: what changes with s at a given reduced state, and nothing else."""
    state = {"Omega": (0.3, -0.2, 0.7), "Gamma": (0.48, 0.6, 0.64)}
    here, there = (
        BALL.simulate(t_end=0.02, dt=0.02, save="final", state={**state, "x": x}, driver=0)
        for x in [(0.0, 0.0, 1.192), (1.0, -2.0, 1.192)]
    )
    moved = {name for name in here if not np.array_equal(here[name], there[name])}
    alone = set(BALL.simulate(t_end=0.02, dt=0.02, formulation=sd.Formulation(reconstruct=False)))
    assert moved
    assert not moved & alone


def test_it_goes_on_from_its_end_and_from_a_store(tmp_path):
    options = {
        "dt": 0.02,
        "paths": 130,
        "method": "lie-heun",
        "formulation": sd.Formulation(reconstruct=False),
        "save": "every:5",
    }
    long = BODY.simulate(t_end=0.4, **options)
    run = BODY.simulate(t_end=0.2, **{**options, "save": sd.Save("every:5", store=tmp_path / "run.zarr")})
    np.testing.assert_array_equal(run["M"], long["M"][:, :3])
    longer = sd.extend(tmp_path / "run.zarr", t_end=0.4)
    for name in long:
        assert longer[name].tobytes() == long[name].tobytes()
    again = BODY.simulate(t_end=0.6, dt=0.02, state=long.final, driver=0, formulation=sd.Formulation(reconstruct=False))
    np.testing.assert_allclose(again["M"][:, 0], long["M"][:, -1], rtol=0, atol=1e-15)
    with pytest.raises(StoreError, match=r"reconstruct: false in the store, nothing requested"):
        BODY.simulate(
            t_end=0.4,
            **{**options, "formulation": None, "save": sd.Save("every:5", store=tmp_path / "run.zarr", resume=True)},
        )


def test_the_reference_method_too():
    whole, alone = (
        BALL.simulate(t_end=0.4, dt=0.1, method="dop853", driver=0, formulation=sd.Formulation(reconstruct=r))
        for r in (True, False)
    )
    # the same solution; its steps are chosen without the coordinates of s: measured 2e-14
    np.testing.assert_allclose(alone["Gamma"], whole["Gamma"], rtol=0, atol=1e-12)


def test_statistics_and_events_of_the_reduced_state():
    stop = sd.Stop("energy", above=1e9)
    runs = [
        BALL.simulate(
            t_end=0.2,
            dt=0.02,
            paths=70,
            method="heun",
            save="final",
            reduce="moments",
            stop=stop,
            formulation=sd.Formulation(reconstruct=r),
        )
        for r in (True, False)
    ]
    means = [run.reductions["moments"].mean for run in runs]
    assert set(means[1]) < set(means[0])
    for name in means[1]:
        assert means[0][name].tobytes() == means[1][name].tobytes()
