"""Each component has one name, in equations, proofs, runs, pictures, statistics and on the command line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.equations.derive import derived_sde
from semidirect.equations.quantity_expressions.texts import text_expressions
from semidirect.expressions.component_names import component_names, component_of, grouped

NAMES = st.sampled_from(["Omega", "x", "g", "contact-force", "p_w", "M"])


@given(st.dictionaries(NAMES, st.integers(0, 40), min_size=1), st.integers(2, 11), st.integers(1, 5))
def test_the_name_of_a_component_finds_it(sizes, rows, length):
    separator = "_" if rows > 9 else ""
    stored = [f"g{i + 1}{separator}{j + 1}" for i in range(rows) for j in range(rows)] + [
        f"x{i + 1}" for i in range(length)
    ]
    sizes |= {stem: len(where) for stem, where in grouped(tuple(stored)).items() if stem in sizes}
    labels = {}
    for name, size in sizes.items():
        for i, label in enumerate(component_names(name, size, stored) if size > 1 else ()):
            labels[label] = (name, i)
    assert len(labels) == sum(size for size in sizes.values() if size > 1)
    for label, found in labels.items():
        assert component_of(label, sizes, lambda name: sizes[name], stored) == found
        assert component_of(label.replace("-", "_"), sizes, lambda name: sizes[name], stored) == found
    for text in ("Omega0", "Omega01", "Omega41", "Omega-1", "Omega", "Omega1 ", "Omega١", "nope1", "g1", "g", "", "1"):
        assert text in labels or component_of(text, sizes, lambda name: sizes[name], stored) is None


def test_a_component_is_asked_for_its_size_only_where_it_may_belong():
    asked = []

    def size(name):
        asked.append(name)
        return 3

    assert component_of("M2", ["Omega", "M", "Gamma"], size) == ("M", 1)
    assert asked == ["M"]


@pytest.mark.parametrize("name", ["routh-sphere", "spherical-robot", "chaplygin-sleigh"])
def test_names_are_the_same_everywhere(semidirect, name):
    system = sd.load(name)
    how = {"t_end": 0.02, "dt": 0.01, "execution": sd.Execution(engine="numpy")}
    run = system.simulate(**how)
    printed = semidirect("run", name, "--t-end", "0.02").out.split("\n\n")[1].splitlines()[1:]
    labels = [line.split()[0] for line in printed]
    tables = semidirect("evaluate", name).out.split("\n\n")
    assert {line.split()[0] for table in tables for line in table.splitlines()[1:]} == set(labels)
    every = {
        x for n in run for x in component_names(n, run[n].shape[2] if run[n].ndim > 2 else 1, run.data.stored_names)
    }
    assert every == set(labels)
    observed = {x for n in system.observables() for x in labels if x.rstrip("0123456789") == n or x == n}
    assert set(labels[: len(observed)]) == observed  # before all others

    kept = system.simulate(**how, save=sd.Save(names=labels))
    for line, label in zip(printed, labels, strict=True):
        assert run[label].shape == (1, 3)
        np.testing.assert_array_equal(kept[label], run[label])
        assert kept.data.units.get(label, "") == "".join(line.split()[3:]) or " " in kept.data.units[label]
        assert f"{run[label][0, -1]:.6g}" == line.split()[1]
        assert len(text_expressions(system, label, derived_sde(system))) == 1
        np.testing.assert_array_equal(run[f"2*{label.replace('-', '_')}"], 2 * run[label])


def test_components_in_events_statistics_and_pictures(semidirect):
    top = sd.load("heavy-top")
    how = {"t_end": 0.1, "dt": 0.01, "paths": 3, "execution": sd.Execution(engine="numpy"), "seed": 1}
    run = top.simulate(
        **how, stop=sd.Stop("Gamma3", below=-2), reduce=[sd.Covariance(["Omega", "energy"]), sd.Moments(["g12"])]
    )
    assert run.reductions["covariance"].components == ("Omega1", "Omega2", "Omega3", "energy")
    assert semidirect("run", "heavy-top", "--t-end", "0.1", "--stop", "Omega1>=-9").code == 0
    by_name, by_index = run.plot("Omega1"), run.plot("Omega[0]")
    assert by_name.get_ylabel() == by_index.get_ylabel()
    with pytest.raises(sd.errors.InputError, match="a component of it, from 'g11' to 'g33'"):
        run.plot.phase("g", "energy")
    with pytest.raises(sd.errors.UnknownNameError, match="unknown quantity of the run 'Omega4'"):
        run["Omega4"]
    with pytest.raises(sd.errors.UnknownNameError, match="unknown quantity to save 'Omega0'"):
        top.simulate(**how, save=sd.Save(names=["Omega0"]))


def test_a_stored_run_reads_only_the_quantity_whose_component_is_meant(tmp_path):
    run = sd.load("heavy-top").simulate(t_end=0.02, dt=0.01, execution=sd.Execution(engine="numpy"))
    loaded = sd.Run.load(run.save(tmp_path / "run.zarr"))
    np.testing.assert_array_equal(loaded["g12"], run["g"][..., 1])
    np.testing.assert_array_equal(loaded["Gamma3"], run["Gamma"][..., 2])
